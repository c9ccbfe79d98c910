import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysSinceMonday } from '../../../src/visitors/core/calendar.ts'
import {
  periodBefore as earlier,
  lengthOf,
  namedPeriod,
  type PeriodName,
  periodNames,
  periodsUpTo,
} from '../../../src/visitors/core/period.ts'

const aDay = fc.integer({ min: 0, max: 36_500 }).map((days) => addDays('2000-01-01', days))
const aPeriod = fc
  .tuple(aDay, fc.integer({ min: 1, max: 400 }))
  .map(([from, days]) => ({ from, to: addDays(from, days) }))

describe('a named period', () => {
  it.each([
    // On every day from Monday to Sunday, the last week is the one that ended on the Sunday before.
    ['last-week', '2026-11-02', '2026-10-26', '2026-11-02'],
    ['last-week', '2026-11-03', '2026-10-26', '2026-11-02'],
    ['last-week', '2026-11-04', '2026-10-26', '2026-11-02'],
    ['last-week', '2026-11-05', '2026-10-26', '2026-11-02'],
    ['last-week', '2026-11-06', '2026-10-26', '2026-11-02'],
    ['last-week', '2026-11-07', '2026-10-26', '2026-11-02'],
    ['last-week', '2026-11-08', '2026-10-26', '2026-11-02'],
    ['last-week', '2026-11-09', '2026-11-02', '2026-11-09'],
    ['last-week', '2027-01-01', '2026-12-21', '2026-12-28'],
    ['last-week', '2024-03-04', '2024-02-26', '2024-03-04'],
    ['last-7-days', '2026-11-04', '2026-10-28', '2026-11-04'],
    ['last-7-days', '2027-01-03', '2026-12-27', '2027-01-03'],
    ['last-7-days', '2024-03-01', '2024-02-23', '2024-03-01'],
    ['last-28-days', '2026-03-01', '2026-02-01', '2026-03-01'],
    ['last-28-days', '2024-03-01', '2024-02-02', '2024-03-01'],
    ['last-month', '2026-11-01', '2026-10-01', '2026-11-01'],
    ['last-month', '2026-11-30', '2026-10-01', '2026-11-01'],
    ['last-month', '2027-01-31', '2026-12-01', '2027-01-01'],
    ['last-month', '2024-03-31', '2024-02-01', '2024-03-01'],
    ['last-month', '2026-03-31', '2026-02-01', '2026-03-01'],
  ] as [PeriodName, string, string, string][])('%s on %s is %s up to %s', (name, today, from, to) => {
    expect(namedPeriod(name, today)).toMatchObject({ from, to })
  })

  it('a named period ends before today, and is the last one that does', () => {
    fc.assert(
      fc.property(fc.constantFrom(...periodNames), aDay, (name, today) => {
        const { from, to } = namedPeriod(name, today)
        expect(to <= today).toBe(true)
        expect(from < to).toBe(true)
        // The period that ends next is not over yet.
        const next = { 'last-week': 7, 'last-7-days': 1, 'last-28-days': 1, 'last-month': 31 }[name]
        expect(addDays(to, next) > today).toBe(true)
        if (name === 'last-week') expect(daysSinceMonday(from)).toBe(0)
        if (name === 'last-month') expect([from.slice(8), to.slice(8)]).toEqual(['01', '01'])
      }),
    )
  })
})

describe('the period before', () => {
  it.each([
    ['2026-10-26', '2026-11-02', 1, '2026-10-19', '2026-10-26'],
    ['2026-10-26', '2026-11-02', 3, '2026-10-05', '2026-10-12'],
    ['2026-10-26', '2026-11-02', 0, '2026-10-26', '2026-11-02'],
    // The same length, not the previous month.
    ['2024-03-01', '2024-04-01', 1, '2024-01-30', '2024-03-01'],
    ['2026-12-31', '2027-01-01', 1, '2026-12-30', '2026-12-31'],
  ])(
    'the period from %s up to %s, moved back by %i × its length, is %s up to %s',
    (from, to, count, begin, end) => {
      expect(earlier({ from, to }, count)).toEqual({ from: begin, to: end })
    },
  )

  it('the previous period ends when the period starts, and has the same length', () => {
    fc.assert(
      fc.property(aPeriod, fc.integer({ min: 1, max: 52 }), (period, count) => {
        expect(earlier(period, 1).to).toBe(period.from)
        expect(lengthOf(earlier(period, count))).toBe(lengthOf(period))
        expect(earlier(earlier(period, 1), count - 1)).toEqual(earlier(period, count))
      }),
    )
  })
})

describe('the month before', () => {
  const month = (today: string) => namedPeriod('last-month', today)

  it.each([
    ['2026-11-15', 1, '2026-09-01', '2026-10-01'],
    ['2026-11-15', 8, '2026-02-01', '2026-03-01'],
    ['2026-04-01', 1, '2026-02-01', '2026-03-01'],
    ['2024-04-30', 1, '2024-02-01', '2024-03-01'],
    ['2026-02-01', 1, '2025-12-01', '2026-01-01'],
    ['2026-02-01', 0, '2026-01-01', '2026-02-01'],
  ])('on %s, the last month moved back by %i month(s) is %s up to %s', (today, count, from, to) => {
    expect(earlier(month(today), count)).toEqual({ from, to, isMonth: true })
  })

  it('successive months have no gaps, whatever their lengths', () => {
    const periods = periodsUpTo(month('2027-03-10'), 14)
    expect(periods.slice(1).map(({ from }) => from)).toEqual(periods.slice(0, -1).map(({ to }) => to))
    expect(new Set(periods.map(({ from }) => from.slice(8)))).toEqual(new Set(['01']))
  })

  it('a period of 28 days is not treated as a calendar month, even if it happens to be one', () => {
    const february = namedPeriod('last-28-days', '2026-03-01')
    expect(earlier(february, 1)).toEqual({ from: '2026-01-04', to: '2026-02-01' })
  })
})

describe('the periods of a chart', () => {
  it('the periods of a chart have no gaps, and end with the given one', () => {
    fc.assert(
      fc.property(aPeriod, fc.integer({ min: 1, max: 52 }), (period, count) => {
        const periods = periodsUpTo(period, count)
        expect(periods).toHaveLength(count)
        expect(periods.at(-1)).toEqual(period)
        expect(periods.slice(1).map(({ from }) => from)).toEqual(periods.slice(0, -1).map(({ to }) => to))
      }),
    )
  })

  it('the periods of a chart are empty if no point is requested', () => {
    expect(periodsUpTo({ from: '2026-10-26', to: '2026-11-02' }, 0)).toEqual([])
  })
})

it('a period of date-times is compared with the same length of time before it', () => {
  const period = { from: '2026-11-01T00:00:00+02:00', to: '2026-11-08T12:00:00+02:00' }
  expect(lengthOf(period)).toBe(7.5)
  expect(earlier(period, 1)).toEqual({ from: '2026-10-24T10:00:00.000Z', to: '2026-10-31T22:00:00.000Z' })
})
