import { expect, it } from 'vitest'
import { type EarlierPeriod, earlierPeriod, isUsual } from '../../../src/visitors/core/usual.ts'

const periods = (...read: { visitors?: number; days?: number; isWhole?: boolean }[]): EarlierPeriod[] =>
  read.map(({ visitors, days = 7, isWhole = true }) =>
    earlierPeriod(days, (id) => (id === 1 ? visitors : undefined), isWhole),
  )

it.each([
  [
    'within the range of three weeks',
    periods({ visitors: 100 }, { visitors: 300 }, { visitors: 200 }),
    300,
    true,
  ],
  ['above the range', periods({ visitors: 100 }, { visitors: 300 }, { visitors: 200 }), 301, false],
  ['below the range', periods({ visitors: 100 }, { visitors: 300 }, { visitors: 200 }), 99, false],
  ['two weeks are too few', periods({ visitors: 100 }, { visitors: 300 }), 200, false],
  [
    'a page that is missing from a fully read week had no visitors',
    periods({ visitors: 100 }, { visitors: 300 }, {}),
    0,
    true,
  ],
  [
    'a page that is missing from a partly read week is unknown',
    periods({ visitors: 100 }, { visitors: 300 }, { isWhole: false }),
    200,
    false,
  ],
  ['there are no earlier weeks', [], 200, false],
])(
  "a page's visitors are usual if they are in the range of at least three earlier weeks: %s",
  (_, earlier, visitors, expected) => {
    expect(isUsual(1, visitors / 7, earlier)).toBe(expected)
  },
)

it('months are compared by their daily averages', () => {
  const months = periods(
    { visitors: 300, days: 30 },
    { visitors: 310, days: 31 },
    { visitors: 280, days: 28 },
  )
  expect([isUsual(1, 310 / 31, months), isUsual(1, 310 / 30, months)]).toEqual([true, false])
})
