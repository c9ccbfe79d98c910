/** Reads GitHub's responses: the body for Octokit, or the rejection to show, and whether a retry makes sense. */
import {
  type Exchange,
  mayHaveArrived,
  mayRepeat,
  type ReplyHeaders,
  toText,
  wordsOf,
} from '../../core/job/response.ts'
import type { Rejection } from '../../core/problem.ts'

/** A failed attempt. */
interface Failed {
  ok: false
  rejection: Rejection
  mayRepeat: boolean
  mayHaveArrived: boolean
  /** Milliseconds that GitHub asks to wait; undefined if it does not. */
  wait?: number | undefined
}

/** A response for Octokit, or a failed attempt. */
type Read = ReturnType<typeof respond> | Failed

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
  const failed = {
    ok: false,
    mayRepeat: mayRepeat(failure, isSafe),
    mayHaveArrived: mayHaveArrived(failure),
    wait: secondsOf(headers['retry-after']),
  } as const
  switch (failure.kind) {
    case 'unreachable':
    case 'no-response': {
      const isLate = failure.code === 'TIMED_OUT' || failure.code === 'CANCELLED'
      const message = isLate ? 'GitHub did not respond in time' : `The connection failed (${failure.code})`
      return { ...failed, rejection: { status: null, message } }
    }
    case 'unreadable':
      return {
        ...failed,
        rejection: { status: null, message: `The response is unreadable: ${failure.problem}` },
      }
    case 'redirected':
      return { ...failed, rejection: elsewhere(failure.status) }
    default: {
      const { status, detail: message } = failure
      if (isRateLimit(status, headers, message)) return rateLimit(status, headers, message)
      const acceptedPermissions = headers['x-accepted-github-permissions'] ?? ''
      const isPermission =
        status === 403 && (acceptedPermissions !== '' || /not accessible by /i.test(message))
      const permission = {
        ...(isPermission && { kind: 'permission' as const }),
        ...(isPermission && acceptedPermissions !== '' && { acceptedPermissions }),
      }
      return { ...failed, rejection: { status, message, ...permission } }
    }
  }
}

/** Reads a success: GraphQL's errors are in its body (GitHub's docs, "Handling GraphQL errors"), and a proxy may have sent a page. */
function readBody({ status, headers, text }: Extract<Exchange, { type: 'response' }>, url: string): Read {
  const whole = respond(status, headers, text)
  if (status === 204) return whole
  if (!/^\s*[{[]/.test(text))
    return { ok: false, rejection: undocumented, mayRepeat: false, mayHaveArrived: true }
  if (!url.endsWith('/graphql')) return whole
  const { errors = [], ...data } = JSON.parse(text) as { errors?: GraphqlError[] }
  // A missing pull request is null in the data.
  if (errors.every(isMissingPull)) return respond(status, headers, JSON.stringify(data))
  const message = wordsOf(text)
  const has = (...types: string[]) => errors.some(({ type = '' }) => types.includes(type))
  if (has('RATE_LIMITED', 'RATE_LIMIT')) return rateLimit(status, headers, message)
  return {
    ok: false,
    rejection: { status, message, ...(has('FORBIDDEN') && { kind: 'permission' as const }) },
    // GitHub's message for its own errors, and for a query that took too long.
    mayRepeat: /^Something went wrong while executing your query/.test(message),
    mayHaveArrived: false,
  }
}

/** All that Octokit needs from a `Response`. With the class itself, Node would load its own copy of undici. */
function respond(status: number, headers: ReplyHeaders, text: string) {
  const kept = new Map(Object.entries({ ...headers, 'content-type': 'application/json' }))
  return { ok: true, response: { status, headers: kept, text: async () => text } } as const
}

interface GraphqlError {
  type?: string
  path?: unknown[]
}

/** Whether an error says that one of several pull requests in a query does not exist. */
function isMissingPull({ type, path = [] }: GraphqlError): boolean {
  return type === 'NOT_FOUND' && path.length === 2 && /^p\d+$/.test(String(path[1]))
}

/** Hitting a rate limit is a rejection: GitHub did not carry out the request. */
function rateLimit(status: number, headers: ReplyHeaders, message: string): Failed {
  const asked = secondsOf(headers['retry-after'])
  const wait = asked ?? (headers['x-ratelimit-remaining'] === '0' ? untilReset(headers) : limitWait)
  return {
    ok: false,
    rejection: { status, message, kind: 'rate-limit' },
    mayRepeat: asked !== undefined || wait <= limitWait,
    mayHaveArrived: false,
    wait,
  }
}

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

function secondsOf(header = ''): number | undefined {
  return /^\d{1,9}$/.test(header) ? Number(header) * 1000 : undefined
}
