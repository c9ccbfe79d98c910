/** visitors.csv: one line for each page of both periods (RFC 4180), safe to open in a spreadsheet. */
import { csvCells, csvHead } from '../core/columns.ts'
import { visiblePath } from '../core/page-link.ts'
import { figuresOf, type VisitorsReport } from '../core/report.ts'

/** Without this, Excel does not read the file as UTF-8. */
const byteOrderMark = '\uFEFF'

/** The lines of visitors.csv. */
export function* reportCsv(report: VisitorsReport): Generator<string> {
  yield `${byteOrderMark}${line(['path', ...csvHead])}`
  for (const id of report.ids)
    yield line([text(report.book.pathOf(id)), ...csvCells(figuresOf(report, id), report.scale)])
}

/** A line of a CSV file. */
function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}

/**
 * A cell of text, with hidden characters and line breaks visible. A spreadsheet runs a cell as a formula if it begins
 * with one of these signs or its full-width form (OWASP, "CSV injection"). An apostrophe before it prevents that.
 */
function text(value: string): string {
  const visible = visiblePath(value)
  const safe = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(visible) ? `'${visible}` : visible
  return `"${safe.replaceAll('"', '""')}"`
}
