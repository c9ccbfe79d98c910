/** What happened to the agent's pull requests, on one line. */
import type { Became } from '../core/pull.ts'
import { formatDuration } from '../core/units.ts'

/** One line about the agent's pull requests. @param period such as `in the last 28 days` */
export function becameText(
  { opened, merged, closed, waiting, timeToMerge, rate }: Became,
  period: string,
): string {
  const counts = `${opened} opened, ${merged} merged, ${closed} closed ${period}; ${waiting} waiting`
  const facts = [
    ...(timeToMerge === null ? [] : [`median time to merge: ${longDuration(timeToMerge)}`]),
    ...(rate === null
      ? []
      : [`merged in 28 days: ${Math.round((100 * rate.merged) / rate.of)}% of ${rate.of}`]),
  ]
  return `The agent's pull requests: ${[counts, ...facts].join('; ')}.`
}

const day = 24 * 60 * 60_000

/** A duration in days; under two days, in hours and minutes. */
function longDuration(ms: number): string {
  return ms < 2 * day ? formatDuration(ms) : `${(ms / day).toFixed(1)} days`
}
