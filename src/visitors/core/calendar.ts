/** Calendar days as `YYYY-MM-DD`, and the day of a point in time. */

import { dayMs, minuteMs } from '../../core/units.ts'

/** A day as `YYYY-MM-DD`, so that days sort as strings. */
export type Day = string

/** Whether a string is a valid day in the year 2000 or later. `2026-02-29` does not exist. */
export function isDay(text: string): boolean {
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(text)
  return !Number.isNaN(time) && toDay(time) === text
}

/** The day `days` days later; earlier if negative. Days have no hours, so daylight saving does not shift them. */
export function addDays(day: Day, days: number): Day {
  return toDay(Date.parse(day) + days * dayMs)
}

/** Days since the last Monday: 0 for a Monday, 6 for a Sunday. */
export function daysSinceMonday(day: Day): number {
  return (new Date(Date.parse(day)).getUTCDay() + 6) % 7
}

/** Whether a string names a time zone that Intl knows: `UTC`, `Europe/Berlin`, `+02:00`. */
export function isTimeZone(text: string): boolean {
  // The default is checked first, because asking Intl takes milliseconds.
  if (text === 'UTC') return true
  try {
    return Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}

/** The day in a time zone at `time`, in milliseconds since the epoch. */
export function dayIn(zone: string, time: number): Day {
  const parts = Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(time)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}

/** When a day begins in a zone: milliseconds since the epoch, to the minute. Zones are at most 14 hours from UTC. */
export function startIn(zone: string, day: Day): number {
  const utc = Date.parse(day)
  let [before, start] = [-15 * 60, 15 * 60]
  while (start - before > 1) {
    const between = Math.floor((before + start) / 2)
    if (dayIn(zone, utc + between * minuteMs) < day) before = between
    else start = between
  }
  return utc + start * minuteMs
}

/** Whether a string is an ISO 8601 date-time with an offset or `Z`, from the year 2000 or later. */
export function isMoment(text: string): boolean {
  const shape = /^2\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/
  return shape.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
}

function toDay(time: number): Day {
  return new Date(time).toISOString().slice(0, 10)
}
