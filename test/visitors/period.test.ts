import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  addDays,
  axisLabels,
  lengthOf,
  type Period,
  periodOf,
  periodsBefore,
  rangeText,
} from '../../src/visitors/period.ts'
import { rowsOf } from '../core/samples.ts'
import { periodKinds } from './periods.ts'

const names = ['last-week', 'last-7-days', 'last-28-days', 'last-month'] as const
type Name = (typeof names)[number]
const named = (period: Name, today: string) =>
  periodOf({ period, dateFrom: null, dateTo: null }, Date.parse(today))

const aDay = fc.integer({ min: 0, max: 36_500 }).map((days) => addDays('2000-01-01', days))
const aPeriod: fc.Arbitrary<Period> = fc.oneof(
  fc.tuple(aDay, fc.integer({ min: 1, max: 400 })).map(([from, days]) => ({ from, to: addDays(from, days) })),
  aDay.map((day) => named('last-month', day)),
)

it.each(
  rowsOf(`
    last-week    | 2026-11-02 | 2026-10-26 | 2026-11-02
    last-week    | 2026-11-08 | 2026-10-26 | 2026-11-02
    last-week    | 2026-11-09 | 2026-11-02 | 2026-11-09
    last-week    | 2027-01-01 | 2026-12-21 | 2026-12-28
    last-7-days  | 2024-03-01 | 2024-02-23 | 2024-03-01
    last-28-days | 2026-03-01 | 2026-02-01 | 2026-03-01
    last-month   | 2026-11-01 | 2026-10-01 | 2026-11-01
    last-month   | 2027-01-31 | 2026-12-01 | 2027-01-01
    last-month   | 2024-03-31 | 2024-02-01 | 2024-03-01
  `),
)('%s on %s is %s up to %s', (name, today = '', from, to) => {
  expect(named(name as Name, today)).toMatchObject({ from, to })
})

it('dates select their own period, whatever `period` says', () => {
  const [from, to] = ['2026-11-02T00:00Z', '2026-11-09']
  expect(periodOf({ period: 'last-month', dateFrom: from, dateTo: to }, 0)).toEqual({ from, to })
})

it('a named period ends before today, and is the last one that does', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), aDay, (name, today) => {
      const { from, to } = named(name, today)
      expect(from < to && to <= today).toBe(true)
      // The period that ends next is not over yet.
      const next = { 'last-week': 7, 'last-7-days': 1, 'last-28-days': 1, 'last-month': 31 }[name]
      expect(addDays(to, next) > today).toBe(true)
      if (name === 'last-week') expect(new Date(from).getUTCDay()).toBe(1)
    }),
  )
})

it('the periods of a chart have no gaps, and equal lengths unless they are months', () => {
  fc.assert(
    fc.property(aPeriod, (period) => {
      const periods = [period, ...periodsBefore(period, 7)]
      expect(periods).toHaveLength(8)
      expect(periods.slice(0, -1).map(({ from }) => from)).toEqual(periods.slice(1).map(({ to }) => to))
      for (const each of periods) {
        if (period.isMonth) expect([each.from.slice(8), each.to.slice(8)]).toEqual(['01', '01'])
        else expect(lengthOf(each)).toBe(lengthOf(period))
      }
    }),
  )
})

it.each([
  // The same length, not the previous month.
  ['2024-03-01', '2024-04-01', '2024-01-30', 31],
  ['2026-11-01T00:00:00+02:00', '2026-11-08T12:00:00+02:00', '2026-10-24T10:00:00.000Z', 7.5],
])(
  'the period from %s up to %s is compared with the one from %s, of equal length',
  (from, to, before, days) => {
    expect(lengthOf({ from, to })).toBe(days)
    expect(periodsBefore({ from, to }, 1)).toEqual([{ from: before, to: from }])
  },
)

it.each(
  rowsOf(`
    2026-11-09        | 2026-11-16 | Nov 9–15, 2026
    2026-11-09        | 2026-11-10 | Nov 9, 2026
    2026-10-26        | 2026-11-02 | Oct 26 – Nov 1, 2026
    2025-12-29        | 2026-01-05 | Dec 29, 2025 – Jan 4, 2026
    2024-02-01        | 2024-03-01 | Feb 1–29, 2024
    2026-11-16T06:12Z | 2026-11-17 | Nov 16, 2026, 06:12 UTC – Nov 17, 2026, 00:00 UTC
  `),
)('the dates from %s up to, but not including, %s are shown as %s', (from = '', to = '', shown) => {
  expect(rangeText({ from, to })).toBe(shown)
})

it.each([
  ['2026-11-09', '2026-11-16', ['Sep 21', 'Nov 9']],
  ['2025-11-01', '2026-11-01', ['Nov 2018', 'Nov 2025']],
  ['2016-11-01', '2026-11-01', ['Nov 1946', 'Nov 2016']],
  ['2026-09-01', '2026-11-01', ['Jul 2025', 'Sep 2026']],
  ['2026-11-16T06:12Z', '2026-11-16T07:12Z', ['Nov 15, 23:12', 'Nov 16, 06:12']],
  ['2026-11-16T06:12Z', '2026-11-17T06:12Z', ['Nov 9', 'Nov 16']],
])('eight periods like the one from %s to %s have eight labels, first and last %j', (from, to, ends) => {
  const period = { from, to }
  const labels = axisLabels([...periodsBefore(period, 7).reverse(), period])
  expect([labels[0], labels.at(-1), new Set(labels).size]).toEqual([...ends, 8])
})

// test/visitors/render/drawn.test.ts has what Mermaid draws of them.
it.each(periodKinds)('the labels of eight periods differ, and are plain text: %s', (_, periods) => {
  fc.assert(
    fc.property(periods, (period) => {
      const labels = axisLabels([...periodsBefore(period, 7).reverse(), period])
      expect(new Set(labels).size, labels.join()).toBe(8)
      for (const label of labels) expect(label).toMatch(/^[A-Z][a-z]{2} (\d{4}|\d\d?)(, \d\d:\d\d)?$/)
    }),
  )
})
