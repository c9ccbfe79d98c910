import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  isDay,
  isMoment,
  lengthOf,
  namedPeriod,
  type Period,
  type PeriodName,
  periodBefore,
  periodNames,
  periodsUpTo,
} from '../../../src/visitors/core/period.ts'

const aDay = fc.integer({ min: 0, max: 36_500 }).map((days) => addDays('2000-01-01', days))
const aPeriod: fc.Arbitrary<Period> = fc
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
        if (name === 'last-week') expect(new Date(from).getUTCDay()).toBe(1)
        if (name === 'last-month') expect([from.slice(8), to.slice(8)]).toEqual(['01', '01'])
      }),
    )
  })
})

describe('the period before', () => {
  it.each([
    ['2026-10-26', '2026-11-02', '2026-10-19', '2026-10-26'],
    // The same length, not the previous month.
    ['2024-03-01', '2024-04-01', '2024-01-30', '2024-03-01'],
    ['2026-12-31', '2027-01-01', '2026-12-30', '2026-12-31'],
  ])('the period before %s up to %s is %s up to %s', (from, to, begin, end) => {
    expect(periodBefore({ from, to })).toEqual({ from: begin, to: end })
  })

  it('a period of 28 days is not treated as a calendar month, even if it happens to be one', () => {
    const february = namedPeriod('last-28-days', '2026-03-01')
    expect(periodBefore(february)).toEqual({ from: '2026-01-04', to: '2026-02-01' })
  })

  it('the periods of a chart have no gaps, end with the given one, and have its length, unless they are months', () => {
    const month = aDay.map((day) => namedPeriod('last-month', day))
    fc.assert(
      fc.property(fc.oneof(aPeriod, month), fc.integer({ min: 1, max: 20 }), (period, count) => {
        const periods = periodsUpTo(period, count)
        expect(periods).toHaveLength(count)
        expect(periods.at(-1)).toEqual(period)
        expect(periods.slice(1).map(({ from }) => from)).toEqual(periods.slice(0, -1).map(({ to }) => to))
        for (const each of periods) {
          if (period.isMonth) expect([each.from.slice(8), each.to.slice(8)]).toEqual(['01', '01'])
          else expect(lengthOf(each)).toBe(lengthOf(period))
        }
      }),
    )
  })
})

it('a period of date-times is compared with the same length of time before it', () => {
  const period = { from: '2026-11-01T00:00:00+02:00', to: '2026-11-08T12:00:00+02:00' }
  expect(lengthOf(period)).toBe(7.5)
  expect(periodBefore(period)).toEqual({ from: '2026-10-24T10:00:00.000Z', to: '2026-10-31T22:00:00.000Z' })
})

describe('a day', () => {
  it.each(['2000-01-01', '2024-02-29', '2000-02-29', '2026-12-31', '2999-12-31'])(
    '%s is a valid day',
    (text) => {
      expect(isDay(text)).toBe(true)
    },
  )

  it.each([
    ...['2026-02-29', '2100-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '2026-01-32'],
    ...['', '2026', '2026-11', '2026-1-2', '26-11-02', '1999-12-31', '3000-01-01', '+002026-11-02'],
    ...['2026-11-02T00:00', ' 2026-11-02', '2026-11-02\n', '02.11.2026', '2026/11/02', '٢٠٢٦-11-02', 'today'],
  ])('%j is not a valid day', (text) => {
    expect(isDay(text)).toBe(false)
  })

  it.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2024-02-28', 2, '2024-03-01'],
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2027-01-01', -1, '2026-12-31'],
    ['2024-03-01', -1, '2024-02-29'],
    ['2026-03-28', 2, '2026-03-30'],
    ['2026-10-25', 1, '2026-10-26'],
    ['2024-01-01', 366, '2025-01-01'],
    ['2026-11-02', 0, '2026-11-02'],
  ])('%s plus %i days is %s', (day, days, sum) => {
    expect(addDays(day, days)).toBe(sum)
    expect(lengthOf({ from: day, to: sum })).toBe(days)
  })

  it('adding days and counting days agree, and days sort like their text', () => {
    fc.assert(
      fc.property(aDay, fc.integer({ min: -3000, max: 3000 }), (day, days) => {
        const sum = addDays(day, days)
        expect(lengthOf({ from: day, to: sum })).toBe(days)
        expect(addDays(sum, -days)).toBe(day)
        expect(Math.sign(days)).toBe(Number(sum > day) - Number(sum < day))
      }),
    )
  })
})

describe('a date-time', () => {
  it.each([
    ...['2026-11-02T00:00Z', '2026-11-02T10:30:15+01:00', '2026-07-02T10:30:15.5-11:00', '2024-02-29T23:59Z'],
    '2026-11-02T00:00:00.123456789+05:45',
  ])('%s is a valid date-time', (text) => {
    expect(isMoment(text)).toBe(true)
  })

  it.each([
    ...['', '2026-11-02', '2026-11-02T', '2026-11-02T10', '2026-11-02 10:00Z', 't2026-11-02T10:00Z'],
    // Without an offset, the time is ambiguous.
    ...['2026-11-02T10:00', '2026-11-02T10:00:00', '2026-02-29T10:00Z', '2026-11-02T25:00Z'],
    ...['2026-11-02T10:60Z', '2026-11-02T24:01Z', '2026-11-02T10:00z', '2026-11-02T10:00+2'],
    ...[
      '2026-11-02T10:00+02:',
      '2026-11-02T10:00 +02:00',
      '2026-11-02T10:00+25:00',
      '2026-11-02T10:00+02:60',
    ],
    ...['2026-11-02T10:00[Europe/Berlin]', '2026-11-02T10:00Z\n', '2026-W45-1', '1793613600000', 'now'],
  ])('%j is not a valid date-time', (text) => {
    expect(isMoment(text)).toBe(false)
  })
})
