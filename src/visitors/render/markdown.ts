/**
 * The report as Markdown, for the job summary, report.md and the comment on an issue. Rows are lists, which wrap long
 * paths. Tables with long paths would be too wide for a phone.
 */
import { fenced, joinTexts } from '../../core/text.ts'
import { counted, countText } from '../../core/units.ts'
import { blocks, bullets, code, codeLink, text as plain, table } from '../../say/markdown.ts'
import {
  type Block,
  type Figure,
  foldTitle,
  noteOf,
  type Part,
  phrase,
  type Row,
  subjectOf,
  type Table,
  targetOf,
} from '../blocks.ts'
import { blocksOf, commentOf } from '../compose.ts'
import { changeText } from '../figures.ts'
import { pageAddress } from '../paths.ts'
import type { VisitorsReport } from '../report.ts'

/** Maximum length of a path in a table, in characters: a longer one would leave no room for the figures. */
const pathLimit = 50

/** GitHub rejects comments over 65,536 characters. The link and the mark of a report follow the text. */
const commentLimit = 60_000

interface MarkdownOptions {
  /** null if pages are not linked. */
  site: string | null
  /** Maximum number of rows in each table, unless it is the table's own. */
  most: number | undefined
  /** Whether pages are in tables. In lists, long paths wrap, also in an email. */
  hasTables: boolean
}

/** The report for the job summary, and for report.md, with up to `most` rows in each table. */
export function wholeMarkdown(report: VisitorsReport, most?: number) {
  return `${markdownOf(blocksOf(report), { site: report.siteUrl, most, hasTables: true })}\n`
}

/**
 * The report for a comment on an issue.
 * @param runUrl the run with the whole report
 */
export function commentMarkdown(report: VisitorsReport, runUrl: string) {
  const texts = [5, 1].map((most) =>
    markdownOf(commentOf(report), { site: report.siteUrl, most, hasTables: false }),
  )
  // Long URLs, and words that must be escaped, can make a comment too long.
  const text = texts.find(({ length }) => length < commentLimit)
  return blocks([text, `[Full report](${runUrl})`])
}

function markdownOf(report: Block[], options: MarkdownOptions) {
  return blocks(report.map((block) => blockMarkdown(block, options)))
}

function blockMarkdown(block: Block, options: MarkdownOptions) {
  switch (block.kind) {
    case 'title':
      return `## 📊 Visitors of ${code(block.project)}, ${block.days}\n\n${block.against}.`
    case 'headline': {
      const parts = block.parts.map((part) => partMarkdown(part, options))
      const sentence = `**${parts.join(' ')}**`
      if (block.isAlert) return `> [!WARNING]\n> ${sentence}`
      return sentence
    }
    case 'figures':
      return figuresTable(block.figures)
    case 'warning':
      return `⚠️ ${plain(block.text)}`
    case 'heading':
      return `### ${plain(block.text)}`
    case 'paragraph':
      return plain(block.text)
    case 'command': {
      const subject = `**${partMarkdown(targetOf(block), options)}**`
      return blocks([subject, fenced(wrap(block.command), 'text'), plain(block.because)])
    }
    case 'chart':
      return chart(block)
    case 'notes':
      return fold(block.title, bullets(block.notes.map((note) => plain(note))))
    case 'table':
      return tableMarkdown(block, options)
  }
}

function partMarkdown({ text, page }: Part, { site }: MarkdownOptions, limit?: number) {
  if (page === undefined) return plain(text)
  const address = pageAddress(site, page)
  if (address === null) return code(text, limit)
  return codeLink(text, address, limit)
}

function figuresTable(figures: Figure[]) {
  const rows = figures.map(({ title, now, change, remark }) => {
    return [joinTexts([title, remark], '<br>'), `**${countText(now)}**`, changeText(change)]
  })
  return table(['', 'Now', 'Change'], rows)
}

/**
 * Breaks a command into lines for a phone: code blocks on GitHub do not wrap. Breaks only before words, so that no line
 * can begin a list or a heading.
 */
function wrap(command: string) {
  return command.replace(/(.{1,40})(?: (?=[“/\p{L}])|$)/gu, '$1\n').trimEnd()
}

/** The lines' colors, which are readable on GitHub's light and dark background. */
const colors = { gray: '#768390', blue: '#2f81f7', orange: '#db6d28' }

/** A line chart that GitHub draws. */
function chart({ labels, figures }: Extract<Block, { kind: 'chart' }>) {
  const lines = figures.map(({ trend }) => trend.map(({ value }) => value))
  const days = labels.map((label) => `"${label}"`)
  const palette = Object.values(colors)
  const names = Object.keys(colors)
  const legend = figures.map(({ title }, at) => `${title}: ${names[at]}`)
  const diagram = [
    `%%{init: {"xyChart": {"height": 280}, "themeVariables": {"xyChart": {"backgroundColor": "transparent", "plotColorPalette": "${palette.join(', ')}"}}}}%%`,
    'xychart-beta',
    `  x-axis [${days.join(', ')}]`,
    `  y-axis ${Math.min(0, ...lines.flat())} --> ${Math.max(1, ...lines.flat())}`,
    ...lines.map((values) => `  line [${values.join(', ')}]`),
  ]
  return blocks([fenced(diagram.join('\n'), 'mermaid'), legend.join(' · ')])
}

function tableMarkdown(block: Table, options: MarkdownOptions) {
  const rows = block.rows.slice(0, options.most ?? block.top ?? 5)
  const left = block.rows.length - rows.length
  const rest = left > 0 && `${counted(left, 'more row')} in report.json, which the input report-dir adds.`
  const content = [plain(noteOf(block)), rowsText(rows, block, options), rest]
  return fold(foldTitle(block), blocks(content))
}

/** Pages with figures in a table. Words would make it too wide, so other rows are lists. */
function rowsText(rows: readonly Row[], { columns }: Table, options: MarkdownOptions) {
  const [first, ...others] = columns
  const isGrid = first.kind === 'page' && others.every(({ kind }) => kind === 'figure')
  if (!isGrid || !options.hasTables || rows.length === 0)
    return bullets(rows.map((row) => rowText(row, columns, options)))
  const heads = columns.map(({ title }) => title)
  const cells = rows.map((row) => {
    const subject = partMarkdown(subjectOf(first, row), options, pathLimit)
    return [subject, ...others.map((column) => column.text(row))]
  })
  return table(heads, cells)
}

function rowText(row: Row, [first, ...others]: Table['columns'], options: MarkdownOptions) {
  const subject = partMarkdown(subjectOf(first, row), options)
  const phrases = others.map((column) => {
    if (column.kind === 'words') return plain(phrase(column, row))
    return phrase(column, row)
  })
  const facts = joinTexts(phrases, ', ')
  if (facts === '') return subject
  return `${subject}: ${facts}`
}

/** @param title null if nothing is folded */
function fold(title: string | null, content: string) {
  if (title === null) return content
  return `<details><summary>${plain(title)}</summary>\n\n${content}\n\n</details>`
}
