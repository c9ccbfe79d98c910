/** A Markdown table that is also aligned in a terminal: the first column on the left, the figures on the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const pad = (row: readonly string[]) =>
    line(
      widths.map((width, column) =>
        column === 0 ? (row[column] ?? '').padEnd(width) : (row[column] ?? '').padStart(width),
      ),
    )
  const rule = line(
    widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)),
  )
  return [pad(head), rule, ...rows.map(pad)].join('\n')
}
