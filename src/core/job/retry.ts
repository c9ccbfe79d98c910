/** The one retry policy: which request, which failure, which attempt → wait so long, or give up. */
import { isAnalytics, isSend, type OperationName } from './operation.ts'
import { type Failure, mayHaveArrived } from './response.ts'

export interface RetryQuestion {
  operation: OperationName
  failure: Failure
  /** How often this request was tried in a row, from 1. */
  attempt: number
  /** Milliseconds since the job was created by this step; undefined where this step did not create it. */
  jobAge?: number
  /** Now, in milliseconds since the epoch: `Retry-After` may be a date. */
  now: number
  /** In [0, 1). */
  random: number
}

/** Milliseconds until the next attempt, or undefined: give up. */
export type RetryAnswer = number | undefined

/** First wait and longest wait between attempts, in milliseconds; each doubles the one before it. */
const firstWait = 2_000
const longestWait = 60_000
/** A create or a follow-up holds nothing that could be lost: after so many attempts the person is told instead. */
const sendAttempts = 5
/** So has a read of visitors: what was read by then makes a report that says what it lacks. */
const visitorsAttempts = 5
/** The other lists are extras: the report stands without them, and each attempt costs a request of the shared limit. */
const listAttempts = 2
/** Milliseconds for which a job that was just created may be unknown to the platform's readers. */
const newJobGrace = 30_000
/** Statuses of 4xx that pass: request time-out, too early, too many requests (RFC 9110, RFC 8470, RFC 6585). */
const passing = [408, 425, 429]

/** Decides whether and when a failed request is tried again. The caller holds the answer against its deadline. */
export function retryAfter(question: RetryQuestion): RetryAnswer {
  return isRetriable(question) ? Math.max(backOff(question), askedFor(question) ?? 0) : undefined
}

function isRetriable(question: RetryQuestion): boolean {
  const { operation, failure, attempt } = question
  if (isSend(operation)) return isSafeToSendAgain(question)
  if (isAnalytics(operation)) {
    // The hour's budget is all of the organisation's: without a word on when it is filled up again, no wait is right.
    const isSpent = failure.kind === 'refused' && failure.status === 429 && askedFor(question) === undefined
    if (isSpent || attempt >= (operation === 'visitors' ? visitorsAttempts : listAttempts)) return false
    // A list in an odd shape, or over the size limit, is so again.
    if (operation !== 'visitors' && failure.kind === 'unreadable') return false
  }
  return isWorthReadingAgain(question)
}

/** A send goes out again only where the first certainly did not arrive, or was turned away unprocessed. */
function isSafeToSendAgain({ failure, attempt }: RetryQuestion): boolean {
  if (attempt >= sendAttempts || mayHaveArrived(failure)) return false
  if (failure.kind === 'refused') return failure.status === 429
  return failure.kind === 'unreachable' && failure.reason !== 'certificate'
}

/** A read does no harm; it is given up only where no wait would mend it. */
function isWorthReadingAgain({ failure, jobAge }: RetryQuestion): boolean {
  switch (failure.kind) {
    case 'unreachable':
      return failure.reason !== 'certificate'
    case 'redirected':
      return false
    case 'refused':
      return (
        passing.includes(failure.status) ||
        (failure.status === 404 && jobAge !== undefined && jobAge < newJobGrace)
      )
    default:
      return true
  }
}

/** Doubling, and between half and the whole of it by chance, so that many steps do not come back in step. */
function backOff({ attempt, random }: RetryQuestion): number {
  const wait = Math.min(longestWait, firstWait * 2 ** (attempt - 1))
  return Math.round(wait / 2 + (wait / 2) * random)
}

/** What `Retry-After` asks for: seconds or an HTTP date in one of its three forms (RFC 9110, 10.2.3 and 5.6.7); nothing where it is nonsense. */
function askedFor({ failure, now }: RetryQuestion): number | undefined {
  const text = ('retryAfter' in failure ? failure.retryAfter : undefined)?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = /^[A-Z][a-z]{2,8},? /.test(text)
    ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
    : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
