/** The calls about a site's visitors, and about what its readers say. */
import * as z from 'zod/mini'
import type { Client } from './client.ts'

/** Maximum number of pages in a response about visitors (openapi.yaml). */
export const pageSize = 250

/** Each end is a day or an ISO 8601 date-time; `to` is excluded. */
interface Period {
  from: string
  to: string
}

/** Called before a request is repeated; false prevents that. */
type MayRepeat = () => boolean

/** A list of what readers say (openapi.yaml). Only its first rows are read. */
export interface ListRequest<Entry> {
  /** Below the project's analytics. */
  path: string
  query: { limit: number; source?: string }
  /** The rows' name in the response. */
  rows: string
  entry: z.ZodMiniType<Entry>
}

const counts = { human: z.number(), ai: z.number(), total: z.number() }

const visitorsSchema = z.object({
  totals: z.object(counts),
  visitors: z.array(z.object({ path: z.string(), ...counts })),
  // With any value except a boolean, the reading could end too early, or never.
  hasMore: z.boolean(),
})

/** The site's totals, and one batch of its pages with their visitors; undefined if the JSON has another shape. */
export function parseVisitors(json: unknown) {
  const { data } = visitorsSchema.safeParse(json)
  if (data === undefined) return undefined
  const pages = data.visitors.map((row) => ({ path: row.path, ...named(row) }))
  return { totals: named(data.totals), pages, hasMore: data.hasMore }
}

function named({ human, ai, total }: Record<keyof typeof counts, number>) {
  return { visitors: total, humanVisitors: human, aiVisitors: ai }
}

/** The usable rows of a list; undefined if it is missing, or has rows but no usable ones. */
export function parseList<Entry>({ rows, entry }: ListRequest<Entry>, json: unknown) {
  const { [rows]: all, hasMore, nextCursor }: Record<string, unknown> = Object(json)
  if (!Array.isArray(all)) return undefined
  const entries = all.flatMap((row) => entry.safeParse(row).data ?? [])
  if (entries.length === 0 && all.length > 0) return undefined
  return { entries, hasMore: Boolean(hasMore || nextCursor) }
}

/** The calls about visitors and readers. */
export function analyticsCalls({ call }: Client) {
  const pathOf = (path: string, { from, to }: Period, query: Record<string, string | number>) =>
    `/${path}?${new URLSearchParams({ dateFrom: from, dateTo: to, ...query })}`

  return {
    /** At most `pageSize` pages of the site with their visitors, from an offset, and the site's totals. */
    visitors(period: Period, offset: number, mayRepeat: MayRepeat) {
      const path = pathOf('visitors', period, { limit: pageSize, offset })
      return call('visitors', { path, parse: parseVisitors, mayRepeat })
    },

    /** Reads one row about visitors, only to find out whether the key and the project can be used. */
    checkAccess(period: Period) {
      const path = pathOf('visitors', period, { limit: 1, offset: 0 })
      return call('visitors', { path, parse: (json) => json ?? undefined })
    },

    /** The first rows of a list. */
    list<Entry>(list: ListRequest<Entry>, period: Period, mayRepeat: MayRepeat) {
      const path = pathOf(list.path, period, list.query)
      return call('list', { path, parse: (json) => parseList(list, json), mayRepeat })
    },
  }
}
