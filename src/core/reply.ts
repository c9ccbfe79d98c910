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
  /** `rate-limit`: too many requests (403 or 429). `permission`: the token lacks it. `detail` is GitHub's message. */
  | { kind: 'rate-limit' | 'permission'; status: number; detail: string }
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
  /** People kept pushing to the pull request while its files were read. */
  | 'moving-head'

/** A value from GitHub, or GitHub's rejection. */
export type GitHubReply<T> = Result<T, Rejection>

/** The rejections after which a later call may succeed. */
const temporary: Rejection['kind'][] = [
  'rate-limit',
  'unreachable',
  'no-response',
  'unreadable',
  'undocumented',
  'no-time',
  'elsewhere',
]

/** Whether GitHub would also reject a later call, such as without a permission. */
export function isForGood(rejection: Rejection) {
  const { kind } = rejection
  if (kind === 'rejected' || kind === 'broken') return rejection.status < 500
  return !temporary.includes(kind)
}

/** A list that may be incomplete. `isCut`: GitHub or a limit of the action ended it early. */
export interface Bounded<T> {
  items: T[]
  isCut: boolean
}
