/** Which days a visitors report is about. Only complete days count, so every period ends before today. */
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
}

export const periodNames = ['last-week', 'last-7-days', 'last-28-days', 'last-month'] as const

export type PeriodName = (typeof periodNames)[number]

/** The named period's latest complete one, seen from today. Weeks are Monday to Sunday (ISO 8601). */
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
      const to = `${today.slice(0, 8)}01`
      return { from: `${addDays(to, -1).slice(0, 8)}01`, to }
    }
  }
}

/** An end of a period of one's own: the day itself, or of a date-time the complete days' side; undefined for neither. */
export function readEnd(text: string, side: 'from' | 'to', zone: string): Day | undefined {
  if (isDay(text)) return text
  const time = readMoment(text, zone)
  if (time === undefined) return undefined
  const day = dayIn(zone, time)
  // A day that has begun already is not a complete one.
  return side === 'from' && !isStartOfDay(zone, time) ? addDays(day, 1) : day
}

/** The period of equal length that comes so many before another. */
export function before({ from, to }: Period, count: number): Period {
  const days = daysBetween(from, to) * count
  return { from: addDays(from, -days), to: addDays(to, -days) }
}

/** How many days a period has. */
export function lengthOf({ from, to }: Period): number {
  return daysBetween(from, to)
}

/** The periods that a chart of so many points shows, oldest first; the given one is the last. */
export function periodsUpTo(period: Period, count: number): Period[] {
  return Array.from({ length: count }, (_, at) => before(period, count - 1 - at))
}
