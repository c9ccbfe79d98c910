/**
 * The report as Markdown, for the job summary, report.md and the comment on an issue. Rows are lists, which wrap long
 * paths. Tables with long paths would be too wide for a phone.
 */
import { fenced } from '../../core/text.ts'
import { code, codeLink, text as plain, table } from '../../say/markdown.ts'
import { type Block, type Figure, type PageRef, phrase, type Row, type Table } from '../core/blocks.ts'
import { blocksOf } from '../core/compose.ts'
import { changeText, counted, countText, startText } from '../core/format.ts'
import { pageAddress, shortPath } from '../core/page-link.ts'
import type { VisitorsReport } from '../core/report.ts'

/** Where the report is shown. */
interface Place {
  /** null if pages are not linked. */
  site: string | null
  /** Maximum number of rows that a table shows. */
  rowsOf(table: Table): number
}

/** Maximum number of rows in each table of report.md. */
const fileRows = 200
/** Maximum number of rows in each table of the comment. */
const commentRows = 5

/** The report for the job summary. */
export function summaryMarkdown(report: VisitorsReport): string {
  return wholeMarkdown(report, ({ top }) => top)
}

/** The report for report.md, with more rows. */
export function fileMarkdown(report: VisitorsReport): string {
  return wholeMarkdown(report, () => fileRows)
}

function wholeMarkdown(report: VisitorsReport, rowsOf: Place['rowsOf']): string {
  const { brief, details } = blocksOf(report)
  return `${markdownOf([...brief, ...details], { site: report.siteUrl, rowsOf })}\n`
}

/**
 * The report for a comment on an issue: short, and without links to pages, because GitHub also emails its source.
 * @param runUrl the run with the whole report; empty if unknown
 */
export function commentMarkdown(report: VisitorsReport, runUrl: string): string {
  const place = { site: null, rowsOf: ({ top }: Table) => Math.min(top, commentRows) }
  const text = markdownOf(blocksOf(report).brief, place)
  return runUrl === '' ? text : `${text}\n\n[Full report](${runUrl})`
}

function markdownOf(blocks: readonly Block[], place: Place): string {
  return blocks.flatMap((block) => paragraphsOf(block, place)).join('\n\n')
}

function paragraphsOf(block: Block, place: Place): string[] {
  switch (block.kind) {
    case 'title':
      return [`## 📊 Docs visitors, ${block.days}`, `${block.against}.`]
    case 'headline': {
      const parts = block.parts.map((part) => (typeof part === 'string' ? plain(part) : page(part, place)))
      return [`${block.isAlert ? '> [!WARNING]\n> ' : ''}**${parts.join(' ')}**`]
    }
    case 'figures':
      return [figuresTable(block.figures)]
    case 'warning':
      return [`⚠️ ${plain(block.text)}`]
    case 'heading':
      return [`### ${plain(block.text)}`]
    case 'paragraph':
      return [plain(block.text)]
    case 'command': {
      const about = typeof block.about === 'string' ? code(block.about) : page(block.about, place)
      return [`**${about}**`, fenced(wrapped(block.command), 'text'), plain(block.because)]
    }
    case 'chart':
      return chart(block.figures)
    case 'notes':
      return [folded(block.title, block.notes.map((note) => `- ${plain(note)}`).join('\n'))]
    case 'table':
      return tableParagraphs(block, place)
  }
}

function page({ page: path, shown = shortPath(path) }: PageRef, { site }: Place): string {
  const address = pageAddress(site, path)
  return address === null ? code(shown) : codeLink(shown, address)
}

function figuresTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ title, now, change, remark }) => {
    const name = remark === '' ? title : `${title}<br>${remark}`
    return [name, `**${countText(now)}**`, change === null ? '' : changeText(change)]
  })
  return table('figures', ['', 'Now', 'Change'], rows)
}

/** Width of a command, in characters, for a phone: code blocks on GitHub do not wrap. */
const commandWidth = 40

/** Breaks a command into lines, only before words, so that no line can begin a list or a heading. */
function wrapped(command: string): string {
  const lines: string[] = []
  for (const word of command.split(' ')) {
    const line = lines.pop()
    const isFull = line !== undefined && line.length + word.length >= commandWidth
    if (line === undefined) lines.push(word)
    else lines.push(...(isFull && /^[“/\p{L}]/u.test(word) ? [line, word] : [`${line} ${word}`]))
  }
  return lines.join('\n')
}

/** Colors that are readable on GitHub's light and dark background. */
const colors = {
  visitors: ['#768390', 'gray'],
  humanVisitors: ['#2f81f7', 'blue'],
  aiVisitors: ['#db6d28', 'orange'],
} as const

/** A line chart that GitHub draws. Periods that were not read have no point. */
function chart(figures: readonly Figure[]): string[] {
  const lines = figures.map(({ trend }) => trend.flatMap(({ value }) => value ?? []))
  const days = (figures[0]?.trend ?? []).flatMap(({ period, value }) =>
    value === null ? [] : `"${startText(period)}"`,
  )
  if (days.length < 2) return []
  const palette = figures.map(({ id }) => colors[id][0]).join(', ')
  const diagram = [
    `%%{init: {"xyChart": {"height": 280}, "themeVariables": {"xyChart": {"backgroundColor": "transparent", "plotColorPalette": "${palette}"}}}}%%`,
    'xychart-beta',
    `  x-axis [${days.join(', ')}]`,
    `  y-axis ${Math.min(0, ...lines.flat())} --> ${Math.max(1, ...lines.flat())}`,
    ...lines.map((values) => `  line [${values.join(', ')}]`),
  ]
  return [
    fenced(diagram.join('\n'), 'mermaid'),
    figures.map(({ id, title }) => `${title}: ${colors[id][1]}`).join(' · '),
  ]
}

function tableParagraphs(block: Table, place: Place): string[] {
  const { size, gap, nothing = '', fold } = block
  const rows: string[] = []
  for (const row of block.rows) {
    if (rows.length === place.rowsOf(block)) break
    rows.push(rowText(row, block.columns, place))
  }
  const left = size - rows.length
  const parts = [
    plain(gap ?? (size === 0 ? nothing : '')),
    rows.join('\n'),
    left > 0 ? `${counted(left, 'more row')} in report.json, which the input report-dir adds.` : '',
  ].filter((part) => part !== '')
  return fold === undefined || size === 0
    ? parts
    : [folded(`${fold} (${countText(size)})`, parts.join('\n\n'))]
}

function rowText(row: Row, [first, ...others]: Table['columns'], place: Place): string {
  const path = row[first.key]
  const isPage = first.kind === 'page' && typeof path === 'string'
  const subject = isPage ? page({ page: path }, place) : plain(first.text(row))
  const shown = others.filter(({ title }) => title !== null)
  const phrases = shown.map((column) =>
    column.kind === 'words' ? plain(phrase(column, row)) : phrase(column, row),
  )
  const facts = phrases.filter((each) => each !== '').join(', ')
  return facts === '' ? `- ${subject}` : `- ${subject}: ${facts}`
}

function folded(title: string, content: string): string {
  return `<details><summary>${plain(title)}</summary>\n\n${content}\n\n</details>`
}
