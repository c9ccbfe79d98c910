/** How much of Mintlify's analytics limit the reports use, for the tables in docs/fleets.md. */

/** Maximum number of requests in any hour for all projects of an organization (sandbox/platform/openapi.yaml). */
export const hourlyLimit = 100
/** Maximum number of rows in one response. */
const pageSize = 250

/** Number of earlier periods in the chart. */
const earlierPeriods = 6

/** Requests of one report without retries: for all pages of the current and the previous period, and for earlier periods' totals. */
export function requestsOf(pages: number): number {
  return 2 * Math.max(1, Math.ceil(pages / pageSize)) + earlierPeriods
}

export interface Spread {
  /** Reports in one run. */
  perHour: number
  /** Number of hourly runs; Infinity if not even one report fits in a run. */
  hours: number
}

/**
 * How to spread the reports of an organization's projects over hours.
 * @param share the fraction of the limit that one run can use. With 0.5, two runs can start in the same hour
 */
export function spread(projects: number, requests: number, share = 0.5): Spread {
  const perHour = Math.floor((hourlyLimit * share) / requests)
  return { perHour, hours: perHour === 0 ? Number.POSITIVE_INFINITY : Math.ceil(projects / perHour) }
}
