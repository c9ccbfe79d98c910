/** The result of the agent's pull requests, in one line. */
import type { Became } from '../core/pull.ts'
import { formatDuration } from '../core/units.ts'

/** @param period such as `in the last 28 days` */
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

/** Days as people say them; less than two in hours and minutes. */
function longDuration(ms: number): string {
  return ms < 2 * day ? formatDuration(ms) : `${(ms / day).toFixed(1)} days`
}
