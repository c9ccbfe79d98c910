/** UTC days as `YYYY-MM-DD`, and the periods of a report. Only complete days count, so every period ends before today. */
import { dayMs } from '../../core/units.ts'

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
export function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/**
 * Whether a string is a day, or an ISO 8601 date-time with an offset or `Z`, in the year 2000 or later. `2026-02-29`
 * does not exist.
 */
export function isDate(text: string): boolean {
  const [day, rest] = [text.slice(0, 10), text.slice(10)]
  const time = /^(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/
  const isValid = ![day, text].map(Date.parse).some(Number.isNaN)
  return isValid && text >= '2000' && toDay(Date.parse(day)) === day && time.test(rest)
}

/** The day `days` days later; earlier if negative. */
export function addDays(day: string, days: number): string {
  return toDay(Date.parse(day) + days * dayMs)
}

export const periodNames = ['last-week', 'last-7-days', 'last-28-days', 'last-month'] as const

/** The last complete period that a name means, as of `today`. Weeks run from Monday to Sunday (ISO 8601). */
export function namedPeriod(name: (typeof periodNames)[number], today: string): Period {
  if (name === 'last-month') return monthBefore(firstOfMonth(today))
  const daysSinceMonday = (new Date(today).getUTCDay() + 6) % 7
  const to = name === 'last-week' ? addDays(today, -daysSinceMonday) : today
  return { from: addDays(to, name === 'last-28-days' ? -28 : -7), to }
}

/** The period before: a calendar month before a calendar month, otherwise a period of equal length. */
export function periodBefore({ from, to, isMonth }: Period): Period {
  if (isMonth) return monthBefore(from)
  const start = new Date(2 * Date.parse(from) - Date.parse(to)).toISOString()
  return { from: hasTime({ from, to }) ? start : start.slice(0, 10), to: from }
}

/** The periods before, latest first. */
export function periodsBefore(period: Period, count: number): Period[] {
  const before = periodBefore(period)
  return count === 0 ? [] : [before, ...periodsBefore(before, count - 1)]
}

function monthBefore(to: string): Period {
  return { from: firstOfMonth(addDays(to, -1)), to, isMonth: true }
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`
}

/** The length of a period in days. Between date-times, it can be a fraction. */
export function lengthOf({ from, to }: Period): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs
}

const inUtc = { dateStyle: 'medium', timeZone: 'UTC' } as const
const dayFormat = new Intl.DateTimeFormat('en-US', inUtc)
const momentFormat = new Intl.DateTimeFormat('en-US', { ...inUtc, timeStyle: 'short', hourCycle: 'h23' })

/** `Nov 9–15, 2026`. `to` is excluded, so the range ends with the day before `to`. */
export function rangeText({ from, to }: Period): string {
  const [first, end] = [Date.parse(from), Date.parse(to)]
  if (hasTime({ from, to })) return `${momentFormat.format(first)} UTC – ${momentFormat.format(end)} UTC`
  // Intl puts thin spaces around the dash. Plain text is easier to search and copy.
  const text = dayFormat.formatRange(first, end - dayMs).replace(/\s/g, ' ')
  return text.replace(/^(\w+ \d+) – (?=\d+, \d+$)/, '$1–')
}

/** `Nov 9`: the first day of a period, for an axis. */
export function startText({ from }: Period): string {
  return dayFormat.format(Date.parse(from)).replace(/, \d+$/, '')
}

function hasTime({ from, to }: Period): boolean {
  return `${from}${to}`.includes('T')
}
