/**
 * The runner cancels a step with SIGINT, after 7.5 s SIGTERM, and 2.5 s later a kill (actions/runner). Imported first, so
 * that a signal while the rest loads does not kill the step.
 */
const controller = new AbortController()

/** Aborted when the step must end. */
export const cancelled: AbortSignal = controller.signal

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort(signal))
