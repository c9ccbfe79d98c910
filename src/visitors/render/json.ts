/**
 * report.json, according to schema/visitors-report.v2.json. It is produced in pieces, so that the report of a large
 * site is never in memory as a whole.
 */

import type { JobRef } from '../../render/problem.ts'
import type { Move, MovedPage, Movement } from '../core/movers.ts'
import type { Period } from '../core/period.ts'
import { type PeriodReading, pageOf, previousOf, type VisitorsReport } from '../core/report.ts'
import { headline } from './headline.ts'
import { sectionsJson } from './sections.ts'
import { suggestionsJson } from './suggestions.ts'
import { notesOf, reason, verdict } from './words.ts'

/** The pieces of report.json. */
export function* reportJson(report: VisitorsReport, jobRef: JobRef): Generator<string> {
  yield `${JSON.stringify(headOf(report, jobRef), null, 2).slice(0, -2)},\n  "pages": [`
  let separator = '\n'
  for (const id of report.ids) {
    yield `${separator}    ${JSON.stringify(pageOf(report, id) satisfies MovedPage)}`
    separator = ',\n'
  }
  yield '\n  ]\n}\n'
}

/** Everything but the pages. */
function headOf(report: VisitorsReport, jobRef: JobRef) {
  const { current, trend, requests } = report
  const previous = previousOf(report)
  const reading = ({ period, totals, pages, gap }: PeriodReading) => ({
    ...daysOf(period),
    totals,
    pages: pages.size,
    complete: gap === null,
    whyIncomplete: gap && reason(gap, requests.limit, jobRef),
  })
  return {
    version: 2 as const,
    project: report.projectId,
    site: report.siteUrl,
    generatedAt: new Date(report.generatedAt).toISOString(),
    verdict: verdict(report, jobRef),
    headline: headline(report),
    period: reading(current),
    compared: previous && reading(previous),
    change: report.changes,
    alerts: report.alerts,
    trend: trend.map(({ period, totals }) => ({ ...daysOf(period), totals })),
    movers: report.movers && moversJson(report.movers),
    paths: report.paths,
    unmatched: report.unmatched,
    requests,
    notes: notesOf(report),
    sections: sectionsJson(report.sections),
    suggestions: suggestionsJson(report.suggestions),
  }
}

function moversJson(movers: readonly Movement[]): Record<Move, MovedPage[]> {
  const of = (kind: Move) =>
    movers.filter(({ move }) => move === kind).map(({ move: _, ...page }): MovedPage => page)
  return { rises: of('rises'), falls: of('falls'), new: of('new'), gone: of('gone') }
}

const daysOf = ({ from, to }: Period) => ({ from, to })
