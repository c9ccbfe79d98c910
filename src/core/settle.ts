/** What mode `settle` finds and reports. */
import { type AgentOutcome, type Failable, failsStep, isNamed, type SettleOutcome } from './outcome.ts'
import type { Problem } from './problem.ts'
import type { Became } from './pull.ts'
import type { Thread } from './thread.ts'

/** Where a job was asked for. */
export type RequestLink =
  | { kind: 'thread'; repository: string; thread: Thread; request: string }
  | { kind: 'commit'; repository: string; commit: string }

/** A request that an earlier run left open. */
export interface OpenJob {
  /** null if the run was killed before it knew its job. */
  job: string | null
  /** When it was asked for, in milliseconds since the epoch. */
  since: number
  link: RequestLink
}

export interface SettledJob extends OpenJob {
  /**
   * `settled`: this run reported its end. `pending`: it continues, or could not be read. `abandoned`: it is too old to be
   * read. `unreported`: it ended, and GitHub rejected the report.
   */
  state: 'settled' | 'pending' | 'abandoned' | 'unreported'
  /** How it ended; `error` if Mintlify no longer knows it; null if it continues, or if that is unknown. */
  outcome: AgentOutcome | null
  prLink: string | null
}

/** What settle did with a pull request of the agent. `outdated`: the code changed, and the job takes no follow-up. */
export interface SettledPull {
  link: string
  did: 'sent' | 'outdated' | 'released' | 'closed' | 'left-open' | 'conflict'
}

export interface SettleResult {
  pulls: SettledPull[]
  /** The result of the agent's pull requests in the last 28 days; null if there are none, or if that is not known. */
  became: Became | null
  outcome: Exclude<SettleOutcome, 'skipped'>
  jobs: SettledJob[]
  /** Whether GitHub listed more comments or commits than are read, so that open jobs may be missing. */
  isCut: boolean
  problem: Problem | null
}

/** Whether settling fails the step: it broke, or a job that it reported has an outcome in `fail-on`. */
export function failsSettling({ outcome, jobs }: SettleResult, failOn: ReadonlySet<Failable>): boolean {
  return (
    failsStep(outcome, failOn) ||
    jobs.some((job) => job.state === 'settled' && job.outcome !== null && isNamed(job.outcome, failOn))
  )
}
