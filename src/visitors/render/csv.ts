/** visitors.csv: every page of both periods, one line each (RFC 4180), safe to open in a spreadsheet. */
import { csvCells, csvHead } from '../core/columns.ts'
import { visiblePath } from '../core/page-link.ts'
import { figuresOf, type VisitorsReport } from '../core/report.ts'

/** Without it, Excel does not read the file as UTF-8. */
export const byteOrderMark = '\uFEFF'

export function* reportCsv(report: VisitorsReport): Generator<string> {
  yield `${byteOrderMark}${line(['path', ...csvHead])}`
  for (const id of report.ids)
    yield line([text(report.book.pathOf(id)), ...csvCells(figuresOf(report, id), report.scale)])
}

export function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}

/**
 * Text as a cell, with hidden characters and line breaks visible. Spreadsheets run a cell that begins with one of these
 * signs, or their full-width forms, as a formula (OWASP, "CSV injection"); an apostrophe before it makes it text.
 */
export function text(value: string): string {
  const visible = visiblePath(value)
  const safe = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(visible) ? `'${visible}` : visible
  return `"${safe.replaceAll('"', '""')}"`
}
