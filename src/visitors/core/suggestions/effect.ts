/** Estimates the effect of a fix from counts before and after it. */
import type { Result } from './known.ts'

/** Length of each measured period, in days. */
export const measuredDays = 28
/** Minimum for the first count: with fewer events, an interval says nothing. */
export const minEvents = 12

/** A change as a fraction, with its 90% interval. −0.5 means half as many. */
export interface Effect {
  change: number
  low: number
  high: number
  /** The change on the rest of the site. The other figures are relative to it. */
  rest: number
}

/** Half the width of a 90% interval, in standard errors. */
const width = 1.645

/** The change of a count, relative to the rest of the site; null if the counts are too small. */
export function effectOf(counts: Extract<Result, { is: 'counts' }>): Effect | null {
  const { first, second, restFirst, restSecond } = counts
  if (first < minEvents || restFirst < minEvents || restSecond === 0) return null
  const rest = restSecond / restFirst
  // The variance of the logarithm of a Poisson count is about 1 / count, and variances add up. Adding half an event to
  // each count keeps the interval accurate for small counts, and finite for 0.
  const [before, after] = [first + 0.5, second + 0.5]
  const error = Math.sqrt(1 / before + 1 / after + 1 / restFirst + 1 / restSecond)
  const end = (errors: number) => ((after / before) * Math.exp(errors * error)) / rest - 1
  return { change: second / first / rest - 1, low: end(-width), high: end(width), rest: rest - 1 }
}
