/**
 * When to poll a job next, and when to repeat a failed request. `npm run bench` shows where the constants for polls come
 * from: for job durations with a median of 4 min, the product of lag and requests stays near its lower bound.
 */
import { type Failure, mayHaveArrived } from '../core/http.ts'
import type { PollInterval } from '../core/inputs/schema.ts'
import type { CallName } from '../core/problems.ts'
import { isTemporary } from '../core/reply.ts'
import { calls, isAnalytics, isSend } from './calls.ts'

/** Milliseconds from the job's creation to the first poll. */
const firstRead = 15_000
/** Shortest time between two polls, in milliseconds. */
const minInterval = 5_000
/** The wait until the next poll, as a share of the job's age. */
const shareOfAge = 1 / 100
/** Each wait is made longer or shorter at random, by up to this share, so that parallel steps do not all poll at once. */
const jitter = 0.1

/**
 * Milliseconds to wait before the next poll.
 * @param interval `auto`, or a fixed wait in milliseconds
 * @param age milliseconds since the job was created or got its follow-up
 * @param reads number of polls so far
 * @param random in [0, 1)
 */
export function nextPoll(interval: PollInterval, age: number, reads: number, random: number): number {
  if (interval !== 'auto') return interval
  const wait = reads === 0 ? firstRead - age : Math.max(minInterval, age * shareOfAge)
  return Math.max(0, Math.round(wait * (1 - jitter + 2 * jitter * random)))
}

/** A failed call, and what the decision depends on. */
export interface RetryQuestion {
  name: CallName
  failure: Failure
  /** How many attempts in a row have failed, from 1. */
  attempt: number
  /** In [0, 1). */
  random: number
}

/** First and longest wait between attempts, in milliseconds. Each wait is twice as long as the previous one. */
const firstWait = 2_000
const maxWait = 60_000

/** Milliseconds until the next attempt; undefined to give up. The caller compares the wait with its deadline. */
export function retryAfter({ name, failure, attempt, random }: RetryQuestion): number | undefined {
  if (attempt >= calls[name].attempts) return undefined
  if (!isTemporary(failure) || (isSend(name) && mayHaveArrived(failure))) return undefined
  const asked = 'wait' in failure ? failure.wait : undefined
  if (isAnalytics(name)) {
    // The whole organization shares the hourly limit. Without a Retry-After, it is unknown when the limit resets.
    if (failure.kind === 'rejected' && failure.status === 429 && asked === undefined) return undefined
    // A response that cannot be read was perhaps cut off. If it cannot be read twice, it will not change.
    if (failure.kind === 'unreadable' && attempt >= 2) return undefined
  }
  const wait = Math.min(maxWait, firstWait * 2 ** (attempt - 1))
  // Randomly shortened by up to half, so that parallel steps do not all retry at once.
  return Math.max(Math.round(wait / 2 + (wait / 2) * random), asked ?? 0)
}
