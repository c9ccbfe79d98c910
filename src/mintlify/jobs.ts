/** The calls about jobs. */
import { isMissing } from '../core/http.ts'
import type { Job } from '../core/job.ts'
import { type Called, call, type MintlifyOptions } from './client.ts'
import { outcomeOfJob, parseJob } from './job.ts'

/** Milliseconds before the second poll of a completed job without a link, because the link may appear later. */
const linkGrace = 5_000
/** Maximum number of jobs to poll at the same time. */
const atOnce = 4

/** Whether Mintlify says that there is no such job. */
export function isGone(reply: Called<Job>): boolean {
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

    /** Polls recorded jobs until the deadline. The result lacks those that it did not reach. */
    async readJobs(ids: readonly string[]) {
      const replies = new Map<string, Called<Job>>()
      const left = [...new Set(ids)]
      const work = async () => {
        for (let id = left.shift(); id !== undefined; id = left.shift()) {
          if (cancelled.aborted || clock.now() >= deadline) return
          replies.set(id, await readConfirmedJob(id))
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      return replies
    },
  }
}
