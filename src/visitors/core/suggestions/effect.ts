/** Estimates the effect of a fix from two counts. */
import { type Interval, ratioInterval } from '../interval.ts'
import type { Result } from './memory.ts'

/** Length of each measured period, in days. */
export const measuredDays = 28
/** If the first count is lower, an interval would say nothing. */
export const fewest = 12

/** A change as a fraction, with its 90% interval. −0.5 means half as many. */
export interface Effect {
  change: number
  interval: Interval
  /** The change on the rest of the site, which the other figures are relative to. */
  rest: number
}

/** The change of a count, relative to the rest of the site; null if the counts are too small. */
export function effectOf(counts: Extract<Result, { is: 'counts' }>): Effect | null {
  const { first, second, restFirst, restSecond } = counts
  if (first < fewest || restFirst < fewest || restSecond === 0) return null
  const rest = restSecond / restFirst
  const ratio = second / first
  const { low, high } = ratioInterval(first, second)
  // The rest of the site also varies by chance. The variances of logarithms add up.
  const noise = (one: number, other: number) => 1 / one + 1 / Math.max(1, other)
  const widening = Math.sqrt(1 + noise(restFirst, restSecond) / noise(first, second))
  const widened = (end: number) => (ratio === 0 ? end : ratio * (end / ratio) ** widening)
  return {
    change: ratio / rest - 1,
    interval: { low: widened(low) / rest - 1, high: widened(high) / rest - 1 },
    rest: rest - 1,
  }
}
