/** The visitors report as a value: what was read, and what it means. Rendering shows it; nothing is reckoned there. */

import type { VisitorsOutcome } from '../outcome.ts'
import type { PlatformProblem, Problem } from '../problem.ts'
import { findMovers, type MovedPage, type Movers } from './movers.ts'
import { PageCounts, type PathBook } from './pages.ts'
import type { PagingFault } from './paging.ts'
import type { Period } from './period.ts'
import { changeOf, type VisitorCounts } from './visitors.ts'

/** Why a period's pages are not all there. */
export type Gap =
  /** `max-requests` was spent. */
  | { why: 'budget' }
  /** `timeout` was over. */
  | { why: 'timeout' }
  /** A request failed for good. */
  | { why: 'failed'; problem: PlatformProblem }
  /** The platform's totals changed while the pages were read, twice. */
  | { why: 'moving' }
  | { why: PagingFault }

/** A period as it was read. */
export interface PeriodReading {
  period: Period
  totals: VisitorCounts
  pages: PageCounts
  /** null where every page was read. */
  gap: Gap | null
}

/** What was read of the period before: nothing was asked for; it could not be read at all; or it was. */
export type Comparison =
  | { kind: 'none' }
  | { kind: 'unread'; period: Period; gap: Gap }
  | { kind: 'read'; reading: PeriodReading }

export interface TrendPoint {
  period: Period
  /** null where it was not read. */
  totals: VisitorCounts | null
}

export interface Alert {
  metric: 'humanVisitors'
  /** A signed fraction. */
  change: number
  /** The change at or under which it is raised; negative. */
  threshold: number
}

export interface Changes {
  visitors: number | null
  humanVisitors: number | null
  aiVisitors: number | null
}

export interface VisitorsReport {
  projectId: string
  /** Without a slash at its end; null where pages are not linked. */
  siteUrl: string | null
  timezone: string
  /** Milliseconds since the epoch. */
  generatedAt: number
  current: PeriodReading
  compared: Comparison
  /** Oldest first; the last point is the current period. */
  trend: TrendPoint[]
  changes: Changes
  alerts: Alert[]
  /** null where not both periods are complete: a page that was not read would look like one that nobody visits. */
  movers: Movers | null
  filter: { include: string[]; exclude: string[] }
  /** The pages that the filter leaves, most visited first, by their numbers in `book`. */
  ids: number[]
  book: PathBook
  requests: { used: number; limit: number }
  /** Rows that the summary's tables show. */
  top: number
}

export type ReadParts = Pick<
  VisitorsReport,
  | 'projectId'
  | 'siteUrl'
  | 'timezone'
  | 'generatedAt'
  | 'current'
  | 'compared'
  | 'trend'
  | 'filter'
  | 'book'
  | 'requests'
  | 'top'
>

/**
 * @param counts whether the filter lets a page's path through
 * @param alertDrop fraction of people whose loss is an alert; null for no alert
 */
export function buildReport(
  parts: ReadParts,
  counts: (path: string) => boolean,
  alertDrop: number | null,
): VisitorsReport {
  const { current, compared, book } = parts
  const previous = compared.kind === 'read' ? compared.reading : null
  const changes = changesOf(current.totals, previous?.totals ?? null)
  const ids = sortedIds(book, current.pages, previous?.pages ?? new PageCounts(), counts)
  const areComplete = current.gap === null && previous?.gap === null
  return {
    ...parts,
    changes,
    alerts: previous === null ? [] : alertsOf(current.totals.human, previous.totals.human, alertDrop),
    movers: areComplete ? findMovers(ids, book, current.pages, previous.pages) : null,
    ids,
  }
}

/** Whether every page of every period shown was read. */
export function isComplete({ current, compared }: VisitorsReport): boolean {
  if (current.gap !== null) return false
  return compared.kind === 'none' || (compared.kind === 'read' && compared.reading.gap === null)
}

/** The reading of the period before; null where there is none. */
export function previousOf({ compared }: Pick<VisitorsReport, 'compared'>): PeriodReading | null {
  return compared.kind === 'read' ? compared.reading : null
}

/** A page of the report, by its number. */
export function pageOf(report: VisitorsReport, id: number): MovedPage {
  return {
    path: report.book.pathOf(id),
    current: report.current.pages.get(id),
    previous: previousOf(report)?.pages.get(id) ?? null,
  }
}

function changesOf(current: VisitorCounts, previous: VisitorCounts | null): Changes {
  if (previous === null) return { visitors: null, humanVisitors: null, aiVisitors: null }
  return {
    visitors: changeOf(current.total, previous.total),
    humanVisitors: changeOf(current.human, previous.human),
    aiVisitors: changeOf(current.ai, previous.ai),
  }
}

function alertsOf(now: number, then: number, alertDrop: number | null): Alert[] {
  const change = changeOf(now, then)
  if (alertDrop === null || change === null) return []
  // Not by the rounded change; the tolerance is for what binary fractions make of 0.07 %.
  const hasFallen = (then - now) / then + 1e-9 >= alertDrop
  return hasFallen ? [{ metric: 'humanVisitors', change, threshold: -alertDrop }] : []
}

/** By visitors now, then before, then by the path, so that the same figures give the same report. */
function sortedIds(
  book: PathBook,
  current: PageCounts,
  previous: PageCounts,
  counts: (path: string) => boolean,
): number[] {
  const ids: number[] = []
  for (let id = 0; id < book.size; id++) {
    // A reading that was thrown away may have left a path that neither period has.
    const isThere = current.has(id) || previous.has(id)
    if (isThere && counts(book.pathOf(id))) ids.push(id)
  }
  return ids.sort(
    (one, other) =>
      current.totalOf(other) - current.totalOf(one) ||
      previous.totalOf(other) - previous.totalOf(one) ||
      (book.pathOf(one) < book.pathOf(other) ? -1 : 1),
  )
}

/** What came of a step in mode `visitors`. */
export interface VisitorsResult {
  outcome: VisitorsOutcome
  /** null where there is none. */
  report: VisitorsReport | null
  problem: Problem | null
  /** Milliseconds from the step's start to its end. */
  elapsed: number
}
