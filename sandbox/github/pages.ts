/** Lists, page by page (GitHub's docs, "Using pagination in the REST API"). */
import type { Reply } from './reply.ts'

/** openapi.json, "per-page": `max 100`; more than that is 100. */
const mostPerPage = 100
const defaultPerPage = 30

export interface PageWanted {
  /** Of the list, without a query. */
  url: string
  /** From 1, which it is if left out. */
  page: number | undefined
  /** 30 if left out. */
  perPage: number | undefined
}

/** One page of a list, with the `link` header that leads to the others. */
export function pageOf(
  items: readonly object[],
  { url, page = 1, perPage = defaultPerPage }: PageWanted,
): Reply {
  const size = Math.min(mostPerPage, Math.max(1, perPage))
  const current = Math.max(1, page)
  const last = Math.max(1, Math.ceil(items.length / size))
  const others = {
    ...(current > 1 && { prev: Math.min(current - 1, last) }),
    ...(current < last && { next: current + 1, last }),
    ...(current > 1 && { first: 1 }),
  }
  const links = Object.entries(others).map(
    ([rel, number]) => `<${url}?per_page=${size}&page=${number}>; rel="${rel}"`,
  )
  return {
    status: 200,
    body: items.slice((current - 1) * size, current * size),
    ...(links.length > 0 && { headers: { link: links.join(', ') } }),
  }
}
