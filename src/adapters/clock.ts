/** The machine's clock. */
import type { Clock } from '../usecases/ports.ts'

export const clock: Clock = {
  now: Date.now,
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
