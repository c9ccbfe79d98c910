/** What a step prints. */

/** An entry in the log. The runner adapter makes its text safe to print. */
export type LogEntry =
  | { level: 'info'; text: string }
  /** Also shown on the run's page: at most ten of each level for a step. */
  | { level: 'notice' | 'warning' | 'error'; title: string; text: string }
  /** Folded in the log. */
  | { level: 'group'; title: string; text: string }
