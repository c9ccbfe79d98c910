/** Waits for a job: polls it on schedule until it ends, and logs what it sees. */
import { createSleeper } from '../core/clock.ts'
import { type Failure, mayRepeat } from '../core/http.ts'
import type { PollInterval } from '../core/inputs/schema.ts'
import type { Job } from '../core/job.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { isKnownStatus, isTerminal, outcomeOfJob } from '../mintlify/job.ts'
import { nextPoll } from '../mintlify/schedule.ts'
import type { AgentPorts } from '../ports.ts'
import { say } from '../say/messages.ts'

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
  { jobId, job: seenBefore, before, isRecorded, interval }: Wait,
  ports: AgentPorts,
) {
  const { clock, cancelled, deadline, log, mintlify, random } = ports
  const begun = clock.now()
  const age = () => clock.now() - begun
  const sleepUntil = createSleeper(ports)
  const isCurrent = currentAfter(before, log)
  let job = seenBefore
  const logWait = (left: number) => log(say.waiting(age(), job?.status ?? null, left))
  const end = (outcome: AgentOutcome, problem: Problem | null = null) => ({ outcome, job, problem })
  let wait = job === null ? 0 : nextPoll(interval, 0, 0, random())
  for (let polls = 1; ; polls++) {
    await sleepUntil(Math.min(clock.now() + wait, deadline), logWait)
    if (cancelled.aborted) return end('cancelled')
    const read = await mintlify.readConfirmedJob(jobId, { isKnown: isRecorded || job !== null })
    if (cancelled.aborted) return end('cancelled')
    if (!read.ok) return end(outcomeAfter(read.failure.why, job), read.failure)
    logStatus(read.value, job, age(), log)
    job = read.value
    const outcome = isCurrent(job, age()) ? outcomeOfJob(job) : undefined
    if (outcome !== undefined) return end(outcome)
    if (clock.now() >= deadline) return end('timed-out')
    wait = nextPoll(interval, age(), polls, random())
  }
}

/** The outcome of a wait whose polls failed. A temporary failure ends a wait only because of the deadline. */
function outcomeAfter(failure: Failure, job: Job | null): 'timed-out' | 'error' {
  return job !== null && mayRepeat(failure, true) ? 'timed-out' : 'error'
}

function logStatus({ status }: Job, before: Job | null, age: number, log: AgentPorts['log']): void {
  if (status === null || status === before?.status) return
  log(say.status(status, age))
  if (!isKnownStatus(status)) log(say.unknownStatus(status))
}

/**
 * Makes the function that says whether a poll shows a job's current result: after a follow-up, once something has changed
 * or enough time has passed. The response to the follow-up proves nothing, because a replica that lags may still show the
 * earlier result later.
 */
function currentAfter(before: Job | null, log: AgentPorts['log']) {
  let isCurrent = before === null
  return (job: Job, age: number): boolean => {
    if (isCurrent) return true
    const hasChanged = isChanged(job, before)
    isCurrent = hasChanged || age >= settling
    if (isCurrent && !hasChanged && isTerminal(job.status)) log(say.unchanged(job.status, age))
    return isCurrent
  }
}

/** Whether a job shows a sign of new work. A response without a status shows neither an end nor a change. */
function isChanged({ status, link, archiveTime }: Job, before: Job | null): boolean {
  if (status === null) return false
  return status !== before?.status || link !== before.link || archiveTime !== before.archiveTime
}
