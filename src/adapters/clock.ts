/** The machine's clocks. */
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'

/** Monotonic milliseconds for waits, and the date for records and people. */
export function createClock(): Clock {
  let offset = Number.NaN
  return {
    // Timers run on the same clock. Whole milliseconds are easier to read in the log.
    now: () => Math.floor(performance.now()),
    date: () => Date.now() + (offset || 0),
    follow(date = '') {
      if (Number.isNaN(offset)) offset = Date.parse(date) - Date.now()
    },
    sleep: (ms, signal) => setTimeout(Math.max(0, ms), undefined, { signal }).catch(() => {}),
  }
}
