/** The machine's clocks. */
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'

/** Monotonic milliseconds for waits, and the date for people. */
export const clock: Clock = {
  // Timers run on the same clock. Whole milliseconds are easier to read in the log.
  now: () => Math.floor(performance.now()),
  date: Date.now,
  sleep: (ms, signal) => setTimeout(Math.max(0, ms), undefined, { signal }).catch(() => {}),
}
