/**
 * Requests to Mintlify and GitHub: their possible results, how a response is read, whether the service may have carried
 * out the request, and when it may be repeated.
 */
import type { Result } from './result.ts'
import { oneLine, parseJson } from './text.ts'
import { minuteMs } from './units.ts'

/** A request to send. */
export interface WireRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: string | null | undefined
}

/** The time limit of a request, in milliseconds. */
export interface RequestTimeout {
  /** From its start to the last byte of its response. */
  total: number
  /** From the moment when the step is cancelled to the last byte. */
  onceCancelled: number
}

/** Sends a request once. Never rejects, and never follows a redirect. */
export type Wire = (request: WireRequest, timeout: RequestTimeout) => Promise<Exchange>

/** The result of an exchange over HTTP. */
export type Exchange =
  /** A complete response; `text` is its decoded body, which is empty if that is a web page. */
  | { type: 'response'; status: number; headers: ReplyHeaders; text: string; isPage?: boolean }
  /** A response whose body could not be read to its end. */
  | { type: 'cut-off'; status: number; headers: ReplyHeaders; code: string }
  /** No response. `sent` is false only if not one byte of the request was sent. */
  | { type: 'silence'; sent: boolean; code: string; viaProxy: boolean }

/** A response's headers, by lower-case name. */
export type ReplyHeaders = Readonly<Record<string, string>>

/** What made a service unreachable. */
export type UnreachableReason = 'certificate' | 'proxy' | 'connection'

/** What made a response unusable. `incomplete`: its JSON lacks required fields. */
type UnreadableReason = 'too-large' | 'cut-off' | 'page' | 'not-json' | 'incomplete'

/** Why a request has no usable result. */
export type Failure =
  /** Could not connect; nothing was sent. */
  | { kind: 'unreachable'; reason: UnreachableReason; code: string }
  /** The request was sent, but no response arrived. */
  | { kind: 'no-response'; code: string }
  /** A success status with an unusable body. `code`: what cut it off; otherwise empty. */
  | { kind: 'unreadable'; status: number; reason: UnreadableReason; code: string }
  /** A redirect. It is not followed: the key is only for the host in `base-url`. */
  | { kind: 'redirected'; status: number; location: string }
  /** The service rejected the request (4xx), or failed (5xx or an invalid status). */
  | ({ kind: 'rejected' | 'broken' } & ErrorResponse)

/** `detail` is a service's message (null: a web page), `wait` the milliseconds that it asks to wait. */
export interface ErrorResponse {
  status: number
  detail: string | null
  wait?: number | undefined
}

/** The value of a response, or the failure. */
export type Reply<T> = Result<T, Failure>

/** Why a call to GitHub has no usable result: GitHub rejected it, the exchange failed, or the action gave up. */
export type GitHubFailure = GitHubFailureKind & {
  /** Whether GitHub may have carried out the request: it was sent, but the response was lost, unreadable or a server error. */
  isUncertain?: boolean
}

type GitHubFailureKind =
  /** The exchange failed. GraphQL reports errors with the status 200. */
  | Failure
  /**
   * What decides more than a remedy. `rate-limit`: too many requests. `permission`: the token lacks it. `no-diff`: GitHub
   * cannot make a diff.
   */
  | ({ kind: 'rate-limit' | 'permission' | 'no-diff' } & ErrorResponse)
  | { kind: PlainFailure }

/** Why the action itself gave up. */
type PlainFailure =
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

/** A value from GitHub, or why there is none. */
export type GitHubReply<T> = Result<T, GitHubFailure>

/** Makes a reply that has a value. */
export function replyWith<T>(value: T) {
  return { ok: true as const, value }
}

/** A list that may be incomplete. `isCut`: GitHub or a limit of the action ended it early. */
export interface Bounded<T> {
  items: T[]
  isCut: boolean
}

/** Turns an exchange into a value or a failure. `parse` returns undefined for JSON of an unexpected shape. */
export function toReply<T>(exchange: Exchange, parse: (json: unknown) => T | undefined): Reply<T> {
  const read = completeResponse(exchange)
  if (!read.ok) return read
  const { status, text } = read.value
  const json = parseJson(text)
  if (json === undefined) return unreadable(status, 'not-json')
  const value = parse(json)
  return value === undefined ? unreadable(status, 'incomplete') : replyWith(value)
}

/** A complete response with a success status, or the failure. */
export function completeResponse(exchange: Exchange): Reply<Exchange & { type: 'response' }> {
  if (exchange.type === 'silence') return { ok: false, failure: fromSilence(exchange) }
  const { type, status } = exchange
  if (status < 200 || status > 299) return { ok: false, failure: fromStatus(exchange) }
  // undici's docs, “Errors”.
  if (type === 'cut-off' && exchange.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return unreadable(status, 'too-large')
  if (type === 'cut-off') return unreadable(status, 'cut-off', exchange.code)
  if (exchange.isPage) return unreadable(status, 'page')
  return replyWith(exchange)
}

export function unreadable(status: number, reason: UnreadableReason, code = ''): Reply<never> {
  return { ok: false, failure: { kind: 'unreadable', status, reason, code } }
}

/** The error codes of OpenSSL for certificates (node's docs, "X509 certificate error codes"). */
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CRL/

function fromSilence({ sent, code, viaProxy }: Exchange & { type: 'silence' }): Failure {
  if (sent) return { kind: 'no-response', code }
  const failure = { kind: 'unreachable', code } as const
  if (certificateCode.test(code)) return { ...failure, reason: 'certificate' }
  return { ...failure, reason: viaProxy ? 'proxy' : 'connection' }
}

function fromStatus(exchange: Exclude<Exchange, { type: 'silence' }>): Failure {
  const { status, headers } = exchange
  if (status >= 300 && status < 400) return { kind: 'redirected', status, location: headers.location ?? '' }
  const kind = status >= 400 && status < 500 ? 'rejected' : 'broken'
  const { text = '', isPage = false } = exchange.type === 'response' ? exchange : {}
  return { kind, status, detail: isPage ? null : wordsOf(text), wait: askedWait(headers) }
}

/**
 * Milliseconds that a service asks to wait: `Retry-After` in seconds or as an HTTP date (RFC 9110, 10.2.3), or until GitHub's
 * used-up limit resets (GitHub's docs, "Rate limits for the REST API"). Undefined if it does not say. Times are compared
 * with the response's own, because the runner's clock may be wrong.
 */
export function askedWait(headers: ReplyHeaders) {
  const { 'retry-after': retryAfter = '', date = '' } = headers
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000
  let end = Date.parse(retryAfter.endsWith(' GMT') ? retryAfter : '')
  if (headers['x-ratelimit-remaining'] === '0') end = Number(headers['x-ratelimit-reset']) * 1000
  const wait = end - Date.parse(date)
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** Maximum length of a service's message, in characters. */
const detailLimit = 1000

/**
 * A service's message: `error` and `details[].message` in JSON from Mintlify (openapi.yaml); `message`, and `errors` or
 * their `message`, in JSON from GitHub; otherwise the whole text.
 */
export function wordsOf(text: string) {
  const { error, message, details, errors } = Object(parseJson(text))
  const words = [error, message, details, errors]
    .flat()
    .map((each) => Object(each).message ?? each)
    .filter((word) => typeof word === 'string')
  return (words.length > 0 ? [...new Set(words)].join('; ') : text).slice(0, detailLimit)
}

/**
 * The title of a web page, such as one from a proxy or a CDN, in at most 80 characters; null for any other body. The source of a
 * page is never shown. GitHub's own HTML, for Markdown, is not a whole page.
 */
export function pageTitle(status: number, text: string) {
  const start = text.slice(0, 10_000)
  const page = status < 300 ? /^\s*<(?:[!?]|html|head)/i : /^\s*(?:[^\s[{"].*)?<[!/a-z]/is
  if (!page.test(start)) return null
  const [, title = ''] = /<title[^>]*>([^<]*)/i.exec(start) ?? []
  return oneLine(title, 80)
}

/** Whether a service may have carried out the request despite the failure. */
export function mayHaveArrived({ kind, status = 0 }: AnyFailure) {
  // A server that has acted may respond with 303, or in practice 302, to point to the result (RFC 9110, 15.4).
  if (kind === 'redirected') return [302, 303].includes(status)
  // A 408 may come from a gateway that stopped waiting for the service.
  if (kind === 'rejected') return status === 408
  return ['no-response', 'unreadable', 'broken'].includes(kind)
}

/** A failure of Mintlify or of GitHub. */
interface AnyFailure {
  kind: string
  status?: number
}

function isRejected({ kind, status = 0 }: AnyFailure, ...statuses: number[]) {
  return kind === 'rejected' && statuses.includes(status)
}

/** Whether a service says that the requested resource does not exist. */
export const isMissing = (failure: AnyFailure) => isRejected(failure, 404)

/** Whether the platform says that a limit is reached. If GitHub does, that is a `rate-limit`. */
export const isLimited = (failure: Failure) => isRejected(failure, 429)

/** Whether the platform rejected a follow-up, perhaps because its job takes none. A new job can get the prompt. */
export const isJobRejected = (failure: Failure) => isRejected(failure, 400, 404, 409, 410)

/** Whether the platform rejected the key. A key that is rejected for one job is rejected for all. */
export const isKeyRejected = (failure: Failure) => isRejected(failure, 401, 403)

const temporaryKinds = ['rate-limit', 'no-response', 'broken', 'undocumented', 'no-time']

/** Whether a later request may succeed although this one to GitHub or Mintlify failed. */
export function isTemporary(failure: GitHubFailure) {
  if (failure.kind === 'unreachable') return failure.reason !== 'certificate'
  // A response over the size limit will not change.
  if (failure.kind === 'unreadable') return failure.reason !== 'too-large'
  // A timeout, or too many requests (RFC 9110, RFC 6585).
  if (isRejected(failure, 408, 429)) return true
  return temporaryKinds.includes(failure.kind)
}

/**
 * Milliseconds until a failed request is repeated; infinite if it must not be.
 * @param isSafe whether repeating it does no harm even if it arrived
 * @param usual the wait unless the service asks for a longer one
 */
export function waitBefore(failure: GitHubFailure, isSafe: boolean, usual: number) {
  if (!isTemporary(failure) || (!isSafe && mayHaveArrived(failure))) return Number.POSITIVE_INFINITY
  return Math.max(usual, ('wait' in failure && failure.wait) || 0)
}

/**
 * Whether a step waits before it repeats a request: for a limit to reset at most five minutes, and a quarter of the time left.
 * Times are in milliseconds.
 */
export function isWorthwhile(wait: number, left: number, isLimit: boolean) {
  return isLimit ? wait <= Math.min(5 * minuteMs, left / 4) : wait <= left
}
