/** UTC days as `YYYY-MM-DD`. */

import { dayMs } from '../../core/units.ts'

/** A day as `YYYY-MM-DD`, so that days sort as strings. */
export type Day = string

/** Whether a string is a valid day in the year 2000 or later. `2026-02-29` does not exist. */
export function isDay(text: string): boolean {
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(text)
  return !Number.isNaN(time) && toDay(time) === text
}

/** The day `days` days later; earlier if negative. */
export function addDays(day: Day, days: number): Day {
  return toDay(Date.parse(day) + days * dayMs)
}

/** Days since the last Monday: 0 for a Monday, 6 for a Sunday. */
export function daysSinceMonday(day: Day): number {
  return (new Date(Date.parse(day)).getUTCDay() + 6) % 7
}

/** The UTC day at `time`, in milliseconds since the epoch. */
export function toDay(time: number): Day {
  return new Date(time).toISOString().slice(0, 10)
}

/** Whether a string is an ISO 8601 date-time with an offset or `Z`, from the year 2000 or later. */
export function isMoment(text: string): boolean {
  const shape = /^2\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/
  return shape.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
}
