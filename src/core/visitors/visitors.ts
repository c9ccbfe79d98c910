/** What the platform counts: unique visitors of a site and of its pages (openapi.yaml, "Visitors"). */
import * as z from 'zod/mini'

/**
 * Unique visitors, approximate. A visitor may be counted under both `human` and `ai`, so `total` need not be their sum;
 * and one of several pages is counted on each, so pages never add up to the site.
 */
export interface VisitorCounts {
  human: number
  ai: number
  total: number
}

export interface PageRow extends VisitorCounts {
  path: string
}

/** One reply: the site's totals, and some of its pages. */
export interface VisitorsPage {
  totals: VisitorCounts
  rows: PageRow[]
  hasMore: boolean
}

/** Most rows that the platform gives at once (openapi.yaml). */
export const pageSize = 250

const count = z.number().check(z.nonnegative(), z.lte(Number.MAX_SAFE_INTEGER))
const counts = { human: count, ai: count, total: count }
const schema = z.object({
  totals: z.object(counts),
  visitors: z.array(z.object({ path: z.string(), ...counts })),
  // Anything but a boolean would end the reading too early, or never.
  hasMore: z.boolean(),
})

/** Reads a reply's JSON; undefined where it is not of the documented shape. */
export function parseVisitorsPage(json: unknown): VisitorsPage | undefined {
  const parsed = schema.safeParse(json)
  if (!parsed.success) return undefined
  const { totals, visitors: rows, hasMore } = parsed.data
  return { totals, rows, hasMore }
}

/** Whether two counts are the same. */
export function isSame(one: VisitorCounts, other: VisitorCounts): boolean {
  return one.human === other.human && one.ai === other.ai && one.total === other.total
}

/** (current - previous) / previous, at most four decimals; null from zero, where there is no such fraction. */
export function changeOf(current: number, previous: number): number | null {
  // The addition makes 0 of -0.
  const change = Math.round(((current - previous) / previous) * 10_000) / 10_000
  return Number.isFinite(change) ? change + 0 : null
}

/** AI readers among all visitors; null where there are none. With people's share it need not make 1. */
export function aiShare({ ai, total }: VisitorCounts): number | null {
  return total === 0 ? null : ai / total
}

/**
 * Whether a difference is more than chance would make of it: counts of independent visits vary by their square root, so
 * three times that of both is beyond what comes and goes by itself.
 */
export function isBeyondNoise(one: number, other: number): boolean {
  return Math.abs(one - other) > 3 * Math.sqrt(one + other)
}
