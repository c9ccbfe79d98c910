/** What happens on the way, and what came of it: the values that use cases hand to whoever shows them. */

import type { Job } from './job/job.ts'
import type { ListName, OperationName } from './job/operation.ts'
import type { Failure } from './job/response.ts'
import type { AgentOutcome } from './outcome.ts'
import type { Problem, Refusal } from './problem.ts'
import type { Prompt } from './prompt/prompt.ts'
import type { Thread } from './thread.ts'
import type { Period } from './visitors/period.ts'
import type { Missing } from './visitors/sections/lists.ts'

/** How the step came by its job: it made it, it sent it a message, or it was told to wait for it. */
export type JobOrigin = 'created' | 'continued' | 'resumed'

/** One thing that happened. Durations are in milliseconds. */
export type Progress =
  | { type: 'prompt'; prompt: Prompt; dryRun: boolean }
  | { type: 'no-files'; input: string }
  | { type: 'job'; jobId: string; job: Job | null; origin: JobOrigin }
  | { type: 'status'; job: Job; age: number }
  | { type: 'unknown-status'; status: string }
  | { type: 'waiting'; age: number; status: string; nextRead: number; failures: number }
  | { type: 'failing'; operation: OperationName; failure: Failure; nextAttempt: number }
  | { type: 'retrying'; operation: OperationName; attempts: number; nextAttempt: number }
  | { type: 'recovered'; failures: number }
  | { type: 'unchanged'; job: Job; age: number }
  /** The thread could not be told something. It costs a warning, never the job. */
  | { type: 'thread-failed'; act: ThreadAct; thread: Thread; refusal: Refusal }
  /** Whether the push came by a pull request of the agent's own could not be asked. */
  | { type: 'loop-unchecked'; refusal: Refusal }
  /** A diff was asked for, and the event has no change. */
  | { type: 'no-change-event'; event: string }
  /** The job of an earlier command can't be continued; a new one is made. */
  | { type: 'job-over'; jobId: string; status: string }
  /** A reply with pages of a period was taken in; `pages` and `requests` are the period's so far. */
  | { type: 'pages'; period: Period; pages: number; requests: number }
  | { type: 'period-read'; period: Period; pages: number; isComplete: boolean }
  /** The platform's totals changed while a period's pages were read. */
  | { type: 'reread'; period: Period }
  /** The first rows of a list of readers' words came. */
  | { type: 'list-read'; list: ListName; seen: number; hasMore: boolean }
  | { type: 'list-missing'; list: ListName; gap: Missing }

/** What the action does on a thread. */
export type ThreadAct = 'react' | 'reply' | 'edit' | 'read' | 'remove' | 'hide'

/** What came of a step in mode `agent`. */
export interface AgentResult {
  outcome: AgentOutcome
  /** The job's id, known from the moment the platform answered; null where there is none. */
  jobId: string | null
  /** The job as last read; null where it never was. */
  job: Job | null
  prompt: Prompt | null
  problem: Problem | null
  /** Milliseconds from the step's start to its end. */
  elapsed: number
}
