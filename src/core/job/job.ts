/** The platform's job: how it is read from a response, and what its status means for the step. */

import * as z from 'zod/mini'
import type { JobEnd } from '../outcome.ts'
import { pullThread, type Thread } from '../thread.ts'

/**
 * A job as the platform shows it. The platform guarantees no fields (openapi.yaml): each is null if it is missing or
 * malformed. `status` is the platform's own word; an unknown status counts as not ended.
 */
export interface Job {
  id: string
  status: string | null
  prLink: string | null
  repository: string | null
  ref: string | null
  model: string | null
  createdAt: string | null
  archivedAt: string | null
}

/** One path segment. `.` and `..` would lead elsewhere, and GitHub would evaluate braces in a workflow. */
const segment = z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^(?!\.{1,2}$)[^\s/\\{}\p{C}]+$/u))

const oneLine = z.string().check(z.minLength(1), z.maxLength(2000), z.regex(/^[^\p{Cc}]+$/u))
const optionalText = z.catch(z.nullable(oneLine), null)
const optionalLink = z.catch(
  z.nullable(oneLine.check(z.refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')))),
  null,
)

const jobSchema = z.object({
  id: z.catch(z.nullable(segment), null),
  status: optionalText,
  prLink: optionalLink,
  source: z.catch(z.nullable(z.object({ repository: optionalText, ref: optionalText })), null),
  model: optionalText,
  createdAt: optionalText,
  archivedAt: optionalText,
})

/** Whether a string can be one segment of a request's path, as the id of a project or job must be. */
export function isPathSegment(text: string): boolean {
  return segment.safeParse(text).success
}

/**
 * Reads the job in a response; undefined if its id is unknown. Only the response to a create must contain an `id`.
 * @param knownId the id that was requested, if any
 */
export function parseJob(json: unknown, knownId?: string): Job | undefined {
  const parsed = jobSchema.safeParse(json)
  if (!parsed.success) return undefined
  const { source, id: shownId, ...job } = parsed.data
  const id = shownId ?? knownId
  if (id === undefined) return undefined
  return { ...job, id, repository: source?.repository ?? null, ref: source?.ref ?? null }
}

/** Whether openapi.yaml lists a job's status. */
export function isKnownStatus(status: string | null): boolean {
  return ['active', 'completed', 'archived', 'failed'].includes(status ?? '')
}

/** Whether a job has ended (openapi.yaml: every listed status except `active`). */
export function isTerminal(status: string | null): boolean {
  return status !== 'active' && isKnownStatus(status)
}

/** The outcome of a job; undefined while it is active. */
export function outcomeOfJob(job: Job): JobEnd | undefined {
  switch (job.status) {
    case 'completed':
      return job.prLink === null ? 'no-changes' : 'pull-request'
    case 'archived':
    case 'failed':
      return job.status
    default:
      return undefined
  }
}

/**
 * The thread of the pull request that a link names. Null for any other link, including one to another server: the token
 * belongs to the server that runs the workflow.
 * @param serverUrl `GITHUB_SERVER_URL`
 */
export function pullRequestThread(link: string | null, serverUrl: string): Thread | null {
  const url = URL.parse(link ?? '')
  if (url === null || url.origin !== URL.parse(serverUrl)?.origin) return null
  const [, repository, digits] = /^\/([\w.-]+\/[\w.-]+)\/pull\/(\d+)(?:\/|$)/.exec(url.pathname) ?? []
  const number = Number(digits)
  if (repository === undefined || !Number.isSafeInteger(number) || number === 0) return null
  return pullThread(repository, number)
}
