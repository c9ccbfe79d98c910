/** Analytics of the site, as openapi.yaml lists them: visitors, and what readers say. The contract checks each row. */

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

/** All visitors in a period, in the order of the API's pages. The dates are as in the request; `dateTo` is excluded. */
export type VisitorsSource = (
  dateFrom: string,
  dateTo: string,
) => { totals: VisitorCounts; rows: VisitorRow[] }

/** Everything that readers said in a period. */
export type ReadersSource = (
  dateFrom: string,
  dateTo: string,
) => Readonly<Record<'votes' | 'comments' | 'searches' | 'conversations', readonly object[]>>

/** A site without visitors. */
export const noVisitors: VisitorsSource = () => ({ totals: { human: 0, ai: 0, total: 0 }, rows: [] })

/** Readers who say nothing. */
export const silentReaders: ReadersSource = () => {
  return { votes: [], comments: [], searches: [], conversations: [] }
}

type Query = Record<string, unknown>

/** The period of a query. Both dates are optional. */
function periodOf({ dateFrom = '1970-01-01', dateTo = '2100-01-01' }: Query) {
  return [String(dateFrom), String(dateTo)] as const
}

/** A page of visitors, in the platform's format. The query must be valid. */
export function visitorsPage(source: VisitorsSource, query: Query) {
  const { totals, rows } = source(...periodOf(query))
  const start = Number(query.offset ?? 0)
  const end = start + Number(query.limit ?? 50)
  return { totals, visitors: rows.slice(start, end), hasMore: end < rows.length }
}

/** A page of views, in the platform's format: on this site, each visitor views each page twice. */
export function viewsPage(source: VisitorsSource, query: Query) {
  const { totals, visitors, hasMore } = visitorsPage(source, query)
  const double = (counts: VisitorCounts) => ({
    human: 2 * counts.human,
    ai: 2 * counts.ai,
    total: 2 * counts.total,
  })
  const views = visitors.map((row) => ({ ...row, ...double(row) }))
  return { totals: double(totals), views, hasMore }
}

/** For each list: what its rows are, the field for them, and the usual limit. */
const lists = {
  'feedback-by-page': ['votes', 'feedback', 10],
  feedback: ['comments', 'feedback', 50],
  searches: ['searches', 'searches', 50],
  assistant: ['conversations', 'conversations', 100],
} as const

export type ListName = keyof typeof lists

/** The first page of a list, in the platform's format. The query must be valid. */
export function listPage(name: ListName, readers: ReadersSource, query: Query) {
  if (query.cursor !== undefined) throw new Error('The embedded platform only sends the first page of a list')
  const [kind, field, usual] = lists[name]
  const all = readers(...periodOf(query))[kind] as readonly Query[]
  const rows = all.filter(({ source }) => query.source === undefined || source === query.source)
  const page = rows.slice(0, Number(query.limit ?? usual))
  const hasMore = page.length < rows.length
  if (name === 'feedback-by-page') return { [field]: page, hasMore }
  const totalSearches = rows.reduce((sum, { hits }) => sum + Number(hits), 0)
  const nextCursor = hasMore ? 'next' : null
  return { [field]: page, nextCursor, ...(name === 'searches' ? { totalSearches } : { hasMore }) }
}
