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
import type { Rejection } from '../core/problems.ts'

/** A complete response. */
type Response = Extract<Exchange, { type: 'response' }>

const undocumented = 'it is not what GitHub documents'

/** The rejection of a response that lacks a documented field. GitHub may have carried out the request. */
export const unreadable: Rejection = { ...unread(undocumented), isUncertain: true }

/** The rejection of a redirect that is not followed. */
export const elsewhere = (status: number | null): Rejection => ({
  status,
  message: 'GitHub points elsewhere',
})

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
    rejection,
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

function unread(problem: string): Rejection {
  return { status: null, message: `The response is unreadable: ${problem}` }
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
      return unread(failure.problem)
    case 'redirected':
      return elsewhere(failure.status)
    default: {
      const { status, detail: message } = failure
      const kind = kindOf(status, headers, message)
      return { status, message, ...(kind && { kind }) }
    }
  }
}

/** GraphQL reports limits and missing permissions with the status 200. */
function kindOf(status: number, headers: ReplyHeaders, message: string): Rejection['kind'] {
  const isLimited = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
  if (status === 429 || (status === 403 && isLimited)) return 'rate-limit'
  if (status !== 403 && status !== 200) return undefined
  if (/rate limit/i.test(message)) return 'rate-limit'
  const isPermission = headers['x-accepted-github-permissions'] || /not accessible by /i.test(message)
  return isPermission ? 'permission' : undefined
}

/** Checks a success: GraphQL's errors are in its body (GitHub's docs, "Handling GraphQL errors"), and a proxy may have sent a page. */
function readBody(response: Response, url: string): Reply<Response> {
  const { status, text } = response
  // Rendered Markdown is never a whole page.
  const isExpected = url.endsWith('/markdown') ? !/^\s*<(!doctype|html)\b/i.test(text) : /^\s*[{[]/.test(text)
  if (status !== 204 && !isExpected)
    return { ok: false, failure: { kind: 'unreadable', status, problem: undocumented } }
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
