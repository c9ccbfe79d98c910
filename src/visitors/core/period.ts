/** The days of a visitors report. Only complete days count, so every period ends before today. */
import { dayMs } from '../../core/units.ts'
import { addDays, type Day, daysSinceMonday } from './calendar.ts'

/** From `from` up to `to`, which is excluded. Both are days or, if the inputs contain them, date-times. */
export interface Period {
  from: string
  to: string
  /**
   * Whether it is a calendar month, which is compared with other calendar months. Other periods are compared with
   * periods of equal length.
   */
  isMonth?: true
}

export const periodNames = ['last-week', 'last-7-days', 'last-28-days', 'last-month'] as const

/** A value of the input `period`. */
export type PeriodName = (typeof periodNames)[number]

/** The last complete period that a name means, as of `today`. Weeks run from Monday to Sunday (ISO 8601). */
export function namedPeriod(name: PeriodName, today: Day): Period {
  switch (name) {
    case 'last-week': {
      const to = addDays(today, -daysSinceMonday(today))
      return { from: addDays(to, -7), to }
    }
    case 'last-7-days':
      return { from: addDays(today, -7), to: today }
    case 'last-28-days':
      return { from: addDays(today, -28), to: today }
    case 'last-month': {
      const to = firstOfMonth(today)
      return { from: firstOfMonth(addDays(to, -1)), to, isMonth: true }
    }
  }
}

/** The period `count` periods earlier: a calendar month for a calendar month, otherwise a period of equal length. */
export function periodBefore(period: Period, count: number): Period {
  if (period.isMonth) return monthBefore(period, count)
  const days = lengthOf(period) * count
  return { from: earlier(period.from, days), to: earlier(period.to, days) }
}

function earlier(end: string, days: number): string {
  if (!end.includes('T')) return addDays(end, -days)
  return new Date(Date.parse(end) - days * dayMs).toISOString()
}

function monthBefore(month: Period, count: number): Period {
  if (count === 0) return month
  const from = firstOfMonth(addDays(month.from, -1))
  return monthBefore({ from, to: month.from, isMonth: true }, count - 1)
}

function firstOfMonth(day: Day): Day {
  return `${day.slice(0, 8)}01`
}

/** The length of a period in days. Between date-times, it can be a fraction. */
export function lengthOf({ from, to }: Period): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs
}

/** The periods of a chart with `count` points, oldest first, up to the given period. */
export function periodsUpTo(period: Period, count: number): Period[] {
  return Array.from({ length: count }, (_, at) => periodBefore(period, count - 1 - at))
}
