/** What mode settle finds and reports. */
import { type AgentResult, failsStep, type Outcome } from './outcome.ts'
import type { Problem } from './problems.ts'
import type { Thread } from './thread.ts'

/** A request that an earlier run left open, and what settle did about it. */
export interface SettledJob {
  /** null if the run was killed before it knew its job. */
  job: string | null
  /** When it was requested, in milliseconds since the epoch. */
  since: number
  /** Where it was requested. */
  link: Thread | { repository: string; commit: string }
  /**
   * `pending`: the job is active, or could not be polled. `unreported`: GitHub rejected the list of its entries or the
   * report. `left`: it has a pull request, which a settle step with other `allowed-paths` must check.
   */
  state: 'settled' | 'pending' | 'unreported' | 'left'
  /** null if the job is active or its state is unknown. */
  result: AgentResult | null
}

/** What settle did about one of the agent's pull requests. In words: see `pullTexts`. */
export interface SettledPull {
  link: string
  did: 'released' | 'closed' | 'shown' | 'guarded'
}

/** The result of a step in mode settle. */
export interface SettleResult {
  pulls: SettledPull[]
  outcome: 'settled' | 'cancelled' | 'error'
  jobs: SettledJob[]
  /** Whether GitHub listed more comments or commits than are read, so that some open jobs may be missing. */
  isCut: boolean
  problem: Problem | null
}

/** Whether settle fails the step: it failed itself, or a job that it reported has an outcome in `fail-on`. */
export function failsSettling({ outcome, jobs }: SettleResult, failOn: ReadonlySet<Outcome>): boolean {
  if (failsStep(outcome, failOn)) return true
  return jobs.some(
    ({ state, result }) => state === 'settled' && result !== null && failOn.has(result.outcome),
  )
}
