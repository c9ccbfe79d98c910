/**
 * The runner cancels with SIGINT and, 7.5 s later, SIGTERM (actions/runner). Imported before anything else, so that a
 * signal that comes while the rest is loaded does not kill the step.
 */
const controller = new AbortController()

/** Aborted once the step is to end. */
export const cancelled: AbortSignal = controller.signal

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort(signal))
