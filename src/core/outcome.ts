/**
 * The modes, what each outcome means, and the results of modes agent and settle. To add an outcome, add a row: the
 * compiler then names each table in `say/` that needs words for it.
 */
import type { CodePull } from './hold.ts'
import type { GitHubFailure } from './http.ts'
import type { Job } from './job.ts'
import type { Accounts, Need, Problem, SkipReason } from './problems.ts'
import type { Prompt } from './prompt/prompt.ts'
import type { PullRequestChanges } from './pull-changes.ts'
import type { Page } from './thread.ts'

export const modes = ['agent', 'visitors', 'settle'] as const

/** What a step does, as the input `mode` selects it. */
export type Mode = (typeof modes)[number]

/**
 * The state of the step's job, if it has one (`lost`: the step can no longer follow it), and whether the step fails
 * (`by-default`: if `fail-on` names the outcome, as its default does).
 */
type Meaning = readonly [
  job: 'active' | 'lost' | 'ended' | 'none',
  fails: 'never' | 'if-named' | 'by-default' | 'always',
]

const meanings = {
  'pull-request': ['ended', 'never'],
  'out-of-bounds': ['ended', 'if-named'],
  'no-changes': ['ended', 'if-named'],
  archived: ['ended', 'if-named'],
  failed: ['ended', 'by-default'],
  'timed-out': ['active', 'by-default'],
  detached: ['active', 'never'],
  settled: ['none', 'never'],
  reported: ['none', 'never'],
  alert: ['none', 'if-named'],
  skipped: ['none', 'never'],
  // A failed check fails the step.
  'dry-run': ['none', 'never'],
  // The runner decides how a cancelled step ends. After a signal from anything else, the step must not succeed.
  cancelled: ['active', 'always'],
  unconfirmed: ['none', 'always'],
  error: ['lost', 'always'],
} as const satisfies Record<string, Meaning>

/** How a step ended. A mode has only some of the outcomes. */
export type Outcome = keyof typeof meanings

/** How a step in mode agent ended. */
export type AgentOutcome = Exclude<Outcome, 'settled' | 'reported' | 'alert' | 'dry-run'>

export const outcomes = Object.keys(meanings) as Outcome[]

const stateOfJob = (outcome: Outcome) => meanings[outcome][0]
const failsWhen = (outcome: Outcome) => meanings[outcome][1]

/** The outcomes that `fail-on` can name. */
export const failable = outcomes.filter((outcome) => ['if-named', 'by-default'].includes(failsWhen(outcome)))

/** The default of `fail-on`. */
export const failsByDefault = outcomes.filter((outcome) => failsWhen(outcome) === 'by-default')

/** Whether an outcome fails the step. */
export function failsStep(outcome: Outcome, failOn: ReadonlySet<Outcome>) {
  return failsWhen(outcome) === 'always' || failOn.has(outcome)
}

/** Whether the step did what its request asked for. */
export function isGood(outcome: Outcome) {
  return ['pull-request', 'no-changes', 'detached'].includes(outcome)
}

/** Whether the job may be active after the step, so that another step can wait for it. */
export function mayContinue(outcome: Outcome) {
  return ['active', 'lost'].includes(stateOfJob(outcome))
}

/** Outcomes that mean that the job has ended. */
export type JobEnd = {
  [O in Outcome]: (typeof meanings)[O][0] extends 'ended' ? O : never
}[Outcome]

/** Whether an outcome means that the job has ended. */
export function isJobEnd(outcome: Outcome): outcome is JobEnd {
  return stateOfJob(outcome) === 'ended'
}

/** Outcomes that end a request. `error`: the job no longer exists, or did not end in time. */
export type RequestEnd = JobEnd | 'unconfirmed' | 'error'

/** Whether an outcome ends a request. */
export function isRequestEnd(outcome: string): outcome is RequestEnd {
  return ['unconfirmed', 'error', ...outcomes.filter(isJobEnd)].includes(outcome)
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
  /** Milliseconds from the start of the step's run to its end; null if it had no run, or if another step requested the job. */
  elapsed: number | null
}

/** A step's result. @param more what differs from a result without a job */
export function agentResult(
  outcome: AgentOutcome,
  problem: Problem | null,
  more: Partial<AgentResult> = {},
): AgentResult {
  return {
    outcome,
    problem,
    delivery: outcome === 'unconfirmed' ? 'uncertain' : 'not-sent',
    jobId: null,
    job: null,
    prompt: null,
    changes: null,
    elapsed: null,
    ...more,
  }
}

/** A request that an earlier run left open, and what settle did about it. */
export interface SettledJob {
  /** null if the run was killed before it knew its job. */
  job: string | null
  /** When it was requested, in milliseconds since the epoch. */
  since: number
  /** Where it was requested. */
  link: Page
  /**
   * `pending`: the job is active, or could not be polled. `unreported`: its entries could not be read, or its result could
   * not be written. `left`: it has a pull request, which a settle step with other `allowed-paths` must check. `postponed`:
   * the next run handles it, because of GitHub's limits.
   */
  state: 'settled' | 'pending' | 'unreported' | 'left' | 'postponed'
  /** null if the job is active or its state is unknown. */
  result: AgentResult | null
  /** Why the result could not be reported. */
  problem?: Problem
  /** Not null if another account recorded it. */
  accounts: Accounts | null
}

/** One of the agent's open pull requests. */
export interface OpenPull {
  link: string
  /** A date-time in UTC. */
  openedAt: string
  /** How long it has been open, in milliseconds. */
  age: number
  /** Its hold, with the state that its status must show; null if it has none. */
  hold: CodePull | null
  /** Whether a job of this action made it. */
  isOwn: boolean
}

/** The result of a step in mode settle. */
export interface SettleResult {
  /** Oldest first; none if the step runs for a pull request's event. */
  pulls: OpenPull[]
  outcome: 'settled' | 'cancelled' | 'error'
  jobs: SettledJob[]
  /** Whether some lists were not read, or not to their end, so that some open jobs may be missing. */
  isCut: boolean
  problem: Problem | null
}

/** Whether settle fails the step: it failed itself, or a job that it reported has an outcome in `fail-on`. */
export function failsSettling({ outcome, jobs }: SettleResult, failOn: ReadonlySet<Outcome>) {
  if (failsStep(outcome, failOn)) return true
  return jobs.some(
    ({ state, result }) => state === 'settled' && result !== null && failOn.has(result.outcome),
  )
}

/** Why a request is not carried out. */
export interface Stop {
  kind: 'stop'
  outcome: 'skipped' | 'error'
  problem: Problem
}

/** @param outcome `skipped`: the event is not for this step, or the person is not allowed */
export function stop(outcome: Stop['outcome'], problem: Problem): Stop {
  return { kind: 'stop', outcome, problem }
}

/** The event is not for this step, or its change is not worth a job. */
export function skip(reason: SkipReason) {
  return stop('skipped', { kind: 'skipped', reason })
}

/** Something prevents the request. */
export function fail(problem: Problem) {
  return stop('error', problem)
}

/** GitHub did not show what the step needs. @param name what the need is about, if it can be about several things */
export function failToRead(need: Need, failure: GitHubFailure, name?: string) {
  return fail({ kind: 'github-failed', need, failure, name })
}
