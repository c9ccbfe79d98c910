/**
 * The life of a request: what is recorded, and what comes next. The same table decides for a run, its re-run and mode
 * settle, no matter where the record is kept.
 */
import { type Job, outcomeOfJob } from './job/job.ts'
import { isMissing } from './job/response.ts'
import { type AgentOutcome, isEnd, type JobEnd, mayContinue } from './outcome.ts'
import type { Problem } from './problem.ts'
import type { AgentResult } from './progress.ts'
import { dayMs, minuteMs } from './units.ts'

/** Outcomes that end a request. `error`: the job no longer exists, or its pull request could not be checked. */
export type End = JobEnd | 'unconfirmed' | 'error'

/** Whether an outcome ends a request. */
export function isRequestEnd(outcome: AgentOutcome): outcome is End {
  return isEnd(outcome) || outcome === 'unconfirmed' || outcome === 'error'
}

/** What is recorded about a request. */
export type RequestState =
  /** It is about to be sent, or it was sent and its job is unknown. */
  | { state: 'open' }
  /** Nothing was sent. */
  | { state: 'not-sent' }
  /** It has a job whose result is not reported yet. `isLeft`: the run that followed the job has ended. */
  | { state: 'job'; job: string; isLeft: boolean }
  /** Its result was reported. */
  | { state: 'ended'; outcome: End; job: string | null; prLink: string | null }

/**
 * A request's record. `since`: when it was created. `until`: the latest time at which the run that holds it can end.
 * Both are in milliseconds since the epoch.
 */
export type RequestRecord = RequestState & { since: number; until: number }

/** What earlier runs left of a request. `foreign`: a record signed with another key, whose request may have been sent. */
export type Known = { kind: 'none' } | { kind: 'foreign' } | { kind: 'record'; record: RequestRecord }

/** The job as just polled. `unread`: no response, or an unusable one. */
export type JobSeen = { kind: 'unread' } | { kind: 'gone'; problem: Problem } | { kind: 'read'; job: Job }

/** What settle knows besides the record. */
export interface SettleView {
  /** Milliseconds since the epoch. */
  now: number
  place: 'comment' | 'status'
  job: JobSeen
  /** Whether the job's pull request was just opened. If so, settle handles the job now, even if it is young. */
  isOpened: boolean
}

/** What comes next for a run. */
export type RunStep =
  | { do: 'send' }
  | { do: 'wait'; job: string }
  /** The result was already reported: repeat it, and change nothing. */
  | { do: 'repeat'; ended: Extract<RequestState, { state: 'ended' }> }
  /** End the record as `unconfirmed`. */
  | { do: 'give-up'; why: 'unfinished-run' | 'key-changed' }

/** What comes next for settle. */
export type SettleStep =
  | Extract<RunStep, { do: 'give-up' }>
  | { do: 'report'; outcome: AgentOutcome }
  /** Do nothing: a run or the job is still active. */
  | { do: 'leave' }
  /** Stop: the job is too old to be polled. */
  | { do: 'abandon' }

/**
 * A younger job is left to the next settle: replicas might not know it yet, or might still show its state before a
 * follow-up. A run gets the same time after its deadline, to report its result.
 */
export const minimumAge = 10 * minuteMs
/** Settle gives up on an open status later than on an open comment, because no one waits for a reply on a commit. */
const openStatus = dayMs
const oldest = 14 * dayMs
/** How long settle rechecks a job that ended without a pull request, because its link may appear late. */
const lateLink = dayMs

/** What comes next for a run of a request. */
export function nextForRun(known: Known): RunStep {
  if (known.kind === 'none') return { do: 'send' }
  if (known.kind === 'foreign') return { do: 'give-up', why: 'key-changed' }
  const { record } = known
  switch (record.state) {
    case 'not-sent':
      return { do: 'send' }
    case 'open':
      return { do: 'give-up', why: 'unfinished-run' }
    case 'job':
      return { do: 'wait', job: record.job }
    case 'ended':
      return hasNoResult(record) ? { do: 'send' } : { do: 'repeat', ended: record }
  }
}

/** Whether a record is open: neither ended nor known to be unsent. */
export function isOpenRecord({ state }: Pick<RequestRecord, 'state'>): boolean {
  return state === 'open' || state === 'job'
}

/** Whether a job ended without a result, so that a re-run is a new attempt. */
export function hasNoResult({ outcome, prLink }: { outcome: AgentOutcome; prLink: string | null }): boolean {
  return outcome === 'failed' || (outcome === 'archived' && prLink === null)
}

/** What comes next for settle, from the record and the job as just polled. */
export function nextForSettle(known: Known, seen: SettleView): SettleStep {
  if (known.kind !== 'record') return { do: 'leave' }
  const { record } = known
  switch (record.state) {
    case 'not-sent':
      return { do: 'leave' }
    case 'open': {
      const deadline = seen.place === 'status' ? record.since + openStatus : record.until + minimumAge
      return seen.now > deadline ? { do: 'give-up', why: 'unfinished-run' } : { do: 'leave' }
    }
    case 'job':
      return nextForJob(record, seen)
    case 'ended':
      return record.outcome === 'no-changes' && linkOf(seen.job) !== null
        ? { do: 'report', outcome: 'pull-request' }
        : { do: 'leave' }
  }
}

function nextForJob(
  record: RequestRecord & { state: 'job' },
  { now, job, isOpened }: SettleView,
): SettleStep {
  if (now - record.since > oldest) return { do: 'abandon' }
  if (isHeld(record, now) || (now - record.since < minimumAge && !isOpened)) return { do: 'leave' }
  if (job.kind === 'gone') return { do: 'report', outcome: 'error' }
  const outcome = job.kind === 'read' ? outcomeOfJob(job.job) : undefined
  return outcome === undefined ? { do: 'leave' } : { do: 'report', outcome }
}

/** Whether a run may still wait for the job, and report its result. */
export function isHeld(record: RequestRecord, now: number): boolean {
  return record.state === 'job' && !record.isLeft && now <= record.until + minimumAge
}

function linkOf(seen: JobSeen): string | null {
  return seen.kind === 'read' ? seen.job.prLink : null
}

/** The job that settle must poll in order to decide; null if the record is enough. */
export function jobToRead(record: RequestRecord, now: number): string | null {
  const age = now - record.since
  if (record.state === 'job') return age > oldest ? null : record.job
  return record.state === 'ended' && record.outcome === 'no-changes' && age < lateLink ? record.job : null
}

/** The state of a request after its run has ended. */
export function stateAfter(
  result: Pick<AgentResult, 'outcome' | 'delivery' | 'jobId' | 'job' | 'problem'>,
): RequestState {
  const { outcome, delivery, jobId, job } = result
  if (delivery === 'not-sent') return { state: 'not-sent' }
  const prLink = job?.prLink ?? null
  // A cancelled run reports nothing: a re-run or settle will.
  if (jobId === null || delivery === 'uncertain')
    return outcome === 'cancelled'
      ? { state: 'open' }
      : { state: 'ended', outcome: 'unconfirmed', job: null, prLink: null }
  const isOver = isGone(result) || result.problem?.type === 'out-of-bounds'
  if (isRequestEnd(outcome) && (!mayContinue(outcome) || isOver))
    return { state: 'ended', outcome, job: jobId, prLink }
  return { state: 'job', job: jobId, isLeft: true }
}

/** Whether Mintlify says that the job does not exist. */
function isGone({ problem }: Pick<AgentResult, 'problem'>): boolean {
  return problem?.type === 'platform' && problem.operation === 'read' && isMissing(problem.failure)
}
