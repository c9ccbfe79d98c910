/** The calls about a site's visitors, and about what its readers say. */
import * as z from 'zod/mini'
import { dayMs, toDay } from '../core/units.ts'
import { call, type MintlifyOptions } from './client.ts'

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
  // An empty path is the home page's.
  const pages = data.visitors.map((row) => ({ path: row.path || '/', ...countsOf(row) }))
  return { totals: countsOf(data.totals), pages, hasMore: data.hasMore }
}

function countsOf({ human, ai, total }: Record<keyof typeof counts, number>) {
  return { visitors: total, humanVisitors: human, aiVisitors: ai }
}

/**
 * Makes the function that reads the first entries of a list (openapi.yaml). Texts and paths are as they arrive. It returns
 * undefined if the list is missing, or has rows but no usable ones.
 */
function listReader<Row, Entry>(
  name: string,
  schema: z.ZodMiniType<Row>,
  entriesOf: (rows: readonly Row[]) => Entry[],
) {
  return (json: unknown): FirstEntries<Entry> | undefined => {
    const { [name]: rows, hasMore, nextCursor }: Record<string, unknown> = Object(json)
    if (!Array.isArray(rows)) return undefined
    const usable = rows.flatMap((row) => schema.safeParse(row).data ?? [])
    if (usable.length === 0 && rows.length > 0) return undefined
    return { entries: entriesOf(usable), hasMore: Boolean(hasMore || nextCursor) }
  }
}

const optional = z.nullish(z.string())

/** The votes on pages. */
const votesIn = listReader(
  'feedback',
  z.object({ path: z.string(), thumbsUp: z.number(), thumbsDown: z.number() }),
  (rows) =>
    rows.map(({ path, thumbsUp, thumbsDown }) => ({ path, positive: thumbsUp, negative: thumbsDown })),
)

/** The comments on pages. */
const commentsIn = listReader(
  'feedback',
  // `contact` is left out: it is an email address, which is never kept.
  z.object({
    path: z.string(),
    comment: optional,
    status: optional,
    helpful: z.nullish(z.boolean()),
  }),
  (rows) =>
    rows.map(({ path, comment, status, helpful }) => {
      const isDone = ['resolved', 'dismissed'].includes(status ?? '')
      return { path, text: comment ?? '', isHelpful: helpful, isDone }
    }),
)

/** The search terms, with a click rate from 0 to 1. */
const searchesIn = listReader(
  'searches',
  z.object({ searchQuery: z.string(), hits: z.number(), ctr: z.number() }),
  (rows) => {
    // The unit of `ctr` is not documented. If one value is over 1, all values are percentages.
    const whole = rows.some(({ ctr }) => ctr > 1) ? 100 : 1
    return rows.map(({ searchQuery, hits, ctr }) => {
      return { path: null, text: searchQuery, searches: hits, clickRate: ctr / whole }
    })
  },
)

/** The turns of conversations with the assistant, except those in which it only asked a clarifying question. */
const questionsIn = listReader(
  'conversations',
  z.object({
    id: optional,
    conversationId: optional,
    query: z.string(),
    resolutionStatus: z.string(),
    responseType: optional,
    pageUrl: optional,
  }),
  (rows) => {
    const turns = rows.filter(({ responseType }) => responseType !== 'clarifying_question')
    return turns.map(({ id, pageUrl, query: text, conversationId, resolutionStatus }) => {
      // Mintlify's prose has `conversationId`. Its schema has only `id`, and calls it the conversation's.
      const conversation = conversationId ?? id
      return { path: pageUrl ?? null, text, conversation, isUnanswered: resolutionStatus === 'unanswered' }
    })
  },
)

/** The calls about a site's visitors and readers. */
export function analyticsCalls(options: MintlifyOptions) {
  /**
   * The calls about a period.
   * @param mayRepeat called before a request is repeated; false prevents that
   */
  function analytics({ from, to }: DateRange, mayRepeat: () => boolean) {
    function read<T>(
      name: string,
      query: Record<string, string | number>,
      parse: (json: unknown) => T | undefined,
    ) {
      const path = `/${name}?${new URLSearchParams({ dateFrom: from, dateTo: to, ...query })}`
      return call('analytics', { path, parse, mayRepeat }, options)
    }

    return {
      /** One batch of the site's pages with their visitors, from 0, and the site's totals. */
      visitors(batch: number, limit = pageSize) {
        // The offset advances by the limit: a response can contain fewer rows even if more follow (openapi.yaml).
        return read('visitors', { limit, offset: batch * limit }, parseVisitors)
      },
      /** The page views of the whole site. */
      views: () =>
        read('views', { limit: 1, offset: 0 }, (json) => viewsSchema.safeParse(json).data?.totals.total),
      votes: () => read('feedback/by-page', { limit: 100 }, votesIn),
      comments: (source: keyof typeof sources) =>
        read('feedback', { limit: 100, source: sources[source] }, commentsIn),
      searches: () => read('searches', { limit: 100 }, searchesIn),
      // The platform allows 1,000. But each row contains the assistant's whole response, and the action rejects HTTP
      // responses over 20 MiB.
      questions: () => read('assistant', { limit: 500 }, questionsIn),
    }
  }

  return {
    analytics,

    /**
     * Reads one row of the last complete day, only to find out whether the key and the project can be used. With a job, a
     * 404 would not show whether the job, the project or the key is wrong.
     */
    checkAccess() {
      const today = options.clock.date()
      const lastDay = { from: toDay(today - dayMs), to: toDay(today) }
      return analytics(lastDay, () => true).visitors(0, 1)
    },
  }
}
