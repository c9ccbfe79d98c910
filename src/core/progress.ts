/** What happens while a step runs, and its result: the values that use cases hand to rendering. */

import type { Job } from './job/job.ts'
import type { OperationName } from './job/operation.ts'
import type { Failure } from './job/response.ts'
import type { AgentOutcome } from './outcome.ts'
import type { Problem, Refusal } from './problem.ts'
import type { Prompt } from './prompt/prompt.ts'
import type { PullRequestChanges } from './review.ts'
import type { Thread } from './thread.ts'

/** How the step got its job: it created it, sent it a follow-up, or was configured to wait for it. */
export type JobOrigin = 'created' | 'continued' | 'resumed'

/** One thing that happened. Durations are in milliseconds. */
export type Progress =
  /** `jobId`: the job that it goes to; null for a new one. */
  | { type: 'prompt'; prompt: Prompt; dryRun: boolean; jobId: string | null }
  /** The prompt had tokens in it, which are not sent. */
  | { type: 'tokens-masked'; count: number }
  | { type: 'no-files'; input: string }
  | { type: 'job'; jobId: string; job: Job | null; origin: JobOrigin }
  | { type: 'status'; job: Job; age: number }
  | { type: 'unknown-status'; status: string }
  /** Once a minute. `status` is null if the job was never read. */
  | { type: 'waiting'; age: number; status: string | null; nextRead: number; failures: number }
  | { type: 'failing'; operation: OperationName; failure: Failure; nextAttempt: number }
  | { type: 'retrying'; operation: OperationName; attempts: number; nextAttempt: number }
  | { type: 'recovered'; failures: number }
  | { type: 'unchanged'; job: Job; age: number }
  /** A comment or reaction on the thread failed. That is a warning, and never fails the job. */
  | { type: 'thread-failed'; act: ThreadAct; thread: Thread; refusal: Refusal }
  /** The input `hold` has no effect. */
  | { type: 'hold-ignored'; why: HoldIgnored }
  /** The agent's pull requests could not be looked at. It costs a line in the log. */
  | { type: 'pulls-unread'; repository: string; refusal: Refusal }
  /** GitHub rejected a change of the agent's pull request, which is described by what follows “Could not”. */
  | { type: 'pull-unchanged'; act: PullAct; what: string; thread: Thread; refusal: Refusal }
  /** GitHub rejected a comment on a pull request concerned. It costs a line in the log. */
  | { type: 'unannounced'; thread: Thread; refusal: Refusal }
  /** Open pull requests of the agent's account that are not from this action's jobs. */
  | { type: 'other-pulls'; links: string[] }
  /** The commit's status could not be set. It costs a warning, never the job. */
  | { type: 'status-failed'; commit: string; refusal: Refusal }
  /** Whether the push came by a pull request of the agent's own could not be asked. */
  | { type: 'loop-unchecked'; refusal: Refusal }
  /** GitHub lists only so many files of the change, and the names of the others are not known either. */
  | { type: 'files-cut'; listed: number }
  /**
   * Where the diff of the default branch begins. `job`: at the commit of this step's last one; null if there is none, so that the
   * last days are read.
   */
  | { type: 'since-last'; branch: string; commit: string; job: string | null; commits: number }
  /** A diff was asked for, and the event has no change. */
  | { type: 'no-change-event'; event: string }
  /** The job of an earlier command cannot take a follow-up, so a new one is created. */
  | { type: 'job-over'; jobId: string; status: string }
  /** An earlier command on the thread has no job yet: the step waits for it, or gives up on it and creates a new one. */
  | { type: 'earlier-command'; state: 'waiting' | 'unclear' }
  /** Nothing on GitHub records this run's job, so a re-run may create a second one; on a re-run, it may be the second. */
  | { type: 'no-mark'; isRerun: boolean }
  /** The files of the agent's pull request could not be read. It costs a line in the log, never the result. */
  | { type: 'changes-unread'; prLink: string; refusal: Refusal }

/** What the action does on a thread. */
export type ThreadAct = 'react' | 'reply' | 'edit' | 'read' | 'delete' | 'hide'

/** What the action changes of a pull request. `guard`: its status for `allowed-paths`. */
export type PullAct = 'label' | 'review' | 'guard' | 'hold' | 'close'

/** `event`: no pull request of the code brought the request. `over`: it is merged or closed. */
export type HoldIgnored = 'event' | 'fork' | 'over' | 'unread'

/** What started the step, for the summary. The texts may come from outside. */
export interface TriggerRef {
  kind:
    | 'commit'
    | 'pull request'
    | 'comment'
    | 'review'
    | 'label'
    | 'release'
    | 'schedule'
    | 'manual run'
    | 'event'
  /** What follows the kind, such as `acme/app@1a2b3c4` or `by mona on acme/app#12`; empty for none. */
  text: string
  /** Empty for none. */
  url: string
}

/** The result of a step in mode `agent`. */
export interface AgentResult {
  outcome: AgentOutcome
  /** The job's id, known once the platform answered; null if there is none. */
  jobId: string | null
  /** The job as last read; null if it never was. */
  job: Job | null
  prompt: Prompt | null
  problem: Problem | null
  /** Whether the request reached the platform; a step that only waits has nothing to send, so its job counts. */
  delivery: 'not-sent' | 'uncertain' | 'sent'
  /** What the agent's pull request changes; null if there is none or it was not read. */
  changes: PullRequestChanges | null
  /** Milliseconds from the step's start to its end; null if another step asked for the job. */
  elapsed: number | null
}
