/**
 * The report for programs: report.json, according to schema/visitors-report.v3.json, and visitors.csv.
 */
import type { Row } from '../blocks.ts'
import { blocksOf, figuresOf, notesOf, suggest, warningsOf } from '../compose.ts'
import { fractionOf } from '../figures.ts'
import { plainHeadline } from '../headline.ts'
import { pageFields } from '../page-fields.ts'
import { visiblePath } from '../paths.ts'
import { daysOf } from '../period.ts'
import type { VisitorsReport } from '../report.ts'

/** report.json: facts about the report, then each table under its name. */
export function reportJson(report: VisitorsReport) {
  const tables = blocksOf(report).filter((block) => block.kind === 'table')
  const lists = tables.map(({ id, gap, rows }) => [id, { whyIncomplete: gap, rows }])
  return `${JSON.stringify({ ...factsOf(report), ...Object.fromEntries(lists) }, null, 2)}\n`
}

function factsOf(report: VisitorsReport) {
  const { previous } = report
  const figures = figuresOf(report).map(({ id, now, change }) => [
    id,
    { now, previous: change?.before ?? null, change: fractionOf(change) },
  ])
  return {
    version: 3,
    project: report.projectId,
    site: report.siteUrl,
    generatedAt: new Date(report.generatedAt).toISOString(),
    period: daysOf(report.period),
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

/** visitors.csv (RFC 4180): each page of either period. */
export function reportCsv({ pages }: VisitorsReport) {
  const names = pageFields.map(([name]) => name)
  const records = pages.map((page) => pageFields.map(([, read]) => cell(read(page))))
  const lines = [names, ...records].map((cells) => `${cells.join(',')}\r\n`)
  // Without the byte order mark, Excel does not read the file as UTF-8.
  return `\uFEFF${lines.join('')}`
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
