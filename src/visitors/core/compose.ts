/** The report in blocks. To add a section of what readers say, add a file in `sections/`. */
import {
  type Block,
  type Column,
  changeColumn,
  count,
  type Figure,
  pageColumn,
  type Row,
  remark,
  type Table,
} from './blocks.ts'
import { smallNumbers } from './change.ts'
import { counted, countText, rangeText, shareText } from './format.ts'
import { reasonOf } from './gap.ts'
import { headline } from './headline.ts'
import { lengthOf } from './period.ts'
import { changeOfPage, changeOfTotals, countsOf, type PeriodReading, type VisitorsReport } from './report.ts'
import { suggest } from './suggestions.ts'
import type { VisitorCounts } from './visitors.ts'

export interface ReportBlocks {
  /** What everyone reads: also in the comment. */
  brief: Block[]
  /** The rest: long lists, and the chart. */
  details: Block[]
}

/** Composes the report. */
export function blocksOf(report: VisitorsReport): ReportBlocks {
  const { current, previous, parts } = report
  const figures = figuresOf(report)
  const against = previous === null ? 'Not compared' : `Compared with ${rangeText(previous.period)}`
  const details: Block[] = [
    ...parts.flatMap(({ blocks }) => blocks),
    ...pageBlocks(report),
    { kind: 'heading', text: 'Trend' },
    { kind: 'chart', figures },
    trendTable(report),
    { kind: 'notes', title: 'About these figures', notes: notesOf(report) },
  ]
  return {
    brief: [
      { kind: 'title', days: rangeText(current.period), against },
      { kind: 'headline', parts: headline(report), isAlert: report.alerts.length > 0 },
      { kind: 'figures', figures },
      ...warningsOf(report).map((text): Block => ({ kind: 'warning', text })),
      ...nextBlocks(report),
      ...moverBlocks(report),
    ],
    details: details.filter((block) => block.kind !== 'paragraph' || block.text !== ''),
  }
}

const groups: [id: Figure['id'], key: keyof VisitorCounts, title: string][] = [
  ['visitors', 'total', 'Visitors'],
  ['humanVisitors', 'human', 'Human visitors'],
  ['aiVisitors', 'ai', 'AI readers'],
]

function figuresOf(report: VisitorsReport): Figure[] {
  const { totals } = report.current
  const share = totals.ai / totals.total
  return groups.map(([id, key, title]) => ({
    id,
    title,
    now: totals[key],
    change: changeOfTotals(report, key),
    // The shares of AI readers and human visitors can add up to more than 1, so only one of them is shown.
    remark: key === 'ai' && Number.isFinite(share) ? `${shareText(share)} of visitors` : '',
    trend: report.trend.map(({ period, totals }) => ({ period, value: totals?.[key] ?? null })),
  }))
}

function trendTable({ trend }: VisitorsReport): Table {
  const rows = trend.map(({ period, totals }) => ({
    days: `${rangeText(period)}${totals === null ? ' (not read)' : ''}`,
    from: period.from,
    to: period.to,
    ...Object.fromEntries(groups.map(([id, key]) => [id, totals?.[key] ?? null])),
  }))
  const columns: Table['columns'] = [
    remark('days', 'Period'),
    count('from'),
    count('to'),
    count('visitors', 'Visitors', 'visitor'),
    count('humanVisitors', 'Human visitors', 'human visitor'),
    count('aiVisitors', 'AI readers', 'AI reader'),
  ]
  const fold = 'Figures of each period'
  return {
    kind: 'table',
    id: 'trend',
    fold,
    columns,
    rows,
    size: rows.length,
    top: rows.length,
  }
}

/** What the report lacks, and the globs that match nothing. */
export function warningsOf({ current, compared, previous, unmatched }: VisitorsReport): string[] {
  const readings = [current, previous].filter((reading) => reading !== null)
  const among = current.gap === null ? 'no page' : 'none of the pages read'
  return [
    ...readings.flatMap(lackOf),
    ...(compared.kind === 'read'
      ? []
      : [
          `Nothing is compared, because ${rangeText(compared.period)} could not be read: ${reasonOf(compared.gap)}.`,
        ]),
    ...unmatched.map((glob) => `paths: ${glob} matches ${among}.`),
  ]
}

function lackOf({ period, gap }: PeriodReading): string[] {
  return gap === null ? [] : [`Not all pages of ${rangeText(period)} were read: ${reasonOf(gap)}.`]
}

function nextBlocks({ parts, command }: VisitorsReport): Block[] {
  const commands = suggest(parts, command)
  if (commands.length === 0) return []
  const text = 'Comment a command on an issue or pull request to start the agent.'
  return [{ kind: 'heading', text: 'Do next' }, ...commands, { kind: 'paragraph', text }]
}

/** The counts of a page. Tables show some of them; the files have all. */
const pageColumns: readonly [Column, ...Column[]] = [
  pageColumn(),
  count('visitors', 'Visitors', 'visitor'),
  changeColumn,
  count('humanVisitors'),
  count('aiVisitors', 'AI readers', 'AI reader'),
  count('previousVisitors'),
  count('previousHumanVisitors'),
  count('previousAiVisitors'),
]

/** Makes a table of pages. */
function pageTable(
  report: VisitorsReport,
  ids: ArrayLike<number> & Iterable<number>,
  table: Pick<Table, 'id' | 'top' | 'nothing' | 'fold'>,
): Table {
  const rows = {
    *[Symbol.iterator]() {
      for (const id of ids) yield rowOf(report, id)
    },
  }
  const gap = report.isComplete ? null : 'Not all pages were read.'
  return { kind: 'table', columns: pageColumns, rows, size: ids.length, gap, ...table }
}

function rowOf(report: VisitorsReport, id: number): Row {
  const { now, before } = countsOf(report, id)
  return {
    path: report.book.pathOf(id),
    visitors: now?.total ?? null,
    humanVisitors: now?.human ?? null,
    aiVisitors: now?.ai ?? null,
    previousVisitors: before?.total ?? null,
    previousHumanVisitors: before?.human ?? null,
    previousAiVisitors: before?.ai ?? null,
    change: changeOfPage(report, id),
  }
}

function moverBlocks(report: VisitorsReport): Block[] {
  const { movers, isComplete } = report
  const nothing = isComplete
    ? 'No single page stands out.'
    : 'Shown only if all pages of both periods were read.'
  return [
    { kind: 'heading', text: 'What moved' },
    pageTable(report, movers ?? [], { id: 'moved', top: 10, nothing }),
  ]
}

function pageBlocks(report: VisitorsReport): Block[] {
  const { ids, files, current } = report
  const now = ids.filter((id) => current.pages.totalOf(id) > 0).length
  const gone = ids.length - now
  const before = gone === 0 ? '' : `, and ${countText(gone)} more only in the previous one`
  return [
    { kind: 'heading', text: 'Pages' },
    { kind: 'paragraph', text: `${counted(now, 'page')} had visitors in this period${before}.` },
    pageTable(report, ids, { id: 'pages', top: 20 }),
    pageTable(report, files, {
      id: 'files',
      top: 5,
      fold: 'Files for machines, such as /llms.txt',
    }),
  ]
}

/** What readers must know about the figures. */
function notesOf({ projectId, requests, current, previous, scale, paths }: VisitorsReport): string[] {
  const [days, earlier] = [lengthOf(current.period), previous === null ? 0 : lengthOf(previous.period)]
  return [
    `Project ${projectId}. ${countText(requests.used)} of ${countText(requests.limit)} requests used.`,
    'Human visitors read the docs themselves. AI readers are AI tools, recognized by IP address and user agent. One IP address counts as one visitor.',
    'Counts are approximate. Someone who reads both directly and through AI counts in both groups, but once in the total.',
    'Someone who visits several pages counts on each page, so pages do not add up to the totals.',
    ...(previous === null
      ? []
      : [
          `Arrows mark changes that are larger than chance would explain; “small numbers” marks changes that may be due to chance because both counts are under ${countText(smallNumbers)}.`,
        ]),
    ...(scale === 1
      ? []
      : [
          `The period has ${counted(days, 'day')}, and the previous one has ${countText(earlier)}, so changes compare daily averages.`,
        ]),
    'Dates are in UTC. Mintlify does not document its own time zone.',
    ...(paths.length > 0 ? ['The input “paths” narrows the lists of pages, not the totals.'] : []),
  ]
}
