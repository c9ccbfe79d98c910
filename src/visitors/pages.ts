/**
 * The pages of the compared periods, from the platform's responses (openapi.yaml, "Visitors"). They are stored in
 * columns: 250,000 pages take tens of megabytes. As objects, they would take hundreds.
 */
import * as z from 'zod/mini'
import type { VisitorCounts } from './figures.ts'

/** Maximum number of rows in a response (openapi.yaml). */
export const pageSize = 250

const counts = z.object({ human: z.number(), ai: z.number(), total: z.number() })

function named({ human, ai, total }: z.infer<typeof counts>): VisitorCounts {
  return { visitors: total, humanVisitors: human, aiVisitors: ai }
}

const row = z.pipe(
  z.extend(counts, { path: z.string() }),
  z.transform((row) => ({ path: row.path, ...named(row) })),
)

const schema = z.object({
  totals: z.pipe(counts, z.transform(named)),
  visitors: z.array(row),
  // With any value except a boolean, the reading could end too early, or never.
  hasMore: z.boolean(),
})

/**
 * Reads a response's JSON: the site's totals, and one batch of its pages with their visitors. Undefined if it does not
 * have the documented shape.
 */
export function parseVisitorsPage(json: unknown) {
  return schema.safeParse(json).data
}

/** Gives each path a number. A path has the same number in all periods. */
export class PathBook {
  readonly ids = new Map<string, number>()
  private readonly paths: string[] = []

  /** A path's number. A new path gets the next one. */
  idOf(path: string): number {
    const known = this.ids.get(path)
    if (known !== undefined) return known
    this.ids.set(path, this.paths.length)
    return this.paths.push(path) - 1
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
    if (at >= this.cells.length) this.grow(at + columns)
    const isNew = !this.has(id)
    this.cells.set([visitors, humanVisitors, aiVisitors], at)
    if (isNew) this.size++
    return isNew
  }

  /** A page's counts; null if it is not in the period. */
  get(id: number): VisitorCounts | null {
    if (!this.has(id)) return null
    const cell = (column: number) => this.cells[id * columns + column] ?? 0
    return { visitors: cell(0), humanVisitors: cell(1), aiVisitors: cell(2) }
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

  private grow(least: number): void {
    const cells = new Float64Array(Math.max(least, this.cells.length * 2)).fill(Number.NaN)
    cells.set(this.cells)
    this.cells = cells
  }
}
