/** The platform's responses about the visitors of a site and its pages (openapi.yaml, "Visitors"). */
import * as z from 'zod/mini'

/** Maximum number of rows in a response (openapi.yaml). */
export const pageSize = 250

/**
 * Approximate numbers of unique visitors. A visitor can count as both `human` and `ai`, so `total` can be less than
 * their sum. A visitor who reads several pages counts on each of them, so the pages' counts can add up to more than
 * the site's totals. The API reference says `number`, so a count can also be a fraction or negative.
 */
export interface VisitorCounts {
  human: number
  ai: number
  total: number
}

export const noVisitors: VisitorCounts = { human: 0, ai: 0, total: 0 }

const counts = { human: z.number(), ai: z.number(), total: z.number() }
const schema = z.object({
  totals: z.object(counts),
  visitors: z.array(z.object({ path: z.string(), ...counts })),
  // With any value except a boolean, the reading could end too early, or never.
  hasMore: z.boolean(),
})

/** A response: the site's totals, and one batch of its pages with their visitors. */
export type VisitorsPage = z.infer<typeof schema>

/** Reads a response's JSON; undefined if it does not have the documented shape. */
export function parseVisitorsPage(json: unknown): VisitorsPage | undefined {
  return schema.safeParse(json).data
}
