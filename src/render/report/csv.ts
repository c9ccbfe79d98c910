/** visitors.csv: every page of both periods, a line each (RFC 4180), safe to open in a spreadsheet. */
import { pageOf, type VisitorsReport } from '../../core/visitors/report.ts'

const head = [
  'path',
  'visitors',
  'humanVisitors',
  'aiVisitors',
  'previousVisitors',
  'previousHumanVisitors',
  'previousAiVisitors',
]

export function* reportCsv(report: VisitorsReport): Generator<string> {
  yield line(head)
  for (const id of report.ids) {
    const { path, current, previous } = pageOf(report, id)
    const counts = [current, previous].flatMap((each) => [each?.total, each?.human, each?.ai])
    yield line([text(path), ...counts.map((count) => (count === undefined ? '' : String(count)))])
  }
}

export function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}

/**
 * A text as a cell. Spreadsheets run what begins with one of these signs, in their full width too, as a formula (OWASP,
 * "CSV injection"); an apostrophe before it makes it text.
 */
export function text(value: string): string {
  const safe = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value
  return `"${safe.replaceAll('"', '""')}"`
}
