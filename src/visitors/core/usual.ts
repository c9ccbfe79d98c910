/** A page's usual range: its visitors in earlier periods. */

interface Range {
  least: number
  most: number
  /** Number of periods that contain the page. */
  seen: number
}

/** A range of fewer periods would say nothing. */
const fewestPeriods = 3

/** The usual ranges of all pages, in daily averages, because months differ in length. */
export class UsualRanges {
  private readonly ranges = new Map<number, Range>()
  /** Number of completely read periods, in which a missing page had no visitors. */
  private wholePeriods = 0
  private readonly seenInWhole = new Map<number, number>()

  /**
   * Adds a period.
   * @param rows pages by their numbers, with their visitors
   * @param isWhole whether these are all pages of the period
   */
  saw(rows: Iterable<readonly [id: number, visitors: number]>, days: number, isWhole: boolean): void {
    for (const [id, visitors] of rows) {
      const { least, most, seen } = this.ranges.get(id) ?? {
        least: Number.POSITIVE_INFINITY,
        most: 0,
        seen: 0,
      }
      const daily = visitors / days
      this.ranges.set(id, { least: Math.min(least, daily), most: Math.max(most, daily), seen: seen + 1 })
      if (isWhole) this.seenInWhole.set(id, (this.seenInWhole.get(id) ?? 0) + 1)
    }
    if (isWhole) this.wholePeriods++
  }

  /** Whether a page's visitors are within the range of earlier periods; false if too few periods are known. */
  isUsual(id: number, visitors: number, days: number): boolean {
    const { least, most, seen } = this.ranges.get(id) ?? { least: 0, most: 0, seen: 0 }
    const without = this.wholePeriods - (this.seenInWhole.get(id) ?? 0)
    if (seen + without < fewestPeriods) return false
    const daily = visitors / days
    return daily <= most && daily >= (without > 0 ? 0 : least)
  }
}
