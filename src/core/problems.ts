/** Everything that can go wrong, as data. `say/problems.ts` has the words. */
import type { Failure, GitHubFailure } from './http.ts'

/** Why a step did not do what it was asked to do. */
export type Problem =
  | { kind: 'inputs'; faults: readonly InputFault[] }
  | FileFault
  /** A bug in the action. */
  | { kind: 'defect'; stack: string }
  | ThinPayload
  | { kind: 'secrets-withheld'; why: Withheld }
  | { kind: 'secret-in-prompt'; secret: 'api-key' | 'github-token' }
  /**
   * `unsaved-state`: the state for the post step could not be saved, so nothing was sent. `too-late`: the deadline passed
   * before anything could be sent. `start-unknown`: without records, the code that is new since the last job is unknown.
   * `reported`: a re-run of a request whose result was already reported.
   */
  | { kind: 'unsaved-state' | 'too-late' | 'start-unknown' | 'reported' }
  | { kind: 'skipped'; reason: SkipReason }
  /** The agent's own account caused the event. */
  | { kind: 'own-change'; login: string }
  /** The event gives secrets to runs for forks; or anyone can write a comment, and the step has no command. */
  | { kind: 'untrusted-event' | 'no-command'; event: string }
  /** The step has no prompt. A comment contains only the command (null: there is none), or asks for help. */
  | { kind: 'no-prompt'; command: string | null }
  /** The account lacks the role, or is a bot that no one listed. `isListed`: in `allowed`. */
  | { kind: 'denied'; login: string; role: string; isBot: boolean; isListed: boolean }
  /** A request to GitHub that the step needs failed. `name`: what the need is about, if it can be about several things. */
  | { kind: 'github-failed'; need: Need; failure: GitHubFailure; name?: string | undefined }
  /** The agent has reached `open-limit`, and none of its pull requests has a job that can take a follow-up. */
  | { kind: 'open-limit'; limit: number; links: readonly string[] }
  | PathsProblem
  /** The action no longer waits for the result of a request. `accounts`: null unless another account recorded it. */
  | { kind: 'gave-up'; why: GaveUp; project: string; accounts: Accounts | null }
  | FailedCall

/** The payload of an event lacks a field, such as `pull_request.head`. */
export interface ThinPayload {
  kind: 'thin-payload'
  event: string
  field: string
}

/** An input that cannot be used. `got` never contains a secret. */
export interface InputFault {
  input: string
  got: string
  /** Completes the sentence “expected …”. */
  expected: string
}

/** What is wrong with a file that an input names, or with all files that its globs match. */
export interface FileFault {
  kind: 'file'
  reason:
    | 'missing'
    | 'not-a-file'
    | 'outside'
    | 'not-text'
    | 'empty'
    | 'too-large'
    | 'too-many'
    | 'unreadable'
    | 'unwritable'
  input: string
  path: string
}

/** Whose runs get no secrets: those for a fork's pull request, or Dependabot's. */
export type Withheld = 'fork' | 'dependabot'

/** What a step needs from GitHub. */
export type Need =
  | 'diff'
  /** Whose work the change is, and where it was merged. */
  | 'pull-requests'
  | 'open-pull-requests'
  /** The default branch's commits and statuses. */
  | 'history'
  | 'thread'
  /** The HTML for text from outside. */
  | 'text'
  | 'statuses'
  /** The records of open jobs in the whole repository. */
  | 'open-jobs'
  | 'role'
  /** The entry that must be written before anything is sent. */
  | 'comment'
  | 'status'
  | 'report'

/** Why the agent's pull request is not known to stay within `allowed-paths`. */
export interface PathsProblem {
  kind: 'allowed-paths'
  /**
   * `cut`: GitHub lists only some of its files. `unchecked`: no settle step with the same globs as the step that asked has
   * checked it.
   */
  reason: 'outside' | 'unreadable' | 'cut' | 'unchecked'
  /** The files outside. */
  paths: readonly string[]
}

/** Why no result of a request will be reported. */
export type GaveUp =
  /** An earlier run may have sent it. */
  | 'unfinished-run'
  /** A re-run of a request whose record is signed with another key. */
  | 'key-changed'
  /** A re-run of a request that a later version of the action recorded. */
  | 'newer-version'
  | 'unstarted-run'
  | 'no-result'
  /** Another account recorded the request, or the step's last job. */
  | 'other-account'
  | 'other-last-job'

/** The login of the account that recorded something, and of the account of this step's token. */
export interface Accounts {
  recorder: string
  own: string
}

/** A call to Mintlify. `create` and `message` send a prompt to a new or existing job. */
export type CallName = 'create' | 'message' | 'read' | 'analytics'

/** A call to Mintlify that failed after all attempts. */
export interface FailedCall {
  kind: 'call-failed'
  call: CallName
  /** null for a call that is about no job. */
  jobId: string | null
  project: string
  /** The host in `base-url`. */
  host: string
  why: Failure
}

/** Why an event needs no job. Texts in it are from outside. */
export type SkipReason =
  /** `nothing-to-show`: all files, if there are any, are excluded by a rule. */
  | { kind: 'unlabeled' | 'unmerged' | 'merge-queue' | 'tag' | 'upstream-failed' | 'nothing-to-show' }
  /** `other-comment`: an event with a comment that cannot start with a command. */
  | { kind: 'other-event' | 'other-comment' | 'upstream-event'; event: string }
  /** `action` and `expected`: what was done, and what starts the agent, such as `edited` and `created`. */
  | { kind: 'other-action'; subject: 'comment' | 'review' | 'release'; action: string; expected: string }
  | { kind: 'other-text'; subject: 'comment' | 'review'; command: string }
  | { kind: 'other-label'; added: string; label: string }
  /** The account of the author, or the one that added the label. */
  | { kind: 'account-gone'; subject: 'comment' | 'review' | 'label' }
  /** A pull request from a fork, something on it, or an upstream run for it. */
  | { kind: 'fork'; subject: 'pull-request' | 'review' | 'label' | 'upstream-run' }
  | { kind: 'branch-deleted' | 'other-branch'; branch: string }
  /** A merged pull request, whose code is not on the default branch yet. */
  | { kind: 'stacked'; into: string; branch: string }
  /** `context-paths` matches none of the files. */
  | { kind: 'no-match'; globs: readonly string[]; paths: readonly string[] }
  /** By pull requests (names or links), or by an earlier job without one. */
  | { kind: 'documented'; pulls: readonly string[] }
  | { kind: 'nothing-new' | 'all-documented'; branch: string; since: string }
