/**
 * The hold on one of the agent's pull requests: it waits for the code that it documents. The record is the mark in the
 * action's comment on the pull request. Mode settle updates the record and the status.
 */
import { dayMs } from './units.ts'

/** What the agent's pull request waits for before it should be merged. */
export type HoldKind = 'merge' | 'release'

/** The context of a hold's commit status. */
export const holdContext = 'Docs agent / hold'

/** The pull request with the code that a request documents. */
export interface CodePull {
  /** `owner/name`. */
  repository: string
  number: number
  /** Its last commit when the agent got the code. */
  head: string
  hold: HoldKind | null
}

/** The states of a hold's record, which only rises. `closed`: people know that the code was closed without a merge. */
export const holdStates = ['held', 'closed', 'lifted'] as const

/** See `holdStates`. A status shows the same states, and follows the code: it is `held` again if the code is reopened. */
export type HoldState = (typeof holdStates)[number]

/** The record of a hold. */
export type Hold = CodePull & { hold: HoldKind; state: HoldState }

/** A pull request as GitHub shows it. Times are in milliseconds since the epoch. */
export interface SeenPull {
  number: number
  state: 'open' | 'merged' | 'closed'
  head: string
  mergeCommit: string | null
  createdAt: number
  /** When it was merged or closed; null if it is open. */
  closedAt: number | null
}

/** When a pull request was opened, and when and how it ended. */
export type PullDates = Pick<SeenPull, 'state' | 'createdAt' | 'closedAt'>

/** What settle knows about the code behind a hold. */
export interface CodeSeen {
  /** null if it could not be read. */
  code: SeenPull['state'] | null
  /** Whether a release contains the code. */
  isReleased: boolean
}

/**
 * The commit status for each state of a hold. If the repository requires the status, `failure` blocks the merge, so
 * that a person decides what to do after the code was closed.
 */
export const holdStatuses = { held: 'pending', closed: 'failure', lifted: 'success' } as const

/** The state that a hold's status must show; null if it is unknown. */
export function stateToShow({ hold, state }: Pick<Hold, 'hold' | 'state'>, seen: CodeSeen): HoldState | null {
  if (state === 'lifted') return 'lifted'
  switch (seen.code) {
    case null:
      return null
    case 'open':
      return 'held'
    case 'closed':
      return 'closed'
    case 'merged':
      return hold === 'merge' || seen.isReleased ? 'lifted' : 'held'
  }
}

/** Whether a state is news for people: the record has not risen to it yet. */
export function isNews(state: HoldState, { state: recorded }: Pick<Hold, 'state'>): boolean {
  return holdStates.indexOf(state) > holdStates.indexOf(recorded)
}

/** What happened to the agent's pull requests in a period. */
export interface PullStats {
  opened: number
  merged: number
  closed: number
  /** Open at the end of the period. */
  waiting: number
  /** Median milliseconds from opening to merge; null if none was merged. */
  timeToMerge: number | null
  /**
   * `of`: the number of pull requests that were merged or closed in the 28 days before the end. `merged`: how many of
   * these were merged. Null if there are fewer than five.
   */
  rate: { merged: number; of: number } | null
}

/** Number of days that the merge rate covers, up to the end of the period. */
export const rateDays = 28
/** Minimum number of pull requests for a meaningful rate. */
const minForRate = 5

/** What happened to pull requests in a period. @param period milliseconds since the epoch; `to` is excluded */
export function pullStatsOf(
  pulls: readonly PullDates[],
  { from, to }: { from: number; to: number },
): PullStats {
  const isWithin = (at: number | null, since = from) => at !== null && at >= since && at < to
  const ended = pulls.filter(({ closedAt }) => isWithin(closedAt))
  const merged = ended.filter(({ state }) => state === 'merged')
  const decided = pulls.filter(({ closedAt }) => isWithin(closedAt, to - rateDays * dayMs))
  return {
    opened: pulls.filter(({ createdAt }) => isWithin(createdAt)).length,
    merged: merged.length,
    closed: ended.length - merged.length,
    waiting: pulls.filter(
      ({ createdAt, closedAt }) => createdAt < to && (closedAt === null || closedAt >= to),
    ).length,
    timeToMerge: median(merged.map(({ createdAt, closedAt }) => (closedAt ?? createdAt) - createdAt)),
    rate:
      decided.length < minForRate
        ? null
        : { merged: decided.filter(({ state }) => state === 'merged').length, of: decided.length },
  }
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
