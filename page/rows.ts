/** The table of all pages as data: figures, order, search. Pure, and quick with hundreds of thousands of pages. */
import { aiShare } from './text.ts'
import type { Counts, Page, VisitorsReport } from './visitors-report.ts'

export type Column = 'path' | 'visitors' | 'human' | 'ai' | 'share' | 'change'
export type Direction = 'ascending' | 'descending'

const nothing: Counts = { human: 0, ai: 0, total: 0 }

/** A page's counts in both periods; null where they are not known. */
export interface Figures {
  now: Counts | null
  before: Counts | null
}

/** A page that a complete reading does not hold had no visitor. One that an incomplete reading lacks is not known. */
export function figuresOf(page: Page, report: Pick<VisitorsReport, 'period' | 'compared'>): Figures {
  return {
    now: page.current ?? (report.period.complete ? nothing : null),
    before: page.previous ?? (report.compared?.complete ? nothing : null),
  }
}

/** What a column is sorted by; null goes last in either direction. */
const sortValue: Record<Exclude<Column, 'path'>, (figures: Figures) => number | null> = {
  visitors: ({ now }) => now?.total ?? null,
  human: ({ now }) => now?.human ?? null,
  ai: ({ now }) => now?.ai ?? null,
  share: ({ now }) => now && aiShare(now),
  change: ({ now, before }) => now && before && now.total - before.total,
}

export interface Rows {
  readonly pages: readonly Page[]
  /** The numbers of the pages that match, in order. */
  select(column: Column, direction: Direction, search: string): Uint32Array
}

/** Orders are worked out when first asked for, and kept. */
export function makeRows(report: VisitorsReport): Rows {
  const { pages } = report
  const orders = new Map<string, Uint32Array>()
  let lowered: string[] | undefined

  function sorted(column: Column, direction: Direction): Uint32Array {
    const sign = direction === 'ascending' ? 1 : -1
    const order = Uint32Array.from(pages.keys())
    if (column === 'path') {
      lowered ??= pages.map(({ path }) => path.toLowerCase())
      return order.sort(byText(lowered, sign))
    }
    const values = Float64Array.from(
      pages,
      (page) => sortValue[column](figuresOf(page, report)) ?? Number.NaN,
    )
    return order.sort(byNumber(values, sign))
  }

  function orderBy(column: Column, direction: Direction): Uint32Array {
    const key = `${column} ${direction}`
    const order = orders.get(key) ?? sorted(column, direction)
    orders.set(key, order)
    return order
  }

  return {
    pages,
    select(column, direction, search) {
      const order = orderBy(column, direction)
      const wanted = search.trim().toLowerCase()
      if (wanted === '') return order
      lowered ??= pages.map(({ path }) => path.toLowerCase())
      const texts = lowered
      return order.filter((index) => texts[index]?.includes(wanted))
    },
  }
}

// Code points, not a collator: that would take seconds for 250,000 paths.
function byText(texts: readonly string[], sign: number) {
  return (left: number, right: number) => {
    const a = texts[left] ?? ''
    const b = texts[right] ?? ''
    if (a === b) return left - right
    return a < b ? -sign : sign
  }
}

/** NaN, which stands for "not known", goes last; equals stay in the report's order. */
function byNumber(values: Float64Array, sign: number) {
  return (left: number, right: number) => {
    const a = values[left] ?? Number.NaN
    const b = values[right] ?? Number.NaN
    const unknown = Number(Number.isNaN(a)) - Number(Number.isNaN(b))
    if (unknown !== 0) return unknown
    return (a - b) * sign || left - right
  }
}
