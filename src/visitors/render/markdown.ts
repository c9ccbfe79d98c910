/**
 * The report as Markdown, for the job summary and report.md. Pages are in lists: a path of any length breaks there, while it
 * would push a table off a phone.
 */
import { byteLength } from '../../core/units.ts'
import { code, text as plain, prose, table } from '../../render/markdown.ts'
import type { JobRef } from '../../render/problem.ts'
import { columnChange, columns, valueText } from '../core/columns.ts'
import { aiShare } from '../core/counts.ts'
import { counted, countText, dayText, longDayText, rangeText, shareText } from '../core/figures.ts'
import type { LikelyMove } from '../core/moved-pages.ts'
import { changeOfPage } from '../core/movers.ts'
import { figuresOf, pageOf, previousOf, type TrendPoint, type VisitorsReport } from '../core/report.ts'
import { type HeadlinePart, headline, largestMoves, type Movement, noMovers, pageChange } from './headline.ts'
import { pageLink } from './page-link.ts'
import { sectionsMarkdown, suggestionsMarkdown } from './sections.ts'
import { gapSentences, notesOf, unmatchedSentences } from './words.ts'

/** GitHub drops a summary over 1 MiB (actions/runner); below this, in bytes, there is room for other content. */
export const summaryLimit = 900 * 1024

/** Rows of the folded table of all changes, at first. */
const moverRows = 1_000
/** Rows of what moved, above the fold. */
const firstMovers = 10

/**
 * The whole report in at most so many bytes: if it would be longer, its tables are shortened and it says so.
 * Each section of readers' words has five rows, unless more are asked for.
 */
export function reportMarkdown(
  report: VisitorsReport,
  jobRef: JobRef,
  limit = summaryLimit,
  sectionRows = 5,
): string {
  for (let rows = Math.max(report.top, moverRows); ; rows = Math.floor(rows / 2)) {
    const text = withTables(report, jobRef, rows, Math.max(1, Math.min(rows, sectionRows)))
    if (byteLength(text) <= limit || rows === 0) return text
  }
}

/**
 * @param rows most rows of any table
 * @param sectionRows most rows of each section of readers' words
 */
function withTables(report: VisitorsReport, jobRef: JobRef, rows: number, sectionRows: number): string {
  const { siteUrl, sections, suggestions } = report
  const top = Math.min(report.top, rows)
  const parts = [
    `## 📊 Visitors, ${rangeText(report.current.period)}`,
    opening(report),
    lacking(report, jobRef),
    ...movedPart(report, Math.min(top, firstMovers), rows),
    ...suggestionsMarkdown(suggestions, { siteUrl, here: false, earlier: new Set() }),
    ...sectionsMarkdown(sections, { siteUrl, rows: sectionRows }),
    ...totalsPart(report),
    ...trendPart(report.trend),
    ...topPart(report, top),
    mostReadByAi(report, top),
    provenance(report, jobRef),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function opening(report: VisitorsReport): string {
  const text = `<b>${headlineMarkdown(headline(report), report.siteUrl)}</b>`
  const previous = previousOf(report)
  const against = previous === null ? '' : `\n\nCompared with ${rangeText(previous.period)}.`
  return `${report.alerts.length > 0 ? `> [!WARNING]\n> ${text}` : text}${against}`
}

function headlineMarkdown(parts: readonly HeadlinePart[], siteUrl: string | null): string {
  return parts.map((part) => (typeof part === 'string' ? part : pageLink(part.path, siteUrl))).join('')
}

/** What is missing, and which globs match nothing: the platform's own words may be in it. */
function lacking(report: VisitorsReport, jobRef: JobRef): string {
  const gaps = gapSentences(report, jobRef)
  return [
    ...(gaps.length === 0 ? [] : [`<b>Incomplete:</b> ${prose(gaps.join(' '))}`]),
    ...unmatchedSentences(report).map((sentence) => plain(sentence)),
  ].join('<br>')
}

/** The largest changes and likely moves; the others, if there are more, in a fold. */
function movedPart(report: VisitorsReport, top: number, rows: number): string[] {
  const { movers, compared, ids } = report
  if (compared.kind === 'none' || ids.length === 0) return []
  const heading = '### What moved'
  if (movers === null) return [heading, 'Shown only if all pages of both periods were read.']
  const all = largestMoves(movers, report.scale)
  const shown = all.slice(0, top)
  const moved = movers.moved.slice(0, Math.max(0, top - shown.length) + Math.min(top, 3))
  if (all.length + movers.moved.length === 0) return [heading, noMovers]
  const left = all.length - shown.length + movers.moved.length - moved.length
  return [
    heading,
    moversList(shown, moved, report),
    left > 0
      ? folded(`${countText(left)} more`, restOfMovers(all.slice(top), moved.length, report, rows))
      : '',
  ]
}

function restOfMovers(rest: readonly Movement[], from: number, report: VisitorsReport, rows: number): string {
  const moved = (report.movers?.moved ?? []).slice(from)
  const [shown, shownMoved] = [rest.slice(0, rows), moved.slice(0, rows)]
  const left = rest.length - shown.length + moved.length - shownMoved.length
  const more = `${countText(left)} more are in the files that report-dir writes.`
  return [moversList(shown, shownMoved, report), left > 0 ? more : '']
    .filter((part) => part !== '')
    .join('\n\n')
}

function moversList(
  pages: readonly Movement[],
  moved: readonly LikelyMove[],
  { siteUrl, scale }: VisitorsReport,
): string {
  return [
    ...pages.map((page) => `- ${pageLink(page.path, siteUrl)}: ${movement(page, scale)}`),
    ...moved.map(
      (pair) =>
        `- ${pageLink(pair.from, siteUrl)} → ${pageLink(pair.to, siteUrl)}: likely moved, ${fromTo(pair)} visitors`,
    ),
  ].join('\n')
}

function fromTo({ previous, current }: Pick<Movement, 'previous' | 'current'>): string {
  return `${countText(previous?.total ?? 0)} → ${countText(current?.total ?? 0)}`
}

const arrows = { up: '▲ ', down: '▼ ', level: '' }

function movement(page: Movement, scale: number): string {
  if (page.move === 'new') return `new, with ${counted(page.current?.total ?? 0, 'visitor')}`
  if (page.move === 'gone') return `no visitors now, ${countText(page.previous?.total ?? 0)} before`
  const arrow = arrows[changeOfPage(page, scale).direction]
  return `${arrow}${pageChange(page, scale)} (${fromTo(page)} visitors)`
}

function totalsPart(report: VisitorsReport): string[] {
  const { current, scale } = report
  const then = previousOf(report)?.totals
  const rows = columns.map((column) => {
    const value = valueText(column, current.totals)
    if (then === undefined) return [column.title, value]
    const { text, direction, isSmall } = columnChange(column, current.totals, then, scale)
    const small = isSmall ? ' (small numbers)' : ''
    const from = column.of(then) === null ? '' : `, from ${valueText(column, then)}`
    return [column.title, value, `${arrows[direction]}${text}${small}${from}`]
  })
  return ['### Totals', table('figures', ['', 'Now', ...(then === undefined ? [] : ['Change'])], rows)]
}

/** Colors that hold on GitHub's light and dark ground; Mermaid's own palette holds on neither. */
const peopleColor = '#2f81f7'
const aiColor = '#d4761c'

/** A point that was read. */
type ShownPoint = TrendPoint & { totals: NonNullable<TrendPoint['totals']> }

function trendPart(trend: readonly TrendPoint[]): string[] {
  // A line that skips points would look as if nothing was missing, so it begins after the last gap.
  const shown = trend
    .slice(trend.findLastIndex(({ totals }) => totals === null) + 1)
    .flatMap(({ period, totals }) => (totals === null ? [] : [{ period, totals }]))
  if (trend.length < 2) return []
  const heading = '### Trend'
  if (shown.length < 2) return [heading, 'The earlier periods could not be read.']
  const counts = shown.map(({ totals }) => totals)
  const most = Math.max(1, ...counts.flatMap(({ human, ai }) => [human, ai]))
  const chart = [
    '```mermaid',
    '---',
    'config:',
    '  xyChart:',
    '    height: 300',
    // It would stick out of the chart on a phone; the line below the chart says the same.
    '    showLegend: false',
    '  themeVariables:',
    '    xyChart:',
    '      backgroundColor: "#00000000"',
    `      plotColorPalette: "${peopleColor}, ${aiColor}"`,
    '---',
    'xychart-beta',
    `  x-axis [${labelsOf(shown).join(', ')}]`,
    `  y-axis "Visitors" 0 --> ${Math.ceil(most * 1.1)}`,
    `  line "People" [${counts.map(({ human }) => Math.round(human)).join(', ')}]`,
    `  line "AI readers" [${counts.map(({ ai }) => Math.round(ai)).join(', ')}]`,
    '```',
  ].join('\n')
  const legend = `🔵 people, 🟠 AI readers, by each period's first day.${unshown(trend.length - shown.length)}`
  return [heading, chart, legend, folded('The chart in figures', trendList(shown))]
}

/** The first days, with their years if a day comes twice: Mermaid draws one point for equal labels. */
function labelsOf(points: readonly ShownPoint[]): string[] {
  const days = points.map(({ period }) => dayText(period.from))
  const isEachOnce = new Set(days).size === days.length
  return points.map(({ period }, at) => `"${isEachOnce ? days[at] : longDayText(period.from)}"`)
}

/** Some of the points before a gap may have been read. */
function unshown(points: number): string {
  if (points === 0) return ''
  return points === 1
    ? ' 1 earlier period is not shown: it could not be read.'
    : ` ${points} earlier periods are not shown: not all could be read.`
}

function trendList(points: readonly ShownPoint[]): string {
  return points
    .map(({ period, totals: { total, human, ai } }) => {
      const groups = `${countText(human)} people, ${counted(ai, 'AI reader')}`
      return `- ${rangeText(period)}: ${counted(total, 'visitor')} (${groups})`
    })
    .join('\n')
}

function topPart(report: VisitorsReport, top: number): string[] {
  const { ids } = report
  if (ids.length === 0) return []
  const shown = ids.slice(0, top)
  const moved = new Set(report.movers?.moved.flatMap(({ from, to }) => [from, to]))
  const rows = shown.map((id) => {
    const path = report.book.pathOf(id)
    return `1. ${pageLink(path, report.siteUrl)}: ${topRow(id, report, moved.has(path))}`
  })
  const periods = previousOf(report) === null ? 'the period' : 'both periods'
  const more =
    ids.length > shown.length
      ? [`${countText(shown.length)} of ${counted(ids.length, 'page')} of ${periods}.`]
      : []
  return ['### Top pages', rows.join('\n'), ...more]
}

function topRow(id: number, report: VisitorsReport, isMoved: boolean): string {
  const { now, before } = figuresOf(report, id)
  if (now === null) return 'not read'
  const visitors = counted(now.total, 'visitor')
  if (before === null) return visitors
  if (isMoved) return `${visitors} (likely moved)`
  const { text, direction } = columnChange(columns[0], now, before, report.scale)
  return text === '–' ? visitors : `${visitors} (${arrows[direction]}${text})`
}

function mostReadByAi(report: VisitorsReport, top: number): string {
  const readByAi = (id: number) => report.current.pages.get(id)?.ai ?? 0
  const ids = report.ids
    .filter((id) => readByAi(id) > 0)
    .sort((one, other) => readByAi(other) - readByAi(one))
  if (ids.length === 0) return ''
  const rows = ids.slice(0, top).map((id) => {
    const { path, current } = pageOf(report, id)
    const share = shareText(current && aiShare(current))
    return `1. ${pageLink(path, report.siteUrl)}: ${counted(current?.ai ?? 0, 'AI reader')} (${share} of its visitors)`
  })
  const more =
    ids.length > rows.length
      ? `\n\n${countText(rows.length)} of ${countText(ids.length)} pages with AI readers.`
      : ''
  return folded('Most read by AI', `${rows.join('\n')}${more}`)
}

function provenance(report: VisitorsReport, jobRef: JobRef): string {
  const { current, requests, projectId, book } = report
  const previous = previousOf(report)
  const gaps = gapSentences(report, jobRef)
  const pages =
    previous === null
      ? counted(current.pages.size, 'page')
      : `${countText(current.pages.size)} pages in this period, ${countText(previous.pages.size)} in the one before, ${countText(pagesOfBoth(report))} in all`
  const facts = [
    `Project ${code(projectId)}`,
    pages,
    gaps.length === 0 ? 'all pages read' : '<b>incomplete</b>',
    `${countText(requests.used)} of ${countText(requests.limit)} requests used`,
  ]
  return `<sub>${facts.join(' · ')}<br>${notesOf(report)
    .map((note) => plain(note))
    .join('<br>')}</sub>`

  /** Pages of either period, before the filter. */
  function pagesOfBoth({ current }: VisitorsReport): number {
    let count = 0
    for (let id = 0; id < book.size; id++)
      if (current.pages.has(id) || previous?.pages.has(id) === true) count++
    return count
  }
}

function folded(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>`
}
