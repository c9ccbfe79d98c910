/** The periods of a report, in UTC days. Only complete days count, so every period ends before today. */
import type { VisitorsInputs } from '../core/inputs/schema.ts'
import { dayMs, toDay } from '../core/units.ts'
import type { DateRange } from '../mintlify/analytics.ts'

/** A period of the report. Its ends are days or, if the inputs contain them, date-times. */
export interface Period extends DateRange {
  /**
   * Whether it is a calendar month, which is compared with other calendar months. Other periods are compared with
   * periods of equal length.
   */
  isMonth?: true
}

/** The day `days` days later; earlier if negative. */
export function addDays(day: string, days: number) {
  return toDay(Date.parse(day) + days * dayMs)
}

/**
 * The period that the inputs select: by dates, or the last complete one that a name means. Weeks run from Monday to
 * Sunday (ISO 8601).
 */
export function periodOf(
  { dateFrom, dateTo, period: name }: Pick<VisitorsInputs, 'dateFrom' | 'dateTo' | 'period'>,
  now: number,
) {
  if (dateFrom !== null && dateTo !== null) return { from: dateFrom, to: dateTo }
  const today = toDay(now)
  if (name === 'last-month') return monthBefore(firstOfMonth(today))
  const daysSinceMonday = (new Date(today).getUTCDay() + 6) % 7
  const to = name === 'last-week' ? addDays(today, -daysSinceMonday) : today
  const days = name === 'last-28-days' ? 28 : 7
  return { from: addDays(to, -days), to }
}

/** The period before: a calendar month before a calendar month, otherwise a period of equal length. */
export function periodBefore({ from, to, isMonth }: Period) {
  if (isMonth) return monthBefore(from)
  const start = new Date(2 * Date.parse(from) - Date.parse(to)).toISOString()
  return { from: hasTime({ from, to }) ? start : start.slice(0, 10), to: from }
}

/** The periods before, latest first. */
export function periodsBefore(period: Period, count: number): Period[] {
  if (count === 0) return []
  const before = periodBefore(period)
  return [before, ...periodsBefore(before, count - 1)]
}

function monthBefore(to: string): Period {
  return { from: firstOfMonth(addDays(to, -1)), to, isMonth: true }
}

function firstOfMonth(day: string) {
  return `${day.slice(0, 8)}01`
}

/** The ends of a period, for files. */
export function daysOf({ from, to }: Period) {
  return { from, to }
}

/** The length of a period in days. Between date-times, it can be a fraction. */
export function lengthOf({ from, to }: Period) {
  return (Date.parse(to) - Date.parse(from)) / dayMs
}

const inUtc = { dateStyle: 'medium', timeZone: 'UTC' } as const
const dayFormat = new Intl.DateTimeFormat('en-US', inUtc)
const momentFormat = new Intl.DateTimeFormat('en-US', { ...inUtc, timeStyle: 'short', hourCycle: 'h23' })

/** `Nov 9–15, 2026`. `to` is excluded, so the range ends with the day before `to`. */
export function rangeText({ from, to }: Period) {
  const first = Date.parse(from)
  const end = Date.parse(to)
  if (hasTime({ from, to })) return `${momentFormat.format(first)} UTC – ${momentFormat.format(end)} UTC`
  // Intl puts thin spaces around the dash. Plain text is easier to search and copy.
  const text = dayFormat.formatRange(first, end - dayMs).replace(/\s/g, ' ')
  return text.replace(/^(\w+ \d+) – (?=\d+, \d+$)/, '$1–')
}

const timeParts = { hour: 'numeric', minute: '2-digit', hourCycle: 'h23' } as const

/**
 * Labels for an axis, one for the start of each period: `Nov 9`, `Nov 9, 14:05` or `Nov 2025`. No two are equal if there
 * are at most eight: if they span a year, each is in another month.
 */
export function axisLabels(periods: readonly Period[]) {
  const starts = periods.map(({ from }) => Date.parse(from))
  const hasYear = Math.max(...starts) - Math.min(...starts) >= 365 * dayMs
  const hasHour = Math.min(...periods.map(lengthOf)) < 1
  const { format } = new Intl.DateTimeFormat('en-US', {
    month: 'short',
    ...(hasYear ? { year: 'numeric' } : { day: 'numeric' }),
    ...(hasHour && timeParts),
    timeZone: 'UTC',
  })
  return starts.map((start) => format(start))
}

function hasTime({ from, to }: Period) {
  return `${from}${to}`.includes('T')
}
