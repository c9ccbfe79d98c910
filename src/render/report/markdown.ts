/** The report as Markdown: for the job summary, an issue's comment, and report.md. */

import { byteLength } from '../../core/units.ts'
import { differenceOf, type Move, type MovedPage, moves } from '../../core/visitors/movers.ts'
import {
  type PeriodReading,
  pageOf,
  previousOf,
  type TrendPoint,
  type VisitorsReport,
} from '../../core/visitors/report.ts'
import { aiShare, changeOf, type VisitorCounts } from '../../core/visitors/visitors.ts'
import { code, pageLink, prose } from '../markdown.ts'
import type { JobRef } from '../problem.ts'
import { notesOf } from './notes.ts'
import * as words from './words.ts'

/** GitHub drops a summary over 1 MiB (actions/runner); below this, in bytes, there is room for what else stands in it. */
export const summaryLimit = 900 * 1024
/** An issue's comment takes so many characters (GitHub); bytes are never fewer. */
export const commentLimit = 65_000

/** Rows of the folded table of all movers, at first. */
const moverRows = 1_000

/** The whole report, in at most so many bytes: where it would be longer, its tables are shortened and it says so. */
export function reportMarkdown(report: VisitorsReport, jobRef: JobRef, limit = summaryLimit): string {
  for (let rows = Math.max(report.top, moverRows); ; rows = Math.floor(rows / 2)) {
    const text = withTables(report, jobRef, rows)
    if (byteLength(text) <= limit || rows === 0) return text
  }
}

/** @param rows most rows of any table */
function withTables(report: VisitorsReport, jobRef: JobRef, rows: number): string {
  const top = Math.min(report.top, rows)
  const parts = [
    `## 📊 Visitors, ${words.dateRange(report.current.period)}`,
    `**${words.mainSentence(report)}**${lacking(report, jobRef)}`,
    totalsTable(report),
    ...report.alerts.map(
      ({ change, threshold }) =>
        `> [!WARNING]\n> People fell by ${words.share(-change)}; the alert is set to ${words.share(-threshold)}.`,
    ),
    ...movedPart(report, Math.min(top, 10)),
    ...trendPart(report.trend),
    ...topPart(report, top),
    mostReadByAi(report, top),
    allMovers(report, rows),
    provenance(report, jobRef),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** What is missing, behind the verdict: the platform's own words may be in it. */
function lacking(report: VisitorsReport, jobRef: JobRef): string {
  const gaps = words.gapSentences(report, jobRef)
  return gaps.length === 0 ? '' : `<br><b>Incomplete:</b> ${prose(gaps.join(' '))}`
}

function totalsTable(report: VisitorsReport): string {
  const { current, changes } = report
  const previous = previousOf(report)
  const line = (name: string, of: (counts: VisitorCounts) => string, change: string) =>
    row(
      previous === null
        ? [name, of(current.totals)]
        : [name, of(current.totals), of(previous.totals), change],
    )
  const count = (key: keyof VisitorCounts) => (counts: VisitorCounts) => words.number(counts[key])
  const shareOf = (counts: VisitorCounts) => words.share(aiShare(counts))
  const shareChange = previous === null ? '' : words.points(aiShare(current.totals), aiShare(previous.totals))
  const head = previous === null ? ['', 'This period'] : ['', 'This period', 'Before', 'Change']
  return [
    row(head),
    row([':--', ...head.slice(1).map(() => '--:')]),
    line('Visitors', count('total'), words.change(changes.visitors, current.totals.total > 0)),
    line('People', count('human'), words.change(changes.humanVisitors, current.totals.human > 0)),
    line('AI readers', count('ai'), words.change(changes.aiVisitors, current.totals.ai > 0)),
    line('AI share', shareOf, shareChange),
  ].join('\n')
}

function movedPart({ movers, compared, siteUrl }: VisitorsReport, top: number): string[] {
  if (compared.kind === 'none') return []
  const heading = '### What moved'
  if (movers === null)
    return [heading, 'Shown where all pages of both periods were read; this time some are missing.']
  const all = largestFirst(movers)
  if (all.length === 0) return [heading, 'Nothing beyond the usual noise.']
  const more =
    all.length > top ? [`And ${words.number(all.length - top)} more, below under “All movers”.`] : []
  return [heading, moversTable(all.slice(0, top), siteUrl), ...more]
}

type Movement = MovedPage & { move: Move }

function largestFirst(movers: NonNullable<VisitorsReport['movers']>): Movement[] {
  return moves
    .flatMap((move) => movers[move].map((page) => ({ ...page, move })))
    .sort((one, other) => Math.abs(differenceOf(other)) - Math.abs(differenceOf(one)))
}

function moversTable(pages: readonly Movement[], siteUrl: string | null): string {
  const rows = pages.map((page) =>
    row([
      pageLink(page.path, siteUrl),
      movement(page),
      `${words.number(page.previous?.total ?? 0)} → ${words.number(page.current?.total ?? 0)}`,
    ]),
  )
  return [row(['Page', 'Change', 'Visitors']), row([':--', '--:', '--:']), ...rows].join('\n')
}

const signs: Record<Move, string> = { rises: '▲', falls: '▼', new: '✨ new', gone: '∅ none now' }

function movement(page: Movement): string {
  const isChange = page.move === 'rises' || page.move === 'falls'
  return isChange ? `${signs[page.move]} ${words.difference(differenceOf(page))}` : signs[page.move]
}

/** Colours that hold on GitHub's light and its dark ground; the default palette does on neither. */
const peopleColour = '#2f81f7'
const aiColour = '#d4761c'

/** A point that was read. */
type ShownPoint = TrendPoint & { totals: VisitorCounts }

function trendPart(trend: readonly TrendPoint[]): string[] {
  // A line that skips points would look as if nothing was missing: it begins after the last gap.
  const shown = trend
    .slice(trend.findLastIndex(({ totals }) => totals === null) + 1)
    .flatMap(({ period, totals }) => (totals === null ? [] : [{ period, totals }]))
  if (trend.length < 2) return []
  const heading = '### Trend'
  if (shown.length < 2) return [heading, 'The periods before could not be read this time.']
  const counts = shown.map(({ totals }) => totals)
  const most = Math.max(1, ...counts.flatMap(({ human, ai }) => [human, ai]))
  const chart = [
    '```mermaid',
    '---',
    'config:',
    '  xyChart:',
    '    height: 300',
    '  themeVariables:',
    '    xyChart:',
    '      backgroundColor: "#00000000"',
    `      plotColorPalette: "${peopleColour}, ${aiColour}"`,
    '---',
    'xychart-beta',
    `  x-axis [${labelsOf(shown).join(', ')}]`,
    `  y-axis "Visitors" 0 --> ${Math.ceil(most * 1.1)}`,
    `  line "People" [${counts.map(({ human }) => Math.round(human)).join(', ')}]`,
    `  line "AI readers" [${counts.map(({ ai }) => Math.round(ai)).join(', ')}]`,
    '```',
  ].join('\n')
  const legend = `🔵 people, 🟠 AI readers, by the period's first day.${unshown(trend.length - shown.length)}`
  return [heading, chart, legend, figures(shown)]
}

/** The first days; with their years where days are there twice, for Mermaid makes one point of labels that are the same. */
function labelsOf(points: readonly ShownPoint[]): string[] {
  const days = points.map(({ period }) => words.shortDate(period.from))
  const isEachOnce = new Set(days).size === days.length
  return points.map(({ period }, at) => `"${isEachOnce ? days[at] : words.date(period.from)}"`)
}

/** Of points before a gap some may have been read. */
function unshown(points: number): string {
  if (points === 0) return ''
  return points === 1
    ? ' 1 earlier period is not shown: it could not be read.'
    : ` ${points} earlier periods are not shown: not all could be read.`
}

function figures(points: readonly ShownPoint[]): string {
  const rows = points.map(({ period, totals: { total, human, ai } }) =>
    row([words.dateRange(period), ...[total, human, ai].map(words.number)]),
  )
  const table = [
    row(['Period', 'Visitors', 'People', 'AI readers']),
    row([':--', '--:', '--:', '--:']),
    ...rows,
  ]
  return folded('The chart in figures', table.join('\n'))
}

function topPart(report: VisitorsReport, top: number): string[] {
  if (report.ids.length === 0) return []
  const pages = report.ids.slice(0, top).map((id) => pageOf(report, id))
  const more =
    report.ids.length > pages.length
      ? [`${words.number(pages.length)} of ${words.number(report.ids.length)} pages.`]
      : []
  return ['### Top pages', pagesTable(pages, report), ...more]
}

function pagesTable(pages: readonly MovedPage[], report: VisitorsReport): string {
  const before = previousOf(report)
  const rows = pages.map(({ path, current, previous }) => {
    const now = current ?? ofMissing(report.current)
    const then = before && (previous ?? ofMissing(before))
    const shown = now === null ? '–' : words.number(now.total)
    const change = before === null ? [] : [pageChange(now, then)]
    return row([pageLink(path, report.siteUrl), shown, ...change, now === null ? '–' : shareBar(now)])
  })
  const isCompared = before !== null
  const head = ['Page', 'Visitors', ...(isCompared ? ['Change'] : []), 'AI share']
  return [row(head), row([':--', '--:', ...(isCompared ? ['--:'] : []), ':--']), ...rows].join('\n')
}

/** A page that a complete reading lacks had no visitor; of one that an incomplete reading lacks nothing is known. */
function ofMissing({ gap }: PeriodReading): VisitorCounts | null {
  return gap === null ? { human: 0, ai: 0, total: 0 } : null
}

function pageChange(now: VisitorCounts | null, then: VisitorCounts | null): string {
  if (now === null || then === null) return '–'
  return words.change(changeOf(now.total, then.total), now.total > 0)
}

const barLength = 5

/** AI's share as a bar of text, and in figures: no colour to tell apart. */
function shareBar(counts: VisitorCounts): string {
  const fraction = aiShare(counts)
  if (fraction === null) return '–'
  const filled = Math.round(Math.min(1, fraction) * barLength)
  return `${'█'.repeat(filled)}${'░'.repeat(barLength - filled)} ${words.wholeShare(fraction)}`
}

function mostReadByAi(report: VisitorsReport, top: number): string {
  const readByAi = (id: number) => report.current.pages.get(id)?.ai ?? 0
  const ids = report.ids
    .filter((id) => readByAi(id) > 0)
    .sort((one, other) => readByAi(other) - readByAi(one))
  if (ids.length === 0) return ''
  const rows = ids.slice(0, top).map((id) => {
    const { path, current } = pageOf(report, id)
    const counts = current ?? { human: 0, ai: 0, total: 0 }
    return row([
      pageLink(path, report.siteUrl),
      words.number(counts.ai),
      words.number(counts.human),
      shareBar(counts),
    ])
  })
  const table = [
    row(['Page', 'AI readers', 'People', 'AI share']),
    row([':--', '--:', '--:', ':--']),
    ...rows,
  ]
  const more =
    ids.length > rows.length
      ? `\n\n${words.number(rows.length)} of ${words.number(ids.length)} pages that AI read.`
      : ''
  return folded('Most read by AI', `${table.join('\n')}${more}`)
}

function allMovers({ movers, siteUrl }: VisitorsReport, most: number): string {
  const all = movers === null ? [] : largestFirst(movers)
  if (all.length === 0) return ''
  const shown = all.slice(0, most)
  const left = all.length - shown.length
  const more =
    left > 0 ? `\n\n${words.number(left)} more are not shown here; report-dir has them written to files.` : ''
  return folded(`All movers (${words.number(all.length)})`, `${moversTable(shown, siteUrl)}${more}`)
}

function provenance(report: VisitorsReport, jobRef: JobRef): string {
  const { current, requests, projectId } = report
  const previous = previousOf(report)
  const gaps = words.gapSentences(report, jobRef)
  const facts = [
    `Project ${code(projectId)}, ${words.dateRange(current.period)}`,
    ...(previous === null ? [] : [`compared with ${words.dateRange(previous.period)}`]),
    `${words.pages(current.pages.size)}${previous === null ? '' : ` (${words.number(previous.pages.size)} before)`}`,
    gaps.length === 0 ? 'complete' : `<b>incomplete</b>: ${prose(gaps.join(' '))}`,
    `${words.number(requests.used)} of ${words.number(requests.limit)} requests used`,
  ]
  return `<sub>${facts.join(' · ')}<br>${notesOf(report).join('<br>')}</sub>`
}

function folded(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
