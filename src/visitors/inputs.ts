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
import { isDay, isMoment, namedPeriod, type Period, periodNames, toDay } from './core/period.ts'
import { sections } from './sections/index.ts'

const fallback = defaults.visitors

const fields = {
  ...common,
  'matrix-index': matrixIndex,
  /** The command in suggested comments. */
  command,
  period: oneOf(periodNames, fallback.period),
  'date-from': anyText,
  'date-to': anyText,
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
  const { period, faults } = choosePeriod(raw, now)
  const users = given(raw, 'issue-number') === null ? [] : ['issue-number']
  const parsed = readMode('visitors', fields, raw, [...tokenFault(raw, users), ...faults])
  return parsed.ok ? { ok: true, inputs: { ...parsed.inputs, period } } : parsed
}

/** The selected period, by dates or by name, and what is wrong with its dates. */
function choosePeriod(raw: RawInputs, now: number): { period: Period; faults: InputFault[] } {
  const today = toDay(now)
  const [from = '', to = ''] = [raw['date-from'], raw['date-to']]
  if (from === '' && to === '') {
    // A malformed name is reported elsewhere.
    const name = periodNames.find((each) => each === raw.period) ?? fallback.period
    return { period: namedPeriod(name, today), faults: [] }
  }
  const fault = (input: 'date-from' | 'date-to', expected: string): InputFault => {
    return { input, got: describe(raw, input), expected }
  }
  const faults = (['date-from', 'date-to'] as const)
    .filter((input) => !isDay(raw[input] ?? '') && !isMoment(raw[input] ?? ''))
    .map((input) => fault(input, expectedDate[input]))
  if (faults.length === 0 && Date.parse(from) >= Date.parse(to))
    faults.push(fault('date-to', 'a time after date-from (the period ends before date-to)'))
  else if (faults.length === 0 && (isDay(to) ? to > today : Date.parse(to) > now))
    faults.push(fault('date-to', `${today} at the latest, because only complete days count`))
  return { period: { from, to }, faults }
}

const expectedDate = {
  'date-from':
    'a day such as 2026-11-02, or a date-time with an offset such as 2026-11-02T00:00:00+01:00 (and date-to with it)',
  'date-to':
    'the day after the last one, such as 2026-11-09, or a date-time with an offset (and date-from with it)',
}

/** Reads a percentage over 0 and up to 100, and returns it as a fraction. */
export function readPercentage(value: string): number | undefined {
  const [, digits] = /^(\d{1,3}(?:\.\d{1,2})?)\s?%$/.exec(value) ?? []
  const percent = Number(digits)
  return percent > 0 && percent <= 100 ? percent / 100 : undefined
}
