/** Time comes in as a parameter. */

/** The time, and a way to wait. */
export interface Clock {
  /** Milliseconds on a clock that only runs forward, from an unknown start, for durations and deadlines. */
  now(): number
  /** Milliseconds since the epoch. This clock may be adjusted while the step runs. */
  date(): number
  /** Resolves after a number of milliseconds, or when the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
