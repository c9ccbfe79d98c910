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
type CompleteResponse = Extract<Exchange, { type: 'response' }>

const undocumented = 'it is not what GitHub documents'

/** The rejection of a response that lacks a documented field. GitHub may have carried out the request. */
export const unreadable: Rejection = { ...unreadableBecause(undocumented), isUncertain: true }

/** The rejection of a redirect that is not followed. */
export const pointsElsewhere = (status: number | null): Rejection => ({
  status,
  message: 'GitHub points elsewhere',
})

/** Milliseconds to wait after a rate limit if GitHub does not say how long (GitHub's docs, "Rate limits for the REST API"). */
const limitWait = 60_000

/** Reads an exchange: a response that Octokit can read, or a failed attempt. @param isSafe whether the request can be repeated without harm */
export function readExchange(exchange: Exchange, url: string, isSafe: boolean) {
  const reply = readResponse(exchange, url)
  if (reply.ok) return reply
  const { failure } = reply
  const headers = exchange.type === 'silence' ? {} : exchange.headers
  const rejection = rejectionFor(failure, headers)
  const isLimit = rejection.kind === 'rate-limit'
  const usualWait = isLimit ? limitWait : 0
  return {
    ok: false as const,
    rejection,
    mayRepeat: isLimit || mayRepeat(failure, isSafe),
    mayHaveArrived: mayHaveArrived(failure),
    /** Milliseconds that GitHub asks to wait. */
    wait: requestedWait(headers) ?? usualWait,
  }
}

/** Milliseconds that GitHub asks to wait. A used-up hourly limit is not waited out. */
function requestedWait(headers: ReplyHeaders): number | undefined {
  const { 'retry-after': seconds = '', 'x-ratelimit-remaining': left } = headers
  if (/^\d{1,9}$/.test(seconds)) return Number(seconds) * 1000
  if (left === '0') return Number.POSITIVE_INFINITY
  return undefined
}

function unreadableBecause(problem: string): Rejection {
  return { status: null, message: `The response is unreadable: ${problem}` }
}

function rejectionFor(failure: Failure, headers: ReplyHeaders): Rejection {
  switch (failure.kind) {
    case 'unreachable':
    case 'no-response':
      return { status: null, message: whySilent(failure.code) }
    case 'unreadable':
      return unreadableBecause(failure.problem)
    case 'redirected':
      return pointsElsewhere(failure.status)
    default: {
      const { status, detail: message } = failure
      const kind = kindOf(status, headers, message)
      return { status, message, ...(kind && { kind }) }
    }
  }
}

/** @param code an error code of Node.js, or why the adapter closed the connection */
function whySilent(code: string): string {
  if (code === 'TIMED_OUT' || code === 'CANCELLED') return 'GitHub did not respond in time'
  return `The connection failed (${code})`
}

/** GraphQL reports limits and missing permissions with the status 200. */
function kindOf(status: number, headers: ReplyHeaders, message: string): Rejection['kind'] {
  const isLimited = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
  if (status === 429 || (status === 403 && isLimited)) return 'rate-limit'
  if (status !== 403 && status !== 200) return undefined
  if (/rate limit/i.test(message)) return 'rate-limit'
  if (headers['x-accepted-github-permissions'] || /not accessible by /i.test(message)) return 'permission'
  return undefined
}

/** Reads a complete response that has GitHub's format. A proxy may have sent a page. */
function readResponse(exchange: Exchange, url: string): Reply<CompleteResponse> {
  const complete = toText(exchange)
  if (!complete.ok) return complete
  const response = complete.value
  const { status, text } = response
  if (status !== 204 && !isGitHubs(text, url))
    return { ok: false, failure: { kind: 'unreadable', status, problem: undocumented } }
  if (url.endsWith('/graphql')) return readQuery(response)
  return { ok: true, value: response }
}

/** Whether a response has the format that GitHub documents for the address. */
function isGitHubs(text: string, url: string): boolean {
  // Rendered Markdown is never a whole page.
  if (url.endsWith('/markdown')) return !/^\s*<(!doctype|html)\b/i.test(text)
  return /^\s*[{[]/.test(text)
}

interface QueryError {
  type?: string
  path?: unknown[]
}

/** Reads the response to a query, which has its errors in its body (GitHub's docs, "Handling GraphQL errors"). */
function readQuery(response: CompleteResponse): Reply<CompleteResponse> {
  const { status, text } = response
  const { errors = [], ...data } = JSON.parse(text) as { errors?: QueryError[] }
  if (errors.every(isMissingPull)) return { ok: true, value: { ...response, text: JSON.stringify(data) } }
  const detail = wordsOf(text)
  // GitHub's message for its own errors, and for a query that took too long.
  const isBroken = /^Something went wrong while executing your query/.test(detail)
  const kind = isBroken ? 'broken' : 'rejected'
  return { ok: false, failure: { kind, status, detail } }
}

/** Whether one of several pull requests in a query does not exist. It is null in the data. */
function isMissingPull({ type, path }: QueryError): boolean {
  return type === 'NOT_FOUND' && /^repository,p\d+$/.test(String(path))
}
