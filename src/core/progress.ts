/** What happens while a step runs, and its result: the values that use cases pass to rendering. */
import type { Job, OperationName } from './job/job.ts'
import type { Failure } from './job/response.ts'
import type { AgentOutcome } from './outcome.ts'
import type { Problem, Rejection } from './problem.ts'
import type { Prompt } from './prompt/prompt.ts'
import type { PullRequestChanges } from './review.ts'
import type { Thread } from './thread.ts'

/** How the step got its job. `created`: a new job. `continued`: with a follow-up. `resumed`: the step only waits for the job. */
export type JobOrigin = 'created' | 'continued' | 'resumed'

/** One thing that happened. Durations are in milliseconds. */
export type Progress =
  /** `jobId`: the job that the prompt is sent to; null for a new one. */
  | { type: 'prompt'; prompt: Prompt; jobId: string | null }
  /** The prompt contained tokens, which are not sent. */
  | { type: 'tokens-masked'; count: number }
  | { type: 'no-files'; input: string }
  | { type: 'job'; jobId: string; job: Job | null; origin: JobOrigin }
  | { type: 'status'; job: Job; age: number }
  | { type: 'unknown-status'; status: string }
  /** Once a minute. `status` is null if the job was never polled. */
  | { type: 'waiting'; age: number; status: string | null; nextRead: number; failures: number }
  | { type: 'failing'; operation: OperationName; failure: Failure; nextAttempt: number }
  | { type: 'retrying'; operation: OperationName; attempts: number; nextAttempt: number }
  | { type: 'unchanged'; job: Job; age: number }
  /** A comment or reaction on the thread failed. This is a warning, and never fails the job. */
  | { type: 'thread-failed'; act: ThreadAct; thread: Thread; rejection: Rejection }
  /** The input `hold` has no effect, because the request is not about an open pull request in this repository. */
  | { type: 'hold-ignored' }
  /** The agent's pull requests could not be read. This only adds a line to the log. */
  | { type: 'pulls-unread'; repository: string; rejection: Rejection }
  /** A repository has more comments than the action reads, so jobs and docs named only in older comments are unknown. */
  | { type: 'comments-cut'; repository: string }
  /** GitHub rejected a change to the agent's pull request. `what` completes a sentence that begins with “Could not”. */
  | { type: 'pull-unchanged'; act: PullAct; what: string; thread: Thread; rejection: Rejection }
  /** GitHub rejected a comment on one of the pull requests that the docs are about. This only adds a line to the log. */
  | { type: 'unannounced'; thread: Thread; rejection: Rejection }
  /** Mintlify named a pull request that the agent did not open, so nothing is written on it. */
  | { type: 'foreign-pull'; thread: Thread; author: string | null; agentLogin: string; ref: string | null }
  /** Open pull requests by the agent's account that did not come from this action's jobs. */
  | { type: 'other-pulls'; links: string[] }
  /** The commit's status could not be set. This is a warning, and never fails the job. */
  | { type: 'status-failed'; commit: string; rejection: Rejection }
  /** GitHub did not say whether the push is the agent's own work. */
  | { type: 'loop-unchecked'; rejection: Rejection }
  /** GitHub lists only some files of the change, and even the names of the others are unknown. */
  | { type: 'files-cut'; listed: number }
  /** The start of the default branch's diff: the commit of the step's last job, or one from some days ago if `job` is null. */
  | {
      type: 'since-last'
      branch: string
      commit: string
      job: string | null
      /** A job that failed, whose changes are sent again; null if there is none. */
      failed: string | null
      commits: number
    }
  /** The prompt runs without a diff, although the event has a change. */
  | { type: 'no-diff'; reason: string }
  /** The job of an earlier command cannot take a follow-up, so a new one is created. `rejected`: Mintlify rejected it. */
  | { type: 'job-over'; jobId: string; status: string }
  /** An earlier command on the thread has no job yet. The step waits for that job, or gives up and creates a new one. */
  | { type: 'earlier-command'; state: 'waiting' | 'unclear' }
  /** This run's job is not recorded on GitHub, so a re-run may create a second one. On a re-run, this job may be the second. */
  | { type: 'no-record'; isRerun: boolean }
  /** The files of the agent's pull request could not be read. This only adds a line to the log. */
  | { type: 'changes-unread'; prLink: string; rejection: Rejection }

/** An action on a thread. */
export type ThreadAct = 'react' | 'reply' | 'edit' | 'read' | 'delete' | 'hide'

/** A change to the agent's pull request. `guard`: its status for `allowed-paths`. */
export type PullAct = 'label' | 'review' | 'guard' | 'hold'

/** What started the step, for the summary. The texts may come from outside. */
export interface TriggerRef {
  /** Such as `commit acme/app@1a2b3c4` or `comment by mona on acme/app#12`. */
  text: string
  /** Empty for none. */
  url: string
}

/** The result of a step in mode agent. */
export interface AgentResult {
  outcome: AgentOutcome
  /** The job's id; null if there is none, or if the platform did not return one. */
  jobId: string | null
  /** The job as last polled; null if it never was. */
  job: Job | null
  prompt: Prompt | null
  problem: Problem | null
  /** Whether the request reached the platform. For a step that only waits, this is about its job's original request. */
  delivery: 'not-sent' | 'uncertain' | 'sent'
  /** What the agent's pull request changes; null if there is none, or if it was not read. */
  changes: PullRequestChanges | null
  /** Milliseconds from the step's start to its end; null if another step requested the job. */
  elapsed: number | null
}

/** An entry in the log. The runner adapter makes its text safe to print. */
export type LogEntry =
  | { level: 'info'; text: string }
  /** Also shown on the run's page: at most ten of each level for a step. */
  | { level: 'notice' | 'warning' | 'error'; title: string; text: string }
  /** Folded in the log. */
  | { level: 'group'; title: string; text: string }
