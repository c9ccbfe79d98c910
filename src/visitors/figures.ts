/** Counts, changes and shares, and how every form of the report shows them: in American English, with a real minus sign. */
import { countText } from '../core/units.ts'

/**
 * Approximate numbers of unique visitors. A visitor can count as both a human visitor and an AI reader, so `visitors`
 * can be less than their sum. A visitor who reads several pages counts on each of them, so the pages' counts can add up
 * to more than the site's totals. The API reference says `number`, so a count can also be a fraction or negative.
 */
export interface VisitorCounts {
  visitors: number
  humanVisitors: number
  aiVisitors: number
}

export const noVisitors: VisitorCounts = { visitors: 0, humanVisitors: 0, aiVisitors: 0 }

/** The change of a count from the compared period (`before`) to the current one (`now`). */
export interface CountChange {
  now: number
  before: number
  /** (now − before) / before, of daily averages if the periods differ in length; null if before is 0. */
  fraction: number | null
  /** now − before, with `before` scaled to the length of the current period. */
  difference: number
  /** `up` and `down` only if the change is larger than chance explains, and does not show as 0.0%. */
  direction: 'up' | 'down' | 'level'
}

/** Smaller fractions show as 0.0%. */
const smallestFraction = 0.0005

/** Compares two counts. @param scale length of the current period divided by the length of the compared one */
export function changeBetween(now: number, before: number, scale: number): CountChange {
  const baseline = before * scale
  const difference = now - baseline
  // Any further decimals are rounding errors of binary fractions.
  const relative = Math.round((difference / Math.abs(baseline)) * 1e10) / 1e10
  const fraction = Number.isFinite(relative) ? relative : null
  const isTiny = fraction !== null && Math.abs(fraction) < smallestFraction
  // Three standard deviations. That of a difference between two counts of visits is the square root of their sum.
  const isChance = Math.abs(difference) <= 3 * Math.sqrt(Math.abs(now) + Math.abs(baseline))
  const change = { now, before, fraction, difference }
  if (isTiny || isChance) return { ...change, direction: 'level' }
  return { ...change, direction: difference > 0 ? 'up' : 'down' }
}

/** A change for files: a fraction with at most four decimals; null if there is none. */
export function fractionOf(change: CountChange | null) {
  const fraction = change?.fraction ?? null
  if (fraction === null) return null
  return Math.round(fraction * 10_000) / 10_000
}

function percent(options: Intl.NumberFormatOptions) {
  const { format } = new Intl.NumberFormat('en-US', { style: 'percent', ...options })
  return (fraction: number) => format(fraction).replace('-', '\u2212')
}

/** `20%` or `0.07%`: at most two decimals, like the input `alert-drop`. */
export const plainPercent = percent({ maximumFractionDigits: 2 })
/** `25.9%`. */
export const shareText = percent({ minimumFractionDigits: 1 })

const signFormat = { minimumFractionDigits: 1, signDisplay: 'exceptZero' } as const
const nearest = percent(signFormat)
const towardZero = percent({ ...signFormat, roundingMode: 'trunc' })

/** `8 of 13`. */
export function partText(part: number, all: number) {
  return `${countText(part)} of ${countText(all)}`
}

/**
 * `+10.6%`, `0.0%`; `new` for a change from zero, which has no percentage; `–` if both counts are zero. It is never
 * rounded up to a whole percent: 19.96% must not look like an alert's 20%, nor 99.98% like 100%.
 */
export function percentText({ fraction, now }: CountChange) {
  if (fraction === null) return now > 0 ? 'new' : '–'
  const text = nearest(fraction)
  if (text.endsWith('.0%')) return towardZero(fraction)
  return text
}

const arrows = { up: '▲\u00A0', down: '▼\u00A0', level: '' }

/** `▲ +10.6% from 880`, with an arrow only if the change is larger than chance explains; empty if nothing is compared. */
export function changeText(change: CountChange | null) {
  if (change === null) return ''
  const text = `${arrows[change.direction]}${percentText(change)}`
  if (change.before === 0) return text
  return `${text} from ${countText(change.before)}`
}
