/** The time limit of a request, which becomes shorter once the step is cancelled. */
import type { RequestTimeout } from '../usecases/ports.ts'

/**
 * If a timer is this many milliseconds late, the process was suspended. The response may have arrived meanwhile, so the
 * request gets a grace period, also in milliseconds.
 */
const suspension = 100
const graceAfterSuspension = 1_000

/** Starts a request's time limit. The signal aborts when the time is up; `stop` ends it early. */
export function startTimeout({ total, onceCancelled }: RequestTimeout, cancelled: AbortSignal) {
  const controller = new AbortController()
  const timers: NodeJS.Timeout[] = []
  const abortIn = (ms: number, reason: string) => {
    const due = performance.now() + ms
    const abort = () => controller.abort(reason)
    const end = () => {
      if (performance.now() - due < suspension) abort()
      else timers.push(setTimeout(abort, graceAfterSuspension))
    }
    timers.push(setTimeout(end, ms))
  }
  const cancel = () => abortIn(onceCancelled, 'CANCELLED')
  abortIn(total, 'TIMED_OUT')
  if (cancelled.aborted) cancel()
  else cancelled.addEventListener('abort', cancel)
  return {
    signal: controller.signal,
    stop() {
      cancelled.removeEventListener('abort', cancel)
      timers.forEach(clearTimeout)
    },
  }
}
