const hour = 3_600_000

/**
 * Limits requests within any 60 minutes (openapi.yaml). Whether the platform uses a sliding hour is not
 * documented, but a sliding hour is the strictest choice.
 */
export class HourlyLimit {
  readonly #most: number
  #taken: number[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Counts a request; false if the limit is reached. Requests over the limit do not count. */
  take(now: Date): boolean {
    this.#taken = this.#taken.filter((time) => now.getTime() - time < hour)
    if (this.#taken.length >= this.#most) return false
    this.#taken.push(now.getTime())
    return true
  }
}
