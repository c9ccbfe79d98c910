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
} from '../core/inputs/field.ts'
import {
  describe,
  given,
  type InputContext,
  needsToken,
  type ParsedInputs,
  parsedOf,
  type RawInputs,
  readMode,
} from '../core/inputs/inputs.ts'
import { command, common, defaults, type InputsOf, matrixIndex } from '../core/inputs/schema.ts'
import { isDate, namedPeriod, type Period, periodNames, toDay } from './core/period.ts'
import type { Section } from './core/section.ts'
import { feedback } from './sections/feedback.ts'
import { questions } from './sections/questions.ts'
import { searches } from './sections/searches.ts'

/** The sections, in the order of the report. */
export const sections: readonly Section[] = [questions, feedback, searches]

const fallback = defaults.visitors

const schema = z.object({
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
  'site-url': optional('the URL of the docs, such as https://docs.example.com', readSiteUrl),
  /** The loss of human visitors that raises an alert, as a fraction; null: no alert. */
  'alert-drop': optional('a percentage from 0.01% to 100%, such as 20%', readPercentage),
  'max-requests': integer(1, 10_000, 'requests', fallback['max-requests']),
  sections: anyOf(
    sections.map(({ name }) => name),
    fallback.sections,
  ),
  /** null if no files are written. */
  'report-dir': anyText,
  /** null: no comment. */
  'issue-number': optional('an issue number', (value) => integerWithin(value, 1, 999_999_999)),
} satisfies Record<keyof typeof fallback, { fallback: string }>)

type Read = InputsOf<'visitors', z.output<typeof schema>>

/** The parsed inputs: `period` is the selected period, by name or by dates. */
export type VisitorsInputs = Omit<Read, 'period'> & { period: Period }

/** Reads and checks the inputs. A missing input counts as empty, and an empty one as its default. */
export function parseVisitorsInputs(raw: RawInputs, { now }: InputContext): ParsedInputs<VisitorsInputs> {
  const [from, to] = [given(raw, 'date-from'), given(raw, 'date-to')]
  const end = (expected: string) => ({ input: 'date-to', got: describe(raw, 'date-to'), expected })
  // A malformed date is NaN, so these rules ignore it.
  const ends = Date.parse(to ?? '')
  const { inputs, faults } = readMode('visitors', schema, raw, [
    needsToken(raw, given(raw, 'issue-number') !== null, 'to comment on the issue'),
    {
      isBroken: (from === null) !== (to === null),
      input: from === null ? 'date-from' : 'date-to',
      got: 'nothing',
      expected: 'both dates, or neither',
    },
    {
      isBroken: Date.parse(from ?? '') >= ends,
      ...end('a time after date-from (the period ends before date-to)'),
    },
    { isBroken: ends > now, ...end(`${toDay(now)} at the latest, because only complete days count`) },
  ])
  const period = from === null || to === null ? null : { from, to }
  const complete = inputs && { ...inputs, period: period ?? namedPeriod(inputs.period, toDay(now)) }
  return parsedOf({ inputs: complete, faults })
}

function readDate(text: string): string | undefined {
  return isDate(text) ? text : undefined
}
