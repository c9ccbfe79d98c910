/** One platform operation, with its retries; and a job's polls: once, for several jobs, or until the job ends. */
import { type Failure, isMissing, mayRepeat, toReply } from '../core/http.ts'
import type { PollInterval } from '../core/inputs/schema.ts'
import type { Job } from '../core/job.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { FailedCall, Problem } from '../core/problems.ts'
import type { Result } from '../core/result.ts'
import { minuteMs } from '../core/units.ts'
import type { AgentPorts, PlatformPorts } from '../ports.ts'
import { say } from '../say/messages.ts'
import {
  isKnownStatus,
  isSend,
  isTerminal,
  type Operation,
  outcomeOfJob,
  parseJob,
  toRequest,
} from './job.ts'
import { nextPoll, retryAfter } from './schedule.ts'

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

/** The value of a response, or the failure. */
export type Called<T> = Result<T, FailedCall>

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
    let why = reply.failure
    if (!isKnown || why.kind !== 'rejected' || !isMissing(why)) missingSince = undefined
    else {
      missingSince ??= clock.now()
      if (clock.now() - missingSince < missingGrace) why = { ...why, kind: 'broken' }
    }
    const { name, projectId: project } = operation
    const jobId = 'jobId' in operation ? operation.jobId : null
    return { ok: false, failure: { kind: 'call-failed', call: name, jobId, project, host: http.host, why } }
  }
}

/**
 * Sleeps until times on the clock's `now`, and logs the time left each minute, also across several sleeps. Ends
 * immediately when cancelled.
 */
function sleeper({ clock, cancelled }: PlatformPorts) {
  let next = clock.now() + minuteMs
  return async (until: number, tell: (left: number) => void): Promise<void> => {
    while (!cancelled.aborted && clock.now() < until) {
      await clock.sleep(Math.min(until, next) - clock.now(), cancelled)
      if (clock.now() < next) continue
      next = clock.now() + minuteMs
      tell(until - clock.now())
    }
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
  const sleepUntil = sleeper(ports)
  const send = sender(calling, ports)
  for (let attempt = 1; ; attempt++) {
    const reply = await send()
    if (reply.ok || cancelled.aborted) return reply
    const failure = reply.failure.why
    const now = clock.now()
    const wait = retryAfter({ operation, failure, attempt, date: clock.date(), random: ports.random() })
    if (wait === undefined || now + wait > deadline) return reply
    // A send has at most five attempts, so each is logged. A read may have hundreds.
    if (isSend(operation) || attempt === 1) log(say.failing(reply.failure, wait))
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
  return !read.ok && isMissing(read.failure.why)
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

/** What to wait for, and what is known about it. */
export interface Wait {
  jobId: string
  /** The job as last seen, such as in the response to its creation or follow-up; null if it was not. */
  job: Job | null
  /** The job before this step sent a follow-up; null if it sent none. */
  before: Job | null
  /** Whether a record names the job, so that its id is certainly right. */
  isRecorded: boolean
  interval: PollInterval
}

/**
 * Milliseconds for which a job may still show its earlier result after a follow-up: whether it becomes active at once
 * is not documented (openapi.yaml).
 */
const settling = 180_000

/**
 * Polls a job on schedule until it ends, the deadline passes, or the step is cancelled. A job that this step only waits
 * for is polled immediately.
 */
export async function waitForJob(
  { jobId, job: known, before, isRecorded, interval }: Wait,
  ports: AgentPorts,
) {
  const { clock, cancelled, deadline, log, random } = ports
  const begun = clock.now()
  const age = () => clock.now() - begun
  const sleepUntil = sleeper(ports)
  const isCurrent = currentAfter(before, log)
  let job = known
  const end = (outcome: AgentOutcome, problem: Problem | null = null) => ({ outcome, job, problem })
  let wait = job === null ? 0 : nextPoll(interval, 0, 0, random())
  for (let reads = 1; ; reads++) {
    const tell = (left: number) => log(say.waiting(age(), job?.status ?? null, left))
    await sleepUntil(Math.min(clock.now() + wait, deadline), tell)
    if (cancelled.aborted) return end('cancelled')
    const read = await readConfirmed(jobId, ports, isRecorded || job !== null)
    if (cancelled.aborted) return end('cancelled')
    if (!read.ok) return end(outcomeAfter(read.failure.why, job), read.failure)
    logStatus(read.value, job, age(), log)
    job = read.value
    const outcome = isCurrent(job, age()) ? outcomeOfJob(job) : undefined
    if (outcome !== undefined) return end(outcome)
    if (clock.now() >= deadline) return end('timed-out')
    wait = nextPoll(interval, age(), reads, random())
  }
}

/** The outcome of a wait whose polls failed. A temporary failure ends a wait only because of the deadline. */
function outcomeAfter(failure: Failure, job: Job | null): 'timed-out' | 'error' {
  return job !== null && mayRepeat(failure, true) ? 'timed-out' : 'error'
}

function logStatus({ status }: Job, before: Job | null, age: number, log: PlatformPorts['log']): void {
  if (status === null || status === before?.status) return
  log(say.status(status, age))
  if (!isKnownStatus(status)) log(say.unknownStatus(status))
}

/**
 * Makes the function that says whether a poll shows a job's current result: after a follow-up, once something has changed
 * or enough time has passed. The response to the follow-up proves nothing, because a replica that lags may still show the
 * earlier result later.
 */
function currentAfter(before: Job | null, log: PlatformPorts['log']) {
  let isCurrent = before === null
  return (job: Job, age: number): boolean => {
    if (isCurrent) return true
    const { status, prLink, archivedAt } = job
    // A response without a status shows neither an end nor a change.
    const isSame =
      status === null ||
      (status === before?.status && prLink === before.prLink && archivedAt === before.archivedAt)
    isCurrent = !isSame || age >= settling
    if (isCurrent && isSame && isTerminal(status)) log(say.unchanged(status, age))
    return isCurrent
  }
}
