/** Reads GitHub's responses: the response for Octokit, or the rejection to show, and whether a retry makes sense. */
import {
  type Exchange,
  type Failure,
  mayHaveArrived,
  mayRepeat,
  type ReplyHeaders,
  toText,
  wordsOf,
} from '../../core/job/response.ts'
import type { Rejection } from '../../core/problems.ts'

/** A failed attempt. */
interface Failed {
  ok: false
  rejection: Rejection
  mayRepeat: boolean
  mayHaveArrived: boolean
  /** Milliseconds that GitHub asks to wait. */
  wait: number
}

/** A response that Octokit can read, or a failed attempt. */
type Read = { ok: true; status: number; headers: ReplyHeaders; text: string } | Failed

/** A response that is not as GitHub documents it. GitHub may have carried out the request. */
export const undocumented = {
  status: 200,
  message: 'The response is not what GitHub documents',
  isUncertain: true,
} as const

/** The rejection of a redirect that is not followed. */
export const elsewhere = (status: number | null): Rejection => ({
  status,
  message: 'GitHub points elsewhere',
})

/**
 * Milliseconds to wait after a rate limit if GitHub does not say how long (GitHub's docs, "Rate limits for the REST
 * API"). If the hourly limit takes longer than this to reset, the call is not retried.
 */
const limitWait = 60_000

/** Reads an exchange. @param isSafe whether the request can be repeated without harm */
export function readExchange(exchange: Exchange, url: string, isSafe: boolean): Read {
  const headers = exchange.type === 'silence' ? {} : exchange.headers
  const read = toText(exchange)
  if (read.ok) return readBody(read.value, url)
  const { failure } = read
  return failed(rejectionFor(failure, headers), headers, mayRepeat(failure, isSafe), mayHaveArrived(failure))
}

function rejectionFor(failure: Failure, headers: ReplyHeaders): Rejection {
  switch (failure.kind) {
    case 'unreachable':
    case 'no-response': {
      const isLate = failure.code === 'TIMED_OUT' || failure.code === 'CANCELLED'
      const message = isLate ? 'GitHub did not respond in time' : `The connection failed (${failure.code})`
      return { status: null, message }
    }
    case 'unreadable':
      return { status: null, message: `The response is unreadable: ${failure.problem}` }
    case 'redirected':
      return elsewhere(failure.status)
    default: {
      const { status, detail: message } = failure
      if (isRateLimit(status, headers, message)) return { status, message, kind: 'rate-limit' }
      const { 'x-accepted-github-permissions': accepted } = headers
      const isPermission = status === 403 && (Boolean(accepted) || /not accessible by /i.test(message))
      return { status, message, ...(isPermission && { kind: 'permission' }) }
    }
  }
}

function failed(
  rejection: Rejection,
  headers: ReplyHeaders,
  mayRepeat: boolean,
  mayHaveArrived: boolean,
): Failed {
  const { 'retry-after': given = '', 'x-ratelimit-remaining': left } = headers
  const asked = /^\d{1,9}$/.test(given) ? Number(given) * 1000 : undefined
  if (rejection.kind !== 'rate-limit')
    return { ok: false, rejection, mayRepeat, mayHaveArrived, wait: asked ?? 0 }
  // Hitting a rate limit is a rejection: GitHub did not carry out the request.
  const wait = asked ?? (left === '0' ? untilReset(headers) : limitWait)
  const isSoon = asked !== undefined || wait <= limitWait
  return { ok: false, rejection, mayRepeat: isSoon, mayHaveArrived: false, wait }
}

/** Reads a success: GraphQL's errors are in its body (GitHub's docs, "Handling GraphQL errors"), and a proxy may have sent a page. */
function readBody(response: Extract<Exchange, { type: 'response' }>, url: string): Read {
  const { status, headers, text } = response
  // Rendered Markdown is never a whole page.
  const isExpected = url.endsWith('/markdown') ? !/^\s*<(!doctype|html)\b/i.test(text) : /^\s*[{[]/.test(text)
  if (status !== 204 && !isExpected) return failed(undocumented, headers, false, true)
  if (!url.endsWith('/graphql')) return { ok: true, ...response }
  const { errors = [], ...data } = JSON.parse(text) as { errors?: { type?: string; path?: unknown[] }[] }
  // A pull request that does not exist, one of several in a query, is null in the data.
  const isMissing = ({ type, path }: (typeof errors)[number]) =>
    type === 'NOT_FOUND' && /^repository,p\d+$/.test(String(path))
  if (errors.every(isMissing)) return { ok: true, ...response, text: JSON.stringify(data) }
  const message = wordsOf(text)
  const types = errors.map(({ type }) => type).join()
  const kind = kinds.find(([, sign]) => sign.test(types))?.[0]
  // GitHub's message for its own errors, and for a query that took too long.
  const isTemporary = /^Something went wrong while executing your query/.test(message)
  return failed({ status, message, ...(kind && { kind }) }, headers, isTemporary, false)
}

/** The types of GraphQL errors that have a kind of their own. */
const kinds = [
  ['rate-limit', /RATE_LIMIT/],
  ['permission', /FORBIDDEN/],
] as const

function isRateLimit(status: number, headers: ReplyHeaders, message: string): boolean {
  if (status === 429) return true
  const isLimited = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
  return status === 403 && (isLimited || /rate limit/i.test(message))
}

/** Milliseconds until the limit resets. Both times come from GitHub, so this machine's clock does not matter. */
function untilReset(headers: ReplyHeaders): number {
  const wait = Number(headers['x-ratelimit-reset']) * 1000 - Date.parse(headers.date ?? '')
  return Number.isNaN(wait) ? Number.POSITIVE_INFINITY : Math.max(0, wait)
}
