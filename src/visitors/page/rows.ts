/** The data of the table of all pages: figures, sorting, search. Pure, and fast with hundreds of thousands of pages. */
import { changeBetween, scaleBetween } from '../core/change.ts'
import { columns } from '../core/columns.ts'
import { countsOrNone, type PageFigures } from '../core/counts.ts'
import type { Page, VisitorsReport } from './visitors-report.ts'

/** `path`, `change`, or an id from `columns`. */
export type ColumnId = 'path' | 'change' | (typeof columns)[number]['id']
export type Direction = 'ascending' | 'descending'

/** A page's counts in both periods; null if unknown. */
export function figuresOf(page: Page, report: Pick<VisitorsReport, 'period' | 'compared'>): PageFigures {
  return {
    now: countsOrNone(page.current, report.period.complete),
    before: countsOrNone(page.previous, report.compared?.complete === true),
  }
}

/** Length of the current period divided by the length of the compared one; 1 if nothing is compared. */
export function scaleOf({ period, compared }: Pick<VisitorsReport, 'period' | 'compared'>): number {
  return compared === null ? 1 : scaleBetween(period, compared)
}

/** The value by which a column is sorted; null if unknown. */
function sortValue(column: ColumnId, { now, before }: PageFigures, scale: number): number | null {
  if (column === 'change') return now && before && changeBetween(now.total, before.total, scale).difference
  const key = columns.find(({ id }) => id === column)?.key
  return now && key ? now[key] : null
}

/** Makes a function that selects and sorts the pages of a report. A sort order is computed when it is first needed, then kept. */
export function makeSelect(report: VisitorsReport) {
  const { pages } = report
  const scale = scaleOf(report)
  const orders = new Map<string, Uint32Array>()
  let lowered: string[] | undefined
  const paths = () => {
    lowered ??= pages.map(({ path }) => path.toLowerCase())
    return lowered
  }

  function sorted(column: ColumnId, direction: Direction): Uint32Array {
    const sign = direction === 'ascending' ? 1 : -1
    // Unknown values come last in both directions.
    const figureOf = (page: Page) => sortValue(column, figuresOf(page, report), scale) ?? sign * Infinity
    const values: ArrayLike<string | number> =
      column === 'path' ? paths() : Float64Array.from(pages, figureOf)
    return Uint32Array.from(pages.keys()).sort((one, other) => {
      const [value = 0, next = 0] = [values[one], values[other]]
      // Compares code units: a collator would take seconds for 250,000 paths. Equal values keep the report's order.
      if (value === next) return one - other
      return value < next ? -sign : sign
    })
  }

  /** The indexes of the matching pages, in order. */
  return (column: ColumnId, direction: Direction, search: string): Uint32Array => {
    const key = `${column} ${direction}`
    const order = orders.get(key) ?? sorted(column, direction)
    orders.set(key, order)
    const wanted = search.trim().toLowerCase()
    return wanted === '' ? order : order.filter((index) => paths()[index]?.includes(wanted))
  }
}
