/** Reads GitHub's responses: the response for Octokit, or the rejection to show, and whether a retry makes sense. */
import {
  type Exchange,
  type Failure,
  mayHaveArrived,
  mayRepeat,
  type Reply,
  type ReplyHeaders,
  toText,
  wordsOf,
} from '../core/http.ts'
import type { Rejection } from '../core/reply.ts'

/** A complete response. */
type Response = Extract<Exchange, { type: 'response' }>

/** Milliseconds to wait after a rate limit if GitHub does not say how long (GitHub's docs, "Rate limits for the REST API"). */
const limitWait = 60_000

/** Reads an exchange: a response that Octokit can read, or a failed attempt. @param isSafe whether the request can be repeated without harm */
export function readExchange(exchange: Exchange, url: string, isSafe: boolean) {
  const headers = exchange.type === 'silence' ? {} : exchange.headers
  const text = toText(exchange)
  const read = text.ok ? readBody(text.value, url) : text
  if (read.ok) return read
  const { failure } = read
  const rejection = rejectionFor(failure, headers)
  const isLimit = rejection.kind === 'rate-limit'
  return {
    ok: false as const,
    failure: rejection,
    mayRepeat: isLimit || mayRepeat(failure, isSafe),
    mayHaveArrived: mayHaveArrived(failure),
    /** Milliseconds that GitHub asks to wait. */
    wait: askedWait(headers) ?? (isLimit ? limitWait : 0),
  }
}

/** Milliseconds that GitHub asks to wait. A used-up hourly limit is not waited out. */
function askedWait(headers: ReplyHeaders): number | undefined {
  const { 'retry-after': given = '', 'x-ratelimit-remaining': left } = headers
  if (/^\d{1,9}$/.test(given)) return Number(given) * 1000
  return left === '0' ? Number.POSITIVE_INFINITY : undefined
}

/** Recognizes limits and missing permissions. GraphQL reports both with the status 200. */
function rejectionFor(failure: Failure, headers: ReplyHeaders): Rejection {
  // A page instead of JSON.
  if (failure.kind === 'unreadable' && failure.reason === 'not-json') return { kind: 'undocumented' }
  if (failure.kind !== 'rejected' && failure.kind !== 'broken') return failure
  const { status, detail } = failure
  const isLimited = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
  if (status === 429 || (status === 403 && isLimited)) return { kind: 'rate-limit', status, detail }
  if (status !== 403 && status !== 200) return failure
  if (/rate limit/i.test(detail)) return { kind: 'rate-limit', status, detail }
  const isPermission = headers['x-accepted-github-permissions'] || /not accessible by /i.test(detail)
  return isPermission ? { kind: 'permission', status, detail } : failure
}

/** Checks a success: GraphQL's errors are in its body (GitHub's docs, "Handling GraphQL errors"), and a proxy may have sent a page. */
function readBody(response: Response, url: string): Reply<Response> {
  const { status, text } = response
  // Rendered Markdown is never a whole page.
  const isExpected = url.endsWith('/markdown') ? !/^\s*<(!doctype|html)\b/i.test(text) : /^\s*[{[]/.test(text)
  if (status !== 204 && !isExpected)
    return { ok: false, failure: { kind: 'unreadable', status, reason: 'not-json', code: '' } }
  if (!url.endsWith('/graphql')) return { ok: true, value: response }
  const { errors = [], ...data } = JSON.parse(text) as { errors?: { type?: string; path?: unknown[] }[] }
  // A pull request that does not exist, one of several in a query, is null in the data.
  const isMissing = ({ type, path }: (typeof errors)[number]) =>
    type === 'NOT_FOUND' && /^repository,p\d+$/.test(String(path))
  if (errors.every(isMissing)) return { ok: true, value: { ...response, text: JSON.stringify(data) } }
  const detail = wordsOf(text)
  // GitHub's message for its own errors, and for a query that took too long.
  const isBroken = /^Something went wrong while executing your query/.test(detail)
  return { ok: false, failure: { kind: isBroken ? 'broken' : 'rejected', status, detail } }
}
