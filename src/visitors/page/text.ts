/** The report's texts and periods in words, without DOM. The core writes figures. */
import { dayText, momentText, rangeText, shortRangeText } from '../core/figures.ts'
import { visiblePath } from '../core/page-link.ts'
import type { Period } from '../core/period.ts'

/** Text of the report on one line, with hidden characters visible. */
export function shown(text: string): string {
  return text === '' ? '' : visiblePath(text)
}

/** The start and end of a long text. Never cuts within a character. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  const tail = Math.floor(limit / 3)
  const head = text.slice(0, limit - tail).replace(/[\uD800-\uDBFF]$/, '')
  return `${head}…${text.slice(-tail).replace(/^[\uDC00-\uDFFF]/, '')}`
}

/** Whether the report's dates are valid. Invalid ones are shown unchanged. */
const areDays = ({ from, to }: Period) => !Number.isNaN(Date.parse(from)) && !Number.isNaN(Date.parse(to))

/** The days of a period, including the last one: "Nov 9–15, 2026". */
export const periodInWords = (days: Period) =>
  areDays(days) ? rangeText(days) : shown(`${days.from} – ${days.to}`)
/** The days of a period without the year: "Nov 9–15". */
export const shortPeriod = (days: Period) =>
  areDays(days) ? shortRangeText(days) : shown(`${days.from} – ${days.to}`)

/** A day for an axis: "Nov 9". */
export function axisDay(day: string): string {
  return Number.isNaN(Date.parse(day)) ? shown(day) : dayText(day)
}

/** A time, in UTC. */
export function moment(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? shown(iso) : momentText(time)
}
