/** Periods whose charts are compared with what Mermaid draws. */
import fc from 'fast-check'
import type { Period } from '../../src/visitors/period.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** A period from a time after 2020, in milliseconds. */
function periodOf(start: number, length: number): Period {
  const [from = '', to = ''] = [0, length].map((more) =>
    new Date(Date.UTC(2020) + start + more).toISOString(),
  )
  return { from, to }
}

const ofMinutes = (max: number): fc.Arbitrary<Period> =>
  fc
    .tuple(fc.nat(4_000_000), fc.integer({ min: 60, max }))
    .map(([start, minutes]) => periodOf(start * minute, minutes * minute))

/** Periods from an hour to ten years, by kind. */
export const periodKinds: [kind: string, periods: fc.Arbitrary<Period>][] = [
  [
    'whole days',
    fc.tuple(fc.nat(4_000), fc.integer({ min: 1, max: 3_652 })).map(([start, days]) => {
      const { from, to } = periodOf(start * day, days * day)
      return { from: from.slice(0, 10), to: to.slice(0, 10) }
    }),
  ],
  ['minutes up to ten years', ofMinutes(3_652 * 24 * 60)],
  ['minutes up to two days', ofMinutes(3_000)],
  [
    'calendar months',
    fc.nat(100).map((month) => {
      const [from = '', to = ''] = [0, 1].map((more) => new Date(Date.UTC(2018, month + more)).toISOString())
      return { from: from.slice(0, 10), to: to.slice(0, 10), isMonth: true }
    }),
  ],
]
