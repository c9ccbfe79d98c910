/** What becomes of the agent's pull request after its job. */

/** A pull request as GitHub shows it. Times are in milliseconds since the epoch. */
export interface SeenPull {
  number: number
  state: 'open' | 'merged' | 'closed'
  /** Whether it can be merged without conflicts. GitHub does not know at first. */
  mergeable: 'yes' | 'no' | 'unknown'
  /** Its last commit. */
  head: string
  /** null if it is not merged. */
  mergeCommit: string | null
  createdAt: number
  /** When it was merged or closed; null if it is open. */
  closedAt: number | null
}
