/** What GitHub responds, and why its response cannot be used. */
import { type ErrorResponse, type Failure, mayHaveArrived } from './http.ts'
import type { Result } from './result.ts'

/** Why GitHub did not do what was asked, or why its response cannot be used. */
export type Rejection = RejectionKind & {
  /** Whether GitHub may have carried out the request: it was sent, but the response was lost, unreadable or a server error. */
  isUncertain?: boolean
}

type RejectionKind =
  /** The exchange failed. GraphQL reports errors with the status 200. */
  | Failure
  /**
   * What decides more than a remedy. `rate-limit`: too many requests. `permission`: the token lacks it. `no-diff`: GitHub
   * cannot make a diff.
   */
  | ({ kind: 'rate-limit' | 'permission' | 'no-diff' } & ErrorResponse)
  | { kind: PlainRejection }

type PlainRejection =
  /** The response is not what GitHub documents. */
  | 'undocumented'
  /** No time was left for the request. */
  | 'no-time'
  /** The list has more items than are read. */
  | 'too-long'
  /** The role is another account's: someone took a login that was given up. */
  | 'other-account'
  /** The pull request is not on the server that runs the workflow. */
  | 'other-server'
  /** Another repository has taken the name of the one that was meant. */
  | 'other-repository'

/** A value from GitHub, or GitHub's rejection. */
export type GitHubReply<T> = Result<T, Rejection>

/** The temporary statuses among 4xx: timeout and too many requests (RFC 9110, RFC 6585). */
const temporaryStatuses = [408, 429]

const temporaryKinds = ['rate-limit', 'no-response', 'broken', 'undocumented', 'no-time']

/** Whether a later request may succeed although this one to GitHub or Mintlify failed. */
export function isTemporary(failure: Rejection) {
  if (failure.kind === 'unreachable') return failure.reason !== 'certificate'
  // A response over the size limit will not change.
  if (failure.kind === 'unreadable') return failure.reason !== 'too-large'
  if (failure.kind === 'rejected') return temporaryStatuses.includes(failure.status)
  return temporaryKinds.includes(failure.kind)
}

/**
 * Milliseconds until a failed request is repeated; infinite if it must not be.
 * @param isSafe whether repeating it does no harm even if it arrived
 * @param usual the wait unless the service asks for a longer one
 */
export function waitBefore(failure: Rejection, isSafe: boolean, usual: number) {
  if (!isTemporary(failure) || (!isSafe && mayHaveArrived(failure))) return Number.POSITIVE_INFINITY
  return Math.max(usual, ('wait' in failure && failure.wait) || 0)
}

/** A list that may be incomplete. `isCut`: GitHub or a limit of the action ended it early. */
export interface Bounded<T> {
  items: T[]
  isCut: boolean
}
