/** How many requests a run may make: all tools of an organization share the platform's hourly limit. */

/** Share of the budget that the compared period may take while the current one, which comes first, is still being read. */
const earlyShare = 1 / 3

export class Budget {
  used = 0
  readonly limit: number

  /** @param limit most requests, retries included */
  constructor(limit: number) {
    this.limit = limit
  }

  /** Takes one request; false if none is left. */
  take(): boolean {
    if (this.used >= this.limit) return false
    this.used++
    return true
  }

  /** How many requests the compared period may take before the current one is read. */
  get early(): number {
    return Math.floor(this.limit * earlyShare)
  }
}
