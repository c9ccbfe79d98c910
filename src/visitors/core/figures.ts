/** Figures and days for people, the same in every form of the report: American English, with a real minus sign. */
import { counted, countText, dayMs } from '../../core/units.ts'
import type { Change } from './change.ts'

export { counted, countText }

const numberFormats = {
  signed: { maximumFractionDigits: 0, signDisplay: 'exceptZero' },
  compact: { notation: 'compact', maximumFractionDigits: 1 },
  percent: { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 },
  plainPercent: { style: 'percent', maximumFractionDigits: 2 },
  change: {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  },
  fineChange: {
    style: 'percent',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: 'exceptZero',
  },
  points: { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' },
} as const satisfies Record<string, Intl.NumberFormatOptions>

const madeNumbers: Partial<Record<keyof typeof numberFormats, Intl.NumberFormat>> = {}

/** Formats a number. Creating a formatter takes milliseconds, so each is created when it is first used. */
function formatNumber(name: keyof typeof numberFormats, value: number): string {
  madeNumbers[name] ??= new Intl.NumberFormat('en-US', numberFormats[name])
  // Adding 0 turns -0 into 0.
  return madeNumbers[name].format(value + 0).replace('-', '\u2212')
}

/** `+312`, `−40`, `0`. */
export const signedText = (value: number) => formatNumber('signed', value)
/** `1.2K`, for an axis. */
export const compactText = (value: number) => formatNumber('compact', value)
/** `25.9%`; `–` if there is no share. */
export const shareText = (share: number | null) => (share === null ? '–' : formatNumber('percent', share))
/** `20%` or `0.07%`, with as many decimals as in the input. */
export const plainPercent = (value: number) => formatNumber('plainPercent', value)

/** `+10.6%`, `0.0%`; `new` after zero, because a percentage is impossible; `–` if both periods are zero. */
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
  // Ten decimals are enough for any change; the rest is rounding errors.
  const exact = Number(Math.abs(fraction).toFixed(10))
  const nearest = Math.round(exact * step) / step
  const isRoundedUp = nearest > exact && Number.isInteger(Math.round(nearest * step) / (step / 100))
  const size = isRoundedUp ? nearest - 1 / step : nearest
  return formatNumber(isFine ? 'fineChange' : 'change', Math.sign(fraction) * size)
}

/** The difference between two shares in percentage points: `+2.1 points`. */
export function pointsText(now: number | null, then: number | null): string {
  if (now === null || then === null) return '–'
  return `${formatNumber('points', Number(((now - then) * 100).toFixed(1)))} points`
}

const dayFormats = {
  short: { month: 'short', day: 'numeric', timeZone: 'UTC' },
  long: { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' },
  time: {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const madeDays: Partial<Record<keyof typeof dayFormats, Intl.DateTimeFormat>> = {}

function dayFormat(name: keyof typeof dayFormats): Intl.DateTimeFormat {
  madeDays[name] ??= new Intl.DateTimeFormat('en-US', dayFormats[name])
  return madeDays[name]
}

/** `Nov 9–15, 2026`. The last day is the one before the excluded end. */
export const rangeText = (period: { from: string; to: string }) => formatRange('long', period)
/** `Nov 9–15`. */
export const shortRangeText = (period: { from: string; to: string }) => formatRange('short', period)

function formatRange(name: 'short' | 'long', { from, to }: { from: string; to: string }): string {
  if (from.includes('T') || to.includes('T'))
    return `${momentText(Date.parse(from))} – ${momentText(Date.parse(to))}`
  const first = Date.parse(from)
  const text = dayFormat(name).formatRange(first, Math.max(first, Date.parse(to) - dayMs))
  // Intl puts thin spaces around the dash. Plain text is easier to search and copy.
  return text.replace(/\s/g, ' ').replace(/^(\w+ \d+) – (?=\d+(, \d+)?$)/, '$1–')
}

/** `Nov 9`. */
export const dayText = (day: string) => dayFormat('short').format(Date.parse(day))
/** `Nov 21, 2026, 14:05 UTC`. */
export const momentText = (time: number) => `${dayFormat('time').format(time)} UTC`
