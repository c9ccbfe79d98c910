/** The platform's responses about the visitors of a site and its pages (openapi.yaml, "Visitors"). */
import * as z from 'zod/mini'

/** Maximum number of rows in a response (openapi.yaml). */
export const pageSize = 250

const count = z.number().check(z.nonnegative(), z.lte(Number.MAX_SAFE_INTEGER))
const counts = { human: count, ai: count, total: count }
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
