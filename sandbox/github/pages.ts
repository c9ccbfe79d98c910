/** Lists, page by page (GitHub's docs, "Using pagination in the REST API"). */
import type { Reply } from '../wire.ts'

/** openapi.json, "per-page": `max 100`. A larger value is treated as 100. */
const maxPerPage = 100
const defaultPerPage = 30

export interface PageWanted {
  /** The list's URL, without a query. */
  url: string
  /** The other parameters of the query. The links repeat them. */
  filters?: Readonly<Record<string, string>>
  /** Starts at 1, which is also the default. */
  page: number | undefined
  /** 30 by default. */
  perPage: number | undefined
}

/** The page that a query asks for. */
export function pageIn({ page, per_page }: Readonly<Record<string, unknown>>) {
  const toNumber = (value: unknown) => (value === undefined ? undefined : Number(value))
  return { page: toNumber(page), perPage: toNumber(per_page) }
}

/** One page of a list, with the `link` header that leads to the others. */
export function pageOf(items: readonly object[], wanted: PageWanted): Reply {
  const { shown, headers } = cutPage(items, wanted)
  return { status: 200, body: shown, headers }
}

/** Like `pageOf`, for a list that is only a part of the response. */
export function cutPage<T>(
  items: readonly T[],
  { url, filters = {}, page = 1, perPage = defaultPerPage }: PageWanted,
  most = maxPerPage,
): { shown: T[]; headers: Record<string, string> } {
  const size = Math.min(most, Math.max(1, perPage))
  const current = Math.max(1, page)
  const last = Math.max(1, Math.ceil(items.length / size))
  const others = {
    ...(current > 1 && { prev: Math.min(current - 1, last) }),
    ...(current < last && { next: current + 1, last }),
    ...(current > 1 && { first: 1 }),
  }
  const links = Object.entries(others).map(([rel, number]) => {
    const query = new URLSearchParams({ ...filters, per_page: String(size), page: String(number) })
    return `<${url}?${query}>; rel="${rel}"`
  })
  return {
    shown: items.slice((current - 1) * size, current * size),
    headers: links.length > 0 ? { link: links.join(', ') } : {},
  }
}
