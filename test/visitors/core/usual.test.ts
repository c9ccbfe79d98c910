import { expect, it } from 'vitest'
import { UsualRanges } from '../../../src/visitors/core/usual.ts'

function rangesOf(...weeks: { visitors?: number; days?: number; isWhole?: boolean }[]) {
  const ranges = new UsualRanges()
  for (const { visitors, days = 7, isWhole = true } of weeks)
    ranges.saw(visitors === undefined ? [] : [[1, visitors]], days, isWhole)
  return ranges
}

const isUsual = (ranges: UsualRanges, visitors: number, days = 7) => ranges.isUsual(1, visitors, days)

it.each([
  [
    'inside what three weeks had',
    rangesOf({ visitors: 100 }, { visitors: 300 }, { visitors: 200 }),
    300,
    true,
  ],
  ['above it', rangesOf({ visitors: 100 }, { visitors: 300 }, { visitors: 200 }), 301, false],
  ['below it', rangesOf({ visitors: 100 }, { visitors: 300 }, { visitors: 200 }), 99, false],
  ['two weeks say nothing', rangesOf({ visitors: 100 }, { visitors: 300 }), 200, false],
  [
    'a page that is missing from a whole week had no visitors',
    rangesOf({ visitors: 100 }, { visitors: 300 }, {}),
    0,
    true,
  ],
  [
    'a page that is missing from the first rows is not known',
    rangesOf({ visitors: 100 }, { visitors: 300 }, { isWhole: false }),
    200,
    false,
  ],
  ['a page that nobody saw', new UsualRanges(), 200, false],
])('%s', (_, ranges, visitors, expected) => {
  expect(isUsual(ranges, visitors)).toBe(expected)
})

it('months are compared by their days', () => {
  const months = rangesOf(
    { visitors: 300, days: 30 },
    { visitors: 310, days: 31 },
    { visitors: 280, days: 28 },
  )
  expect([isUsual(months, 310, 31), isUsual(months, 310, 30)]).toEqual([true, false])
})
