/** What happens on the way, and what came of it: the values that use cases hand to whoever shows them. */
import type { InputFault } from './inputs/inputs.ts'
import type { AgentOutcome } from './outcome.ts'
import type { Job } from './platform/job.ts'
import type { OperationName } from './platform/operation.ts'
import type { Failure } from './platform/reply.ts'
import type { Prompt } from './prompt.ts'
import type { Thread } from './thread/trigger.ts'
import type { Period } from './visitors/period.ts'

/** How the step came by its job: it made it, it sent it a message, or it was told to wait for it. */
export type JobOrigin = 'created' | 'continued' | 'resumed'

/** One thing that happened. Durations are in milliseconds. */
export type Progress =
  | { type: 'prompt'; prompt: Prompt; dryRun: boolean }
  | { type: 'no-files'; input: string }
  /** The step is about to send what must not be sent twice. */
  | { type: 'sending'; operation: OperationName }
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

/** What was to be read of a change. */
export type ChangeRead = 'diff' | 'pull-requests' | 'open-pull-requests'

/** What the action does on a thread. */
export type ThreadAct = 'react' | 'reply' | 'edit' | 'read'

/** GitHub's word on a request that it did not carry out; no status where no answer came. */
export interface Refusal {
  status: number | null
  message: string
}

/** What went wrong with a file that an input names. */
export type FileFault =
  | {
      kind: 'missing' | 'not-a-file' | 'outside' | 'not-text' | 'empty' | 'unreadable' | 'unwritable'
      input: string
      path: string
    }
  | { kind: 'too-many'; input: string; limit: number }

/** A call that failed for good. */
export interface PlatformProblem {
  type: 'platform'
  operation: OperationName
  failure: Failure
  /** How often it was tried. */
  attempts: number
}

/** Why a step did not end as hoped. */
export type Problem =
  | { type: 'inputs'; faults: InputFault[] }
  | { type: 'file'; fault: FileFault }
  | PlatformProblem
  /** A mistake in the action itself; `text` is for those who mend it. */
  | { type: 'defect'; text: string }
  | { type: 'secrets-withheld'; why: string }
  | { type: 'key-in-prompt' }
  /** A follow-up's first read failed, so its message was not sent. */
  | { type: 'unsent-message'; cause: PlatformProblem }
  /** The deadline came before the message could be sent. */
  | { type: 'too-late' }
  | { type: 'not-for-us'; reason: string }
  | { type: 'no-instruction'; command: string }
  | { type: 'not-allowed'; login: string; required: string; isBot: boolean }
  | { type: 'gate-closed'; login: string; refusal: Refusal }
  | { type: 'thread-unread'; refusal: Refusal }
  /** The change is not worth a job. */
  | { type: 'no-change'; reason: string }
  /** The agent's own account caused the event. */
  | { type: 'own-change'; login: string }
  | { type: 'change-unread'; reading: ChangeRead; refusal: Refusal }
  /** So many pull requests of the agent's stand open; `jobless` where none of their jobs could be continued. */
  | { type: 'open-limit'; limit: number; links: string[]; jobless: boolean }

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
