/** The platform's job, and the outcomeOfJob on what was read of it. */

import * as z from 'zod/mini'
import type { AgentOutcome } from '../outcome.ts'
import type { Thread } from '../thread.ts'

/**
 * A job as the platform shows it. Only `id` and `status` are sure to be there (openapi.yaml); every other field is null
 * where it is missing, null, or not what it should be. `status` is the platform's word as it came: one that is not
 * known is not terminal.
 */
export interface Job {
  id: string
  status: string
  prLink: string | null
  repository: string | null
  ref: string | null
  model: string | null
  createdAt: string | null
  archivedAt: string | null
}

/** A path segment that stays one: `.` and `..` would address something else. No braces: it is shown in workflows. */
const segment = z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^(?!\.{1,2}$)[^\s/\\{}\p{C}]+$/u))

const oneLine = z.string().check(z.minLength(1), z.maxLength(2000), z.regex(/^[^\p{Cc}]+$/u))
const optionalText = z.catch(z.nullable(oneLine), null)
const optionalLink = z.catch(
  z.nullable(oneLine.check(z.refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')))),
  null,
)

const jobSchema = z.object({
  id: segment,
  status: oneLine,
  prLink: optionalLink,
  source: z.catch(z.nullable(z.object({ repository: optionalText, ref: optionalText })), null),
  model: optionalText,
  createdAt: optionalText,
  archivedAt: optionalText,
})

/** Whether a text can stand as one segment of a request's path (a project's or a job's id). */
export function isPathSegment(text: string): boolean {
  return segment.safeParse(text).success
}

/** Reads a job out of a reply's JSON; undefined where it has no usable `id` and `status`. */
export function parseJob(json: unknown): Job | undefined {
  const parsed = jobSchema.safeParse(json)
  if (!parsed.success) return undefined
  const { source, ...job } = parsed.data
  return { ...job, repository: source?.repository ?? null, ref: source?.ref ?? null }
}

/** Whether the platform's word for a job is one of those that openapi.yaml lists. */
export function isKnownStatus(status: string): boolean {
  return ['active', 'completed', 'archived', 'failed'].includes(status)
}

/** Whether a job has come to its end (openapi.yaml: the last three of its four words). */
export function isTerminal(status: string): boolean {
  return status !== 'active' && isKnownStatus(status)
}

/** What a job that was read means for the step; undefined while it goes on. */
export function outcomeOfJob(job: Job): AgentOutcome | undefined {
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

/** The number of a GitHub pull request, out of its link; null where the link is none. */
export function pullRequestNumber(link: string | null): string | null {
  const [, number] = /^https:\/\/[^/]+\/[^/]+\/[^/]+\/pull\/(\d+)(?:[/?#]|$)/.exec(link ?? '') ?? []
  return number ?? null
}

/** The thread of a GitHub pull request, out of its link; null where the link is none. */
export function pullRequestThread(link: string | null): Thread | null {
  const [, repository] =
    /^https:\/\/[^/]+\/(?!\.{1,2}\/)([\w.-]+\/(?!\.{1,2}\/)[\w.-]+)\/pull\/\d+/.exec(link ?? '') ?? []
  const number = Number(pullRequestNumber(link))
  if (repository === undefined || !Number.isSafeInteger(number) || number === 0) return null
  return { repository, number, isPullRequest: true, reviewRoot: null }
}
