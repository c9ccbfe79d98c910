/**
 * When to read a job next. The figures are worked out over lognormal job durations (median 4 min) in
 * `npm run bench`: lag times requests stays near its lower bound for short jobs and for hour-long ones.
 */

/** Milliseconds after the job's creation at which it is first read. */
const firstRead = 15_000
/** Least milliseconds between two reads. */
const leastInterval = 5_000
/** Share of the job's age that is waited until the next read. */
const shareOfAge = 1 / 100
/** Each wait is up to this share longer or shorter, so that many jobs do not read in step. */
const jitter = 0.1

export type PollInterval = 'auto' | number

/**
 * Milliseconds to wait before the next read.
 * @param interval `auto`, or a fixed wait in milliseconds, which is kept to the letter
 * @param age milliseconds since the job was created or sent its message
 * @param reads how many reads there were
 * @param random in [0, 1)
 */
export function nextPoll(interval: PollInterval, age: number, reads: number, random: number): number {
  if (interval !== 'auto') return interval
  const wait = reads === 0 ? firstRead - age : Math.max(leastInterval, age * shareOfAge)
  return Math.max(0, Math.round(wait * (1 - jitter + 2 * jitter * random)))
}
