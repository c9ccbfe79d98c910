/**
 * The cancel signal. The runner cancels a step with SIGINT, 7.5 s later with SIGTERM, and kills it after another 2.5 s
 * (actions/runner). This module is imported early, so that no signal kills the step while the others load.
 */
const controller = new AbortController()

/** Aborts when the step must end. */
export const cancelled: AbortSignal = controller.signal

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort(signal))
