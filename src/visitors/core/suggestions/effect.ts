/** How far two counts tell what a fix changed. */
import { type Interval, ratioInterval } from '../interval.ts'
import type { Result } from './memory.ts'

/** Days of each period that is measured. */
export const measuredDays = 28
/** With fewer events in the first period, no interval says anything. */
export const fewest = 12

/** A change as a fraction, with its 90% interval: −0.5 is a fall by half. */
export interface Effect {
  change: number
  interval: Interval
  /** How the rest of the site changed; what the other two are relative to. */
  rest: number
}

/** How a count changed, relative to the rest of the site; null if the counts are too small to tell. */
export function effectOf(counts: Extract<Result, { is: 'counts' }>): Effect | null {
  const { first, second, restFirst, restSecond } = counts
  if (first < fewest || restFirst < fewest || restSecond === 0) return null
  const rest = restSecond / restFirst
  const { low, high } = ratioInterval(first, second)
  return {
    change: second / first / rest - 1,
    interval: { low: low / rest - 1, high: high / rest - 1 },
    rest: rest - 1,
  }
}
