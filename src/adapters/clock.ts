/** The machine's clocks. */
import type { Clock } from '../usecases/ports.ts'

/** Monotonic milliseconds for waits, and the date for people. */
export const clock: Clock = {
  // Timers run on the same clock. Whole milliseconds are easier to read in the log.
  now: () => Math.floor(performance.now()),
  date: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, Math.max(0, ms))
      signal.addEventListener('abort', end)
    }),
}
