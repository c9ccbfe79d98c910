/** A page's usual range: what its visitors were in the periods before. */

interface Range {
  least: number
  most: number
  /** Periods that the page was seen in. */
  seen: number
}

/** With fewer periods, a range says nothing. */
const fewestPeriods = 3

/** Daily averages, so that months of different lengths compare. */
export class UsualRanges {
  private readonly ranges = new Map<number, Range>()
  /** Periods of which every page was read, so that a page that is missing had no visitors. */
  private wholePeriods = 0
  private readonly seenInWhole = new Map<number, number>()

  /**
   * Takes in one period.
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

  /** Whether a page had as few and as many visitors in an earlier period; not if too few periods are known. */
  isUsual(id: number, visitors: number, days: number): boolean {
    const { least, most, seen } = this.ranges.get(id) ?? { least: 0, most: 0, seen: 0 }
    const without = this.wholePeriods - (this.seenInWhole.get(id) ?? 0)
    if (seen + without < fewestPeriods) return false
    const daily = visitors / days
    return daily <= most && daily >= (without > 0 ? 0 : least)
  }
}
