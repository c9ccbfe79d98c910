/**
 * What comes next for a request. This is the only place where states, ages, deadlines, looks and waits are compared: for
 * a run, its re-run, its post step and mode settle, no matter where the entries are kept. Times are in milliseconds since
 * the epoch.
 */
import { isMissing } from '../core/http.ts'
import type { Job } from '../core/job.ts'
import { type AgentResult, type End, isRequestEnd, mayContinue } from '../core/outcome.ts'
import { dayMs, minuteMs } from '../core/units.ts'
import { outcomeOfJob } from '../mintlify/job.ts'
import type { Called } from '../mintlify/jobs.ts'
import { type Found, fold, hasNoResult, higher, isAtRest, type Known, type Statement } from './entry.ts'
import type { EntryStatus } from './format.ts'

/** Milliseconds between two looks. GitHub's lists lag by up to ten seconds, so the second shows what the first may lack. */
export const lagMs = 11_000
/** Milliseconds between looks at another run that is about to send. */
const watchMs = 15_000
/** How long a command waits until an earlier one on its thread has a job, and how often it looks. */
const [earlierMs, earlierStepMs] = [90_000, 5_000]
/**
 * A run gets this time after its deadline to report its result. A younger job is left to the next settle: replicas might
 * not know it yet, or might still show its state before a follow-up.
 */
const graceMs = 10 * minuteMs
/** Milliseconds after which an active job counts as lost. */
const oldestMs = 14 * dayMs
/** How long a pull request is left to a settle step with the `allowed-paths` of the step that asked. */
const checkMs = dayMs
/** How long settle polls a job that ended without a pull request, because its link may appear late. Over `checkMs`. */
const lateLinkMs = 2 * checkMs
/** An end that was reported sooner may hide a request that GitHub did not list yet. A status knows only minutes. */
const shortMs = 2 * minuteMs

/** The job as just polled; undefined if it was not. */
export type JobSeen = Called<Job> | undefined

/** A run, and what it has stated last. */
export interface Runner extends Pick<Statement, 'writer' | 'attempt' | 'state' | 'since'> {
  /** The writers of its earlier attempts, which have ended. */
  before: readonly string[]
  /** Whether no other run can have carried the request out. */
  isFirst: boolean
  /** When it recorded that it is about to send the attempt; null before that. */
  openedAt: number | null
  /** Whether it sends the request, or was about to. */
  isSender: boolean
}

/** The post step of a killed run. `state`: the last one that the run saved. */
export interface Post extends Pick<Statement, 'writer' | 'state' | 'since'> {
  hasResult: boolean
}

/** Mode settle. */
export interface Settler {
  since: number
  job: JobSeen
  /** Whether the job's pull request was just opened, so that it handles even a young job, and waits for its end. */
  isOpened: boolean
  /** Whether it has the `allowed-paths` of the step that asked. */
  canCheck: boolean
  /** Whether the request's place still shows what its end has replaced. */
  hasLeftovers: boolean
}

/** All that can come next. */
type AnyStep =
  /** Look (again) at this time. */
  | { do: 'look'; at: number }
  /** Prepare the request, and record this attempt before sending it. */
  | { do: 'open'; attempt: number }
  | { do: 'follow'; attempt: number; job: string }
  /** Repeat the reported result, and change nothing. */
  | { do: 'repeat' }
  | { do: 'send' }
  /** Another run sends, so state that this one does not. */
  | { do: 'withdraw' }
  | { do: 'give-up'; attempt: number; why: 'unfinished-run' | 'key-changed' }
  | { do: 'report' }
  /** State that the run has ended, and how far it got. */
  | { do: 'quit'; state: 'not-sent' | 'open' | 'job' }
  /** Report this end. `why`: why, although no job ended so; `unchecked`: no matching step has checked the pull request. */
  | { do: 'end'; outcome: End; why: 'unstarted-run' | 'unfinished-run' | 'no-result' | 'unchecked' | null }
  /** Wait for the job's end: the agent may open the pull request before it. */
  | { do: 'wait'; job: Job }
  /** Remove what the request's end has replaced. */
  | { do: 'clear' }
  /** Someone else has reported the result, or will. `toOther`: a settle step with other `allowed-paths`. */
  | { do: 'leave'; toOther?: true }

/** What comes next: one of these. */
export type Step<Does extends AnyStep['do'] = AnyStep['do']> = Extract<AnyStep, { do: Does }>

const leave = { do: 'leave' } as const
const look = (at: number): Step<'look'> => ({ do: 'look', at })

/** A rule for each actor. The rules get what the last look showed; null before the first look. */
export const next = {
  run(run: Runner, known: Known | null): Step<'look' | 'open' | 'follow' | 'repeat' | 'give-up'> {
    if (run.isFirst) return { do: 'open', attempt: 1 }
    if (known === null) return look(run.since)
    const { top, attempt, at } = known
    const { state, job, link } = top?.entry ?? { state: 'asked', job: null, link: null }
    const current = Math.max(1, attempt)
    if (state === 'job' && job !== null) return { do: 'follow', attempt, job }
    if (isRequestEnd(state) && !hasNoResult({ state, link })) return { do: 'repeat' }
    if (isHeldByOthers(run, known)) return look(at + watchMs)
    // GitHub's lists lag, so only a run that has no predecessor may trust its first look.
    if (at < run.since + lagMs) return look(run.since + lagMs)
    if (state === 'open') return { do: 'give-up', attempt, why: 'unfinished-run' }
    if (known.isForeign) return { do: 'give-up', attempt: current, why: 'key-changed' }
    return { do: 'open', attempt: isAtRest(state) ? attempt + 1 : current }
  },

  /** If several runs are about to send an attempt, only the one that said so first sends it. */
  sender(run: Runner, known: Known | null): Step<'look' | 'send' | 'withdraw'> {
    if (run.isFirst) return { do: 'send' }
    const listedAt = (run.openedAt ?? 0) + lagMs
    if (known === null || known.at < listedAt) return look(listedAt)
    const { attempt, writers } = known
    const hasLeft = ({ writer, state }: Known['writers'][number]) =>
      state === 'not-sent' || (state === 'asked' && run.before.includes(writer))
    const earliest = writers.find((each) => !hasLeft(each))?.writer ?? run.writer
    const isSent = writers.some(({ state }) => !['asked', 'open', 'not-sent'].includes(state))
    const isOvertaken = attempt > run.attempt || isSent || earliest !== run.writer
    return { do: isOvertaken ? 'withdraw' : 'send' }
  },

  /** The run that sent a request reports its result. Any other run does so only if no one has, and no one is about to. */
  reporter(run: Runner, known: Known | null): Step<'look' | 'report' | 'leave' | 'quit'> {
    if (!isAtRest(run.state)) return { do: 'quit', state: run.state === 'open' ? 'open' : 'job' }
    if (run.isSender) return { do: 'report' }
    if (known === null) return look(run.since + lagMs)
    const isOver = known.attempt > run.attempt || isRequestEnd(known.top?.entry.state ?? 'asked')
    return isOver || isHeldByOthers(run, known) ? leave : { do: 'report' }
  },

  /** The killed run may have written more than it saved, so its post step waits until GitHub lists that. */
  post(post: Post, known: Known | null): Step<'look' | 'report' | 'leave' | 'quit'> {
    const { writer, since, hasResult } = post
    if (known === null) return look(since + lagMs)
    const own = known.writers.find((each) => each.writer === writer)
    if (own !== undefined && isAtRest(own.state)) return leave
    if (hasResult) return { do: 'report' }
    if (own === undefined) return leave
    const state = higher(own.state, post.state)
    return { do: 'quit', state: state === 'job' || state === 'open' ? state : 'not-sent' }
  },

  /** Settle acts only on what a second look shows: a run may have continued, or another settle may have reported. */
  settle(settler: Settler, known: Known | null): Step<'look' | 'end' | 'wait' | 'clear' | 'leave'> {
    if (known === null) return look(settler.since)
    const step = afterDeadline(settler, known)
    if (step.do === 'wait' || (step.do === 'leave' && !settler.hasLeftovers)) return step
    if (known.at < settler.since + lagMs) return look(settler.since + lagMs)
    return step.do === 'leave' ? { do: 'clear' } : step
  },
}

function afterDeadline(settler: Settler, { top, writers, since, at }: Known): Step<'end' | 'wait' | 'leave'> {
  const { job, canCheck } = settler
  const [state, age] = [top?.entry.state, at - since]
  if (writers.some((writer) => isHeld(writer, at))) return leave
  if (state === 'asked') return { do: 'end', outcome: 'error', why: 'unstarted-run' }
  if (state === 'open') return { do: 'end', outcome: 'unconfirmed', why: 'unfinished-run' }
  if (state === 'job' && job !== undefined) return afterPoll(job, settler, age)
  const isLinked = state === 'no-changes' && job?.ok && job.value.prLink !== null
  return isLinked ? ending('pull-request', canCheck, age) : leave
}

function afterPoll(job: Called<Job>, settler: Settler, age: number): Step<'end' | 'wait' | 'leave'> {
  const { isOpened, canCheck } = settler
  if (age < graceMs && !isOpened) return leave
  if (!job.ok) return isMissing(job.failure.why) ? ending('error', canCheck, age) : leave
  const outcome = outcomeOfJob(job.value)
  if (outcome !== undefined) return ending(outcome, canCheck, age)
  if (age > oldestMs) return { do: 'end', outcome: 'error', why: 'no-result' }
  return isOpened && canCheck ? { do: 'wait', job: job.value } : leave
}

/** A pull request that this step cannot check is left to one that can, for a day. */
function ending(outcome: End, canCheck: boolean, age: number): Step<'end' | 'wait' | 'leave'> {
  if (outcome !== 'pull-request' || canCheck) return { do: 'end', outcome, why: null }
  return age < checkMs ? { do: 'leave', toOther: true } : { do: 'end', outcome: 'error', why: 'unchecked' }
}

/** Whether another run may still send the request, or wait for its job and report the result. */
function isHeldByOthers({ writer, before }: Runner, { writers, at }: Known): boolean {
  return writers.some((each) => each.writer !== writer && !before.includes(each.writer) && isHeld(each, at))
}

/** A run holds its request until its deadline, and has some time after it. */
function isHeld({ state, isLeft, until }: Known['writers'][number], now: number): boolean {
  return ['asked', 'open', 'job'].includes(state) && !isLeft && now <= until + graceMs
}

/**
 * What comes next for a command that continues the job of an earlier one on its thread. GitHub numbers comments in order,
 * so exactly one of two commands waits for the other. A re-run looks before it comments.
 * @param own this command's comment; null if it has none yet @param since when it was about to choose a job
 * @param others the highest entries of the thread's other commands
 */
export function nextCommand(own: number | null, since: number, others: readonly Found[], now: number) {
  const isPending = others.some(({ id, entry }) => {
    const isEarlier = own === null || id < own
    return ['asked', 'open'].includes(entry.state) && isEarlier && since - entry.since < earlierMs
  })
  if (isPending && now < since + earlierMs) return look(Math.min(now + earlierStepMs, since + earlierMs))
  return { do: 'choose', isLate: isPending } as const
}

/** What a run states at its end. A cancelled run reports nothing: a re-run or settle will. */
export function stateAfter(result: AgentResult): Pick<Statement, 'state' | 'job' | 'link' | 'isLeft'> {
  const { outcome, delivery, jobId: job } = result
  const none = { job: null, link: null, isLeft: false }
  if (delivery === 'not-sent') return { ...none, state: 'not-sent' }
  if (job === null || delivery === 'uncertain')
    return { ...none, state: outcome === 'cancelled' ? 'open' : 'unconfirmed' }
  if (isRequestEnd(outcome) && (!mayContinue(outcome) || isOver(result)))
    return { ...none, state: outcome, job, link: result.job?.prLink ?? null }
  return { ...none, state: 'job', job, isLeft: true }
}

/** Whether an error is final: the job does not exist or did not end in time, or no one checked its pull request. */
function isOver({ problem }: AgentResult): boolean {
  if (problem?.kind === 'allowed-paths') return true
  if (problem?.kind === 'gave-up') return problem.why === 'no-result'
  return problem?.kind === 'call-failed' && problem.call === 'read' && isMissing(problem.why)
}

/** The job that settle must poll in order to decide; null if the entries are enough. */
export function jobToPoll({ top, since, at }: Known): string | null {
  if (top === null) return null
  const { state, job } = top.entry
  return state === 'job' || (state === 'no-changes' && at - since < lateLinkMs) ? job : null
}

/** Whether the latest status of a context shows that no request on the commit needs settle. */
export function isSettledContext({ state, createdAt, ...found }: EntryStatus, now: number): boolean {
  const { hides, since } = found.entry
  if (state === 'pending' || hides || createdAt - since < shortMs) return false
  return isAtRest(found.entry.state) && jobToPoll(fold([found], now)) === null
}
