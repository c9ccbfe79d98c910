/** visitors.csv: one line for each page of either period (RFC 4180), safe to open in a spreadsheet. */
import { plainValue, type Row, type Table } from '../core/blocks.ts'
import { blocksOf } from '../core/compose.ts'
import { visiblePath } from '../core/page-link.ts'
import type { VisitorsReport } from '../core/report.ts'

/** Without this, Excel does not read the file as UTF-8. */
const byteOrderMark = '\uFEFF'

/** The lines of visitors.csv: the table of pages, and then the files for machines. */
export function* reportCsv(report: VisitorsReport): Generator<string> {
  const { details } = blocksOf(report)
  const tables = details.filter(
    (block) => block.kind === 'table' && ['pages', 'files'].includes(block.id),
  ) as Table[]
  const keys = tables[0]?.columns.map(({ key }) => key) ?? []
  yield `${byteOrderMark}${keys.join(',')}\r\n`
  for (const { rows } of tables) for (const row of rows) yield `${line(row, keys)}\r\n`
}

function line(row: Row, keys: readonly string[]): string {
  return keys
    .map((key) => plainValue(row[key]))
    .map((value) => (typeof value === 'string' ? text(value) : String(value ?? '')))
    .join(',')
}

/**
 * A cell of text, with hidden characters and line breaks visible. A spreadsheet runs a cell as a formula if it begins
 * with one of these characters or its full-width form (OWASP, "CSV injection"). An apostrophe before it prevents that.
 */
function text(value: string): string {
  const visible = visiblePath(value)
  const safe = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(visible) ? `'${visible}` : visible
  return `"${safe.replaceAll('"', '""')}"`
}
