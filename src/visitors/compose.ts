/** The report in blocks. To add a section of what readers say, add a file in `sections/`. */
import { counted, countText } from '../core/units.ts'
import { type Block, count, type Figure, remark, type Table } from './blocks.ts'
import { plainPercent, shareText } from './figures.ts'
import { capitalized, groups, headline } from './headline.ts'
import { pageColumns, rowOf } from './page-fields.ts'
import { lengthOf, rangeText } from './period.ts'
import { changeOfTotals, type VisitorsReport } from './report.ts'
import { suggest } from './suggest.ts'

/** All blocks of the report. */
export function blocksOf(report: VisitorsReport): Block[] {
  return [
    ...briefOf(report),
    ...report.parts.flatMap(({ blocks }) => blocks),
    { kind: 'heading', text: 'Pages' },
    { kind: 'paragraph', text: pagesText(report) },
    pageTable(report, report.ids, { id: 'pages', top: 20 }),
    pageTable(report, report.files, { id: 'files', fold: 'Files for machines, such as /llms.txt' }),
    { kind: 'heading', text: 'Trend' },
    { kind: 'chart', figures: figuresOf(report) },
    trendTable(report),
    { kind: 'notes', title: 'About these figures', notes: notesOf(report) },
  ]
}

/** The first blocks, without long lists and the chart. */
export function briefOf(report: VisitorsReport): Block[] {
  const { current, previous, alerts } = report
  const against = previous.totals === null ? 'Not compared' : `Compared with ${rangeText(previous.period)}`
  const nothing = 'No single page stands out.'
  return [
    { kind: 'title', days: rangeText(current.period), against },
    { kind: 'headline', parts: headline(report), isAlert: alerts.length > 0 },
    { kind: 'figures', figures: figuresOf(report) },
    ...warningsOf(report).map((text): Block => ({ kind: 'warning', text })),
    ...nextBlocks(report),
    { kind: 'heading', text: 'What moved' },
    pageTable(report, report.movers, { id: 'moved', top: 10, nothing }),
  ]
}

/** The site's totals. */
export function figuresOf(report: VisitorsReport): Figure[] {
  const { totals, alerts, trend } = report
  // The shares of AI readers and human visitors can add up to more than 1, so only one of them is shown.
  const share = totals.aiVisitors / totals.visitors
  const remarks = {
    visitors: '',
    humanVisitors: alerts.map(({ threshold }) => `Alert at ${plainPercent(threshold)}`).join(''),
    aiVisitors: Number.isFinite(share) ? `${shareText(share)} of visitors` : '',
  }
  return groups.map(([id, name]) => ({
    id,
    title: capitalized(name),
    now: totals[id],
    change: changeOfTotals(report, id),
    remark: remarks[id],
    trend: trend.map(({ period, totals }) => ({ period, value: totals[id] })),
  }))
}

function trendTable({ trend }: VisitorsReport): Table {
  const rows = trend.map(({ period: { from, to }, totals }) => ({
    days: rangeText({ from, to }),
    from,
    to,
    ...totals,
  }))
  const columns: Table['columns'] = [
    remark('days', 'Period'),
    ...groups.map(([key, name]) => count(key, capitalized(name), name.replace(/s$/, ''))),
  ]
  const fold = 'Figures of each period'
  return { kind: 'table', id: 'trend', fold, columns, rows, top: rows.length, gap: null }
}

/** What the report lacks, and the globs that match nothing. */
export function warningsOf({ current, previous, unmatched }: VisitorsReport): string[] {
  const lacks = [current, previous].flatMap(({ period, totals, gap }) => {
    if (gap === null) return []
    const days = rangeText(period)
    return totals === null
      ? `Nothing is compared, because ${days} could not be read: ${gap.reason}.`
      : `Not all pages of ${days} were read: ${gap.reason}.`
  })
  const among = current.gap === null ? 'no page' : 'none of the pages read'
  return [...lacks, ...unmatched.map((glob) => `paths: ${glob} matches ${among}.`)]
}

function nextBlocks(report: VisitorsReport): Block[] {
  const commands = suggest(report)
  if (commands.length === 0) return []
  const text = 'Comment a command on an issue or pull request to start the agent.'
  return [
    { kind: 'heading', text: 'Do next' },
    ...commands.map((each): Block => ({ kind: 'command', ...each })),
    { kind: 'paragraph', text },
  ]
}

/** Makes a table of pages. */
function pageTable(
  report: VisitorsReport,
  ids: Uint32Array | readonly number[],
  table: Pick<Table, 'id' | 'top' | 'nothing' | 'fold'>,
): Table {
  const rows = {
    length: ids.length,
    [Symbol.iterator]: () => ids.values().map((id) => rowOf(report, id)),
  }
  const columns = pageColumns(report.scale)
  const gap = report.isComplete ? null : 'Not all pages were read.'
  return { kind: 'table', columns, rows, gap, ...table }
}

function pagesText({ ids, current }: VisitorsReport): string {
  const now = ids.reduce((sum, id) => sum + (current.pages.visitorsOf(id) > 0 ? 1 : 0), 0)
  const gone = ids.length - now
  const before = gone === 0 ? '' : `, and ${countText(gone)} more only in the previous one`
  return `${counted(now, 'page')} had visitors in this period${before}.`
}

/** What readers must know about the figures. */
export function notesOf({
  projectId,
  requests,
  maxRequests,
  current,
  previous,
  scale,
  paths,
}: VisitorsReport): string[] {
  const isCompared = previous.totals !== null
  const notes = [
    `Project ${projectId}. ${countText(requests)} of ${countText(maxRequests)} requests used.`,
    'Human visitors read the docs themselves. AI readers are AI tools, recognized by IP address and user agent. One IP address counts as one visitor.',
    'Counts are approximate. Someone who reads both directly and through AI counts in both groups, but once in the total.',
    'Someone who visits several pages counts on each page, so pages do not add up to the totals.',
    isCompared && 'Arrows mark changes that are larger than chance would explain.',
    isCompared &&
      scale !== 1 &&
      `The period has ${counted(lengthOf(current.period), 'day')}, and the previous one has ${countText(lengthOf(previous.period))}, so changes compare daily averages.`,
    'Dates are in UTC. Mintlify does not document its own time zone.',
    paths.length > 0 && 'The input “paths” narrows the lists of pages, not the totals.',
  ]
  return notes.filter((note) => note !== false)
}
