/**
 * The report for programs: report.json, according to schema/visitors-report.v3.json, and visitors.csv. Both are produced
 * in pieces, so that the report of a large site is never in memory as a whole.
 */
import type { Row } from '../blocks.ts'
import { blocksOf, figuresOf, notesOf, suggest, warningsOf } from '../compose.ts'
import { fractionOf } from '../figures.ts'
import { plainHeadline } from '../headline.ts'
import { pageFields } from '../page-fields.ts'
import { visiblePath } from '../paths.ts'
import { daysOf } from '../period.ts'
import { pageOf, type VisitorsReport } from '../report.ts'

/** The pieces of report.json: facts about the report, then each table under its name. */
export function* reportJson(report: VisitorsReport): Generator<string> {
  yield JSON.stringify(factsOf(report), null, 2).slice(0, -2)
  for (const block of blocksOf(report)) {
    if (block.kind !== 'table') continue
    const { id, rows, gap } = block
    yield `,\n  "${id}": {\n    "whyIncomplete": ${JSON.stringify(gap)},\n    "rows": [`
    let separator = '\n'
    for (const row of rows) {
      yield `${separator}      ${JSON.stringify(row)}`
      separator = ',\n'
    }
    yield '\n    ]\n  }'
  }
  yield '\n}\n'
}

function factsOf(report: VisitorsReport) {
  const { period, previous } = report
  const figures = figuresOf(report).map(({ id, now, change }) => {
    return [id, { now, previous: change?.before ?? null, change: fractionOf(change) }]
  })
  return {
    version: 3,
    project: report.projectId,
    site: report.siteUrl,
    generatedAt: new Date(report.generatedAt).toISOString(),
    period: daysOf(period),
    previous: previous.totals && daysOf(previous.period),
    complete: report.isComplete,
    headline: plainHeadline(report),
    warnings: warningsOf(report),
    alerts: report.alerts,
    figures: Object.fromEntries(figures),
    commands: suggest(report),
    requests: { used: report.requests, limit: report.maxRequests },
    notes: notesOf(report),
  }
}

/** The lines of visitors.csv (RFC 4180): each page of either period, and then the files for machines. */
export function* reportCsv(report: VisitorsReport): Generator<string> {
  const names = pageFields.map(([name]) => name)
  // Without the byte order mark, Excel does not read the file as UTF-8.
  yield `\uFEFF${names.join(',')}\r\n`
  for (const id of [...report.ids, ...report.files]) {
    const page = pageOf(report, id)
    const cells = pageFields.map(([, read]) => cell(read(page)))
    yield `${cells.join(',')}\r\n`
  }
}

/**
 * A cell. Text has its hidden characters and line breaks visible. A spreadsheet runs a cell as a formula if it begins
 * with one of these characters or its full-width form (OWASP, "CSV injection"). An apostrophe before it prevents that.
 */
function cell(value: Row[string] | undefined) {
  if (typeof value !== 'string') return String(value ?? '')
  const text = visiblePath(value).replaceAll('"', '""')
  if (/^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text)) return `"'${text}"`
  return `"${text}"`
}
