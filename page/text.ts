/** Figures, days and text from outside, in words. Pure: no DOM here. */
import { showHidden } from '../src/core/text.ts'
import type { Counts, Reading } from './visitors-report.ts'

const wholeNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const signedNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 0, signDisplay: 'exceptZero' })
const compactNumber = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const
const exactShare = new Intl.NumberFormat('en', { style: 'percent', ...oneDecimal })
const roundShare = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })
const signedShare = new Intl.NumberFormat('en', {
  style: 'percent',
  signDisplay: 'exceptZero',
  ...oneDecimal,
})
const signedRoundShare = new Intl.NumberFormat('en', {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 0,
})
const signedPoints = new Intl.NumberFormat('en', { signDisplay: 'exceptZero', ...oneDecimal })

/** The minus sign is as wide as the plus, and is read out as one. */
const withMinus = (text: string) => text.replace('-', '−')

export const count = (value: number) => wholeNumber.format(value)
export const signedCount = (value: number) => withMinus(signedNumber.format(value))
export const compactCount = (value: number) => compactNumber.format(value)
/** With one decimal always, so that figures below each other line up. */
export const percent = (ratio: number) => withMinus(exactShare.format(ratio))
/** With no more decimals than it has, for an axis or a threshold. */
export const roundPercent = (ratio: number) => withMinus(roundShare.format(ratio))

/** Text of the report on one line; what would not be seen is shown as `\u{202E}`. */
export function shown(text: string): string {
  return showHidden(text).replace(/[\n\t]/g, (character) => (character === '\n' ? '\\u{A}' : '\\u{9}'))
}

/** A long text's beginning and end, never cut in the middle of a character. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  const tail = Math.floor(limit / 3)
  const head = text.slice(0, limit - tail).replace(/[\uD800-\uDBFF]$/, '')
  return `${head}…${text.slice(-tail).replace(/^[\uDC00-\uDFFF]/, '')}`
}

/** Which part of the visitors was AI; null where there were none. Not one minus the share of people: they overlap. */
export function aiShare(counts: Counts): number | null {
  return counts.total > 0 ? counts.ai / counts.total : null
}

export interface Change {
  direction: 'up' | 'down' | 'level'
  text: string
}

/** "1 page", "2 pages". */
export const counted = (value: number, noun: string) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`

/** What became of a figure, relatively. From zero there is no percentage: it is "new". */
export function changeOf(now: number, before: number): Change {
  if (now === before) return { direction: 'level', text: 'no change' }
  const direction = now > before ? 'up' : 'down'
  if (before === 0) return { direction, text: 'new' }
  return { direction, text: relative((now - before) / before) }
}

/** A relative change in words; one too small for the decimals shown is not "0%". */
export function relative(ratio: number): string {
  if (ratio !== 0 && Math.abs(ratio) < 0.0005) return ratio > 0 ? 'under +0.1%' : 'under −0.1%'
  // From ten times on, a decimal says nothing more.
  return withMinus((ratio < 10 ? signedShare : signedRoundShare).format(ratio))
}

/** A change between two shares, in percentage points. */
export function pointsOf(now: number, before: number): Change {
  const points = (now - before) * 100
  if (Math.abs(points) < 0.05) return { direction: 'level', text: 'no change' }
  return {
    direction: points > 0 ? 'up' : 'down',
    text: `${withMinus(signedPoints.format(points))} points`,
  }
}

// British order: "9–15 November 2026" cannot be misread.
const longDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const instant = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const dayLength = 86_400_000

function range(format: Intl.DateTimeFormat, from: string, to: string): string {
  const first = Date.parse(from)
  const end = Date.parse(to)
  if (Number.isNaN(first) || Number.isNaN(end)) return shown(`${from} – ${to}`)
  return format.formatRange(first, Math.max(first, end - dayLength))
}

type Days = Pick<Reading, 'from' | 'to'>

/** The days of a period, the last one included: "9–15 November 2026". */
export const periodInWords = ({ from, to }: Days) => range(longDay, from, to)
/** The same without the year: "9–15 Nov". */
export const shortPeriod = ({ from, to }: Days) => range(shortDay, from, to)

/** A day for an axis: "9 Nov". */
export function axisDay(day: string): string {
  const time = Date.parse(day)
  return Number.isNaN(time) ? shown(day) : shortDay.format(time)
}

/** A moment, in UTC. */
export function moment(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? shown(iso) : `${instant.format(time)} UTC`
}
