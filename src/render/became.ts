/** What happened to the agent's pull requests, on one line. */
import { type Became, rateDays } from '../core/pull.ts'
import { dayMs, formatDuration } from '../core/units.ts'

/** One line about the agent's pull requests. @param period such as `in the last 28 days` */
export function becameText(
  { opened, merged, closed, waiting, timeToMerge, rate }: Became,
  period: string,
): string {
  const counts = `${opened} opened, ${merged} merged, ${closed} closed ${period}; ${waiting} open`
  const facts = [
    ...(timeToMerge === null ? [] : [`median time to merge: ${longDuration(timeToMerge)}`]),
    ...(rate === null
      ? []
      : [`merge rate, last ${rateDays} days: ${Math.round((100 * rate.merged) / rate.of)}% of ${rate.of}`]),
  ]
  return `The agent's pull requests: ${[counts, ...facts].join('; ')}.`
}

/** A duration in days; under two days, in hours and minutes. */
function longDuration(ms: number): string {
  return ms < 2 * dayMs ? formatDuration(ms) : `${(ms / dayMs).toFixed(1)} days`
}
