/**
 * When to poll a job next. `npm run bench` shows where the constants come from: for job durations with a median of 4 min,
 * the product of lag and requests stays near its lower bound.
 */
import type { PollInterval } from '../core/inputs/schema.ts'

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
export function nextPoll(interval: PollInterval, age: number, reads: number, random: number) {
  if (interval !== 'auto') return interval
  const wait = reads === 0 ? firstRead - age : Math.max(minInterval, age * shareOfAge)
  return Math.max(0, Math.round(wait * (1 - jitter + 2 * jitter * random)))
}
