/**
 * The uncertainty of the ratio of two counts. Given their sum, the second of two Poisson counts is binomial, so the
 * exact interval of its share (Clopper and Pearson, Biometrika 26, 1934) gives the interval of the ratio.
 */

/** The lowest and the highest value that fit the counts. */
export interface Interval {
  low: number
  /** Infinity if the first count is 0. */
  high: number
}

/** The probability of both tails together: a 90% interval. */
const tails = 0.1

/** The 90% interval of after / before, for Poisson counts in periods of equal length. */
export function ratioInterval(before: number, after: number): Interval {
  const all = before + after
  const atMost = cumulative(all)
  const oddsOf = (share: number) => share / (1 - share)
  // The shares at which a second count this high, or this low, is just too unlikely.
  const low = after === 0 ? 0 : oddsOf(solve((share) => 1 - atMost(after - 1, share) - tails / 2))
  const high =
    before === 0 ? Number.POSITIVE_INFINITY : oddsOf(solve((share) => tails / 2 - atMost(after, share)))
  return { low, high }
}

/** The probability that a binomial count of a number of trials is at most `count`. */
function cumulative(trials: number): (count: number, share: number) => number {
  // Logarithms of the binomial coefficients, which work for any number of trials.
  const choose = [0]
  for (let at = 1; at <= trials; at++) choose.push((choose[at - 1] ?? 0) + Math.log((trials - at + 1) / at))
  return (count, share) => {
    let sum = 0
    for (let at = 0; at <= count; at++)
      sum += Math.exp((choose[at] ?? 0) + at * Math.log(share) + (trials - at) * Math.log1p(-share))
    return sum
  }
}

/** The share at which a rising function is 0. */
function solve(rising: (share: number) => number): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (rising(middle) < 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}
