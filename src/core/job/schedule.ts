/**
 * When to read a job next. `npm run bench` derives the numbers from lognormal job durations (median 4 min): lag times
 * requests stays near its lower bound for short jobs and for hour-long ones.
 */

/** Milliseconds from the job's creation to the first read. */
const firstRead = 15_000
/** Shortest time between two reads, in milliseconds. */
const leastInterval = 5_000
/** The wait until the next read, as a share of the job's age. */
const shareOfAge = 1 / 100
/** Each wait is up to this share longer or shorter, so that many steps do not read at once. */
const jitter = 0.1

export type PollInterval = 'auto' | number

/**
 * Milliseconds to wait before the next read.
 * @param interval `auto`, or a fixed wait in milliseconds
 * @param age milliseconds since the job was created or got its message
 * @param reads number of reads so far
 * @param random in [0, 1)
 */
export function nextPoll(interval: PollInterval, age: number, reads: number, random: number): number {
  if (interval !== 'auto') return interval
  const wait = reads === 0 ? firstRead - age : Math.max(leastInterval, age * shareOfAge)
  return Math.max(0, Math.round(wait * (1 - jitter + 2 * jitter * random)))
}
