/**
 * The pages of the compared periods. They are stored in columns: 250,000 pages take tens of megabytes. As objects, they
 * would take hundreds.
 */
import type { VisitorCounts } from './figures.ts'

/** Gives each path a number. A path has the same number in all periods. */
export class PathBook {
  readonly ids = new Map<string, number>()
  private readonly paths: string[] = []

  /** A path's number. A new path gets the next one. */
  idOf(path: string): number {
    const id = this.ids.get(path) ?? this.paths.push(path) - 1
    this.ids.set(path, id)
    return id
  }

  pathOf(id: number): string {
    return this.paths[id] ?? ''
  }
}

const columns = 3

/** A period's counts, by path number. */
export class PageCounts {
  size = 0
  private cells = new Float64Array(1024 * columns).fill(Number.NaN)

  /** Sets a page's counts, replacing earlier ones. Returns whether the page is new. */
  set(id: number, { visitors, humanVisitors, aiVisitors }: VisitorCounts): boolean {
    const at = id * columns
    if (at >= this.cells.length) {
      const cells = new Float64Array(2 * (at + columns)).fill(Number.NaN)
      cells.set(this.cells)
      this.cells = cells
    }
    const isNew = !this.has(id)
    this.cells.set([visitors, humanVisitors, aiVisitors], at)
    if (isNew) this.size++
    return isNew
  }

  /** A page's counts; null if it is not in the period. */
  get(id: number): VisitorCounts | null {
    if (!this.has(id)) return null
    const [visitors = 0, humanVisitors = 0, aiVisitors = 0] = this.cells.subarray(id * columns)
    return { visitors, humanVisitors, aiVisitors }
  }

  /** A page's visitors; 0 if it is not in the period. */
  visitorsOf(id: number): number {
    return this.cells[id * columns] || 0
  }

  /** Moves a page's counts to another page, which keeps the larger ones. */
  merge(from: number, to: number): void {
    const counts = this.get(from)
    if (counts === null) return
    if (!this.has(to) || counts.visitors > this.visitorsOf(to)) this.set(to, counts)
    this.cells.fill(Number.NaN, from * columns, (from + 1) * columns)
    this.size--
  }

  has(id: number): boolean {
    return !Number.isNaN(this.cells[id * columns] ?? Number.NaN)
  }
}
