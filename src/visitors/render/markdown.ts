/**
 * The report as Markdown, for the job summary and report.md. Pages are in lists, which wrap long paths. Tables with
 * long paths would be too wide for a phone.
 */
import { byteLength } from '../../core/units.ts'
import { code, text as plain, prose, table } from '../../render/markdown.ts'
import type { JobRef } from '../../render/problem.ts'
import { columnChange, columns, valueText } from '../core/columns.ts'
import { aiShare } from '../core/counts.ts'
import { counted, countText, pagesText, rangeText, shareText, sparkline } from '../core/figures.ts'
import { changeOfPage, type Movement } from '../core/movers.ts'
import { isForMachines } from '../core/page-link.ts'
import { figuresOf, previousOf, type TrendPoint, type VisitorsReport } from '../core/report.ts'
import { headlineText, pageChange } from './headline.ts'
import { pageLink } from './page-link.ts'
import { sectionsMarkdown } from './sections.ts'
import { doNextMarkdown } from './suggestions.ts'
import { gapSentences, notesOf, unmatchedSentences } from './words.ts'

/** Maximum size in bytes. GitHub drops summaries over 1 MiB (actions/runner), and this leaves room for other content. */
export const summaryLimit = 900 * 1024

/** Maximum number of rows before a fold. */
const topRows = 20
/** Maximum number of rows in a folded list. Halved until the report is short enough. */
const moverRows = 1_000
/** Number of changes before the fold. */
const firstMovers = 10

/**
 * The complete report in at most `limit` bytes. If it would be longer, its lists are shortened, and it says so. By
 * default, each section of readers' words has five rows.
 */
export function reportMarkdown(
  report: VisitorsReport,
  jobRef: JobRef,
  limit = summaryLimit,
  sectionRows = 5,
): string {
  for (let rows = moverRows; ; rows = Math.floor(rows / 2)) {
    const text = withTables(report, jobRef, rows, Math.max(1, Math.min(rows, sectionRows)))
    if (byteLength(text) <= limit || rows === 0) return text
  }
}

/**
 * The report with lists of limited length.
 * @param rows maximum number of rows in a list
 * @param sectionRows maximum number of rows in each section of readers' words
 */
function withTables(report: VisitorsReport, jobRef: JobRef, rows: number, sectionRows: number): string {
  const { siteUrl, sections } = report
  const top = Math.min(topRows, rows)
  const parts = [
    `## 📊 Visitors, ${rangeText(report.current.period)}`,
    opening(report),
    strip(report),
    lacking(report, jobRef),
    ...doNextMarkdown(report, 'summary'),
    ...movedPart(report, Math.min(top, firstMovers), rows),
    ...sectionsMarkdown(sections, { siteUrl, rows: sectionRows }),
    ...pagesPart(report, top, rows),
    mostReadByAi(report, top),
    trendPart(report.trend),
    provenance(report, jobRef),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function opening(report: VisitorsReport): string {
  const words = headlineText(report, ({ path, shown }) => pageLink(path, report.siteUrl, shown))
  const text = `<b>${words}</b>`
  return report.alerts.length > 0 ? `> [!WARNING]\n> ${text}` : text
}

/** The totals, each with its change and trend. Only this part shows the AI share. */
function strip(report: VisitorsReport): string {
  const { current, scale, trend } = report
  const previous = previousOf(report)
  const share = aiShare(current.totals)
  const rows = columns.map((column) => {
    const portion = column.id === 'ai' && share !== null ? `<br>${shareText(share)} of visitors` : ''
    const cells = [`${column.title}${portion}`, `<b>${valueText(column, current.totals)}</b>`]
    const bars = sparkline(trend.map(({ totals }) => totals?.[column.key] ?? null))
    const drawn = trend.length > 1 ? [bars] : []
    if (previous === null) return [...cells, ...drawn]
    const { text, direction, isSmall } = columnChange(column, current.totals, previous.totals, scale)
    const change = `${arrows[direction]}${text}${isSmall ? ' (small numbers)' : ''}`
    return [...cells, [`${change}, from ${valueText(column, previous.totals)}`, ...drawn].join('<br>')]
  })
  const against = previous === null ? '' : `\n\nCompared with ${rangeText(previous.period)}.`
  const last = trend.length > 1 ? ['Trend'] : []
  return `${table('figures', ['', 'Now', ...(previous === null ? last : ['Change'])], rows)}${against}`
}

/** What is missing, possibly with the platform's own message, and the globs that match nothing. */
function lacking(report: VisitorsReport, jobRef: JobRef): string {
  const gaps = gapSentences(report, jobRef)
  return [
    ...(gaps.length === 0 ? [] : [`<b>Incomplete:</b> ${prose(gaps.join(' '))}`]),
    ...unmatchedSentences(report).map((sentence) => plain(sentence)),
  ].join('<br>')
}

/** The largest changes, and a fold with the rest. */
function movedPart(report: VisitorsReport, top: number, rows: number): string[] {
  const { movers, ids } = report
  if (ids.length === 0) return []
  const heading = '### What moved'
  if (movers === null) return [heading, 'Shown only if all pages of both periods were read.']
  if (movers.length === 0) return [heading, 'No single page stands out.']
  const rest = moversList(movers.slice(top, top + rows), report)
  return [heading, moversList(movers.slice(0, top), report), foldedRest(movers.length - top, rest, rows)]
}

/** A fold with the remaining rows, or as many of them as fit. */
function foldedRest(left: number, list: string, rows: number): string {
  if (left <= 0) return ''
  const more = `${countText(left - rows)} more are not shown here. With report-dir, report.json lists all of them.`
  return folded(`${countText(left)} more`, left > rows ? `${list}\n\n${more}` : list)
}

function moversList(pages: readonly Movement[], { siteUrl, scale }: VisitorsReport): string {
  return pages.map((page) => `- ${pageLink(page.path, siteUrl)}: ${movement(page, scale)}`).join('\n')
}

const arrows = { up: '▲ ', down: '▼ ', level: '' }

function movement(page: Movement, scale: number): string {
  const [now, before] = [page.current?.total ?? 0, page.previous?.total ?? 0]
  if (page.move === 'new') return `new, with ${counted(now, 'visitor')}`
  if (page.move === 'gone') return `no visitors now, ${countText(before)} before`
  const arrow = arrows[changeOfPage(page, scale).direction]
  return `${arrow}${pageChange(page, scale)} (${countText(before)} → ${countText(now)} visitors)`
}

/** The figures behind the totals' trends, oldest first. */
function trendPart(trend: readonly TrendPoint[]): string {
  if (trend.length < 2) return ''
  const rows = trend.map(({ period, totals }) => {
    if (totals === null) return `- ${rangeText(period)}: not read`
    const { total, human, ai } = totals
    const groups = `${counted(human, 'human visitor')}, ${counted(ai, 'AI reader')}`
    return `- ${rangeText(period)}: ${counted(total, 'visitor')} (${groups})`
  })
  return folded(`Trend of ${counted(trend.length, 'period')}`, rows.join('\n'))
}

function pagesPart(report: VisitorsReport, top: number, rows: number): string[] {
  const { ids, book, siteUrl } = report
  if (ids.length === 0) return []
  // A site may have hundreds of thousands of pages, so only those that can be shown are collected.
  const [pages, files]: [number[], number[]] = [[], []]
  let count = 0
  for (const id of ids) {
    if (isForMachines(book.pathOf(id))) files.push(id)
    else if (count++ < top + rows) pages.push(id)
  }
  const listOf = (some: readonly number[], mark: string) =>
    some.map((id) => `${mark} ${pageLink(book.pathOf(id), siteUrl)}: ${topRow(id, report)}`).join('\n')
  return [
    '### Pages',
    listOf(pages.slice(0, top), '1.'),
    pagesNote(report),
    foldedRest(count - top, listOf(pages.slice(top), '-'), rows),
    files.length > 0
      ? folded(`Files that machines read (${countText(files.length)})`, listOf(files.slice(0, rows), '-'))
      : '',
  ]
}

/** The number of pages. Some have visitors only in the earlier period. */
function pagesNote({ ids, current }: VisitorsReport): string {
  let now = 0
  for (const id of ids) if (current.pages.totalOf(id) > 0) now++
  return pagesText(now, ids.length - now)
}

function topRow(id: number, report: VisitorsReport): string {
  const { now, before } = figuresOf(report, id)
  if (now === null) return 'not read'
  const visitors = counted(now.total, 'visitor')
  if (before === null) return visitors
  const { text, direction } = columnChange(columns[0], now, before, report.scale)
  return text === '–' ? visitors : `${visitors} (${arrows[direction]}${text})`
}

function mostReadByAi({ ids, book, siteUrl, current }: VisitorsReport, top: number): string {
  const byAi = (one: number, other: number) => current.pages.aiOf(other) - current.pages.aiOf(one)
  const most: number[] = []
  let count = 0
  for (const id of ids) {
    if (current.pages.aiOf(id) === 0 || isForMachines(book.pathOf(id))) continue
    count++
    // Sorts a few pages at a time: sorting all pages of a large site would take seconds.
    if (most.push(id) > 4 * top) most.sort(byAi).splice(top)
  }
  if (count === 0) return ''
  const rows = most
    .sort(byAi)
    .slice(0, top)
    .map((id) => `1. ${pageLink(book.pathOf(id), siteUrl)}: ${counted(current.pages.aiOf(id), 'AI reader')}`)
  const more = `${countText(rows.length)} of ${countText(count)} pages with AI readers.`
  return folded(
    'Most read by AI readers',
    [rows.join('\n'), ...(count > rows.length ? [more] : [])].join('\n\n'),
  )
}

function provenance(report: VisitorsReport, jobRef: JobRef): string {
  const { requests, projectId } = report
  const gaps = gapSentences(report, jobRef)
  const facts = [
    `Project ${code(projectId)}`,
    gaps.length === 0 ? 'all pages read' : '<b>incomplete</b>',
    `${countText(requests.used)} of ${countText(requests.limit)} requests used`,
  ]
  return `<sub>${facts.join(' · ')}<br>${notesOf(report)
    .map((note) => plain(note))
    .join('<br>')}</sub>`
}

function folded(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>`
}
