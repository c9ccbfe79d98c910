/** Jobs: the calls about them, how they are read from responses, and what their statuses mean (openapi.yaml). */
import * as z from 'zod/mini'
import { isMissing } from '../core/http.ts'
import type { Job } from '../core/job.ts'
import type { JobEnd } from '../core/outcome.ts'
import { pathSegment } from '../core/text.ts'
import { pageUrl, pullOfLink } from '../core/thread.ts'
import { type Called, call, type MintlifyOptions } from './client.ts'

/** Milliseconds before the second poll of a completed job without a link, because the link may appear later. */
const linkGrace = 5_000
/** Maximum number of jobs to poll at the same time. */
const atOnce = 8

/** Whether Mintlify says that there is no such job. */
export function isGone(reply: Called<Job>) {
  return !reply.ok && isMissing(reply.failure.why)
}

/** The calls about jobs. */
export function jobCalls(options: MintlifyOptions) {
  const { clock, deadline, cancelled, serverUrl } = options
  const reader = (jobId?: string) => (json: unknown) => parseJob(json, serverUrl, jobId)
  const pathOf = (jobId: string) => `/job/${encodeURIComponent(jobId)}`

  function readJob(jobId: string, { isKnown } = { isKnown: false }) {
    return call('read', { path: pathOf(jobId), jobId, isKnown, parse: reader(jobId) }, options)
  }

  async function readConfirmedJob(jobId: string, certainty = { isKnown: true }) {
    const reply = await readJob(jobId, certainty)
    if (!reply.ok || outcomeOfJob(reply.value) !== 'no-changes') return reply
    await clock.sleep(linkGrace, cancelled)
    if (cancelled.aborted) return reply
    return readJob(jobId, { isKnown: true })
  }

  return {
    /** Creates a job. Retried only if Mintlify certainly did not get the prompt. */
    createJob(prompt: string) {
      return call('create', { path: '/job', body: { prompt }, parse: reader() }, options)
    },

    /** Sends a prompt to a job. Retried only if Mintlify certainly did not get it. */
    sendFollowUp(jobId: string, prompt: string) {
      const path = `${pathOf(jobId)}/message`
      return call('message', { path, body: { prompt }, jobId, parse: reader(jobId) }, options)
    },

    /** Polls a job. @param isKnown whether it certainly exists */
    readJob,

    /** Polls a job. One that completed without a link only counts as such once a second poll confirms it. */
    readConfirmedJob,

    /** Polls recorded jobs that are not among the replies until the deadline, and adds those that it reached. */
    async readJobs(ids: readonly string[], replies: Map<string, Called<Job>>) {
      // All workers share this iterator.
      const left = [...new Set(ids)].filter((id) => !replies.has(id)).values()
      const work = async () => {
        for (const id of left) {
          if (cancelled.aborted || clock.now() >= deadline) return
          replies.set(id, await readConfirmedJob(id))
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
    },
  }
}

/** A schema that reads a missing or malformed value as null. */
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
export function parseJob(json: unknown, serverUrl: string, knownId?: string) {
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

/** Whether a job with this status takes a follow-up: unless it ended without its result. */
export function takesFollowUp(status: string | null) {
  const end = statuses.get(status)
  return end === undefined || end === 'pull-request'
}

/** The outcome of a job; undefined until it has ended. An unknown status counts as not ended. */
export function outcomeOfJob({ status, link }: Job) {
  const end = statuses.get(status)
  if (end === 'pull-request' && link === null) return 'no-changes'
  return end
}
