/** The days of a visitors report. Only complete days count, so every period ends before today. */
import {
  addDays,
  type Day,
  dayIn,
  daysBetween,
  daysSinceMonday,
  isDay,
  isStartOfDay,
  readMoment,
} from './calendar.ts'

/** Days from `from` up to, but without, `to`. */
export interface Period {
  from: Day
  to: Day
  /** A calendar month, which is compared with calendar months; any other period with periods of its own length. */
  isMonth?: true
}

export const periodNames = ['last-week', 'last-7-days', 'last-28-days', 'last-month'] as const

export type PeriodName = (typeof periodNames)[number]

/** The latest complete period of a name, seen from today. Weeks are Monday to Sunday (ISO 8601). */
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

/**
 * An end of a period given by dates: the day itself, or the first or last complete day's end for a date-time; undefined
 * if the text is neither.
 */
export function readEnd(text: string, side: 'from' | 'to', zone: string): Day | undefined {
  if (isDay(text)) return text
  const time = readMoment(text, zone)
  if (time === undefined) return undefined
  const day = dayIn(zone, time)
  // A day that has already begun is not complete.
  return side === 'from' && !isStartOfDay(zone, time) ? addDays(day, 1) : day
}

/** The period so many periods earlier: calendar months for a calendar month, else periods of equal length. */
export function before(period: Period, count: number): Period {
  if (period.isMonth) return monthBefore(period, count)
  const days = lengthOf(period) * count
  return { from: addDays(period.from, -days), to: addDays(period.to, -days) }
}

function monthBefore(month: Period, count: number): Period {
  if (count === 0) return month
  const from = firstOfMonth(addDays(month.from, -1))
  return monthBefore({ from, to: month.from, isMonth: true }, count - 1)
}

function firstOfMonth(day: Day): Day {
  return `${day.slice(0, 8)}01`
}

/** The number of days in a period. */
export function lengthOf({ from, to }: Period): number {
  return daysBetween(from, to)
}

/** The periods of a chart with so many points, oldest first; the last one is the given period. */
export function periodsUpTo(period: Period, count: number): Period[] {
  return Array.from({ length: count }, (_, at) => before(period, count - 1 - at))
}
