/**
 * What each outcome means; how it reads is up to the tables of `render/`. To add one, add a row: the compiler then names
 * each place that needs words for it.
 */
import type { Mode } from './mode.ts'

interface Meaning {
  modes: readonly Mode[]
  /** Whether the step did what it was asked to do. */
  isGood: boolean
  /** The state of the step's job, if it has one. `lost`: the step cannot follow it any more. */
  job: 'active' | 'lost' | 'ended' | 'none'
  /** Whether the step fails. `by-default`: `fail-on` names it unless the workflow sets another list. */
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
  // A check that failed fails the step (trial.ts).
  'dry-run': { modes: ['agent', 'visitors', 'settle'], isGood: true, job: 'none', fails: 'never' },
  // The runner decides how a cancelled step ends. A signal from anyone else must not end green.
  cancelled: { modes: ['agent', 'visitors', 'settle'], isGood: false, job: 'active', fails: 'always' },
  unconfirmed: { modes: ['agent'], isGood: false, job: 'none', fails: 'always' },
  error: { modes: ['agent', 'visitors', 'settle'], isGood: false, job: 'lost', fails: 'always' },
} as const satisfies Record<string, Meaning>

type Meanings = typeof meanings

export type Outcome = keyof Meanings

type OutcomeOf<M extends Mode> = {
  [O in Outcome]: M extends Meanings[O]['modes'][number] ? O : never
}[Outcome]

export type AgentOutcome = OutcomeOf<'agent'>
export type VisitorsOutcome = OutcomeOf<'visitors'>
export type SettleOutcome = OutcomeOf<'settle'>

/** What `fail-on` takes. */
export type Failable = {
  [O in Outcome]: Meanings[O]['fails'] extends 'if-named' | 'by-default' ? O : never
}[Outcome]

export const outcomes = Object.keys(meanings) as Outcome[]

const meaningOf = (outcome: Outcome): Meaning => meanings[outcome]

export function outcomesOf<M extends Mode>(mode: M): OutcomeOf<M>[] {
  return outcomes.filter((outcome): outcome is OutcomeOf<M> => meaningOf(outcome).modes.includes(mode))
}

export const failable = outcomes.filter((outcome): outcome is Failable =>
  ['if-named', 'by-default'].includes(meaningOf(outcome).fails),
)

/** The default of `fail-on`. */
export const failsByDefault = failable.filter((outcome) => meaningOf(outcome).fails === 'by-default')

export const isGood = (outcome: Outcome): boolean => meaningOf(outcome).isGood

/** Whether the job may be active after the step, so that it can be waited for again. */
export const goesOn = (outcome: Outcome): boolean => ['active', 'lost'].includes(meaningOf(outcome).job)

/** Whether the outcome is not yet a result: to the step's knowledge, the job is still active. */
export const isUnfinished = (outcome: Outcome): boolean => meaningOf(outcome).job === 'active'

/** Outcomes that are the end of a job. */
export type JobEnd = { [O in Outcome]: Meanings[O]['job'] extends 'ended' ? O : never }[Outcome]

export const isEnd = (outcome: Outcome): outcome is JobEnd => meaningOf(outcome).job === 'ended'

export function failsStep(outcome: Outcome, failOn: ReadonlySet<Failable>): boolean {
  return meaningOf(outcome).fails === 'always' || isNamed(outcome, failOn)
}

export function isNamed(outcome: Outcome, failOn: ReadonlySet<Failable>): boolean {
  return (failOn as ReadonlySet<Outcome>).has(outcome)
}
