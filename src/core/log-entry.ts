/** A piece of the log. Texts are made safe to print by the one who prints them. */
export type LogEntry =
  | { level: 'info'; text: string }
  /** Shown on the run's page too; GitHub shows ten of a level for a step. */
  | { level: 'notice' | 'warning' | 'error'; title: string; text: string }
  /** Folded in the log. */
  | { level: 'group'; title: string; text: string }
