/** What a call that failed says: the rejection that a person is shown, and whether a further try makes sense. */
import type { Refusal } from '../../core/problem.ts'

/** Headers of a reply, by name in lower case. */
export type Headers = Readonly<Record<string, string | number | undefined>>

export interface Failure {
  refusal: Refusal
  /** Whether the same request may succeed later. */
  isTransient: boolean
  /** Milliseconds that GitHub asks to wait; undefined if it does not say. */
  wait?: number
}

/** An exchange that ended without a reply that could be read. */
export class NoReplyError extends Error {
  /** Whether any of the request went out. */
  readonly isSent: boolean
  /** Whether the same request may get a reply later. */
  readonly isTransient: boolean
  constructor(message: string, { isSent, isTransient = true }: { isSent: boolean; isTransient?: boolean }) {
    super(message)
    this.isSent = isSent
    this.isTransient = isTransient
  }
}

/** Carries a rejection out of Octokit. It has no `status`: `paginate` takes an error with the status 409 for an empty list. */
export class RefusedError extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** Longest wait, in milliseconds, for the hourly limit to start again. GitHub's docs, "Rate limits for the REST API". */
const longestResetWait = 60_000

/** GitHub did not reply, or answered with an error: what Octokit throws. A request that only reads leaves nothing uncertain. */
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
    return isUncertain ? { ...failure, refusal: { ...failure.refusal, isUncertain } } : failure
  }
  const { isSent, isTransient } = cause instanceof NoReplyError ? cause : { isSent: true, isTransient: false }
  return {
    refusal: { status: null, message, ...(isSent && isWrite && { isUncertain: true }) },
    isTransient,
  }
}

/** GitHub answered with a status other than 2xx. */
export function readReply(status: number, headers: Headers, message: string): Failure {
  if (status < 400) return { refusal: { status, message: 'GitHub points elsewhere' }, isTransient: false }
  if (isRateLimit(status, headers, message)) return rateLimit(status, headers, message)
  const isBroken = status >= 500
  const accepted = String(headers['x-accepted-github-permissions'] ?? '')
  const isPermission = status === 403 && (accepted !== '' || /not accessible by /i.test(message))
  const wait = secondsOf(headers['retry-after'])
  return {
    refusal: {
      status,
      message,
      ...(isPermission && { kind: 'permission' }),
      ...(isPermission && /^[a-z_=;, ]{1,200}$/.test(accepted) && { acceptedPermissions: accepted }),
    },
    isTransient: isBroken,
    ...(wait !== undefined && { wait }),
  }
}

/** GraphQL responds 200 and puts its errors in the body (GitHub's docs, "Handling GraphQL errors"). */
export function readGraphqlErrors(errors: readonly unknown[], headers: Headers): Failure {
  const all = errors.map((error) => {
    const { type, message } = (error ?? {}) as { type?: unknown; message?: unknown }
    return { type: String(type ?? ''), message: String(message ?? '') }
  })
  const message = [...new Set(all.map((error) => error.message))].join('; ')
  if (all.some(({ type }) => type === 'RATE_LIMITED' || type === 'RATE_LIMIT'))
    return rateLimit(200, headers, message)
  const isPermission = all.some(({ type }) => type === 'FORBIDDEN')
  // GitHub's word for an error of its own, and for a query that took it too long.
  const isTransient = /^Something went wrong while executing your query/.test(message)
  return {
    refusal: { status: 200, message, ...(isPermission && { kind: 'permission' }) },
    isTransient,
  }
}

/** A limit on requests is a rejection: GitHub has not carried the request out. */
function rateLimit(status: number, headers: Headers, message: string): Failure {
  const isSpent = String(headers['x-ratelimit-remaining']) === '0'
  const wait = secondsOf(headers['retry-after']) ?? (isSpent ? untilReset(headers) : undefined)
  const isHopeless =
    headers['retry-after'] === undefined && isSpent && (wait ?? Number.POSITIVE_INFINITY) > longestResetWait
  return {
    refusal: { status, message, kind: 'rate-limit' },
    isTransient: !isHopeless,
    ...(wait !== undefined && { wait }),
  }
}

function isRateLimit(status: number, headers: Headers, message: string): boolean {
  if (status === 429) return true
  const isLimited = headers['retry-after'] !== undefined || String(headers['x-ratelimit-remaining']) === '0'
  return status === 403 && (isLimited || /rate limit/i.test(message))
}

/** Both times are GitHub's, so this machine's clock does not matter. */
function untilReset(headers: Headers): number | undefined {
  const wait = Number(headers['x-ratelimit-reset']) * 1000 - Date.parse(String(headers.date))
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

function secondsOf(header: string | number | undefined): number | undefined {
  const text = String(header ?? '').trim()
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined
}
