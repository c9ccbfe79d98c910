/** Everything that can go wrong, as values. Their words are in render/. */
import type { InputFault } from './inputs/inputs.ts'
import type { OperationName, SendName } from './job/operation.ts'
import type { Failure } from './job/response.ts'
import type { AgentOutcome } from './outcome.ts'
import type { OutOfBounds } from './review.ts'

/** The part of a change that could not be read. */
export type ChangeRead = 'diff' | 'pull-requests' | 'open-pull-requests' | 'history'

/** GitHub's word on a request that failed. */
export interface Refusal {
  /** null if no response arrived. */
  status: number | null
  message: string
  /** `rate-limit`: too many requests (403 or 429). `permission`: the token lacks the permission. Absent: anything else. */
  kind?: 'rate-limit' | 'permission'
  /** What the token needs, as GitHub names it (`x-accepted-github-permissions`): `;` separates alternatives. */
  acceptedPermissions?: string
  /** GitHub may have carried the request out: it was sent, but its response was lost, is a server error, or is unreadable. */
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
  | { type: 'secret-in-prompt'; secret: 'api-key' | 'github-token' }
  /** A follow-up's first read failed, so its message was not sent. */
  | { type: 'unsent-message'; cause: PlatformProblem }
  /** The state that the post step needs could not be saved, so nothing was sent. */
  | { type: 'unsaved-state'; operation: SendName }
  /** The deadline came before anything could be sent. */
  | { type: 'too-late' }
  | { type: 'not-for-us'; reason: string }
  /** An event that must not run, or whose payload cannot be read. */
  | { type: 'event-refused'; event: string; why: 'target' | 'no-command' | 'unreadable' }
  /** The comment has only the command, or asks for help; both get the same reply. */
  | { type: 'no-instruction'; command: string; isHelp: boolean }
  /** A command about a suggestion of a report that starts no job; `known` has those that the reports know. */
  | {
      type: 'suggestion'
      key: string
      why: 'dismissed' | 'unknown' | 'other-key'
      known: { key: string; about: string }[]
    }
  | { type: 'not-allowed'; login: string; required: string; isBot: boolean }
  | { type: 'gate-closed'; login: string; refusal: Refusal }
  | { type: 'thread-unread'; refusal: Refusal }
  /** The marks of open jobs could not be read. */
  | { type: 'settle-unread'; refusal: Refusal }
  /** The statuses of a commit, which show what an earlier run of this request did, could not be read. */
  | { type: 'statuses-unread'; refusal: Refusal }
  /** The change is not worth a job. */
  | { type: 'no-change'; reason: string }
  /** Without records, nobody knows what is new since the last job. */
  | { type: 'start-unknown' }
  /** The agent's own account caused the event. */
  | { type: 'own-change'; login: string }
  | { type: 'change-unread'; reading: ChangeRead; refusal: Refusal }
  /** The agent has reached `open-limit`. `jobless`: none of their jobs can take a follow-up. */
  | { type: 'open-limit'; limit: number; links: string[]; jobless: boolean }
  /** The agent's pull request changes what `allowed-paths` does not allow, or that could not be checked. */
  | { type: 'out-of-bounds'; files: OutOfBounds }
  /** A request whose run may have sent it, and was killed before it could record the job. */
  | { type: 'unfinished-run' }
  /** A re-run of a request whose record another key signed. */
  | { type: 'key-changed' }
  /** A re-run of a request whose result an earlier run reported. */
  | { type: 'reported'; outcome: AgentOutcome }
  /** The mark that must exist before anything is sent could not be written. */
  | { type: 'mark-unwritten'; where: 'comment' | 'status'; refusal: Refusal }
  /** A re-run of a comment or label that the action left no mark for. */
  | { type: 'unmarked-rerun' }
