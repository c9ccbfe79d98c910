/** The calls about a site's visitors, and about what its readers say. */
import * as z from 'zod/mini'
import { dayMs, toDay } from '../core/units.ts'
import { call, type MintlifyOptions } from './client.ts'
import { commentsIn, questionsIn, searchesIn, votesIn } from './readers.ts'

/** Maximum number of pages in a response about visitors (openapi.yaml). */
export const pageSize = 250

/** From `from` up to `to`, which is excluded. Both are days or ISO 8601 date-times. */
export interface DateRange {
  from: string
  to: string
}

/** The calls about a period. They never throw. */
export type Analytics = ReturnType<ReturnType<typeof analyticsCalls>['analytics']>

/**
 * The sources of comments: the form on a page or on a code example, or an AI tool. Each is a list, because the list of
 * all sources consists mostly of votes.
 */
const sources = { page: 'contextual', code: 'code_snippet', agent: 'agent' }

/** The first entries of a list. */
export interface FirstEntries<Entry> {
  entries: Entry[]
  /** Maximum number of rows that were requested. */
  limit: number
  /** Whether there are more. */
  hasMore: boolean
}

const counts = { human: z.number(), ai: z.number(), total: z.number() }

const visitorsSchema = z.object({
  totals: z.object(counts),
  visitors: z.array(z.object({ path: z.string(), ...counts })),
  // With any value except a boolean, the reading could end too early, or never.
  hasMore: z.boolean(),
})

const viewsSchema = z.object({ totals: z.object({ total: z.number() }) })

/** The site's totals, and one batch of its pages with their visitors; undefined if the JSON has another shape. */
export function parseVisitors(json: unknown) {
  const { data } = visitorsSchema.safeParse(json)
  if (data === undefined) return undefined
  const pages = data.visitors.map((row) => ({ path: row.path, ...countsOf(row) }))
  return { totals: countsOf(data.totals), pages, hasMore: data.hasMore }
}

function countsOf({ human, ai, total }: Record<keyof typeof counts, number>) {
  return { visitors: total, humanVisitors: human, aiVisitors: ai }
}

/** The calls about a site's visitors and readers. */
export function analyticsCalls(options: MintlifyOptions) {
  return {
    /**
     * The calls about a period.
     * @param mayRepeat called before a request is repeated; false prevents that
     */
    analytics(period: DateRange, mayRepeat: () => boolean) {
      function readList<Entry>(
        name: string,
        query: { limit: number; source?: string },
        entriesIn: (json: unknown) => Entry[] | undefined,
      ) {
        const parse = (json: unknown): FirstEntries<Entry> | undefined => {
          const entries = entriesIn(json)
          if (entries === undefined) return undefined
          const { hasMore, nextCursor } = Object(json)
          return { entries, limit: query.limit, hasMore: Boolean(hasMore || nextCursor) }
        }
        return call('analytics', { path: pathOf(name, period, query), parse, mayRepeat }, options)
      }

      return {
        /** One batch of the site's pages with their visitors, from 0, and the site's totals. */
        visitors(batch: number) {
          // The offset advances by the limit: a response can contain fewer rows even if more follow (openapi.yaml).
          const path = pathOf('visitors', period, { limit: pageSize, offset: batch * pageSize })
          return call('analytics', { path, parse: parseVisitors, mayRepeat }, options)
        },
        /** The page views of the whole site. */
        views() {
          const parse = (json: unknown) => viewsSchema.safeParse(json).data?.totals.total
          return call(
            'analytics',
            { path: pathOf('views', period, { limit: 1, offset: 0 }), parse, mayRepeat },
            options,
          )
        },
        votes: () => readList('feedback/by-page', { limit: 100 }, votesIn),
        comments: (source: keyof typeof sources) =>
          readList('feedback', { limit: 100, source: sources[source] }, commentsIn),
        searches: () => readList('searches', { limit: 100 }, searchesIn),
        // The platform allows 1,000. But each row contains the assistant's whole response, and the action rejects HTTP
        // responses over 20 MiB.
        questions: () => readList('assistant', { limit: 500 }, questionsIn),
      }
    },

    /**
     * Reads one row of the last complete day, only to find out whether the key and the project can be used. With a job, a
     * 404 would not show whether the job, the project or the key is wrong.
     */
    checkAccess() {
      const today = options.clock.date()
      const period = { from: toDay(today - dayMs), to: toDay(today) }
      const path = pathOf('visitors', period, { limit: 1, offset: 0 })
      return call('analytics', { path, parse: (json) => json ?? undefined }, options)
    },
  }
}

function pathOf(name: string, { from, to }: DateRange, query: Record<string, string | number>) {
  return `/${name}?${new URLSearchParams({ dateFrom: from, dateTo: to, ...query })}`
}
