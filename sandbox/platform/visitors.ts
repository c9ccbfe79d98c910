/** Unique visitors. `total` is deduplicated, so it can be less than `human` + `ai` (openapi.yaml, "Visitors"). */
export interface VisitorCounts {
  human: number
  ai: number
  total: number
}

/** The visitors of one page of the site. */
export interface VisitorRow extends VisitorCounts {
  path: string
}

/**
 * The source of the embedded platform's visitors: returns all rows of a period, in the order of the API's pages. The
 * dates are as in the request; `dateTo` is excluded.
 */
export type VisitorsSource = (
  dateFrom: string,
  dateTo: string,
) => { totals: VisitorCounts; rows: VisitorRow[] }

/** A site without visitors. */
export const noVisitors: VisitorsSource = () => ({ totals: { human: 0, ai: 0, total: 0 }, rows: [] })

const defaultLimit = 50

/** The period of a query. Both dates are optional. */
export function periodOf({ dateFrom = '1970-01-01', dateTo = '2100-01-01' }: Record<string, unknown>) {
  return [String(dateFrom), String(dateTo)] as const
}

/** A page of visitors, in the platform's format. The query must be valid. */
export function pageOf(source: VisitorsSource, query: Record<string, unknown>) {
  const { totals, rows } = source(...periodOf(query))
  const start = Number(query.offset ?? 0)
  const end = start + Number(query.limit ?? defaultLimit)
  return { totals, visitors: rows.slice(start, end), hasMore: end < rows.length }
}
