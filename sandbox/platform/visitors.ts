/** Unique visitors. `total` is deduplicated, so it need not be `human` + `ai` (openapi.yaml, "Visitors"). */
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
 * Where the embedded platform has its visitors from: all of a period's rows, in the order they are to be paged in. The
 * dates are as they came in the request; `dateTo` is exclusive.
 */
export type VisitorsSource = (
  dateFrom: string,
  dateTo: string,
) => { totals: VisitorCounts; rows: VisitorRow[] }

/** A site that nobody visits. */
export const noVisitors: VisitorsSource = () => ({ totals: { human: 0, ai: 0, total: 0 }, rows: [] })

const defaultLimit = 50

/** The page that a query which was found valid asks for, in the platform's shape. */
export function pageOf(source: VisitorsSource, query: Record<string, unknown>) {
  const { totals, rows } = source(String(query.dateFrom), String(query.dateTo))
  const start = Number(query.offset ?? 0)
  const end = start + Number(query.limit ?? defaultLimit)
  return { totals, visitors: rows.slice(start, end), hasMore: end < rows.length }
}
