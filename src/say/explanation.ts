/** What all explanations of problems share. */

/** A problem in prose, with code between backticks. Text from outside has no backticks, so a printer can escape everything else. */
export type Explanation = readonly [
  /** What happened, with the value and the service's own message. */
  what: string,
  /** What to do; empty if there is nothing to do. */
  next: string,
  /** The things that the sentences are about, each a URL or in prose. */
  list?: readonly string[],
  /** Lines to show unchanged. */
  lines?: string,
]

/** After a change to the workflow file. A re-run would use the file of its first run. */
export const startOver = 'Commit the change, and start a new run or comment again.'
