/** A job in Mintlify's responses (openapi.yaml): how it is read, and what its status means. */
import * as z from 'zod/mini'
import { pathSegment } from '../core/http.ts'
import type { Job } from '../core/job.ts'
import type { JobEnd } from '../core/outcome.ts'
import { pageUrl, pullOfLink } from '../core/thread.ts'

const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullable(schema), null)
const oneLine = z.string().check(z.regex(/^[^\p{Cc}]{1,2000}$/u))

const jobSchema = z.object({
  id: orNull(z.string().check(z.regex(pathSegment))),
  status: orNull(oneLine),
  prLink: orNull(oneLine),
  source: orNull(z.object({ repository: orNull(oneLine), ref: orNull(oneLine) })),
  model: orNull(oneLine),
  createdAt: orNull(oneLine),
  archivedAt: orNull(oneLine),
})

/**
 * Reads the job in a response; undefined if its id is unknown. Only the response to a create must contain an `id`.
 * @param serverUrl `GITHUB_SERVER_URL`
 * @param knownId the id that was requested, if any
 */
export function parseJob(json: unknown, serverUrl: string, knownId?: string): Job | undefined {
  const { data: view } = jobSchema.safeParse(json)
  const id = view?.id ?? knownId
  if (view === undefined || id === undefined) return undefined
  const { status, prLink, source, model, createdAt: creationTime, archivedAt: archiveTime } = view
  const { repository: home = null, ref: branch = null } = source ?? {}
  const link = readLink(prLink, serverUrl)
  const repository = readLink(home, serverUrl) ?? home
  return { id, status, link, repository, branch, model, creationTime, archiveTime }
}

/**
 * A link without user info, which may be a token; null if it does not lead to a website. All pages of a pull request on
 * this GitHub server are read as its address, so that equal pull requests have equal links.
 */
function readLink(text: string | null, serverUrl: string) {
  const url = URL.parse(text ?? '')
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  url.username = ''
  url.password = ''
  const pull = pullOfLink(url.href, serverUrl)
  if (pull !== null) return pageUrl({ ...pull, isPullRequest: true }, serverUrl)
  return url.href
}

/** Mintlify's statuses (openapi.yaml), and the end that each means for a job with a link; undefined if the job is active. */
export const statuses = new Map<string | null, JobEnd | undefined>([
  ['active', undefined],
  ['completed', 'pull-request'],
  ['archived', 'archived'],
  ['failed', 'failed'],
])

/** Whether Mintlify documents a status. */
export function isKnownStatus(status: string | null): boolean {
  return statuses.has(status)
}

/** Whether a job with this status has ended. An unknown status counts as not ended. */
export function isTerminal(status: string | null): boolean {
  return statuses.get(status) !== undefined
}

/** Whether a job with this status takes a follow-up: unless it ended without its result. */
export function takesFollowUp(status: string | null): boolean {
  const end = statuses.get(status)
  return end === undefined || end === 'pull-request'
}

/** The outcome of a job; undefined until it has ended. */
export function outcomeOfJob({ status, link }: Job): JobEnd | undefined {
  const end = statuses.get(status)
  if (end === 'pull-request' && link === null) return 'no-changes'
  return end
}
