/** UTC days as `YYYY-MM-DD`, and the periods of a report. Only complete days count, so every period ends before today. */
import { dayMs } from '../../core/units.ts'

/** A day as `YYYY-MM-DD`, so that days sort as strings. */
export type Day = string

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

/** The UTC day at `time`, in milliseconds since the epoch. */
export function toDay(time: number): Day {
  return new Date(time).toISOString().slice(0, 10)
}

/** Whether a string is a valid day in the year 2000 or later. `2026-02-29` does not exist. */
export function isDay(text: string): boolean {
  const time = Date.parse(text)
  return /^2\d{3}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && toDay(time) === text
}

/** Whether a string is an ISO 8601 date-time with an offset or `Z`, from the year 2000 or later. */
export function isMoment(text: string): boolean {
  const shape = /^2\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/
  return shape.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
}

/** The day `days` days later; earlier if negative. */
export function addDays(day: Day, days: number): Day {
  return toDay(Date.parse(day) + days * dayMs)
}

export const periodNames = ['last-week', 'last-7-days', 'last-28-days', 'last-month'] as const

/** A value of the input `period`. */
export type PeriodName = (typeof periodNames)[number]

/** The last complete period that a name means, as of `today`. Weeks run from Monday to Sunday (ISO 8601). */
export function namedPeriod(name: PeriodName, today: Day): Period {
  switch (name) {
    case 'last-week': {
      const daysSinceMonday = (new Date(Date.parse(today)).getUTCDay() + 6) % 7
      const to = addDays(today, -daysSinceMonday)
      return { from: addDays(to, -7), to }
    }
    case 'last-7-days':
      return { from: addDays(today, -7), to: today }
    case 'last-28-days':
      return { from: addDays(today, -28), to: today }
    case 'last-month':
      return monthBefore(firstOfMonth(today))
  }
}

/** The period before: a calendar month before a calendar month, otherwise a period of equal length. */
export function periodBefore(period: Period): Period {
  if (period.isMonth) return monthBefore(period.from)
  const length = lengthOf(period) * dayMs
  const earlier = (end: string) => {
    const moment = new Date(Date.parse(end) - length).toISOString()
    return end.includes('T') ? moment : moment.slice(0, 10)
  }
  return { from: earlier(period.from), to: earlier(period.to) }
}

/** The periods of a chart with `count` points, oldest first, up to the given period. */
export function periodsUpTo(period: Period, count: number): Period[] {
  return count <= 1 ? [period] : [...periodsUpTo(periodBefore(period), count - 1), period]
}

function monthBefore(to: Day): Period {
  return { from: firstOfMonth(addDays(to, -1)), to, isMonth: true }
}

function firstOfMonth(day: Day): Day {
  return `${day.slice(0, 8)}01`
}

/** The length of a period in days. Between date-times, it can be a fraction. */
export function lengthOf({ from, to }: Period): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs
}
