/** Figures and dates as people read them: by Intl, in English, with a real minus sign. */
import { addDays, type Day } from '../../core/visitors/calendar.ts'
import { lengthOf, type Period } from '../../core/visitors/period.ts'
import type { Gap, PeriodReading, VisitorsReport } from '../../core/visitors/report.ts'
import { isBeyondNoise } from '../../core/visitors/visitors.ts'
import { explain, type JobRef } from '../problem.ts'

const formats = {
  integer: { maximumFractionDigits: 0 },
  signedInteger: { maximumFractionDigits: 0, signDisplay: 'exceptZero' },
  percent: { style: 'percent', maximumFractionDigits: 1 },
  wholePercent: { style: 'percent', maximumFractionDigits: 0 },
  signedPercent: { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' },
  signedPoints: { maximumFractionDigits: 1, signDisplay: 'exceptZero' },
} as const satisfies Record<string, Intl.NumberFormatOptions>

const made: Partial<Record<keyof typeof formats, Intl.NumberFormat>> = {}

/** A formatter takes milliseconds to make, and a step that runs the agent needs none: each is made with its first use. */
function format(name: keyof typeof formats, value: number): string {
  made[name] ??= new Intl.NumberFormat('en', formats[name])
  return made[name].format(value).replace('-', '\u2212')
}

const shortDay = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
const longDay = { ...shortDay, year: 'numeric' } as const

export function number(value: number): string {
  // The addition makes 0 of -0.
  return format('integer', value + 0)
}

/** `+312`, `−40`, `0`. */
export function difference(value: number): string {
  return format('signedInteger', value)
}

/** `+12.3%`, `−4%`; from zero `new`, for there is no such percentage, or `–` where there is none now either. */
export function change(fraction: number | null, isThere: boolean): string {
  if (fraction === null) return isThere ? 'new' : '–'
  return format('signedPercent', fraction)
}

export function share(fraction: number | null): string {
  return fraction === null ? '–' : format('percent', fraction)
}

/** The same in a table's narrow column. */
export function wholeShare(fraction: number): string {
  return format('wholePercent', fraction)
}

/** The difference of two shares, in percentage points: `+2.1 points`. */
export function points(now: number | null, then: number | null): string {
  return now === null || then === null ? '–' : `${format('signedPoints', (now - then) * 100)} points`
}

/** `9–15 Nov 2026`: the last day is the one before the exclusive end. */
export function dateRange({ from, to }: Period): string {
  const text = new Intl.DateTimeFormat('en-GB', longDay).formatRange(
    Date.parse(from),
    Date.parse(addDays(to, -1)),
  )
  // Intl sets thin blanks about the dash; plain text searches and copies better.
  return text.replace(/\s/g, ' ').replace(/^(\d+) – (?=\d+ \w+ \d+$)/, '$1–')
}

/** `9 Nov`. */
export function shortDate(day: Day): string {
  return new Intl.DateTimeFormat('en-GB', shortDay).format(Date.parse(day))
}

/** `9 Nov 2026`. */
export function date(day: Day): string {
  return new Intl.DateTimeFormat('en-GB', longDay).format(Date.parse(day))
}

/** `the week before`, `the 28 days before`. */
export function periodBefore(period: Period): string {
  const days = lengthOf(period)
  if (days === 7) return 'the week before'
  return days === 1 ? 'the day before' : `the ${number(days)} days before`
}

/** The report in one sentence, and what it lacks. */
export function verdict(report: VisitorsReport, jobRef: JobRef): string {
  const lacking = gapSentences(report, jobRef)
  return [mainSentence(report), ...(lacking.length === 0 ? [] : ['Incomplete:', ...lacking])].join(' ')
}

/** The report in one sentence, of figures and fixed words alone. */
export function mainSentence(report: VisitorsReport): string {
  return `${said(report)}.`
}

function said({ current, compared, changes }: VisitorsReport): string {
  const { total, human, ai } = current.totals
  if (total === 0 && (compared.kind !== 'read' || compared.reading.totals.total === 0))
    return `No visitors were counted in ${dateRange(current.period)}`
  if (compared.kind !== 'read') return `${visitors(total)}: ${people(human)} and ${aiReaders(ai)}`
  const then = compared.reading.totals
  const overall = than(total, then.total, changes.visitors, periodBefore(current.period))
  return `${visitors(total)}, ${overall}: ${people(human)}${aside(human, then.human)}, ${aiReaders(ai)}${aside(ai, then.ai)}`
}

const visitors = (count: number) => counted(count, 'visitor', 'visitors')
const people = (count: number) => counted(count, 'person', 'people')
const aiReaders = (count: number) => counted(count, 'AI reader', 'AI readers')

export function pages(count: number): string {
  return counted(count, 'page', 'pages')
}

function counted(count: number, one: string, more: string): string {
  const text = number(count)
  return `${text} ${text === '1' ? one : more}`
}

function than(now: number, then: number, fraction: number | null, before: string): string {
  if (fraction === null) return `after none in ${before}`
  if (isSteady(now, then)) return `about as many as ${before} (${number(then)})`
  return `${format('wholePercent', Math.abs(fraction))} ${now > then ? 'more' : 'fewer'} than ${before} (${number(then)})`
}

function aside(now: number, then: number): string {
  if (then === 0) return ''
  if (isSteady(now, then)) return ' (steady)'
  return ` (${format('signedPercent', percentOf(now, then) / 100)})`
}

/** Of millions, a difference that is no chance may still be less than the percent that is shown. */
function isSteady(now: number, then: number): boolean {
  return !isBeyondNoise(now, then) || percentOf(now, then) === 0
}

/** The change in whole percent; the addition makes 0 of -0. */
function percentOf(now: number, then: number): number {
  return Math.round(((now - then) / then) * 100) + 0
}

/** What the report lacks, a sentence a period. */
export function gapSentences({ current, compared, requests }: VisitorsReport, jobRef: JobRef): string[] {
  const of = (reading: PeriodReading) =>
    reading.gap === null
      ? []
      : [
          `Not all pages of ${dateRange(reading.period)} were read: ${reason(reading.gap, requests.limit, jobRef)}.`,
        ]
  if (compared.kind === 'unread')
    return [
      ...of(current),
      `${dateRange(compared.period)} could not be read: ${reason(compared.gap, requests.limit, jobRef)}.`,
    ]
  return compared.kind === 'read' ? [...of(current), ...of(compared.reading)] : of(current)
}

/** Why pages are missing, as the end of a sentence. */
export function reason(gap: Gap, limit: number, jobRef: JobRef): string {
  switch (gap.why) {
    case 'budget':
      return `the ${counted(limit, 'request', 'requests')} that max-requests allows ${limit === 1 ? 'was' : 'were'} used up`
    case 'timeout':
      return 'the time that timeout allows was over'
    case 'failed':
      return explain(gap.problem, jobRef).what.replace(/\.$/, '')
    case 'moving':
      return "the platform's totals changed while its pages were read"
    case 'empty-page':
      return 'the platform said that there is more, and gave nothing'
    case 'offset-ignored':
      return 'the platform gave the same pages again and again'
  }
}
