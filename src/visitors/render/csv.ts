/** visitors.csv: one line for each page of either period (RFC 4180), safe to open in a spreadsheet. */
import { changeBetween, rounded } from '../core/change.ts'
import { columns } from '../core/columns.ts'
import { aiShare, type PageFigures, type VisitorCounts } from '../core/counts.ts'
import { visiblePath } from '../core/page-link.ts'
import { figuresOf, type VisitorsReport } from '../core/report.ts'

/** Without this, Excel does not read the file as UTF-8. */
const byteOrderMark = '\uFEFF'

/** The lines of visitors.csv. */
export function* reportCsv(report: VisitorsReport): Generator<string> {
  yield `${byteOrderMark}${line(['path', ...head()])}`
  for (const id of report.ids)
    yield line([text(report.book.pathOf(id)), ...figures(figuresOf(report, id), report.scale)])
}

/** The names of the figures: those of the current period, those of the compared period, and the changes. */
function head(): string[] {
  const names = [...columns.map(({ csv }) => csv), 'aiShare']
  const previous = names.map((name) => `previous${name.charAt(0).toUpperCase()}${name.slice(1)}`)
  return [...names, ...previous, ...names.map((name) => `${name}Change`)]
}

/** The figures of a page; empty if unknown. */
function figures({ now, before }: PageFigures, scale: number): string[] {
  const shares = [now, before].map((counts) => counts && aiShare(counts))
  const [share = null, earlier = null] = shares
  const values = (counts: VisitorCounts | null, share: number | null) => [
    ...columns.map(({ key }) => counts?.[key] ?? null),
    rounded(share),
  ]
  const changes = columns.map(
    ({ key }) => now && before && rounded(changeBetween(now[key], before[key], scale).fraction),
  )
  const shareChange = share === null || earlier === null ? null : rounded(share - earlier)
  return [...values(now, share), ...values(before, earlier), ...changes, shareChange].map((value) =>
    String(value ?? ''),
  )
}

function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
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
