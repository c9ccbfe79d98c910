/**
 * What comes next for a request. This is the only place where states, ages, deadlines, looks and waits are compared: for
 * a run, its re-run, its post step and mode settle, no matter where the entries are kept. Times are in milliseconds since
 * the epoch.
 */
import { isMissing } from '../core/http.ts'
import type { Job } from '../core/job.ts'
import { type AgentResult, isRequestEnd, mayContinue, type RequestEnd } from '../core/outcome.ts'
import { dayMs, minuteMs } from '../core/units.ts'
import type { Called } from '../mintlify/client.ts'
import { outcomeOfJob } from '../mintlify/jobs.ts'
import {
  type FoundEntry,
  hasNoResult,
  higher,
  isAtRest,
  type Progress,
  progressAt,
  type State,
  type Statement,
} from './entry.ts'
import type { StepStatus } from './lists.ts'

/** Milliseconds between two looks. GitHub's lists lag by up to ten seconds, so the second shows what the first may lack. */
export const lagMs = 11_000
/** Milliseconds between looks at another run that is about to send. */
const watchMs = 15_000
/** How long after its start a command has no job yet, so that a later one on its thread waits, and how often that looks. */
const earlierMs = 90_000
export const earlierStepMs = 5_000
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
/**
 * An end that was reported sooner than this after the request began may hide a request that GitHub did not list yet. It is
 * longer than `lagMs` because a status stores times in whole minutes.
 */
const shortMs = 2 * minuteMs
/** A status that is this much younger than its entry is a copy. */
const copyMs = 2 * minuteMs
/** For this time after a status, no other request begins in its context: a copy of the status could hide that one. */
export const contextMs = copyMs + minuteMs

/** What a writer has stated about an attempt. */
type Writer = Progress['writers'][number]

/** The result of polling the job; undefined if it was not polled. */
export type JobPoll = Called<Job> | undefined

/** A run, and what it has stated last. */
export interface RunActor extends Pick<Statement, 'writer' | 'attempt' | 'state' | 'since'> {
  /** The writers of its earlier attempts, which have ended. */
  before: readonly string[]
  /** Whether no other run can have carried the request out. */
  isFirst: boolean
  /** Whether it waits for the job's end. */
  waits: boolean
  /** When it recorded that it is about to send the attempt; null before that. */
  openedAt: number | null
  /** Whether it sends the request, or was about to. */
  isSender: boolean
}

/** The post step of a killed run. `state`: the last one that the run saved. */
export interface PostActor extends Pick<Statement, 'writer' | 'state' | 'since'> {
  hasResult: boolean
}

/** Mode settle. */
export interface SettleActor {
  since: number
  poll: JobPoll
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
  /** Wait for the job's end. */
  | { do: 'wait'; attempt: number; job: string }
  /** Repeat the reported result, and change nothing. */
  | { do: 'repeat' }
  | { do: 'send' }
  /** Another run sends, so state that this one does not. */
  | { do: 'withdraw' }
  | { do: 'give-up'; attempt: number; why: 'unfinished-run' | NonNullable<Progress['doubt']> }
  | { do: 'report' }
  /** State that the run has ended, and how far it got. */
  | { do: 'quit'; state: 'not-sent' | 'open' | 'job' }
  /**
   * Report this end. `why`: null if it is the job's own end, otherwise the reason for it. `unchecked`: no settle step with
   * the same `allowed-paths` has checked the pull request.
   */
  | {
      do: 'end'
      outcome: RequestEnd
      why: 'unstarted-run' | 'unfinished-run' | 'no-result' | 'unchecked' | null
    }
  /** Remove what the request's end has replaced. */
  | { do: 'clear' }
  /** Someone else has reported the result, or will. `toOther`: a settle step with other `allowed-paths`. */
  | { do: 'leave'; toOther?: true }

/** What comes next: one of these. */
export type Step<Does extends AnyStep['do'] = AnyStep['do']> = Extract<AnyStep, { do: Does }>

const leave = { do: 'leave' } as const
const report = { do: 'report' } as const
const withdraw = { do: 'withdraw' } as const
const look = (at: number): Step<'look'> => ({ do: 'look', at })

/** A rule for each actor. The rules get the progress that the last look showed; null before the first look. */
export const next = {
  run(run: RunActor, progress: Progress | null): Step<'look' | 'open' | 'wait' | 'repeat' | 'give-up'> {
    if (run.isFirst) return { do: 'open', attempt: 1 }
    if (progress === null) return look(run.since)
    const { top, attempt, at, doubt, accounts } = progress
    const ownTop = accounts === null ? top : null
    const { state, job, link } = ownTop?.entry ?? { state: 'asked', job: null, link: null }
    // A run that does not wait must know whether the result was just reported.
    const isSure = run.waits || at >= run.since + lagMs
    if (state === 'job' && job !== null && isSure) return { do: 'wait', attempt, job }
    if (isRequestEnd(state) && !hasNoResult({ state, link })) return { do: 'repeat' }
    if (isOtherBusy(run, progress)) return look(at + watchMs)
    // GitHub's lists lag, so only a run that has no predecessor may trust its first look.
    if (at < run.since + lagMs) return look(run.since + lagMs)
    const current = Math.max(1, attempt)
    if (state === 'open') return { do: 'give-up', attempt: current, why: 'unfinished-run' }
    if (doubt !== null) return { do: 'give-up', attempt: current, why: doubt }
    if (isAtRest(state)) return { do: 'open', attempt: attempt + 1 }
    return { do: 'open', attempt: current }
  },

  /** If several runs are about to send an attempt, only the one that said so first sends it. */
  sender(run: RunActor, progress: Progress | null): Step<'look' | 'send' | 'withdraw'> {
    if (run.isFirst) return { do: 'send' }
    const listedAt = (run.openedAt ?? 0) + lagMs
    if (progress === null || progress.at < listedAt) return look(listedAt)
    const { attempt, writers, doubt } = progress
    if (attempt > run.attempt || doubt === 'newer-version') return withdraw
    if (writers.some(({ state }) => !['asked', 'open', 'not-sent'].includes(state))) return withdraw
    const first = writers.find((writer) => !hasWithdrawn(writer, run))
    if (first !== undefined && first.writer !== run.writer) return withdraw
    return { do: 'send' }
  },

  /** The run that sent a request reports its result. Any other run does so only if no one has, and no one is about to. */
  reporter(run: RunActor, progress: Progress | null): Step<'look' | 'report' | 'leave' | 'quit'> {
    if (run.state === 'open') return { do: 'quit', state: 'open' }
    if (!isAtRest(run.state)) return { do: 'quit', state: 'job' }
    if (run.isSender) return report
    if (progress === null) return look(run.since + lagMs)
    const { attempt, top } = progress
    if (attempt > run.attempt) return leave
    if (top !== null && isRequestEnd(top.entry.state)) return leave
    if (isOtherBusy(run, progress)) return leave
    return report
  },

  /** The killed run may have written more than it saved, so its post step waits until GitHub lists that. */
  post(post: PostActor, progress: Progress | null): Step<'look' | 'report' | 'leave' | 'quit'> {
    if (progress === null) return look(post.since + lagMs)
    const run = progress.writers.find(({ writer }) => writer === post.writer)
    if (run !== undefined && isAtRest(run.state)) return leave
    if (post.hasResult) return report
    if (run === undefined) return leave
    const state = higher(run.state, post.state)
    if (state === 'job' || state === 'open') return { do: 'quit', state }
    return { do: 'quit', state: 'not-sent' }
  },

  /** Settle acts only on what a second look shows: a run may have continued, or another settle may have reported. */
  settle(settler: SettleActor, progress: Progress | null): Step<'look' | 'end' | 'wait' | 'clear' | 'leave'> {
    if (progress === null) return look(settler.since)
    const step = afterRun(settler, progress)
    if (step.do === 'wait') return step
    const secondLook = settler.since + lagMs
    // The first look may lack older entries of the own account.
    const isSure = progress.accounts === null || progress.at >= secondLook
    if (step.do === 'leave' && !settler.hasLeftovers && isSure) return step
    if (progress.at < secondLook) return look(secondLook)
    if (step.do === 'leave') return { do: 'clear' }
    return step
  },
}

/** Whether a writer does not send the attempt: it says so, or its run has ended. */
function hasWithdrawn({ writer, state }: Writer, { before }: RunActor) {
  if (state === 'not-sent') return true
  return state === 'asked' && before.includes(writer)
}

/** What settle does for a request, once no run is busy with it. */
function afterRun(settler: SettleActor, progress: Progress): Step<'end' | 'wait' | 'leave'> {
  const { poll, canCheck } = settler
  const { top, writers, since, at, accounts } = progress
  if (accounts !== null || writers.some((writer) => isBusy(writer, at))) return leave
  const state = top?.entry.state
  if (state === 'asked') return { do: 'end', outcome: 'error', why: 'unstarted-run' }
  if (state === 'open') return { do: 'end', outcome: 'unconfirmed', why: 'unfinished-run' }
  if (state === 'job' && poll !== undefined) return afterPoll(poll, settler, progress)
  // The link may appear after the job's end.
  const isLinked = poll?.ok && poll.value.link !== null
  if (state === 'no-changes' && isLinked) return ending('pull-request', canCheck, at - since)
  return leave
}

function afterPoll(
  poll: Called<Job>,
  { isOpened, canCheck }: SettleActor,
  { attempt, top, since, at }: Progress,
): Step<'end' | 'wait' | 'leave'> {
  const age = at - since
  if (age < graceMs && !isOpened) return leave
  if (!poll.ok) return isMissing(poll.failure.why) ? ending('error', canCheck, age) : leave
  const outcome = outcomeOfJob(poll.value)
  if (outcome !== undefined) return ending(outcome, canCheck, age)
  if (age > oldestMs) return { do: 'end', outcome: 'error', why: 'no-result' }
  // The agent may open the pull request before the job's end.
  const jobId = top?.entry.job ?? null
  if (isOpened && canCheck && jobId !== null) return { do: 'wait', attempt, job: jobId }
  return leave
}

/** A pull request that this step cannot check is left to one that can, for a day. */
function ending(outcome: RequestEnd, canCheck: boolean, age: number): Step<'end' | 'leave'> {
  if (outcome !== 'pull-request' || canCheck) return { do: 'end', outcome, why: null }
  if (age < checkMs) return { do: 'leave', toOther: true }
  return { do: 'end', outcome: 'error', why: 'unchecked' }
}

/** Whether another run may still send the request, or wait for its job and report the result. */
function isOtherBusy({ writer, before }: RunActor, { writers, at }: Progress) {
  const own = [writer, ...before]
  return writers.some((each) => !own.includes(each.writer) && isBusy(each, at))
}

/** Whether a writer's run may still send its request, or report the result: until some time after its deadline. */
function isBusy({ state, isLeft, until }: Writer, now: number) {
  return !isAtRest(state) && !isLeft && now <= until + graceMs
}

/**
 * Whether an earlier command on the thread may get a job soon, so that a command that would continue that job waits.
 * GitHub numbers comments in order, so exactly one of two commands waits for the other. A re-run looks before it comments.
 * The entry is the other command's highest one.
 * @param comment this command's comment; null if it has none yet
 */
export function mayGetJob({ id, entry }: FoundEntry, comment: number | null, now: number) {
  const isEarlier = comment === null || id < comment
  return isEarlier && ['asked', 'open'].includes(entry.state) && now < entry.since + earlierMs
}

/** What a run states at its end. A cancelled run reports nothing: a re-run or settle will. */
export function stateAfter(result: AgentResult): Pick<Statement, 'state' | 'job' | 'link' | 'isLeft'> {
  const { outcome, delivery, jobId: job } = result
  const without = (state: State) => ({ state, job: null, link: null, isLeft: false })
  if (delivery === 'not-sent') return without('not-sent')
  if (job === null || delivery === 'uncertain')
    return without(outcome === 'cancelled' ? 'open' : 'unconfirmed')
  if (isRequestEnd(outcome) && (!mayContinue(outcome) || isOver(result)))
    return { state: outcome, job, link: result.job?.link ?? null, isLeft: false }
  return { state: 'job', job, link: null, isLeft: true }
}

/** Whether an error is final: the job does not exist or did not end in time, or no one checked its pull request. */
function isOver({ problem }: AgentResult) {
  if (problem?.kind === 'allowed-paths') return true
  if (problem?.kind === 'gave-up') return problem.why === 'no-result'
  return problem?.kind === 'call-failed' && problem.call === 'read' && isMissing(problem.why)
}

/** The job that settle must poll in order to decide; null if the entries are enough. */
export function jobToPoll({ top, since, at, accounts }: Progress) {
  if (top === null || accounts !== null) return null
  const { state, job } = top.entry
  if (state === 'job') return job
  if (state === 'no-changes' && at - since < lateLinkMs) return job
  return null
}

/** Whether the latest status of a context shows that no request on the commit needs settle. */
export function isSettledContext(status: StepStatus, now: number) {
  if (status.entry === null || !status.isSigned || status.state === 'pending') return false
  const { state, hides, since, writtenAt } = status.entry
  if (status.createdAt - writtenAt > copyMs) return false
  // After the other ends, a later attempt can be hidden.
  if (!isRequestEnd(state) || hasNoResult(status.entry)) return false
  if (hides || writtenAt - since < shortMs) return false
  return jobToPoll(progressAt([status], now)) === null
}
