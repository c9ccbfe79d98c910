/**
 * The life of a request: what is recorded of it, and what comes next. The same table decides for a run of the request,
 * for its re-run, and for mode `settle`; where the record is kept makes no difference.
 */
import { type Job, outcomeOfJob } from './job/job.ts'
import { isMissing } from './job/response.ts'
import { type AgentOutcome, goesOn, isEnd, type JobEnd } from './outcome.ts'
import type { Problem } from './problem.ts'
import type { AgentResult } from './progress.ts'

/** Outcomes that end a request. `error`: the job no longer exists. */
export type End = JobEnd | 'unconfirmed' | 'error'

export function isRequestEnd(outcome: AgentOutcome): outcome is End {
  return isEnd(outcome) || outcome === 'unconfirmed' || outcome === 'error'
}

/** How far a request got. */
export type RequestState =
  /** It is about to be sent, or was sent, and no job is known. */
  | { state: 'open' }
  /** Nothing was sent. */
  | { state: 'not-sent' }
  /** It has a job whose result is not reported. `isLeft`: the run that followed the job has ended. */
  | { state: 'job'; job: string; isLeft: boolean }
  /** Its result is reported. */
  | { state: 'ended'; outcome: End; job: string | null; prLink: string | null }

/** When a record was begun, and when the run that holds it must have ended; milliseconds since the epoch. */
export interface RecordTimes {
  since: number
  until: number
}

/** A request's record. Which fields it has depends on its state. */
export type RequestRecord = RequestState & RecordTimes

/** What earlier runs left of a request. `foreign`: a record that another key signed, and that may have been sent. */
export type Known = { kind: 'none' } | { kind: 'foreign' } | { kind: 'record'; record: RequestRecord }

/** What a look at the job showed. `unread`: no response, or one that says nothing. */
export type JobSeen = { kind: 'unread' } | { kind: 'gone'; problem: Problem } | { kind: 'read'; job: Job }

/** The reader of the record: a run of the request, or settle, which has also looked at the job. */
export type Seen =
  | { by: 'run' }
  | {
      by: 'settle'
      /** Milliseconds since the epoch. */
      now: number
      place: 'comment' | 'status'
      job: JobSeen
      /** Whether the job's pull request was just opened: then nothing waits for the run. */
      isOpened: boolean
    }

/** What comes next for a run. */
export type RunStep =
  | { do: 'send' }
  | { do: 'wait'; job: string; since: number }
  /** The result was reported: repeat it, and change nothing. */
  | { do: 'repeat'; ended: Extract<RequestState, { state: 'ended' }> }
  /** End the record as `unconfirmed`. */
  | { do: 'give-up'; why: 'unfinished-run' | 'key-changed' }

/** What comes next for settle. */
export type SettleStep =
  | Extract<RunStep, { do: 'give-up' }>
  | { do: 'report'; outcome: AgentOutcome }
  /** A run is at work, or the job is. */
  | { do: 'leave' }
  /** The job is too old to be read. */
  | { do: 'abandon' }

const minute = 60_000
const day = 24 * 60 * minute
/**
 * A younger job is left to the next settle: replicas might not know it yet, or might show the end of its work before a
 * follow-up. A run that must have ended gets as long, to report what it knows.
 */
export const youth = 10 * minute
/** A status without a job is given up later than a comment: nobody waits for a reply there. */
const openStatus = day
/** Jobs that are older are no longer read. */
const oldest = 14 * day
/** For so long, settle looks again at a job that ended without a pull request: its link may come late. */
const lateLink = day

/** What comes next for a request. */
export function next(known: Known, seen: { by: 'run' }): RunStep
export function next(known: Known, seen: BySettle): SettleStep
export function next(known: Known, seen: Seen): RunStep | SettleStep {
  if (seen.by === 'run') return nextForRun(known)
  return known.kind === 'record' ? nextForSettle(known.record, seen) : { do: 'leave' }
}

function nextForRun(known: Known): RunStep {
  if (known.kind === 'none') return { do: 'send' }
  if (known.kind === 'foreign') return { do: 'give-up', why: 'key-changed' }
  const { record } = known
  switch (record.state) {
    case 'not-sent':
      return { do: 'send' }
    case 'open':
      return { do: 'give-up', why: 'unfinished-run' }
    case 'job':
      return { do: 'wait', job: record.job, since: record.since }
    case 'ended':
      return isFruitless(record) ? { do: 'send' } : { do: 'repeat', ended: record }
  }
}

/** Whether a record is neither ended nor known to be unsent. */
export function isOpenRecord({ state }: Pick<RequestRecord, 'state'>): boolean {
  return state === 'open' || state === 'job'
}

/** Whether a job ended with nothing to show, so that a re-run is a new attempt. */
export function isFruitless({ outcome, prLink }: { outcome: AgentOutcome; prLink: string | null }): boolean {
  return outcome === 'failed' || (outcome === 'archived' && prLink === null)
}

type BySettle = Extract<Seen, { by: 'settle' }>

function nextForSettle(record: RequestRecord, seen: BySettle): SettleStep {
  switch (record.state) {
    case 'not-sent':
      return { do: 'leave' }
    case 'open': {
      const deadline = seen.place === 'status' ? record.since + openStatus : record.until + youth
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

function nextForJob(record: RequestRecord & { state: 'job' }, { now, job, isOpened }: BySettle): SettleStep {
  if (now - record.since > oldest) return { do: 'abandon' }
  const isHeld = !record.isLeft && now <= record.until + youth
  if (isHeld || (now - record.since < youth && !isOpened)) return { do: 'leave' }
  if (job.kind === 'gone') return { do: 'report', outcome: 'error' }
  const outcome = job.kind === 'read' ? outcomeOfJob(job.job) : undefined
  return outcome === undefined ? { do: 'leave' } : { do: 'report', outcome }
}

function linkOf(seen: JobSeen): string | null {
  return seen.kind === 'read' ? seen.job.prLink : null
}

/** The job that settle must look at to decide; null if the record is enough. */
export function jobToRead(record: RequestRecord, now: number): string | null {
  const age = now - record.since
  if (record.state === 'job') return age > oldest ? null : record.job
  return record.state === 'ended' && record.outcome === 'no-changes' && age < lateLink ? record.job : null
}

/** How far a request got, by how its run ended. */
export function stateAfter(
  result: Pick<AgentResult, 'outcome' | 'delivery' | 'jobId' | 'job' | 'problem'>,
): RequestState {
  const { outcome, delivery, jobId, job } = result
  if (delivery === 'not-sent') return { state: 'not-sent' }
  const prLink = job?.prLink ?? null
  // A cancelled run reports nothing: its re-run or settle does.
  if (jobId === null || delivery === 'uncertain')
    return outcome === 'cancelled'
      ? { state: 'open' }
      : { state: 'ended', outcome: 'unconfirmed', job: null, prLink: null }
  if (isRequestEnd(outcome) && (!goesOn(outcome) || isGone(result)))
    return { state: 'ended', outcome, job: jobId, prLink }
  return { state: 'job', job: jobId, isLeft: true }
}

/** Whether Mintlify says that the job does not exist. */
function isGone({ problem }: Pick<AgentResult, 'problem'>): boolean {
  return problem?.type === 'platform' && problem.operation === 'read' && isMissing(problem.failure)
}
