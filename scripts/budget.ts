/** How much of Mintlify's analytics limit the reports use, for the tables in docs/fleets.md. */

/** Maximum number of requests in any hour for all projects of an organization (sandbox/platform/openapi.yaml). */
export const hourlyLimit = 100
/** Maximum number of rows in one response. */
const pageSize = 250
/** Number of earlier periods in the chart. */
const earlierPeriods = 6
/** Requests for the page views of the current and the previous period. */
const viewsRequests = 2

/** Requests of one report without sections and retries: for all pages and the views of two periods, and for earlier periods' totals. */
export function requestsOf(pages: number): number {
  return 2 * Math.max(1, Math.ceil(pages / pageSize)) + earlierPeriods + viewsRequests
}

/**
 * How to spread the reports of an organization's projects over hourly runs: how many reports each makes, and the number of
 * runs. A run can use half of the limit, because two can start in the same hour.
 */
export function spread(projects: number, requests: number): { perHour: number; hours: number } {
  const perHour = Math.floor(hourlyLimit / 2 / requests)
  return { perHour, hours: Math.ceil(projects / perHour) }
}
