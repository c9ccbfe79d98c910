/** What GitHub responds, and why its response cannot be used. */
import type { Failure } from './http.ts'
import type { Result } from './result.ts'

/** Why GitHub did not do what was asked, or why its response cannot be used. */
export type Rejection = RejectionKind & {
  /** Whether GitHub may have carried out the request: it was sent, but the response was lost, unreadable or a server error. */
  isUncertain?: true
}

type RejectionKind =
  /** The exchange failed. GraphQL reports errors with the status 200. */
  | Failure
  /**
   * What decides more than a remedy. `rate-limit`: too many requests. `permission`: the token lacks it. `no-diff`: GitHub
   * cannot make a diff. `detail` is GitHub's message, `wait` the milliseconds that it asks to wait.
   */
  | { kind: 'rate-limit' | 'permission' | 'no-diff'; status: number; detail: string | null; wait?: number }
  /** The list has more items than are read. */
  | { kind: 'too-long'; list: 'comments' | 'statuses' }
  | { kind: PlainRejection }

type PlainRejection =
  /** The response is not what GitHub documents. */
  | 'undocumented'
  /** No time was left for the request. */
  | 'no-time'
  /** The request would go to another server, which must not get the token. */
  | 'elsewhere'
  /** The role is another account's: someone took a login that was given up. */
  | 'other-account'
  /** The pull request is not on the server that runs the workflow. */
  | 'other-server'
  /** Another repository has taken the name of the one that was meant. */
  | 'other-repository'

/** A value from GitHub, or GitHub's rejection. */
export type GitHubReply<T> = Result<T, Rejection>

/** The temporary statuses among 4xx: timeout and too many requests (RFC 9110, RFC 6585). */
const temporary = [408, 429]

/** Whether a later request may succeed although this one to GitHub or Mintlify failed. */
export function isTemporary(failure: Rejection) {
  switch (failure.kind) {
    case 'unreachable':
      return failure.reason !== 'certificate'
    case 'unreadable':
      // A response over the size limit will not change.
      return failure.reason !== 'too-large'
    case 'rejected':
      return temporary.includes(failure.status)
    case 'rate-limit':
    case 'no-response':
    case 'broken':
    case 'undocumented':
    case 'no-time':
    case 'elsewhere':
      return true
    default:
      return false
  }
}

/** A list that may be incomplete. `isCut`: GitHub or a limit of the action ended it early. */
export interface Bounded<T> {
  items: T[]
  isCut: boolean
}
