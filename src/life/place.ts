/** A place keeps a request's entries. It lists, writes, reports and clears them, and decides nothing. */

import type { JobChoice } from '../core/job/job.ts'
import type { AgentResult } from '../core/outcome.ts'
import type { Rejection } from '../core/problems.ts'
import type { GitHubReply } from '../usecases/ports.ts'
import type { SavedCommit } from './commit.ts'
import type { Found, Statement } from './entry.ts'
import type { SavedThread } from './thread.ts'

/** What people see of an entry. `state` and `link` are shown only beside a commit. */
export interface Shown {
  words: string
  state: 'pending' | 'success' | 'failure'
  link: string
}

/** Where a request's entries are kept. */
export interface Place {
  /** The request's entries: those that GitHub lists, and those that this step wrote. */
  list(): Promise<GitHubReply<Found[]>>
  /** The words while the agent works. */
  pending(choice: JobChoice): Shown
  /** The words for a result. @param isOpen whether the request is not at rest, so that this is not its last word */
  result(result: AgentResult, isOpen: boolean): Shown
  /** Writes this step's entry, or raises it. Returns its id. */
  write(statement: Statement, shown: Shown): Promise<GitHubReply<number>>
  /** Continues with the entry of a run that was killed; false if it has none. */
  resume(writer: string): boolean
  /** Reports an end to people. */
  report(statement: Statement, shown: Shown): Promise<GitHubReply<number>>
  /** Whether `clear` has anything to do. */
  hasLeftovers(): boolean
  /** Removes what the end of a request replaces. */
  clear(): Promise<boolean>
  /** Whether the step may do without its entry after a rejection, because the token has no access to the place. */
  canDoWithout(rejection: Rejection): boolean
  /** Logs that GitHub rejected an entry. */
  warn(rejection: Rejection): void
  /** What the post step needs to continue here. */
  saved(): SavedThread | SavedCommit
}
