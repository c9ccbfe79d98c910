/** A page's usual range: its visitors in earlier periods. */

/** A range of fewer periods would say nothing. */
const fewestPeriods = 3

/** The usual ranges of all pages, in daily averages, because months differ in length. */
export class UsualRanges {
  // A large site has 100,000s of pages: arrays by their numbers take a tenth of the memory of objects.
  private readonly least = new Column()
  private readonly most = new Column()
  /** Number of periods that contain the page. */
  private readonly seen = new Column()
  /** Number of completely read periods, in which a missing page had no visitors. */
  private wholePeriods = 0
  private readonly seenInWhole = new Column()

  /**
   * Adds a period.
   * @param rows pages by their numbers, with their visitors
   * @param isWhole whether these are all pages of the period
   */
  saw(rows: Iterable<readonly [id: number, visitors: number]>, days: number, isWhole: boolean): void {
    for (const [id, visitors] of rows) {
      const daily = visitors / days
      const isFirst = this.seen.get(id) === 0
      this.least.set(id, isFirst ? daily : Math.min(this.least.get(id), daily))
      this.most.set(id, Math.max(this.most.get(id), daily))
      this.seen.set(id, this.seen.get(id) + 1)
      if (isWhole) this.seenInWhole.set(id, this.seenInWhole.get(id) + 1)
    }
    if (isWhole) this.wholePeriods++
  }

  /** Whether a page's visitors are within the range of earlier periods; false if too few periods are known. */
  isUsual(id: number, visitors: number, days: number): boolean {
    const without = this.wholePeriods - this.seenInWhole.get(id)
    if (this.seen.get(id) + without < fewestPeriods) return false
    const daily = visitors / days
    return daily <= this.most.get(id) && daily >= (without > 0 ? 0 : this.least.get(id))
  }
}

/** A number for each page, 0 at first. */
class Column {
  private cells = new Float64Array(1024)

  get(id: number): number {
    return this.cells[id] ?? 0
  }

  set(id: number, value: number): void {
    if (id >= this.cells.length) {
      const grown = new Float64Array(Math.max(id + 1, this.cells.length * 2))
      grown.set(this.cells)
      this.cells = grown
    }
    this.cells[id] = value
  }
}
