/** The platform's jobs and operations (openapi.yaml): how a job is read, what its status means, and what to request. */
import * as z from 'zod/mini'
import { type HttpRequest, pathSegment } from '../core/http.ts'
import type { Job } from '../core/job.ts'
import type { JobEnd } from '../core/outcome.ts'

const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullable(schema), null)
const oneLine = z.string().check(z.regex(/^[^\p{Cc}]{1,2000}$/u))
const isWebLink = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

const jobSchema = z.object({
  id: orNull(z.string().check(z.regex(pathSegment))),
  status: orNull(oneLine),
  prLink: orNull(oneLine.check(z.refine(isWebLink))),
  source: orNull(z.object({ repository: orNull(oneLine), ref: orNull(oneLine) })),
  model: orNull(oneLine),
  createdAt: orNull(oneLine),
  archivedAt: orNull(oneLine),
})

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

/** How a job ended, by whether it has a pull request. */
interface EndOfJob {
  linked: JobEnd
  unlinked: JobEnd
}

/** Mintlify's statuses (openapi.yaml), and the end that each means; null if the job is active. */
const statuses = new Map<string | null, EndOfJob | null>([
  ['active', null],
  ['completed', { linked: 'pull-request', unlinked: 'no-changes' }],
  ['archived', { linked: 'archived', unlinked: 'archived' }],
  ['failed', { linked: 'failed', unlinked: 'failed' }],
])

/** Whether a status is one of Mintlify's. */
export function isKnownStatus(status: string | null): boolean {
  return statuses.has(status)
}

/** Whether a job with this status has ended. An unknown status counts as not ended. */
export function isTerminal(status: string | null): boolean {
  return Boolean(statuses.get(status))
}

/** The outcome of a job; undefined until it has ended. */
export function outcomeOfJob({ status, prLink }: Job): JobEnd | undefined {
  const end = statuses.get(status)
  if (!end) return undefined
  return prLink === null ? end.unlinked : end.linked
}

/** An operation with its arguments. */
export type Operation =
  | { name: 'create'; projectId: string; prompt: string }
  | { name: 'read'; projectId: string; jobId: string }
  | { name: 'message'; projectId: string; jobId: string; prompt: string }
  /**
   * A page of visitors, or the first rows of a list of what readers say. `path` is below the project's analytics. Each
   * end of the period is a day or an ISO 8601 date-time; `to` is excluded.
   */
  | {
      name: 'visitors' | 'list'
      projectId: string
      period: { from: string; to: string }
      path: string
      query: Record<string, string | number>
    }

export type OperationName = Operation['name']

/** An operation that changes something on the platform, so repeating it does harm. */
export type SendName = 'create' | 'message'

/** The request for an operation. Ids are already checked to be path segments, but are encoded anyway. */
export function toRequest(operation: Operation): HttpRequest {
  const jobs = `/v2/agent/${encodeURIComponent(operation.projectId)}/job`
  switch (operation.name) {
    case 'create':
      return { method: 'POST', path: jobs, body: { prompt: operation.prompt } }
    case 'read':
      return { method: 'GET', path: `${jobs}/${encodeURIComponent(operation.jobId)}` }
    case 'message': {
      const path = `${jobs}/${encodeURIComponent(operation.jobId)}/message`
      return { method: 'POST', path, body: { prompt: operation.prompt } }
    }
    case 'visitors':
    case 'list': {
      const { projectId, period, path, query } = operation
      const all = new URLSearchParams({ dateFrom: period.from, dateTo: period.to, ...query })
      return { method: 'GET', path: `/v1/analytics/${encodeURIComponent(projectId)}/${path}?${all}` }
    }
  }
}

/** The name of the operation that sends a prompt to a job; null for a new one. */
export function sendName(jobId: string | null): SendName {
  return jobId === null ? 'create' : 'message'
}

/** See `sendName`. */
export function sendTo(jobId: string | null, projectId: string, prompt: string) {
  return jobId === null
    ? ({ name: 'create', projectId, prompt } as const)
    : ({ name: 'message', projectId, jobId, prompt } as const)
}

/** Whether an operation changes something on the platform, and so must never be repeated blindly. */
export function isSend(name: OperationName): name is SendName {
  return name === 'create' || name === 'message'
}

/** Whether an operation counts against the hourly limit that an organization's tools share. */
export function isAnalytics(name: OperationName): boolean {
  return name === 'visitors' || name === 'list'
}
