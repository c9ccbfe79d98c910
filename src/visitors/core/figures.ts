/** Formats figures and days for every form of the report: in American English, with a real minus sign. */
import { counted, countText, dayMs } from '../../core/units.ts'
import type { Change } from './change.ts'

export { counted, countText }

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

/** How many pages have visitors in this period, and how many more had visitors only in the previous one. */
export function pagesText(now: number, gone: number): string {
  const before = gone === 0 ? '' : `, and ${countText(gone)} more only in the previous period`
  return `${counted(now, 'page')} with visitors in this period${before}.`
}

/** `+312`, `−40`, `0`. */
export const signedText = format({ maximumFractionDigits: 0, signDisplay: 'exceptZero' })
/** `1.2K`, for an axis. */
export const compactText = format({ notation: 'compact', maximumFractionDigits: 1 })
/** `20%` or `0.07%`: at most two decimals, like the input `alert-drop`. */
export const plainPercent = format({ style: 'percent', maximumFractionDigits: 2 })
const sharePercent = format(percent(1))
const changePercent = format({ ...percent(1), signDisplay: 'exceptZero' })
const fineChangePercent = format({ ...percent(2), signDisplay: 'exceptZero' })

/** `25.9%`; `–` if there is no share. */
export const shareText = (share: number | null) => (share === null ? '–' : sharePercent(share))

/** `+10.6%`, `0.0%`; `new` for a change from zero, which has no percentage; `–` if both counts are zero. */
export function changeText({ fraction, now }: Pick<Change, 'fraction' | 'now'>): string {
  if (fraction === null) return now > 0 ? 'new' : '–'
  return fractionText(fraction)
}

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

const dayFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
const shortDay = dayFormat({ month: 'short', day: 'numeric' })
const longDay = dayFormat({ month: 'short', day: 'numeric', year: 'numeric' })
const moment = dayFormat({ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })

/** `Nov 9–15, 2026`. `to` is excluded, so the range ends with the day before `to`. */
export const rangeText = (period: { from: string; to: string }) => formatRange(longDay, period)
/** `Nov 9–15`. */
export const shortRangeText = (period: { from: string; to: string }) => formatRange(shortDay, period)

function formatRange(day: typeof shortDay, { from, to }: { from: string; to: string }): string {
  if (from.includes('T') || to.includes('T'))
    return `${momentText(Date.parse(from))} – ${momentText(Date.parse(to))}`
  const first = Date.parse(from)
  const text = day.formatRange(first, Math.max(first, Date.parse(to) - dayMs))
  // Intl puts thin spaces around the dash. Plain text is easier to search and copy.
  return text.replace(/\s/g, ' ').replace(/^(\w+ \d+) – (?=\d+(, \d+)?$)/, '$1–')
}

/** `Nov 9`. */
export const dayText = (day: string) => shortDay.format(Date.parse(day))
/** `Nov 21, 2026, 14:05 UTC`. */
export const momentText = (time: number) => `${moment.format(time)} UTC`

/** A trend on one line of text. Each period is a bar on an axis that starts at zero, or a dot if it was not read. */
export function sparkline(values: readonly (number | null)[]): string {
  const most = Math.max(0, ...values.filter((value) => value !== null))
  const bars = '▁▂▃▄▅▆▇█'
  return values
    .map((value) => (value === null ? '·' : bars.charAt(most === 0 ? 0 : Math.round((value / most) * 7))))
    .join('')
}
