/** The exact interval, compared with values from exact rational arithmetic and a different algorithm. */
import { expect, it } from 'vitest'
import { ratioInterval } from '../../../src/visitors/core/interval.ts'

/**
 * Clopper and Pearson's 90% interval of after / before. The binomial tails were summed as exact fractions (Python's
 * `fractions`), and their equations solved by bisection to 2⁻⁴⁴.
 */
const reference: [before: number, after: number, low: number, high: number][] = [
  [1, 0, 0.0, 19.0],
  [1, 1, 0.025978, 38.493589],
  [5, 0, 0.0, 0.820564],
  [12, 0, 0.0, 0.283569],
  [12, 1, 0.003953, 0.462715],
  [12, 3, 0.060273, 0.785027],
  [12, 6, 0.185317, 1.242382],
  [12, 12, 0.469337, 2.130664],
  [12, 20, 0.866928, 3.298818],
  [13, 4, 0.092472, 0.853738],
  [15, 5, 0.116172, 0.836825],
  [16, 4, 0.076836, 0.669527],
  [18, 9, 0.228833, 1.038646],
  [20, 5, 0.08967, 0.601038],
  [20, 10, 0.239631, 0.997757],
  [20, 20, 0.56517, 1.76938],
  [20, 40, 1.239814, 3.291164],
  [24, 6, 0.099958, 0.555232],
  [25, 0, 0.0, 0.127304],
  [25, 13, 0.274937, 0.952979],
  [30, 15, 0.278715, 0.872441],
  [30, 30, 0.632416, 1.581238],
  [33, 1, 0.00151, 0.152172],
  [40, 10, 0.127042, 0.461125],
  [40, 20, 0.303844, 0.806573],
  [40, 40, 0.675109, 1.481243],
  [40, 60, 1.053286, 2.149348],
  [50, 25, 0.321789, 0.765003],
  [64, 16, 0.14898, 0.404062],
  [75, 75, 0.754314, 1.325708],
  [100, 50, 0.369132, 0.672459],
  [100, 100, 0.78457, 1.274583],
  [120, 30, 0.173417, 0.353816],
  [0, 5, 1.218674, Number.POSITIVE_INFINITY],
]

it.each(reference)('%d before and %d after is a ratio from %d to %d', (before, after, low, high) => {
  const interval = ratioInterval(before, after)
  expect(interval.low).toBeCloseTo(low, 5)
  if (high === Number.POSITIVE_INFINITY) expect(interval.high).toBe(high)
  else expect(interval.high).toBeCloseTo(high, 4)
})

it.each([1, 5, 12, 40, 700])('the interval has its closed form if %d events fall to none', (before) => {
  // With no events after, the share s of the second period satisfies (1 − s)^n = 5%.
  const share = 1 - 0.05 ** (1 / before)
  expect(ratioInterval(before, 0).high).toBeCloseTo(share / (1 - share), 9)
})

it('the interval is inverted if the counts are swapped', () => {
  for (const [one, other] of [
    [3, 12],
    [40, 20],
    [5_000, 4_800],
  ] as const) {
    const [there, back] = [ratioInterval(one, other), ratioInterval(other, one)]
    expect(there.low * back.high).toBeCloseTo(1, 6)
    expect(there.high * back.low).toBeCloseTo(1, 6)
  }
})
