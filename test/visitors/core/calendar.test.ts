import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  dayIn,
  daysSinceMonday,
  isDay,
  isMoment,
  isTimeZone,
  startIn,
} from '../../../src/visitors/core/calendar.ts'
import { lengthOf } from '../../../src/visitors/core/period.ts'

const hour = 3_600_000
const zones = [
  ...['UTC', 'Pacific/Kiritimati', 'Pacific/Niue', 'Asia/Kathmandu', '+02:00', 'Europe/Berlin'],
  ...['America/Sao_Paulo', 'Africa/Cairo', 'Asia/Beirut', 'America/Havana', 'Australia/Lord_Howe'],
]
const aDay = fc
  .integer({ min: 0, max: 365_000 })
  .map((days) => new Date(Date.UTC(2000, 0, 1) + days * 24 * hour).toISOString().slice(0, 10))
  .filter((day) => day < '2990')

describe('the start of a day', () => {
  it.each([
    ['UTC', '2026-11-09', '2026-11-09T00:00:00Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00Z'],
    ['Pacific/Kiritimati', '2026-11-09', '2026-11-08T10:00:00Z'],
    ['Pacific/Niue', '2026-11-09', '2026-11-09T11:00:00Z'],
    ['Asia/Kathmandu', '2026-11-09', '2026-11-08T18:15:00Z'],
    // Midnight does not exist on this day: the clocks skip from 00:00 to 01:00.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z'],
  ])('in %s, %s starts at %s', (zone, day, start) => {
    expect(new Date(startIn(zone, day)).toISOString().replace('.000', '')).toBe(start)
  })

  it('the start of a day is its first minute in every zone', () => {
    fc.assert(
      fc.property(aDay, fc.constantFrom(...zones), (day, zone) => {
        const start = startIn(zone, day)
        expect(dayIn(zone, start)).toBe(day)
        expect(dayIn(zone, start - 60_000) < day).toBe(true)
      }),
      { numRuns: 30 },
    )
  })
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

describe('a time zone', () => {
  it.each([...zones, 'utc', 'europe/berlin', '-11:00', '+0545'])('%s is a valid time zone', (text) => {
    expect(isTimeZone(text)).toBe(true)
  })

  it.each(['', 'Mars/Olympus', 'Europe', 'GMT+2', '+25:00', '2', 'UTC\n', ' UTC', 'Europe/Berlin; UTC'])(
    '%j is not a valid time zone',
    (text) => {
      expect(isTimeZone(text)).toBe(false)
    },
  )
})

describe('the day of a moment', () => {
  it.each([
    ['2026-11-02T10:00:00Z', 'Pacific/Kiritimati', '2026-11-03'],
    ['2026-11-02T09:59:59.999Z', 'Pacific/Kiritimati', '2026-11-02'],
    ['2026-11-02T10:59:59.999Z', 'Pacific/Niue', '2026-11-01'],
    ['2026-11-02T11:00:00Z', 'Pacific/Niue', '2026-11-02'],
    ['2026-11-02T18:14:59.999Z', 'Asia/Kathmandu', '2026-11-02'],
    ['2026-11-02T18:15:00Z', 'Asia/Kathmandu', '2026-11-03'],
    ['2026-11-02T22:00:00Z', '+02:00', '2026-11-03'],
    ['2026-12-31T23:00:00Z', 'Europe/Berlin', '2027-01-01'],
    ['2024-02-29T00:00:00Z', 'UTC', '2024-02-29'],
    ['2018-11-04T02:59:59.999Z', 'America/Sao_Paulo', '2018-11-03'],
    ['2018-11-04T03:00:00Z', 'America/Sao_Paulo', '2018-11-04'],
  ])('the day of %s in %s is %s', (moment, zone, day) => {
    expect(dayIn(zone, Date.parse(moment))).toBe(day)
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
