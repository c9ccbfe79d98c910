/** A value, or why there is none. */
export type Result<T, F> = { ok: true; value: T } | { ok: false; failure: F }
