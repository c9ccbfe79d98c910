/** How long a request may take: less once the step is cancelled. */
import type { RequestTimeout } from '../usecases/ports.ts'

/**
 * Milliseconds by which a timer must be late to show that the process was suspended, and for which the socket is then
 * read: the reply may have come while nothing ran.
 */
const suspension = 100
const graceAfterSuspension = 1_000

/** Starts the time of a request. The signal aborts when it is over; `stop` ends it early. */
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
