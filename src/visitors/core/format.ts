/** Formats figures and days for every form of the report: in American English, with a real minus sign. */
import { dayMs } from '../../core/units.ts'
import type { Change } from './change.ts'
import type { Period } from './period.ts'

function format(options: Intl.NumberFormatOptions): (value: number) => string {
  const { format } = new Intl.NumberFormat('en-US', options)
  // Adding 0 turns -0 into 0.
  return (value) => format(value + 0).replace('-', '\u2212')
}

const percent = (decimals: number): Intl.NumberFormatOptions => ({
  style: 'percent',
  minimumFractionDigits: decimals,
  maximumFractionDigits: decimals,
})

/** `1,203`; `12.5` if the platform counts in fractions. */
export const countText = format({ maximumFractionDigits: 2 })
/** `20%` or `0.07%`: at most two decimals, like the input `alert-drop`. */
export const plainPercent = format({ style: 'percent', maximumFractionDigits: 2 })
const sharePercent = format(percent(1))
const changePercent = format({ ...percent(1), signDisplay: 'exceptZero' })
const fineChangePercent = format({ ...percent(2), signDisplay: 'exceptZero' })

/** A number with its noun: `1 page`, `2,000 pages`. */
export function counted(value: number, one: string, more = `${one}s`): string {
  const text = countText(value)
  return `${text} ${text === '1' ? one : more}`
}

/** `8 of 13`. */
export const partText = (part: number, all: number) => `${countText(part)} of ${countText(all)}`

/** `25.9%`. */
export const shareText = sharePercent

/**
 * A relative change. It is never rounded up to a whole percent: 19.96% must not look like an alert's 20%, nor 99.98%
 * like 100%.
 * @param isFine two decimals instead of one
 */
export function fractionText(fraction: number, isFine = false): string {
  const step = isFine ? 10_000 : 1_000
  // Ten decimals are enough for any change. Further ones are rounding errors.
  const exact = Number(Math.abs(fraction).toFixed(10))
  const nearest = Math.round(exact * step) / step
  const isRoundedUp = nearest > exact && Number.isInteger(Math.round(nearest * step) / (step / 100))
  const size = isRoundedUp ? nearest - 1 / step : nearest
  return (isFine ? fineChangePercent : changePercent)(Math.sign(fraction) * size)
}

/** `+10.6%`, `0.0%`; `new` for a change from zero, which has no percentage; `–` if both counts are zero. */
export function percentText({ fraction, now }: Change): string {
  if (fraction !== null) return fractionText(fraction)
  return now > 0 ? 'new' : '–'
}

/** `▲ +10.6% from 880`, with an arrow only if the change is larger than chance explains. */
export function changeText(change: Change): string {
  const arrow = { up: '▲\u00A0', down: '▼\u00A0', level: '' }[change.direction]
  const from = change.before === 0 ? '' : ` from ${countText(change.before)}`
  return `${arrow}${percentText(change)}${from}${change.isSmall ? ' (small numbers)' : ''}`
}

const dayFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
const day = dayFormat({ month: 'short', day: 'numeric' })
const dayOfYear = dayFormat({ month: 'short', day: 'numeric', year: 'numeric' })
const moment = dayFormat({ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })

/** `Nov 9–15, 2026`. `to` is excluded, so the range ends with the day before `to`. */
export function rangeText({ from, to }: Period): string {
  if (from.includes('T') || to.includes('T'))
    return `${momentText(Date.parse(from))} – ${momentText(Date.parse(to))}`
  const first = Date.parse(from)
  const text = dayOfYear.formatRange(first, Math.max(first, Date.parse(to) - dayMs))
  // Intl puts thin spaces around the dash. Plain text is easier to search and copy.
  return text.replace(/\s/g, ' ').replace(/^(\w+ \d+) – (?=\d+, \d+$)/, '$1–')
}

/** `Nov 9`: the first day of a period, for an axis. */
export const startText = ({ from }: Period) => day.format(Date.parse(from))
/** `Nov 21, 2026, 14:05 UTC`. */
const momentText = (time: number) => `${moment.format(time)} UTC`
