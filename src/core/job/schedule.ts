/**
 * When to poll a job next. `npm run bench` derives the constants from lognormal job durations (median 4 min): the
 * product of lag and requests stays near its lower bound, for short and for hour-long jobs.
 */

/** Milliseconds from the job's creation to the first poll. */
const firstRead = 15_000
/** Shortest time between two polls, in milliseconds. */
const minInterval = 5_000
/** The wait until the next poll, as a share of the job's age. */
const shareOfAge = 1 / 100
/** Each wait is made longer or shorter at random, by up to this share, so that parallel steps do not all poll at once. */
const jitter = 0.1

/** The input `poll-interval`: milliseconds, or a wait that grows with the job's age. */
export type PollInterval = 'auto' | number

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
