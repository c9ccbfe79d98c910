/** Everything that can go wrong, as values. say/ has the words for it. */
import type { InputFault } from './inputs/inputs.ts'
import type { OperationName, SendName } from './job/job.ts'
import type { Failure } from './job/response.ts'
import type { AgentOutcome } from './outcome.ts'
import type { OutOfBounds } from './review.ts'

/**
 * What could not be read from GitHub. `text`: the HTML for text from outside. `statuses`: a commit's statuses.
 * `open-jobs`: the records of open jobs in the whole repository.
 */
export type Reading =
  | 'diff'
  | 'pull-requests'
  | 'open-pull-requests'
  | 'history'
  | 'thread'
  | 'text'
  | 'statuses'
  | 'open-jobs'

/** How GitHub rejected or failed a request. */
export interface Rejection {
  /** null if no response arrived. */
  status: number | null
  message: string
  /** `rate-limit`: too many requests (403 or 429). `permission`: the token lacks the permission. Absent: anything else. */
  kind?: 'rate-limit' | 'permission'
  /** Whether GitHub may have carried out the request: it was sent, but the response was lost, unreadable or a server error. */
  isUncertain?: true
}

/** What went wrong with a file that an input names. */
export type FileFault =
  | {
      kind:
        | 'missing'
        | 'not-a-file'
        | 'outside'
        | 'not-text'
        | 'empty'
        | 'too-large'
        | 'unreadable'
        | 'unwritable'
      input: string
      path: string
    }
  | { kind: 'too-many'; input: string; limit: number }

/** A call that failed after all attempts. */
export interface PlatformProblem {
  type: 'platform'
  operation: OperationName
  failure: Failure
}

/** Why a step did not do what it was asked to do. */
export type Problem =
  | { type: 'inputs'; faults: InputFault[] }
  | { type: 'file'; fault: FileFault }
  | PlatformProblem
  /** A bug in the action itself; `text` is for the people who fix it. */
  | { type: 'defect'; text: string }
  | { type: 'secrets-withheld'; why: string }
  | { type: 'secret-in-prompt'; secret: 'api-key' | 'github-token' }
  /** The job could not be polled before a follow-up, so the follow-up was not sent. */
  | { type: 'unsent-message'; cause: PlatformProblem }
  /** The state for the post step could not be saved, so nothing was sent. */
  | { type: 'unsaved-state'; operation: SendName }
  /** The deadline passed before anything could be sent. */
  | { type: 'too-late' }
  | { type: 'not-for-us'; reason: string }
  /** An event that must not start the step, or whose payload cannot be read. */
  | { type: 'event-rejected'; event: string; why: 'target' | 'no-command' | 'unreadable' }
  /** The comment contains only the command, or asks for help. Both get the same reply. */
  | { type: 'no-prompt'; command: string | null; isHelp: boolean }
  | { type: 'not-allowed'; login: string; required: string; isBot: boolean }
  | { type: 'gate-closed'; login: string; rejection: Rejection }
  | { type: 'unread'; reading: Reading; rejection: Rejection }
  /** The visitors report could not be posted on its issue. */
  | { type: 'report-unposted'; issue: string; rejection: Rejection }
  /** The change is not worth a job. */
  | { type: 'no-change'; reason: string }
  /** Without records, the code that is new since the last job is unknown. */
  | { type: 'start-unknown' }
  /** The agent's own account caused the event. */
  | { type: 'own-change'; login: string }
  /** The agent has reached `open-limit`, and none of its pull requests has a job that can take a follow-up. */
  | { type: 'open-limit'; limit: number; links: string[] }
  /** The agent's pull request changes files outside `allowed-paths`, or could not be checked. */
  | { type: 'out-of-bounds'; files: OutOfBounds }
  /** An earlier run of this request may have sent it, but was killed before it could record the job. */
  | { type: 'unfinished-run' }
  /** The run of this request ended before it sent anything. */
  | { type: 'unstarted-run' }
  /** The job was still active after 14 days. */
  | { type: 'no-result' }
  /** A re-run of a request whose record is signed with another key. */
  | { type: 'key-changed' }
  /** A re-run of a request whose result was already reported. */
  | { type: 'reported'; outcome: AgentOutcome }
  /** The mark that must be written before anything is sent could not be written. */
  | { type: 'record-unwritten'; where: 'comment' | 'status'; rejection: Rejection }
