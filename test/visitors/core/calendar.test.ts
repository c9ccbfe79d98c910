import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysSinceMonday, isDay, isMoment } from '../../../src/visitors/core/calendar.ts'
import { lengthOf } from '../../../src/visitors/core/period.ts'

const hour = 3_600_000
const aDay = fc
  .integer({ min: 0, max: 365_000 })
  .map((days) => new Date(Date.UTC(2000, 0, 1) + days * 24 * hour).toISOString().slice(0, 10))
  .filter((day) => day < '2990')

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

  it.each([
    ['2026-11-02', 0],
    ['2026-11-03', 1],
    ['2026-11-04', 2],
    ['2026-11-05', 3],
    ['2026-11-06', 4],
    ['2026-11-07', 5],
    ['2026-11-08', 6],
    ['2026-11-09', 0],
    ['2024-02-29', 3],
    ['2027-01-01', 4],
  ])('%s is %i days after the Monday of its week', (day, days) => {
    expect(daysSinceMonday(day)).toBe(days)
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
