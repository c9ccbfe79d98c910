/** How long a request may take: less, once the step is cancelled. */
import type { RequestTimeout } from '../usecases/ports.ts'

/** A signal that ends a request when its patience is at an end. */
export function startTimeout({ total, onceCancelled }: RequestTimeout, cancelled: AbortSignal) {
  const controller = new AbortController()
  const timers = [setTimeout(() => controller.abort('TIMED_OUT'), total)]
  const cancel = () => timers.push(setTimeout(() => controller.abort('CANCELLED'), onceCancelled))
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
