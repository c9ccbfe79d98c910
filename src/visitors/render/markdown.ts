/**
 * The report as Markdown, for the job summary, report.md and the comment on an issue. Rows are lists, which wrap long
 * paths. Tables with long paths would be too wide for a phone.
 */
import { fenced } from '../../core/text.ts'
import { counted, countText } from '../../core/units.ts'
import { code, codeLink, text as plain, table } from '../../say/markdown.ts'
import { type Block, type Figure, phrase, type Row, shownOf, type Table } from '../blocks.ts'
import { blocksOf, briefOf } from '../compose.ts'
import { changeText } from '../figures.ts'
import { pageAddress, shortPath } from '../paths.ts'
import { startText } from '../period.ts'
import type { VisitorsReport } from '../report.ts'

/** Where the report is shown. */
interface Place {
  /** null if pages are not linked. */
  site: string | null
  /** Maximum number of rows in each table; null for the table's own. */
  most: number | null
}

/** The report for the job summary, and for report.md, with up to `most` rows in each table. */
export function wholeMarkdown(report: VisitorsReport, most: number | null = null): string {
  return `${markdownOf(blocksOf(report), { site: report.siteUrl, most })}\n`
}

/**
 * The report for a comment on an issue: short, and without links to pages, because GitHub also emails its source.
 * @param runUrl the run with the whole report
 */
export function commentMarkdown(report: VisitorsReport, runUrl: string): string {
  return `${markdownOf(briefOf(report), { site: null, most: 5 })}\n\n[Full report](${runUrl})`
}

function markdownOf(blocks: readonly Block[], place: Place): string {
  return blocks.flatMap((block) => paragraphsOf(block, place)).join('\n\n')
}

function paragraphsOf(block: Block, place: Place): string[] {
  switch (block.kind) {
    case 'title':
      return [`## 📊 Docs visitors, ${block.days}`, `${block.against}.`]
    case 'headline': {
      const parts = block.parts.map((part) =>
        typeof part === 'string' ? plain(part) : page(part.page, place, part.shown),
      )
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
      const about = block.page === null ? code(block.search ?? '') : page(block.page, place)
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

function page(path: string, { site }: Place, shown = shortPath(path)): string {
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

/**
 * Breaks a command into lines for a phone: code blocks on GitHub do not wrap. Breaks only before words, so that no line
 * can begin a list or a heading.
 */
function wrapped(command: string): string {
  return command.replace(/(.{1,40})(?: (?=[“/\p{L}])|$)/gu, '$1\n').trimEnd()
}

/** Colors that are readable on GitHub's light and dark background. */
const colors = {
  visitors: ['#768390', 'gray'],
  humanVisitors: ['#2f81f7', 'blue'],
  aiVisitors: ['#db6d28', 'orange'],
} as const

/** A line chart that GitHub draws. */
function chart(figures: readonly Figure[]): string[] {
  const lines = figures.map(({ trend }) => trend.map(({ value }) => value))
  const days = (figures[0]?.trend ?? []).map(({ period }) => `"${startText(period)}"`)
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
  const { title, note, rows } = shownOf(block, place.most ?? block.top ?? 5)
  const left = block.rows.length - rows.length
  const parts = [
    plain(note),
    rows.map((row) => rowText(row, block.columns, place)).join('\n'),
    left > 0 ? `${counted(left, 'more row')} in report.json, which the input report-dir adds.` : '',
  ].filter((part) => part !== '')
  return title === null ? parts : [folded(title, parts.join('\n\n'))]
}

function rowText(row: Row, [first, ...others]: Table['columns'], place: Place): string {
  const { path } = row
  const isPage = first.kind === 'page' && typeof path === 'string'
  const subject = isPage ? page(path, place) : plain(first.text(row))
  const phrases = others.map((column) =>
    column.kind === 'words' ? plain(phrase(column, row)) : phrase(column, row),
  )
  const facts = phrases.filter((each) => each !== '').join(', ')
  return facts === '' ? `- ${subject}` : `- ${subject}: ${facts}`
}

function folded(title: string, content: string): string {
  return `<details><summary>${plain(title)}</summary>\n\n${content}\n\n</details>`
}
