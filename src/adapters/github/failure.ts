/** Reads failed calls: the rejection to show, and whether a retry makes sense. */
import type { Rejection } from '../../core/problem.ts'

/** A response's headers, by lower-case name. */
export type Headers = Readonly<Record<string, string | number | undefined>>

/** A failed attempt. */
export interface Failure {
  rejection: Rejection
  /** Whether the same request might succeed later. */
  isTransient: boolean
  /** Milliseconds that GitHub asks to wait; undefined if it does not. */
  wait?: number
}

/** An exchange that ended without a readable response. */
export class NoReplyError extends Error {
  /** Whether any part of the request was sent. */
  readonly isSent: boolean
  /** Whether the same request might get a response later. */
  readonly isTransient: boolean
  constructor(message: string, { isSent, isTransient = true }: { isSent: boolean; isTransient?: boolean }) {
    super(message)
    this.isSent = isSent
    this.isTransient = isTransient
  }
}

/**
 * Carries a rejection through Octokit. It has no `status`, because `paginate` turns an error with status 409 into an
 * empty list.
 */
export class RejectedError extends Error {
  readonly rejection: Rejection
  constructor(rejection: Rejection) {
    super(rejection.message)
    this.rejection = rejection
  }
}

/**
 * Milliseconds to wait after a rate limit if GitHub does not say how long (GitHub's docs, "Rate limits for the REST
 * API"). If the hourly limit takes longer than this to reset, the call is not retried.
 */
const limitWait = 60_000

/** Reads what Octokit throws: GitHub did not respond, or responded with an error. A read is never uncertain. */
export function readError(error: unknown, isWrite: boolean): Failure {
  const {
    message = '',
    response,
    cause,
  } = error as {
    message?: string
    response?: { status: number; headers: Headers }
    cause?: unknown
  }
  if (response !== undefined) {
    const failure = readReply(response.status, response.headers, message)
    const isUncertain = isWrite && response.status >= 500
    return isUncertain ? { ...failure, rejection: { ...failure.rejection, isUncertain } } : failure
  }
  const { isSent, isTransient } = cause instanceof NoReplyError ? cause : { isSent: true, isTransient: false }
  return {
    rejection: { status: null, message, ...(isSent && isWrite && { isUncertain: true }) },
    isTransient,
  }
}

/** Reads a response with a status other than 2xx. */
export function readReply(status: number, headers: Headers, message: string): Failure {
  if (status < 400) return { rejection: { status, message: 'GitHub points elsewhere' }, isTransient: false }
  if (isRateLimit(status, headers, message)) return rateLimit(status, headers, message)
  const isBroken = status >= 500
  const accepted = String(headers['x-accepted-github-permissions'] ?? '')
  const isPermission = status === 403 && (accepted !== '' || /not accessible by /i.test(message))
  const wait = secondsOf(headers['retry-after'])
  return {
    rejection: {
      status,
      message,
      ...(isPermission && { kind: 'permission' }),
    },
    isTransient: isBroken,
    ...(wait !== undefined && { wait }),
  }
}

/**
 * Whether a GraphQL error says that one of several pull requests in a query does not exist. In the data, that pull
 * request is null.
 */
export function isMissingPull(error: unknown): boolean {
  const { type, path } = (error ?? {}) as { type?: unknown; path?: unknown }
  return type === 'NOT_FOUND' && Array.isArray(path) && path.length === 2 && /^p\d+$/.test(path[1])
}

/** Reads GraphQL's errors, which are in the body of a 200 (GitHub's docs, "Handling GraphQL errors"). */
export function readGraphqlErrors(errors: readonly unknown[], headers: Headers): Failure {
  const all = errors.map((error) => {
    const { type, message } = (error ?? {}) as { type?: unknown; message?: unknown }
    return { type: String(type ?? ''), message: String(message ?? '') }
  })
  const message = [...new Set(all.map((error) => error.message))].join('; ')
  if (all.some(({ type }) => type === 'RATE_LIMITED' || type === 'RATE_LIMIT'))
    return rateLimit(200, headers, message)
  const isPermission = all.some(({ type }) => type === 'FORBIDDEN')
  // GitHub's message for its own errors, and for a query that took too long.
  const isTransient = /^Something went wrong while executing your query/.test(message)
  return {
    rejection: { status: 200, message, ...(isPermission && { kind: 'permission' }) },
    isTransient,
  }
}

/** Hitting a rate limit is a rejection: GitHub did not carry out the request. */
function rateLimit(status: number, headers: Headers, message: string): Failure {
  const asked = secondsOf(headers['retry-after'])
  const isSpent = String(headers['x-ratelimit-remaining']) === '0'
  const wait = asked ?? (isSpent ? untilReset(headers) : limitWait)
  return {
    rejection: { status, message, kind: 'rate-limit' },
    isTransient: asked !== undefined || wait <= limitWait,
    wait,
  }
}

function isRateLimit(status: number, headers: Headers, message: string): boolean {
  if (status === 429) return true
  const isLimited = headers['retry-after'] !== undefined || String(headers['x-ratelimit-remaining']) === '0'
  return status === 403 && (isLimited || /rate limit/i.test(message))
}

/** Milliseconds until the limit resets. Both times come from GitHub, so this machine's clock does not matter. */
function untilReset(headers: Headers): number {
  const wait = Number(headers['x-ratelimit-reset']) * 1000 - Date.parse(String(headers.date))
  return Number.isNaN(wait) ? Number.POSITIVE_INFINITY : Math.max(0, wait)
}

function secondsOf(header: string | number | undefined): number | undefined {
  const text = String(header ?? '').trim()
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined
}
