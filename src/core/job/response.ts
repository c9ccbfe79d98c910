/** Classifies the result of a request by whether the platform may have carried it out. */

/** What the HTTP adapter saw. */
export type Exchange =
  /** A complete response; `text` is its decoded body. */
  | { type: 'response'; status: number; headers: ReplyHeaders; text: string }
  /** A response whose body could not be read to its end. */
  | { type: 'cut-off'; status: number; headers: ReplyHeaders; problem: string }
  /** No response. `sent` is false only if not one byte of the request was sent. */
  | { type: 'silence'; sent: boolean; code: string; viaProxy: boolean }

/** The response headers that the action reads, not parsed yet. */
export interface ReplyHeaders {
  retryAfter?: string
  location?: string
}

/** What made the platform unreachable. */
export type UnreachableReason = 'connection' | 'name' | 'certificate' | 'tls' | 'proxy'

/** Why a request has no usable result. */
export type Failure =
  /** Could not connect; nothing was sent. */
  | { kind: 'unreachable'; reason: UnreachableReason; code: string }
  /** The request was sent, but no response arrived. */
  | { kind: 'no-response'; code: string }
  /** A success status with an unusable body. */
  | { kind: 'unreadable'; status: number; problem: string }
  /** A redirect. It is not followed: the key is only for the host in `base-url`. */
  | { kind: 'redirected'; status: number; location: string }
  /** The platform rejected the request (4xx). `detail` is its message. */
  | { kind: 'rejected'; status: number; detail: string; retryAfter?: string }
  /** The platform failed (5xx or an invalid status). `detail` is its message. */
  | { kind: 'broken'; status: number; detail: string; retryAfter?: string }

/** The value of a response, or the failure. */
export type Reply<T> = { ok: true; value: T } | { ok: false; failure: Failure }

/** Maximum length of the platform's message, in characters. */
const detailLimit = 1000

/** Turns an exchange into a value or a failure. `parse` returns undefined for JSON of an unexpected shape. */
export function toReply<T>(exchange: Exchange, parse: (json: unknown) => T | undefined): Reply<T> {
  if (exchange.type === 'silence') return { ok: false, failure: fromSilence(exchange) }
  const { status } = exchange
  if (status < 200 || status > 299) return { ok: false, failure: fromStatus(exchange) }
  if (exchange.type === 'cut-off') return unreadable(status, exchange.problem)
  const json = parseJson(exchange.text)
  if (json === undefined) return unreadable(status, 'its body is not JSON')
  const value = parse(json)
  return value === undefined ? unreadable(status, 'its JSON lacks required fields') : { ok: true, value }
}

/** Whether the platform may have carried out the request despite the failure. */
export function mayHaveArrived(failure: Failure): boolean {
  switch (failure.kind) {
    case 'unreachable':
      return false
    case 'redirected':
      // A server that has acted may respond with 303, or in practice 302, to point to the result (RFC 9110, 15.4).
      return failure.status === 302 || failure.status === 303
    case 'rejected':
      // A 408 may come from a gateway that stopped waiting for the platform.
      return failure.status === 408
    case 'no-response':
    case 'unreadable':
    case 'broken':
      return true
  }
}

/** Whether the platform says that the requested resource does not exist. */
export function isMissing(failure: Failure): boolean {
  return failure.kind === 'rejected' && failure.status === 404
}

/** Whether the platform rejected a follow-up, perhaps because its job takes none. A new job can get the prompt. */
export function isJobRejected(failure: Failure): boolean {
  return failure.kind === 'rejected' && [400, 404, 409, 410].includes(failure.status)
}

/** Whether the platform rejected the key. A key that is rejected for one job is rejected for all. */
export function isKeyRejected(failure: Failure): boolean {
  return failure.kind === 'rejected' && (failure.status === 401 || failure.status === 403)
}

function unreadable(status: number, problem: string): { ok: false; failure: Failure } {
  return { ok: false, failure: { kind: 'unreadable', status, problem } }
}

function fromSilence({ sent, code, viaProxy }: Extract<Exchange, { type: 'silence' }>): Failure {
  return sent
    ? { kind: 'no-response', code }
    : { kind: 'unreachable', reason: whyUnreachable(code, viaProxy), code }
}

/** Classifies the error codes of node and OpenSSL (node's docs, "Common system errors" and "X509 certificate error codes"). */
function whyUnreachable(code: string, viaProxy: boolean): UnreachableReason {
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CRL/.test(code)) return 'certificate'
  if (viaProxy) return 'proxy'
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'name'
  return /SSL|TLS|EPROTO/.test(code) ? 'tls' : 'connection'
}

function fromStatus(exchange: Exclude<Exchange, { type: 'silence' }>): Failure {
  const { status, headers } = exchange
  if (status >= 300 && status < 400) return { kind: 'redirected', status, location: headers.location ?? '' }
  const kind = status >= 400 && status < 500 ? 'rejected' : 'broken'
  const detail = exchange.type === 'response' ? platformWords(exchange.text) : ''
  const { retryAfter } = headers
  return { kind, status, detail, ...(retryAfter !== undefined && { retryAfter }) }
}

/** The platform's message: `error` and `details[].message` of its JSON (openapi.yaml), otherwise the whole text. */
function platformWords(text: string): string {
  const json = parseJson(text) as { error?: unknown; details?: unknown } | null | undefined
  const details = Array.isArray(json?.details)
    ? json.details.map((entry: { message?: unknown } | null) => entry?.message)
    : []
  const words = [json?.error, ...details].filter((word) => typeof word === 'string')
  return (words.length > 0 ? words.join('; ') : text).slice(0, detailLimit)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
