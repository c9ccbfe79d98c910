/** The inputs of mode visitors, and the period that they select. All faults are reported at once. */
import * as z from 'zod/mini'
import {
  anyOf,
  anyText,
  field,
  integer,
  integerWithin,
  oneOf,
  optional,
  readPathGlobs,
  readPercentage,
  readSiteUrl,
} from '../../core/inputs/field.ts'
import {
  describe,
  given,
  type InputContext,
  type InputFault,
  needsToken,
  type ParsedInputs,
  parsedOf,
  type RawInputs,
  type Rule,
  readMode,
} from '../../core/inputs/inputs.ts'
import { command, common, defaults, type InputsOf, matrixIndex } from '../../core/inputs/schema.ts'
import { isDay, isMoment, toDay } from './calendar.ts'
import { namedPeriod, type Period, periodNames } from './period.ts'
import { sectionNames } from './sections/rules.ts'

const fallback = defaults.visitors

const schema = z.object({
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
  'site-url': optional('the URL of the docs, such as https://docs.example.com', readSiteUrl),
  /** The loss of human visitors that raises an alert, as a fraction; null: no alert. */
  'alert-drop': optional('a percentage from 0.01% to 100%, such as 20%', readPercentage),
  'max-requests': integer(1, 10_000, 'requests', fallback['max-requests']),
  sections: anyOf(sectionNames, fallback.sections),
  /** null if no files are written. */
  'report-dir': anyText,
  /** null: no comment. */
  'issue-number': optional('an issue number', (value) => integerWithin(value, 1, 999_999_999)),
} satisfies Record<keyof typeof fallback, { fallback: string }>)

type Read = InputsOf<'visitors', z.output<typeof schema>>

/** The parsed inputs: `period` is the selected period, by name or by dates. */
export type VisitorsInputs = Omit<Read, 'period' | 'dateFrom' | 'dateTo'> & { period: Period }

/** Reads and checks the inputs. A missing input counts as empty, and an empty one as its default. */
export function parseVisitorsInputs(raw: RawInputs, { now }: InputContext): ParsedInputs<VisitorsInputs> {
  const { inputs, faults } = readMode('visitors', schema, raw, rulesOf(raw))
  const chosen = choosePeriod(raw, now)
  const complete = inputs && chosen.period && withPeriod(inputs, chosen.period)
  return parsedOf({ inputs: complete, faults: [...faults, ...chosen.faults] })
}

function rulesOf(raw: RawInputs): Rule[] {
  return [needsToken(raw, given(raw, 'issue-number') !== null, 'to comment on the issue')]
}

function withPeriod({ dateFrom, dateTo, ...inputs }: Read, period: Period): VisitorsInputs {
  return { ...inputs, period }
}

/** The selected period, by dates or by name. */
function choosePeriod(raw: RawInputs, now: number): { period?: Period; faults: InputFault[] } {
  const today = toDay(now)
  const [from = '', to = ''] = [raw['date-from'], raw['date-to']]
  if (from === '' && to === '') {
    const name = periodNames.find((each) => each === (raw.period || fallback.period))
    // A malformed name is reported elsewhere.
    return name === undefined ? { faults: [] } : { period: namedPeriod(name, today), faults: [] }
  }
  const faults = (['date-from', 'date-to'] as const)
    .filter((input) => !isDay(raw[input] ?? '') && !isMoment(raw[input] ?? ''))
    .map((input): InputFault => ({ input, got: describe(raw, input), expected: expectedDate[input] }))
  if (faults.length > 0) return { faults }
  const faultyEnd = (expected: string) => ({
    faults: [{ input: 'date-to', got: describe(raw, 'date-to'), expected }],
  })
  if (Date.parse(from) >= Date.parse(to))
    return faultyEnd('a time after date-from (the period ends before date-to)')
  if (isDay(to) ? to > today : Date.parse(to) > now)
    return faultyEnd(`${today} at the latest, because only complete days count`)
  return { period: { from, to }, faults: [] }
}

const expectedDate = {
  'date-from':
    'a day such as 2026-11-02, or a date-time with an offset such as 2026-11-02T00:00:00+01:00 (and date-to with it)',
  'date-to':
    'the day after the last one, such as 2026-11-09, or a date-time with an offset (and date-from with it)',
}
