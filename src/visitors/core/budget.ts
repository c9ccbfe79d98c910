/** Limits the number of requests in a run, because all tools of an organization share the platform's hourly limit. */

/** The share of the budget for the compared period while the current period, which has priority, is still being read. */
const earlyShare = 1 / 3

/** A run's requests: how many it may make, and how many it has made. */
export class Budget {
  used = 0
  readonly limit: number

  /** @param limit maximum number of requests, including retries */
  constructor(limit: number) {
    this.limit = limit
  }

  /** Takes a request from the budget; false if none is left. */
  take(): boolean {
    if (this.used >= this.limit) return false
    this.used++
    return true
  }

  /** Maximum number of requests for the compared period until the current period is read. */
  get early(): number {
    return Math.floor(this.limit * earlyShare)
  }
}
