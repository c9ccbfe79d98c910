/** One platform operation, with its retries; and how a job ended, and whether it takes a follow-up. */

import type { RunInputs } from '../core/inputs/schema.ts'
import {
  type ChosenJob,
  isSend,
  isTerminal,
  type Job,
  newJob,
  type Operation,
  outcomeOfJob,
  parseJob,
  pullRequestThread,
  toRequest,
} from '../core/job/job.ts'
import { type Failure, isMissing, toReply } from '../core/job/response.ts'
import { retryAfter } from '../core/job/schedule.ts'
import { type Problem, problems } from '../core/problems.ts'
import { minuteMs } from '../core/units.ts'
import { say } from '../say/messages.ts'
import type { AgentPorts, PlatformPorts } from './ports.ts'

/** Timeouts for a request, in milliseconds. A send gets more time, because its effect is unknown after a timeout. */
const readTimeout = 30_000
const sendTimeout = 60_000
/** Milliseconds that a started request may continue after the deadline. */
const graceAtDeadline = 5_000
/**
 * Milliseconds for a send once the step is cancelled, because the response contains the job's id. The runner kills the
 * step 10 s after the cancel; the rest is for the outputs and GitHub.
 */
const sendTimeoutOnceCancelled = 5_000

/** The operation, and how to read its response: `parse` returns undefined for JSON of an unexpected shape. */
export interface Calling<T> {
  operation: Operation
  parse: (json: unknown) => T | undefined
}

/** The value of a response, or the failure, also in words. */
export type Called<T> = { ok: true; value: T } | { ok: false; failure: Failure; problem: Problem }

/** Sends an operation once, within the time left before the deadline. */
export async function callOnce<T>(
  { operation, parse }: Calling<T>,
  { http, clock, deadline }: PlatformPorts,
): Promise<Called<T>> {
  const [most, onceCancelled] = isSend(operation.name)
    ? [sendTimeout, sendTimeoutOnceCancelled]
    : [readTimeout, 0]
  const left = Math.max(0, deadline - clock.now())
  const timeout = { total: Math.min(most, left + graceAtDeadline), onceCancelled }
  const reply = toReply(await http.exchange(toRequest(operation), timeout), parse)
  return reply.ok ? reply : { ...reply, problem: problems.call(operation, reply.failure, http.host) }
}

/**
 * Sleeps until times on the clock's `now`, and logs the time left each minute, also across several sleeps. Ends
 * immediately when cancelled.
 */
export function sleeper({ clock, cancelled }: PlatformPorts) {
  let next = clock.now() + minuteMs
  return async (until: number, tell: (left: number) => void): Promise<void> => {
    while (!cancelled.aborted && clock.now() < until) {
      await clock.sleep(Math.min(until, next) - clock.now(), cancelled)
      if (cancelled.aborted || clock.now() < next) continue
      next = clock.now() + minuteMs
      tell(until - clock.now())
    }
  }
}

/**
 * Repeats an operation until it succeeds, the retry policy gives up, the deadline is near, or the step is cancelled.
 * @param mayRepeat called before each attempt except the first; false ends the attempts
 */
export async function call<T>(
  calling: Calling<T>,
  ports: PlatformPorts,
  mayRepeat: () => boolean | Promise<boolean> = () => true,
): Promise<Called<T>> {
  const operation = calling.operation.name
  const { clock, cancelled, deadline, log } = ports
  const sleepUntil = sleeper(ports)
  for (let attempt = 1; ; attempt++) {
    const reply = await callOnce(calling, ports)
    if (reply.ok || cancelled.aborted) return reply
    const { failure } = reply
    const wait = retryAfter({ operation, failure, attempt, date: clock.date(), random: ports.random() })
    const now = clock.now()
    if (wait === undefined || now + wait > deadline) return reply
    // A send has at most five attempts, so each is logged. A read may have hundreds.
    if (isSend(operation) || attempt === 1) log(say.failing(reply.problem, wait))
    await sleepUntil(now + wait, (nextAttempt) => log(say.retrying(attempt, nextAttempt)))
    if (cancelled.aborted || !(await mayRepeat())) return reply
  }
}

/** How to poll a job. */
export function polling(projectId: string, jobId: string): Calling<Job> {
  return { operation: { name: 'read', projectId, jobId }, parse: (json) => parseJob(json, jobId) }
}

/** Polls a job, with retries. */
export function readJob(projectId: string, jobId: string, ports: PlatformPorts): Promise<Called<Job>> {
  return call(polling(projectId, jobId), ports)
}

/** Milliseconds for which a job must be missing until it counts as gone: a gateway may briefly respond with 404. */
const missingGrace = 60_000
/** Milliseconds before the second poll of a completed job without a link, because the link may appear later. */
const linkGrace = 5_000
/** Maximum number of jobs to poll at the same time. */
const atOnce = 4

/** Whether the platform says that there is no such job. */
export function isGone(read: Called<Job> | undefined): boolean {
  return read?.ok === false && isMissing(read.failure)
}

/**
 * Polls a recorded job, with retries. One that completed without a link, or seems to be missing, only counts as such
 * once a second poll confirms it: undefined if that failed.
 */
export async function readRecorded(
  projectId: string,
  jobId: string,
  ports: PlatformPorts,
): Promise<Called<Job> | undefined> {
  const read = await readJob(projectId, jobId, ports)
  const isLinkless = read.ok && outcomeOfJob(read.value) === 'no-changes'
  if (!isLinkless && !isGone(read)) return read
  await ports.clock.sleep(isLinkless ? linkGrace : missingGrace, ports.cancelled)
  const again = await readJob(projectId, jobId, ports)
  return again.ok || !isLinkless ? again : undefined
}

/** Polls recorded jobs. */
export async function pollJobs(
  ids: readonly string[],
  projectId: string,
  ports: PlatformPorts,
): Promise<Map<string, Called<Job>>> {
  const reads = new Map<string, Called<Job>>()
  const left = [...new Set(ids)]
  const work = async () => {
    for (let id = left.shift(); id !== undefined && !ports.cancelled.aborted; id = left.shift()) {
      const read = await readRecorded(projectId, id, ports)
      if (read !== undefined) reads.set(id, read)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return reads
}

/**
 * Chooses a job for a follow-up, with its open pull request. It gets a new job instead if it failed, was archived or is
 * gone (`replaced`), or if its pull request is merged or closed (`finished`). A job that cannot be polled counts as
 * taking one: the follow-up will show what is wrong.
 */
export async function followUp(
  jobId: string,
  { projectId, githubToken }: RunInputs,
  ports: AgentPorts,
): Promise<ChosenJob> {
  const { github, serverUrl, log } = ports
  const read = await readRecorded(projectId, jobId, ports)
  const job = read?.ok ? read.value : null
  const status = isGone(read) ? 'gone' : (job?.status ?? null)
  if (status === 'gone' || (status !== null && status !== 'completed' && isTerminal(status))) {
    log(say.jobOver(jobId, status))
    return { ...newJob, choice: 'replaced' }
  }
  const chosen = { jobId, choice: 'thread', head: null, link: null } as const
  const thread = pullRequestThread(job?.prLink ?? null, serverUrl)
  const pull = thread && githubToken !== null ? await github.pull(thread.repository, thread.number) : null
  if (!pull?.ok || pull.value === null) return chosen
  const { isOpen, isMerged, headCommit: head, url: link } = pull.value
  if (isOpen) return { ...chosen, head, link }
  log(say.jobOver(jobId, isMerged ? 'merged' : 'closed'))
  return { ...newJob, choice: 'finished' }
}
