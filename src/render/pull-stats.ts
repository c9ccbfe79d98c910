/** What happened to the agent's pull requests, on one line. */
import { type PullStats, rateDays } from '../core/pull.ts'
import { dayMs, formatDuration } from '../core/units.ts'

/** One line about the agent's pull requests. @param period such as `in the last 28 days` */
export function pullStatsText(
  { opened, merged, closed, waiting, timeToMerge, rate }: PullStats,
  period: string,
): string {
  const counts = `${opened} opened, ${merged} merged, ${closed} closed ${period}; ${waiting} open`
  const facts = [
    ...(timeToMerge === null ? [] : [`median time to merge: ${longDuration(timeToMerge)}`]),
    ...(rate === null
      ? []
      : [
          `merge rate, last ${rateDays} days: ${Math.round((100 * rate.merged) / rate.of)}% (${rate.merged} of ${rate.of})`,
        ]),
  ]
  return `The agent's pull requests: ${[counts, ...facts].join('; ')}.`
}

/** A duration in days; under two days, in hours and minutes. */
function longDuration(ms: number): string {
  return ms < 2 * dayMs ? formatDuration(ms) : `${(ms / dayMs).toFixed(1)} days`
}
