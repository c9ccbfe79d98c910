/**
 * Waits for a job: polls it on schedule until it ends, and logs what it sees. `npm run bench` shows where the constants of
 * the schedule come from: for job durations with a median of 4 min, the product of lag and requests stays near its lower
 * bound.
 */
import { createSleeper } from '../core/clock.ts'
import { type Failure, isTemporary } from '../core/http.ts'
import type { PollInterval } from '../core/inputs/schema.ts'
import type { Job } from '../core/job.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { outcomeOfJob, statuses } from '../mintlify/jobs.ts'
import type { AgentPorts } from '../ports.ts'
import { say } from '../say/messages.ts'

/** What to wait for, and what is known about it. */
interface Wait {
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
const staleTime = 180_000

/**
 * Polls a job on schedule until it ends, the deadline passes, or the step is cancelled. A job that this step only waits
 * for is polled immediately.
 */
export async function waitForJob({ jobId, before, isRecorded, interval, ...wait }: Wait, ports: AgentPorts) {
  const { clock, cancelled, deadline, log, mintlify, random } = ports
  const start = clock.now()
  const age = () => clock.now() - start
  const sleepUntil = createSleeper(ports)
  let { job } = wait
  let isCurrent = before === null
  const end = (outcome: AgentOutcome, problem: Problem | null = null) => ({ outcome, job, problem })
  let pause = job === null ? 0 : nextPoll(interval, 0, 0, random())
  for (let polls = 1; ; polls++) {
    await sleepUntil(Math.min(clock.now() + pause, deadline), () =>
      log(say.waiting(age(), job?.status ?? 'unknown')),
    )
    if (cancelled.aborted) return end('cancelled')
    const poll = await mintlify.readConfirmedJob(jobId, { isKnown: isRecorded || job !== null })
    if (cancelled.aborted) return end('cancelled')
    if (!poll.ok) return end(outcomeAfter(poll.failure.why, job), poll.failure)
    logStatus(poll.value, job, log)
    job = poll.value
    isCurrent ||= showsFollowUp(job, before, age(), log)
    const outcome = outcomeOfJob(job)
    if (isCurrent && outcome !== undefined) return end(outcome)
    if (clock.now() >= deadline) return end('timed-out')
    pause = nextPoll(interval, age(), polls, random())
  }
}

/** The outcome of a wait whose polls failed. A temporary failure ends a wait only because of the deadline. */
function outcomeAfter(failure: Failure, job: Job | null) {
  return job !== null && isTemporary(failure) ? 'timed-out' : 'error'
}

function logStatus({ status }: Job, before: Job | null, log: AgentPorts['log']) {
  if (status === null || status === before?.status) return
  log(say.status(status))
  if (!statuses.has(status)) log(say.unknownStatus(status))
}

/**
 * Whether a poll shows a job as it is after a follow-up: something has changed, or enough time has passed, which is logged
 * if the job has ended. The response to the follow-up proves nothing, because a replica that lags may still show the
 * earlier result later.
 */
function showsFollowUp(job: Job, before: Job | null, age: number, log: AgentPorts['log']) {
  if (isChanged(job, before)) return true
  const isLate = age >= staleTime
  if (isLate && outcomeOfJob(job) !== undefined) log(say.unchanged(job.status, age))
  return isLate
}

/** Whether a job shows a sign of new work. A response without a status shows neither an end nor a change. */
function isChanged({ status, link, archiveTime }: Job, before: Job | null) {
  if (status === null) return false
  return status !== before?.status || link !== before.link || archiveTime !== before.archiveTime
}

/** Milliseconds from the job's creation to the first poll. */
const firstPoll = 15_000
/** Shortest time between two polls, in milliseconds. */
const minInterval = 5_000
/** The wait until the next poll, as a share of the job's age. */
const shareOfAge = 1 / 100
/** Each wait is made longer or shorter at random, by up to this share, so that parallel steps do not all poll at once. */
const jitter = 0.1

/**
 * Milliseconds to wait before the next poll.
 * @param interval `auto`, or a fixed wait in milliseconds
 * @param age milliseconds since the job was created or got its follow-up
 * @param polls number of polls so far
 * @param random in [0, 1)
 */
export function nextPoll(interval: PollInterval, age: number, polls: number, random: number) {
  if (interval !== 'auto') return interval
  const wait = polls === 0 ? firstPoll - age : Math.max(minInterval, age * shareOfAge)
  return Math.max(0, Math.round(wait * (1 - jitter + 2 * jitter * random)))
}
