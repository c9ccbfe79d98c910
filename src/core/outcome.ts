/**
 * The modes, and what each outcome means. To add one, add a row: the compiler then names each table in `say/` that needs
 * words for it.
 */
import type { Job } from './job/job.ts'
import { type Problem, problems } from './problems.ts'
import type { Prompt } from './prompt/prompt.ts'
import type { PullRequestChanges } from './review.ts'

export const modes = ['agent', 'visitors', 'settle'] as const

/** What a step does, as the input `mode` selects it. */
export type Mode = (typeof modes)[number]

interface Meaning {
  modes: readonly Mode[]
  /** Whether the step did what it was asked to do. */
  isGood: boolean
  /** The state of the step's job, if it has one. `lost`: the step can no longer follow it. */
  job: 'active' | 'lost' | 'ended' | 'none'
  /** Whether the step fails. `by-default`: if `fail-on` names the outcome, as its default does. */
  fails: 'never' | 'if-named' | 'by-default' | 'always'
}

const meanings = {
  'pull-request': { modes: ['agent'], isGood: true, job: 'ended', fails: 'never' },
  'out-of-bounds': { modes: ['agent'], isGood: false, job: 'ended', fails: 'if-named' },
  'no-changes': { modes: ['agent'], isGood: true, job: 'ended', fails: 'if-named' },
  archived: { modes: ['agent'], isGood: false, job: 'ended', fails: 'if-named' },
  failed: { modes: ['agent'], isGood: false, job: 'ended', fails: 'by-default' },
  'timed-out': { modes: ['agent'], isGood: false, job: 'active', fails: 'by-default' },
  detached: { modes: ['agent'], isGood: true, job: 'active', fails: 'never' },
  settled: { modes: ['settle'], isGood: true, job: 'none', fails: 'never' },
  reported: { modes: ['visitors'], isGood: true, job: 'none', fails: 'never' },
  alert: { modes: ['visitors'], isGood: true, job: 'none', fails: 'if-named' },
  skipped: { modes: ['agent', 'visitors', 'settle'], isGood: false, job: 'none', fails: 'never' },
  // Only steps/finish.ts ends a step with this outcome, in any mode. A failed check fails the step.
  'dry-run': { modes: [], isGood: true, job: 'none', fails: 'never' },
  // The runner decides how a cancelled step ends. After a signal from anything else, the step must not succeed.
  cancelled: { modes: ['agent', 'visitors', 'settle'], isGood: false, job: 'active', fails: 'always' },
  unconfirmed: { modes: ['agent'], isGood: false, job: 'none', fails: 'always' },
  error: { modes: ['agent', 'visitors', 'settle'], isGood: false, job: 'lost', fails: 'always' },
} as const satisfies Record<string, Meaning>

type Meanings = typeof meanings

/** How a step ended. A mode has only some of the outcomes. */
export type Outcome = keyof Meanings

type OutcomeOf<M extends Mode> = {
  [O in Outcome]: M extends Meanings[O]['modes'][number] ? O : never
}[Outcome]

export type AgentOutcome = OutcomeOf<'agent'>
export type VisitorsOutcome = OutcomeOf<'visitors'>
export type SettleOutcome = OutcomeOf<'settle'>

/** An outcome that `fail-on` can name. */
export type Failable = {
  [O in Outcome]: Meanings[O]['fails'] extends 'if-named' | 'by-default' ? O : never
}[Outcome]

export const outcomes = Object.keys(meanings) as Outcome[]

const meaningOf = (outcome: Outcome): Meaning => meanings[outcome]

/** The outcomes that a mode can have. */
export function outcomesOf<M extends Mode>(mode: M): OutcomeOf<M>[] {
  return outcomes.filter((outcome): outcome is OutcomeOf<M> => meaningOf(outcome).modes.includes(mode))
}

/** The outcomes that `fail-on` can name. */
export const failable = outcomes.filter((outcome): outcome is Failable =>
  ['if-named', 'by-default'].includes(meaningOf(outcome).fails),
)

/** The default of `fail-on`. */
export const failsByDefault = failable.filter((outcome) => meaningOf(outcome).fails === 'by-default')

/** Whether the step did what it was asked to do. */
export const isGood = (outcome: Outcome): boolean => meaningOf(outcome).isGood

/** Whether the job may be active after the step, so that another step can wait for it. */
export const mayContinue = (outcome: Outcome): boolean => ['active', 'lost'].includes(meaningOf(outcome).job)

/** Whether the outcome is not a result yet: the job was still active when the step last polled it. */
export const isUnfinished = (outcome: Outcome): boolean => meaningOf(outcome).job === 'active'

/** Outcomes that mean that the job has ended. */
export type JobEnd = { [O in Outcome]: Meanings[O]['job'] extends 'ended' ? O : never }[Outcome]

/** Whether an outcome means that the job has ended. */
export const isEnd = (outcome: Outcome): outcome is JobEnd => meaningOf(outcome).job === 'ended'

/** Outcomes that end a request. `error`: the job no longer exists, or did not end in time. */
export type End = JobEnd | 'unconfirmed' | 'error'

/** Whether an outcome ends a request. */
export function isRequestEnd(outcome: string): outcome is End {
  return (
    outcome === 'unconfirmed' ||
    outcome === 'error' ||
    outcomes.some((each) => each === outcome && isEnd(each))
  )
}

/** Whether an outcome fails the step. */
export function failsStep(outcome: Outcome, failOn: ReadonlySet<Failable>): boolean {
  return meaningOf(outcome).fails === 'always' || isInFailOn(outcome, failOn)
}

/** Whether `fail-on` names an outcome. */
export function isInFailOn(outcome: Outcome, failOn: ReadonlySet<Failable>): boolean {
  return (failOn as ReadonlySet<Outcome>).has(outcome)
}

/** The result of a step in mode agent. */
export interface AgentResult {
  outcome: AgentOutcome
  /** The job's id; null if there is none, or if the platform did not return one. */
  jobId: string | null
  /** The job as last polled; null if it never was. */
  job: Job | null
  prompt: Prompt | null
  problem: Problem | null
  /** Whether the request reached the platform. For a step that only waits, this is about its job's original request. */
  delivery: 'not-sent' | 'uncertain' | 'sent'
  /** What the agent's pull request changes; null if there is none, or if it was not read. */
  changes: PullRequestChanges | null
  /** Milliseconds from the step's start to its end; null if another step requested the job. */
  elapsed: number | null
}

/** Why a request is not carried out. */
export interface Ended {
  kind: 'ended'
  outcome: 'skipped' | 'error'
  problem: Problem
}

/** The event is not for this step, or the person is not allowed. */
export function skipped(problem: Problem): Ended {
  return { kind: 'ended', outcome: 'skipped', problem }
}

/** Something prevents the request. */
export function failed(problem: Problem): Ended {
  return { kind: 'ended', outcome: 'error', problem }
}

/** The event is not for this step, or its change is not worth a job. */
export function noChange(reason: string): Ended {
  return skipped(problems.skipped(reason))
}
