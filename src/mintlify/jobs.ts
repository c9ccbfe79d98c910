/** One platform operation, with its retries; and a job's polls: once, or for several jobs. */
import { createSleeper } from '../core/clock.ts'
import { type Failure, isMissing, toReply } from '../core/http.ts'
import type { Job } from '../core/job.ts'
import { type Problem, problems } from '../core/problems.ts'
import type { AgentPorts, PlatformPorts } from '../ports.ts'
import { say } from '../say/messages.ts'
import { isSend, type Operation, outcomeOfJob, parseJob, toRequest } from './job.ts'
import { retryAfter } from './schedule.ts'

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

/** An operation, and how to read its response. */
export interface Calling<T> {
  operation: Operation
  /** Returns undefined for JSON of an unexpected shape. */
  parse: (json: unknown) => T | undefined
  /** Whether the job's id is certainly right, so that a 404 may be a mistake of a replica or a gateway. */
  isKnown?: boolean
}

/** The value of a response, or the failure, also in words. */
export type Called<T> = { ok: true; value: T } | { ok: false; failure: Failure; problem: Problem }

/** How long a job that exists may appear missing, in milliseconds: replicas lag, and a gateway may briefly respond with 404. */
const missingGrace = 60_000

/**
 * Makes the function that sends an operation once, within the time left before the deadline. Until 404s about a job that
 * exists have lasted, they count as errors of the platform.
 */
function sender<T>({ operation, parse, isKnown }: Calling<T>, { http, clock, deadline }: PlatformPorts) {
  const [most, onceCancelled] = isSend(operation.name)
    ? [sendTimeout, sendTimeoutOnceCancelled]
    : [readTimeout, 0]
  let missingSince: number | undefined
  return async (): Promise<Called<T>> => {
    const left = Math.max(0, deadline - clock.now())
    const timeout = { total: Math.min(most, left + graceAtDeadline), onceCancelled }
    const reply = toReply(await http.exchange(toRequest(operation), timeout), parse)
    if (reply.ok) return reply
    let { failure } = reply
    if (!isKnown || failure.kind !== 'rejected' || !isMissing(failure)) missingSince = undefined
    else {
      missingSince ??= clock.now()
      if (clock.now() - missingSince < missingGrace) failure = { ...failure, kind: 'broken' }
    }
    return { ok: false, failure, problem: problems.call(operation, failure, http.host) }
  }
}

/**
 * Repeats an operation until it succeeds, the retry policy gives up, the deadline is near, or the step is cancelled.
 * @param isAllowed called before each attempt except the first; false ends the attempts
 */
export async function call<T>(
  calling: Calling<T>,
  ports: PlatformPorts,
  isAllowed: () => boolean = () => true,
): Promise<Called<T>> {
  const operation = calling.operation.name
  const { clock, cancelled, deadline, log } = ports
  const sleepUntil = createSleeper(ports)
  const send = sender(calling, ports)
  for (let attempt = 1; ; attempt++) {
    const reply = await send()
    if (reply.ok || cancelled.aborted) return reply
    const { failure } = reply
    const now = clock.now()
    const wait = retryAfter({ operation, failure, attempt, date: clock.date(), random: ports.random() })
    if (wait === undefined || now + wait > deadline) return reply
    // A send has at most five attempts, so each is logged. A read may have hundreds.
    if (isSend(operation) || attempt === 1) log(say.failing(reply.problem, wait))
    await sleepUntil(now + wait, (nextAttempt) => log(say.retrying(attempt, nextAttempt)))
    if (cancelled.aborted || !isAllowed()) return reply
  }
}

/** Polls a job, with retries. @param isKnown see `Calling` */
export function readJob(jobId: string, ports: AgentPorts, isKnown = false) {
  const operation = { name: 'read', projectId: ports.run.step.project, jobId } as const
  return call({ operation, parse: (json) => parseJob(json, jobId), isKnown }, ports)
}

/** Milliseconds before the second poll of a completed job without a link, because the link may appear later. */
const linkGrace = 5_000
/** Maximum number of jobs to poll at the same time. */
const atOnce = 4

/** Whether the platform says that there is no such job. */
export function isGone(read: Called<Job>): boolean {
  return !read.ok && isMissing(read.failure)
}

/** Polls a job. One that completed without a link only counts as such once a second poll confirms it. */
export async function readConfirmed(jobId: string, ports: AgentPorts, isKnown = true) {
  const read = await readJob(jobId, ports, isKnown)
  if (!read.ok || outcomeOfJob(read.value) !== 'no-changes') return read
  await ports.clock.sleep(linkGrace, ports.cancelled)
  return ports.cancelled.aborted ? read : readJob(jobId, ports, true)
}

/** Polls recorded jobs until the deadline. The result lacks those that it did not reach. */
export async function pollJobs(ids: readonly string[], ports: AgentPorts) {
  const { clock, cancelled, deadline } = ports
  const reads = new Map<string, Called<Job>>()
  const left = [...new Set(ids)]
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      if (cancelled.aborted || clock.now() >= deadline) return
      reads.set(id, await readConfirmed(id, ports))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return reads
}
