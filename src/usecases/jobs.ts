/** One platform operation, with its retries; and how a job ended, and whether it takes a follow-up. */

import type { RunInputs } from '../core/inputs/schema.ts'
import {
  isSend,
  isTerminal,
  type Job,
  type Operation,
  parseJob,
  pullRequestThread,
  toRequest,
} from '../core/job/job.ts'
import { isMissing, type Reply, toReply } from '../core/job/response.ts'
import { retryAfter } from '../core/job/schedule.ts'
import type { AgentPorts, PlatformPorts, RequestTimeout } from './ports.ts'

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

/** Sends an operation once, within the time left before the deadline. */
export async function callOnce<T>({ operation, parse }: Calling<T>, ports: PlatformPorts): Promise<Reply<T>> {
  const timeout = isSend(operation.name)
    ? { total: sendTimeout, onceCancelled: sendTimeoutOnceCancelled }
    : { total: readTimeout, onceCancelled: 0 }
  return toReply(await ports.http.exchange(toRequest(operation), withinDeadline(timeout, ports)), parse)
}

function withinDeadline(timeout: RequestTimeout, { clock, deadline }: PlatformPorts): RequestTimeout {
  const left = Math.max(0, deadline - clock.now())
  return { ...timeout, total: Math.min(timeout.total, left + graceAtDeadline) }
}

/** Milliseconds between log lines while the step waits. */
const heartbeat = 60_000

/** Sleeps until a time on the clock's `now`, and logs the time left each minute. Ends immediately when cancelled. */
export async function sleepWithHeartbeat(
  until: number,
  { clock, cancelled }: PlatformPorts,
  say: (left: number) => void,
  beats = new Heartbeat(clock.now()),
): Promise<void> {
  while (!cancelled.aborted && clock.now() < until) {
    await clock.sleep(Math.min(until, beats.next) - clock.now(), cancelled)
    if (!cancelled.aborted && beats.isDue(clock.now())) say(until - clock.now())
  }
}

/** Schedules log lines across several sleeps. */
export class Heartbeat {
  next: number

  constructor(now: number) {
    this.next = now + heartbeat
  }

  isDue(now: number): boolean {
    if (now < this.next) return false
    this.next = now + heartbeat
    return true
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
): Promise<Reply<T>> {
  const { operation } = calling
  const { clock, cancelled, deadline } = ports
  const beats = new Heartbeat(clock.now())
  for (let attempt = 1; ; attempt++) {
    const reply = await callOnce(calling, ports)
    if (reply.ok || cancelled.aborted) return reply
    const { failure } = reply
    const now = clock.now()
    const wait = retryAfter({
      operation: operation.name,
      failure,
      attempt,
      date: clock.date(),
      random: ports.random(),
    })
    if (wait === undefined || now + wait > deadline) return reply
    // A send has at most five attempts, so each is logged. A read may have hundreds.
    if (isSend(operation.name) || attempt === 1)
      ports.onProgress({ type: 'failing', operation: operation.name, failure, nextAttempt: wait })
    await sleepWithHeartbeat(
      now + wait,
      ports,
      (nextAttempt) =>
        ports.onProgress({ type: 'retrying', operation: operation.name, attempts: attempt, nextAttempt }),
      beats,
    )
    if (cancelled.aborted || !(await mayRepeat())) return reply
  }
}

/** Polls a job, with retries. */
export function readJob(projectId: string, jobId: string, ports: PlatformPorts): Promise<Reply<Job>> {
  const operation = { name: 'read', projectId, jobId } as const
  return call({ operation, parse: (json) => parseJob(json, jobId) }, ports)
}

/** Milliseconds for which a job must be missing until it counts as gone: a gateway may briefly respond with 404. */
const missingGrace = 60_000

/** Polls a recorded job, with retries. A job that seems to be missing is polled again after a minute. */
export async function readRecorded(
  projectId: string,
  jobId: string,
  ports: PlatformPorts,
): Promise<Reply<Job>> {
  const read = await readJob(projectId, jobId, ports)
  if (read.ok || !isMissing(read.failure)) return read
  await ports.clock.sleep(missingGrace, ports.cancelled)
  return readJob(projectId, jobId, ports)
}

/** Milliseconds before the second poll of a completed job without a link, because the link may appear later. */
const linkGrace = 5_000
/** Maximum number of jobs to poll at the same time. */
const atOnce = 4

/** Polls recorded jobs. Jobs that completed without a link, or seem to be missing, are polled a second time. */
export async function pollJobs(
  ids: readonly string[],
  projectId: string,
  ports: PlatformPorts,
): Promise<Map<string, Reply<Job>>> {
  const reads = await readJobs([...new Set(ids)], projectId, ports)
  const isGone = (read: Reply<Job> | undefined) => read?.ok === false && isMissing(read.failure)
  const isLinkless = (read: Reply<Job>) =>
    read.ok && read.value.status === 'completed' && read.value.prLink === null
  const doubtful = new Map([...reads].filter(([, read]) => isLinkless(read) || isGone(read)))
  if (doubtful.size === 0) return reads
  const wait = [...doubtful.values()].some(isGone) ? missingGrace : linkGrace
  await ports.clock.sleep(wait, ports.cancelled)
  const again = await readJobs([...doubtful.keys()], projectId, ports)
  // Such a job only counts as ended, or as gone, once a second poll confirms it.
  for (const [id, read] of doubtful) {
    const second = again.get(id)
    if (second?.ok || (isGone(read) && second !== undefined && isGone(second))) reads.set(id, second)
    else reads.delete(id)
  }
  return reads
}

async function readJobs(
  ids: readonly string[],
  projectId: string,
  ports: PlatformPorts,
): Promise<Map<string, Reply<Job>>> {
  const reads = new Map<string, Reply<Job>>()
  const left = [...ids]
  const work = async () => {
    for (let id = left.shift(); id !== undefined && !ports.cancelled.aborted; id = left.shift()) {
      reads.set(id, await readJob(projectId, id, ports))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return reads
}

/** Whether a job takes a follow-up. `head` and `link` of its open pull request are null if there is none, or if it is unknown. */
export type Followable =
  | { takes: true; head: string | null; link: string | null }
  | { takes: false; why: 'replaced' | 'finished' }

/**
 * Checks whether a job takes a follow-up. A job takes none if it failed, was archived or is gone (`replaced`), or if
 * its pull request is merged or closed (`finished`). A job that cannot be polled counts as taking one: the follow-up
 * will show what is wrong.
 */
export async function followable(
  jobId: string,
  { projectId, githubToken }: RunInputs,
  ports: AgentPorts,
): Promise<Followable> {
  const yes = (head: string | null, link: string | null = null) => ({ takes: true, head, link }) as const
  const read = await readRecorded(projectId, jobId, ports)
  const job = read.ok ? read.value : null
  const status = job?.status ?? null
  const isOver = status !== null && status !== 'completed' && isTerminal(status)
  if (isOver || (!read.ok && isMissing(read.failure))) {
    ports.onProgress({ type: 'job-over', jobId, status: status ?? 'gone' })
    return { takes: false, why: 'replaced' }
  }
  const thread = pullRequestThread(job?.prLink ?? null, ports.serverUrl)
  if (thread === null || githubToken === null) return yes(null)
  const pull = await ports.github.pull(thread.repository, thread.number)
  if (!pull.ok || pull.value === null) return yes(null)
  if (pull.value.isOpen) return yes(pull.value.headCommit, pull.value.url)
  ports.onProgress({ type: 'job-over', jobId, status: pull.value.isMerged ? 'merged' : 'closed' })
  return { takes: false, why: 'finished' }
}
