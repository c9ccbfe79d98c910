/** Time comes in as a parameter. */
import { minuteMs } from './units.ts'

/** The time, and a way to wait. */
export interface Clock {
  /** Milliseconds on a clock that only runs forward, from an unknown start, for durations and deadlines. */
  now(): number
  /** Milliseconds since the epoch. The machine's clock may be adjusted while the step runs. */
  date(): number
  /** Sets the date to GitHub's, from a response's `Date` header. Only the first one counts. */
  follow(date?: string): void
  /** Resolves after a number of milliseconds, at once if it is negative, or when the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/**
 * Makes a function that sleeps until a time on the clock's `now`, with a call each minute, also across several sleeps. It
 * returns immediately when cancelled.
 */
export function createSleeper({ clock, cancelled }: { clock: Clock; cancelled: AbortSignal }) {
  let next = clock.now() + minuteMs
  return async (until: number, onMinute: () => void) => {
    while (!cancelled.aborted && clock.now() < until) {
      await clock.sleep(Math.min(until, next) - clock.now(), cancelled)
      if (clock.now() < next) continue
      next = clock.now() + minuteMs
      onMinute()
    }
  }
}
