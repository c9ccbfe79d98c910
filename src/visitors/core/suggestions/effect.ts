/** What two counts show about the effect of a fix. */
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

/** How a count changed, relative to the rest of the site; null if the counts are too small. */
export function effectOf(counts: Extract<Result, { is: 'counts' }>): Effect | null {
  const { first, second, restFirst, restSecond } = counts
  if (first < fewest || restFirst < fewest || restSecond === 0) return null
  const rest = restSecond / restFirst
  const ratio = second / first
  const { low, high } = ratioInterval(first, second)
  // The rest of the site varies by chance, too: variances of logarithms add up.
  const noise = (one: number, other: number) => 1 / one + 1 / Math.max(1, other)
  const widening = Math.sqrt(1 + noise(restFirst, restSecond) / noise(first, second))
  const widened = (end: number) => (ratio === 0 ? end : ratio * (end / ratio) ** widening)
  return {
    change: ratio / rest - 1,
    interval: { low: widened(low) / rest - 1, high: widened(high) / rest - 1 },
    rest: rest - 1,
  }
}
