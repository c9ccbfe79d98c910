/** The retry policy: from a request, its failure and the attempt to the next wait, or to giving up. */
import { isAnalytics, isSend, type OperationName } from './operation.ts'
import type { Failure } from './response.ts'

export interface RetryQuestion {
  operation: OperationName
  failure: Failure
  /** How many attempts in a row have failed, from 1. */
  attempt: number
  /**
   * Milliseconds since the first 404 in a row, for a job that this step created or has read; undefined for any other job:
   * its id may be wrong.
   */
  missingFor?: number
  /** Milliseconds since the epoch: `Retry-After` may be a date. */
  date: number
  /** In [0, 1). */
  random: number
}

/** Milliseconds until the next attempt; undefined to give up. */
export type RetryAnswer = number | undefined

/** First and longest wait between attempts, in milliseconds; each wait doubles the previous one. */
const firstWait = 2_000
const longestWait = 60_000
/** Attempts to send. Giving up loses nothing: the reply says so. */
const sendAttempts = 5
/** Attempts to read visitors. What was read until then makes a report that marks what is missing. */
const visitorsAttempts = 5
/** Attempts to read another list. The report is complete without it, and each attempt costs a request of the shared limit. */
const listAttempts = 2
/** Milliseconds for which a job that exists may be missing: replicas lag, and a gateway may answer 404 for a moment. */
const missingGrace = 60_000
/** The temporary statuses among 4xx: timeout, too early, too many requests (RFC 9110, RFC 8470, RFC 6585). */
const temporary = [408, 425, 429]

/** Decides whether and when a failed request is tried again. The caller compares the wait with its deadline. */
export function retryAfter(question: RetryQuestion): RetryAnswer {
  return isRetriable(question) ? Math.max(backOff(question), askedFor(question) ?? 0) : undefined
}

function isRetriable(question: RetryQuestion): boolean {
  const { operation, failure, attempt } = question
  if (isSend(operation)) return isSafeToSendAgain(question)
  if (isAnalytics(operation)) {
    // The whole organization shares the hourly limit: without a Retry-After, no wait is right.
    const isSpent = failure.kind === 'refused' && failure.status === 429 && askedFor(question) === undefined
    if (isSpent || attempt >= (operation === 'visitors' ? visitorsAttempts : listAttempts)) return false
    // A list in an odd shape or over the size limit comes the same way again.
    if (operation !== 'visitors' && failure.kind === 'unreadable') return false
  }
  return isWorthReadingAgain(question)
}

/** A send is repeated only if the first one certainly did not arrive, or was rejected unprocessed. */
function isSafeToSendAgain({ failure, attempt }: RetryQuestion): boolean {
  if (attempt >= sendAttempts) return false
  if (failure.kind === 'refused') return failure.status === 429
  return failure.kind === 'unreachable' && failure.reason !== 'certificate'
}

/** A read changes nothing, so it is repeated unless waiting cannot help. */
function isWorthReadingAgain({ failure, missingFor }: RetryQuestion): boolean {
  switch (failure.kind) {
    case 'unreachable':
      return failure.reason !== 'certificate'
    case 'redirected':
      return false
    case 'refused':
      return (
        temporary.includes(failure.status) ||
        (failure.status === 404 && missingFor !== undefined && missingFor < missingGrace)
      )
    default:
      return true
  }
}

/** The doubling wait, shortened at random by up to half, so that many steps do not retry at once. */
function backOff({ attempt, random }: RetryQuestion): number {
  const wait = Math.min(longestWait, firstWait * 2 ** (attempt - 1))
  return Math.round(wait / 2 + (wait / 2) * random)
}

/**
 * Milliseconds that `Retry-After` asks for: seconds, or an HTTP date in one of its three forms (RFC 9110, 10.2.3 and
 * 5.6.7), which may be over; undefined if it is missing or malformed.
 */
function askedFor({ failure, date: now }: RetryQuestion): number | undefined {
  const text = ('retryAfter' in failure ? failure.retryAfter : undefined)?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = /^[A-Z][a-z]{2,8},? /.test(text)
    ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
    : Number.NaN
  return Number.isNaN(date) ? undefined : date - now
}
