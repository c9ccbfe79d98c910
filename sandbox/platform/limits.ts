const hour = 3_600_000

/**
 * So many requests in any 60 minutes (openapi.yaml, "Limits"). Whether the platform's hour slides is not documented; one
 * that does never forgives earlier than one that is fixed.
 */
export class HourlyLimit {
  readonly #most: number
  #taken: number[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Takes one request out of the hour's allowance; false where none is left. What is over the limit is not counted in turn. */
  take(now: Date): boolean {
    this.#taken = this.#taken.filter((time) => now.getTime() - time < hour)
    if (this.#taken.length >= this.#most) return false
    this.#taken.push(now.getTime())
    return true
  }
}
