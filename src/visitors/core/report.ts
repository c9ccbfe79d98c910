/** The visitors report as a value: what was read, and what it means. Printers only display it. */
import { isSelected } from '../../core/globs.ts'
import type { VisitorsOutcome } from '../../core/outcome.ts'
import type { Problem } from '../../core/problems.ts'
import { type Change, changeBetween, rounded } from './change.ts'
import type { Gap } from './gap.ts'
import { isForMachines } from './page-link.ts'
import { PageCounts, type PathBook } from './pages.ts'
import { lengthOf, type Period } from './period.ts'
import type { SectionPart } from './section.ts'
import { noVisitors, type VisitorCounts } from './visitors.ts'

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

/** What was read for a report. */
export interface ReportReading {
  projectId: string
  /** Without a final slash; null if pages are not linked. */
  siteUrl: string | null
  /** Milliseconds since the epoch. */
  generatedAt: number
  current: PeriodReading
  compared: Comparison
  /** Oldest first. The last point is the current period. */
  trend: TrendPoint[]
  /** Globs of the pages to list; `!` excludes. */
  paths: string[]
  book: PathBook
  requests: { used: number; limit: number }
  /** The requested sections. */
  parts: SectionPart[]
  /** The command in suggested comments. */
  command: string
}

export interface VisitorsReport extends ReportReading {
  /** The compared period; null if it could not be read. */
  previous: PeriodReading | null
  /** Whether all pages of both periods were read. */
  isComplete: boolean
  /** Length of the current period divided by the length of the compared one: 1 except for calendar months. */
  scale: number
  alerts: Alert[]
  /** The pages that `paths` selects, by their numbers in `book`, most visited first. */
  ids: Uint32Array
  /** The selected files for machines, such as /llms.txt. */
  files: Uint32Array
  /** The pages that changed by more than chance explains, largest change first; null unless the report is complete. */
  movers: number[] | null
  /** Globs of `paths` that match none of the pages that were read. */
  unmatched: string[]
}

/** What to read for a report, and how to show it. */
export interface ReportRequest extends Pick<ReportReading, 'projectId' | 'siteUrl' | 'paths'> {
  period: Period
  /** Names of sections. */
  sections: ReadonlySet<string>
  maxRequests: number
  /** The loss of human visitors that raises an alert, as a fraction; null for no alert. */
  alertDrop: number | null
  /** The command in suggested comments; null if comments do not start the step. */
  command: string | null
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

/** Evaluates what was read. @param alertDrop see `ReportRequest` */
export function buildReport(read: ReportReading, alertDrop: number | null): VisitorsReport {
  const { current, compared } = read
  const previous = compared.kind === 'read' ? compared.reading : null
  const report: VisitorsReport = {
    ...read,
    ...selected(read, previous?.pages ?? new PageCounts()),
    previous,
    isComplete: current.gap === null && previous?.gap === null,
    scale: previous === null ? 1 : lengthOf(current.period) / lengthOf(previous.period),
    alerts: [],
    movers: null,
  }
  const fall = changeOfTotals(report, 'human')?.fraction ?? null
  return { ...report, alerts: alertsOf(fall, alertDrop), movers: report.isComplete ? moversOf(report) : null }
}

/** The change of the site's totals; null if nothing is compared. */
export function changeOfTotals(
  { current, previous, scale }: VisitorsReport,
  key: keyof VisitorCounts,
): Change | null {
  return previous && changeBetween(current.totals[key], previous.totals[key], scale)
}

/** A page's counts in both periods: zeros if a complete reading lacks the page, null if an incomplete reading lacks it. */
export function countsOf({ current, previous }: VisitorsReport, id: number) {
  const of = (reading: PeriodReading | null) =>
    reading && (reading.pages.get(id) ?? (reading.gap === null ? noVisitors : null))
  return { now: of(current), before: of(previous) }
}

/** The change of a page's visitors; null if one of the counts is unknown. */
export function changeOfPage(report: VisitorsReport, id: number): Change | null {
  const { now, before } = countsOf(report, id)
  return now && before && changeBetween(now.total, before.total, report.scale)
}

function alertsOf(change: number | null, alertDrop: number | null): Alert[] {
  if (alertDrop === null || change === null) return []
  // Compares the exact change, not the rounded one. The tolerance covers the rounding error of binary fractions.
  if (-change + 1e-9 < alertDrop) return []
  return [{ metric: 'humanVisitors', change: rounded(change) ?? 0, threshold: -alertDrop }]
}

/** Pages with fewer visitors than this in both periods do not count as moved. */
const leastMoved = 20

function moversOf(report: VisitorsReport): number[] {
  const found: { id: number; size: number }[] = []
  for (const id of report.ids) {
    const change = changeOfPage(report, id)
    if (change === null || change.direction === 'level' || Math.max(change.now, change.before) < leastMoved)
      continue
    found.push({ id, size: Math.abs(change.difference) })
  }
  return found.sort((one, other) => other.size - one.size).map(({ id }) => id)
}

/** Whether a list of globs selects a page. Ignores leading slashes: the platform decides whether paths have one. */
export function isListed(path: string, globs: readonly string[]): boolean {
  if (globs.length === 0) return true
  const own = globs.map((glob) => glob.replace(/^(!?)\/+/, '$1'))
  return isSelected(path.replace(/^\/+/, ''), own)
}

/**
 * Sorts the selected pages by visitors in the current period, then in the compared period, then by path, so that the
 * same figures always give the same report.
 */
function selected({ book, current, paths }: ReportReading, previous: PageCounts) {
  const unmatched = new Set(paths)
  const isChosen = (id: number) => {
    // The book can contain paths from a discarded reading that are in neither period.
    if (!current.pages.has(id) && !previous.has(id)) return false
    const path = book.pathOf(id)
    for (const glob of unmatched) if (isListed(path, [glob.replace(/^!/, '')])) unmatched.delete(glob)
    return isListed(path, paths)
  }
  const all = new Uint32Array(book.size).map((_, id) => id)
  const sorted = picked(all, isChosen).sort(
    (one, other) =>
      current.pages.totalOf(other) - current.pages.totalOf(one) ||
      previous.totalOf(other) - previous.totalOf(one) ||
      (book.pathOf(one) < book.pathOf(other) ? -1 : 1),
  )
  const isFile = (id: number) => isForMachines(book.pathOf(id))
  return {
    ids: picked(sorted, (id) => !isFile(id)),
    files: picked(sorted, isFile),
    unmatched: [...unmatched],
  }
}

/** The numbers that pass a test. The array's own `filter` takes several times as much memory. */
function picked(ids: Uint32Array, isPicked: (id: number) => boolean): Uint32Array {
  let size = 0
  const kept = new Uint32Array(ids.length)
  for (const id of ids) if (isPicked(id)) kept[size++] = id
  return kept.subarray(0, size)
}
