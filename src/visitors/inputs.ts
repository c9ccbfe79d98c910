/** The inputs of mode visitors, and the period that they select. All faults are reported at once. */
import {
  describe,
  given,
  type InputContext,
  type InputFault,
  type ParsedInputs,
  type RawInputs,
  readMode,
  tokenFault,
} from '../core/inputs/inputs.ts'
import {
  anyOf,
  anyText,
  command,
  common,
  defaults,
  type Field,
  field,
  type InputsOf,
  matrixIndex,
  oneOf,
  optional,
  readPathGlobs,
  readUrl,
  wholeNumber,
  within,
} from '../core/inputs/schema.ts'
import { isDate, namedPeriod, type Period, periodNames, toDay } from './core/period.ts'
import type { Section } from './core/section.ts'
import { feedback } from './sections/feedback.ts'
import { questions } from './sections/questions.ts'
import { searches } from './sections/searches.ts'

/** The sections, in the order of the report. */
export const sections: readonly Section[] = [questions, feedback, searches]

const fallback = defaults.visitors

const fields = {
  ...common,
  'matrix-index': matrixIndex,
  /** The command in suggested comments. */
  command,
  period: oneOf(periodNames, fallback.period),
  'date-from': optional(
    'a day such as 2026-11-02, or a date-time with an offset such as 2026-11-02T00:00:00+01:00 (and date-to with it)',
    readDate,
  ),
  'date-to': optional(
    'the day after the last one, such as 2026-11-09, or a date-time with an offset (and date-from with it)',
    readDate,
  ),
  /** Globs of the pages in the tables. */
  paths: field('globs of page paths, one per line; ! excludes', readPathGlobs),
  /** Without a trailing slash; null if pages are not linked. */
  'site-url': optional('the URL of the docs, such as https://docs.example.com', readUrl),
  /** The loss of human visitors that raises an alert, as a fraction; null: no alert. */
  'alert-drop': optional('a percentage from 0.01% to 100%, such as 20%', readPercentage),
  'max-requests': field(
    'a number of requests from 1 to 10000',
    (value) => within(wholeNumber(value), 1, 10_000),
    fallback['max-requests'],
  ),
  sections: anyOf(
    sections.map(({ name }) => name),
    fallback.sections,
  ),
  /** null if no files are written. */
  'report-dir': anyText,
  /** null: no comment. */
  'issue-number': optional('an issue number', (value) => within(wholeNumber(value), 1, 999_999_999)),
} satisfies Record<keyof typeof fallback, Field<unknown>>

type Read = InputsOf<'visitors', typeof fields>

/** The parsed inputs: `period` is the selected period, by name or by dates. */
export type VisitorsInputs = Omit<Read, 'period'> & { period: Period }

/** Reads and checks the inputs. A missing input counts as empty, and an empty one as its default. */
export function parseVisitorsInputs(raw: RawInputs, { now }: InputContext): ParsedInputs<VisitorsInputs> {
  const users = given(raw, 'issue-number') === null ? [] : ['issue-number']
  const parsed = readMode('visitors', fields, raw, [...tokenFault(raw, users), ...dateFaults(raw, now)])
  if (!parsed.ok) return parsed
  const { dateFrom: from, dateTo: to, period: name } = parsed.inputs
  const period = from === null || to === null ? namedPeriod(name, toDay(now)) : { from, to }
  return { ok: true, inputs: { ...parsed.inputs, period } }
}

/** What is wrong with the dates together. A malformed date is NaN, so these rules ignore it. */
function dateFaults(raw: RawInputs, now: number): InputFault[] {
  const [from, to] = [given(raw, 'date-from'), given(raw, 'date-to')]
  if ((from === null) !== (to === null)) {
    const input = from === null ? 'date-from' : 'date-to'
    return [{ input, got: 'nothing', expected: 'both dates, or neither' }]
  }
  const end = Date.parse(to ?? '')
  const fault = (expected: string) => [{ input: 'date-to', got: describe(raw, 'date-to'), expected }]
  if (Date.parse(from ?? '') >= end) return fault('a time after date-from (the period ends before date-to)')
  return end > now ? fault(`${toDay(now)} at the latest, because only complete days count`) : []
}

function readDate(text: string): string | undefined {
  return isDate(text) ? text : undefined
}

/** Reads a percentage over 0 and up to 100, and returns it as a fraction. */
export function readPercentage(value: string): number | undefined {
  const [, digits] = /^(\d{1,3}(?:\.\d{1,2})?)\s?%$/.exec(value) ?? []
  const percent = Number(digits)
  return percent > 0 && percent <= 100 ? percent / 100 : undefined
}
