/** The visitors report as a value: what was read, and what it means. Rendering only displays it. */

import { isSelected, matchesGlob } from '../../core/globs.ts'
import type { VisitorsOutcome } from '../../core/outcome.ts'
import type { Problem } from '../../core/problem.ts'
import { changeBetween, rounded, scaleBetween } from './change.ts'
import { countsOrNone, type PageFigures, type VisitorCounts } from './counts.ts'
import { findMovers, type MovedPage, type Movement } from './movers.ts'
import { PageCounts, type PathBook } from './pages.ts'
import type { Mixed, PagingFault } from './paging.ts'
import type { Period } from './period.ts'
import type { Sections } from './sections/findings.ts'
import type { Missing } from './sections/lists.ts'
import type { SectionName } from './sections/rules.ts'
import type { Suggestion } from './suggestions/suggestions.ts'

/** Why pages of a period are missing. */
export type Gap =
  | Missing
  /** The site changed while its pages were read, and again while they were reread. */
  | { why: Mixed }
  | { why: PagingFault }

/** A period, after it is read. */
export interface PeriodReading {
  period: Period
  totals: VisitorCounts
  pages: PageCounts
  /** null if all pages were read. */
  gap: Gap | null
}

/** The compared period, if it could be read. */
export type Comparison =
  | { kind: 'unread'; period: Period; gap: Gap }
  | { kind: 'read'; reading: PeriodReading }

/** A period of the chart. */
export interface TrendPoint {
  period: Period
  /** null if it was not read. */
  totals: VisitorCounts | null
}

/** A loss of visitors beyond `alert-drop`. */
export interface Alert {
  metric: 'humanVisitors'
  /** The change as a negative fraction. */
  change: number
  /** An alert is raised at this change or a larger loss; negative. */
  threshold: number
}

export interface VisitorsReport {
  projectId: string
  /** Without a final slash; null if pages are not linked. */
  siteUrl: string | null
  /** Milliseconds since the epoch. */
  generatedAt: number
  current: PeriodReading
  compared: Comparison
  /** Oldest first. The last point is the current period. */
  trend: TrendPoint[]
  /** Length of the current period divided by the length of the compared one: 1 except for calendar months. */
  scale: number
  /** The changes of the totals, as fractions; null if unknown. */
  changes: Record<'visitors' | 'humanVisitors' | 'aiVisitors', number | null>
  alerts: Alert[]
  /** Largest change first; null unless both periods are complete: an unread page would look like an unvisited one. */
  movers: Movement[] | null
  /** Globs of the pages to list; `!` excludes. */
  paths: string[]
  /** Those globs that match none of the pages that were read. */
  unmatched: string[]
  /** The pages that `paths` selects, by their numbers in `book`, most visited first. */
  ids: Uint32Array
  book: PathBook
  requests: { used: number; limit: number }
  sections: Sections
  /** The suggested next steps. */
  suggestions: Suggestion[]
}

/** What to read for a report, and how to show it. */
export interface ReportRequest extends Pick<VisitorsReport, 'projectId' | 'siteUrl' | 'paths'> {
  period: Period
  sections: ReadonlySet<SectionName>
  maxRequests: number
  /** The loss of human visitors that raises an alert, as a fraction; null for no alert. */
  alertDrop: number | null
  /** The command in suggested comments; null if comments do not start the step. */
  command: string | null
}

/** The parts of a report that were read, before they are evaluated. */
export type ReadParts = Omit<VisitorsReport, 'ids' | 'unmatched' | 'scale' | 'changes' | 'alerts' | 'movers'>

/** Evaluates what was read. @param alertDrop see `ReportRequest` */
export function buildReport(parts: ReadParts, alertDrop: number | null): VisitorsReport {
  const { current, book } = parts
  const previous = previousOf(parts)
  const scale = previous === null ? 1 : scaleBetween(current.period, previous.period)
  const pagesBefore = previous?.pages ?? new PageCounts()
  const { ids, unmatched } = filtered(book, current.pages, pagesBefore, parts.paths)
  const areComplete = current.gap === null && previous?.gap === null
  const change = (key: keyof VisitorCounts) =>
    previous && changeBetween(current.totals[key], previous.totals[key], scale).fraction
  return {
    ...parts,
    ids,
    unmatched,
    scale,
    changes: {
      visitors: rounded(change('total')),
      humanVisitors: rounded(change('human')),
      aiVisitors: rounded(change('ai')),
    },
    alerts: alertsOf(change('human'), alertDrop),
    movers: areComplete ? findMovers(ids, book, current.pages, previous.pages, scale) : null,
  }
}

/** Whether all pages of both periods were read. */
export function isComplete({ current, compared }: VisitorsReport): boolean {
  return current.gap === null && compared.kind === 'read' && compared.reading.gap === null
}

/** The reading of the compared period; null if there is none. */
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

/** A page's counts in both periods, with zeros if a complete reading lacks the page. */
export function figuresOf(report: VisitorsReport, id: number): PageFigures {
  const previous = previousOf(report)
  return {
    now: countsOrNone(report.current.pages.get(id), report.current.gap === null),
    before: countsOrNone(previous?.pages.get(id), previous?.gap === null),
  }
}

function alertsOf(change: number | null, alertDrop: number | null): Alert[] {
  if (alertDrop === null || change === null) return []
  // Compares the exact change, not the rounded one. The tolerance covers the rounding error of binary fractions.
  if (-change + 1e-9 < alertDrop) return []
  return [{ metric: 'humanVisitors', change: rounded(change) ?? 0, threshold: -alertDrop }]
}

/** Whether a list of globs selects a page. Ignores leading slashes: the platform decides whether paths have one. */
export function isListed(path: string, globs: readonly string[]): boolean {
  if (globs.length === 0) return true
  const own = globs.map((glob) => glob.replace(/^(!?)\/+/, '$1'))
  return isSelected(path.replace(/^\/+/, ''), own, matchesGlob)
}

/**
 * Sorts the selected pages by visitors in the current period, then in the compared period, then by path, so that the
 * same figures always give the same report.
 */
function filtered(
  book: PathBook,
  current: PageCounts,
  previous: PageCounts,
  globs: readonly string[],
): { ids: Uint32Array; unmatched: string[] } {
  const unmatched = new Set(globs)
  const ids = new Uint32Array(book.size)
  let size = 0
  for (let id = 0; id < book.size; id++) {
    // The book can contain paths from a discarded reading that are in neither period.
    if (!current.has(id) && !previous.has(id)) continue
    const path = book.pathOf(id)
    for (const glob of unmatched) if (isListed(path, [glob.replace(/^!/, '')])) unmatched.delete(glob)
    if (isListed(path, globs)) ids[size++] = id
  }
  const sorted = ids
    .subarray(0, size)
    .sort(
      (one, other) =>
        current.totalOf(other) - current.totalOf(one) ||
        previous.totalOf(other) - previous.totalOf(one) ||
        (book.pathOf(one) < book.pathOf(other) ? -1 : 1),
    )
  return { ids: sorted, unmatched: [...unmatched] }
}

/** The result of a step in mode visitors that was not skipped. */
export interface VisitorsResult {
  outcome: Exclude<VisitorsOutcome, 'skipped'>
  /** null if the step made no report. */
  report: VisitorsReport | null
  problem: Problem | null
  /** Milliseconds from the step's start to its end. */
  elapsed: number
}
