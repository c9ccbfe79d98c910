/** The visitors report as a value: what was read, why something is missing, and what it means. Printers only display it. */
import type { VisitorsInputs } from '../core/inputs/schema.ts'
import type { Problem } from '../core/problems.ts'
import { type CountChange, changeBetween, fractionOf, noVisitors, type VisitorCounts } from './figures.ts'
import type { PageCounts, PathBook } from './pages.ts'
import { isForMachines, isListed } from './paths.ts'
import { lengthOf, type Period } from './period.ts'
import { type SectionPart, sum } from './section.ts'

/** What to read for a report, and how to show it. */
export interface ReportRequest
  extends Pick<
    VisitorsInputs,
    'projectId' | 'siteUrl' | 'paths' | 'sections' | 'maxRequests' | 'alertDrop' | 'command'
  > {
  period: Period
}

/** A period whose pages were read, or should have been. */
export interface PeriodReading {
  period: Period
  /** The site's totals; null if they were not read. */
  totals: VisitorCounts | null
  pages: PageCounts
  /** null if all pages were read. */
  gap: Gap | null
}

/** Why something is missing from a report. */
export interface Gap {
  /** The end of a sentence. */
  reason: string
  /** What went wrong. The platform's own message is only in the log. */
  problem?: Problem
}

/** What was read for a report. */
interface Readings {
  current: PeriodReading
  /** The period before. */
  previous: PeriodReading
  /** The site's totals in each period that was read, oldest first. The last one is the current period. */
  trend: { period: Period; totals: VisitorCounts }[]
  /** The site's page views in the current period, and in the previous one; null if they were not read. */
  views: { now: number | null; before: number | null }
  book: PathBook
  /** The requested sections. */
  parts: SectionPart[]
  /** How many requests were made, including retries. */
  requests: number
  /** Milliseconds since the epoch. */
  generatedAt: number
}

/** A loss of human visitors beyond `alert-drop`: of the whole site or, with `paths`, of the selected pages. */
export interface Alert {
  metric: 'humanVisitors' | 'selectedPages'
  /** The change as a negative fraction. */
  change: number
  /** An alert is raised at this change or a larger loss; negative. */
  threshold: number
}

export interface VisitorsReport extends ReportRequest, Readings {
  /** The site's totals in the current period. */
  totals: VisitorCounts
  /** Whether all pages of both periods were read. */
  isComplete: boolean
  /** Length of the current period divided by the length of the compared one: 1 except for calendar months. */
  scale: number
  alerts: Alert[]
  /** The pages that `paths` selects, by their numbers in `book`, most visited first. */
  ids: number[]
  /** The selected files for machines, such as /llms.txt. */
  files: number[]
  /** The pages that changed by more than chance explains, largest change first; empty unless the report is complete. */
  movers: number[]
  /** Pages that may have moved. `movers` does not contain them. */
  renames: ReturnType<typeof renamesAmong>
  /** Globs of `paths` that match none of the pages that were read. */
  unmatched: string[]
}

/** The result of a step in mode visitors that was not skipped. */
export interface VisitorsResult {
  outcome: 'reported' | 'alert' | 'cancelled' | 'error'
  /** null if the step made no report. */
  report: VisitorsReport | null
  problem: Problem | null
}

/** Evaluates what was read. */
export function buildReport(request: ReportRequest, readings: Readings): VisitorsReport {
  const { current, previous } = readings
  const report: VisitorsReport = {
    ...request,
    ...readings,
    ...selectPages(request, readings),
    totals: current.totals ?? noVisitors,
    isComplete: current.gap === null && previous.gap === null,
    scale: lengthOf(current.period) / lengthOf(previous.period),
    alerts: [],
    movers: [],
    renames: [],
  }
  report.alerts = alertsOf(report)
  const movers = moversOf(report)
  report.renames = renamesAmong(movers)
  const moved = new Set(report.renames.flatMap(({ path, newPath }) => [path, newPath]))
  report.movers = movers.flatMap(({ id, path }) => (moved.has(path) ? [] : id))
  return report
}

/** The change of the site's totals; null if nothing is compared. */
export function changeOfTotals(
  { totals, previous, scale }: VisitorsReport,
  key: keyof VisitorCounts,
): CountChange | null {
  return previous.totals && changeBetween(totals[key], previous.totals[key], scale)
}

/** A page in both periods. */
export type Page = ReturnType<typeof pageOf>

/** A page, by its number, with the change of its visitors; null if one of the counts is unknown. */
export function pageOf({ book, current, previous, scale }: VisitorsReport, id: number) {
  const now = countsIn(current, id)
  const before = countsIn(previous, id)
  const change = now && before && changeBetween(now.visitors, before.visitors, scale)
  return { path: book.pathOf(id), now, before, change }
}

/** A page's counts: zeros if a complete reading lacks the page, null if an incomplete reading lacks it. */
function countsIn({ pages, gap }: PeriodReading, id: number) {
  return pages.get(id) ?? (gap === null ? noVisitors : null)
}

/** Compares the exact change, not the rounded one. The tolerance covers the rounding error of binary fractions. */
function alertsOf(report: VisitorsReport): Alert[] {
  const { alertDrop, paths } = report
  const metric = paths.length === 0 ? 'humanVisitors' : 'selectedPages'
  const change = changeOfMetric(report, metric)
  if (alertDrop === null || change === null) return []
  if ((change.fraction ?? 0) > 1e-9 - alertDrop) return []
  return [{ metric, change: fractionOf(change) ?? 0, threshold: -alertDrop }]
}

/** Fewer visits than this to the selected pages are too few to compare. */
const leastVisits = 20

/** The change in what an alert is about; null if it is not known well enough. */
export function changeOfMetric(report: VisitorsReport, metric: Alert['metric']): CountChange | null {
  if (metric === 'humanVisitors') return changeOfTotals(report, metric)
  if (!report.isComplete) return null
  const visitsIn = ({ pages }: PeriodReading) => sum(report.ids, (id) => pages.get(id)?.humanVisitors ?? 0)
  const before = visitsIn(report.previous)
  if (before < leastVisits) return null
  return changeBetween(visitsIn(report.current), before, report.scale)
}

/** Pages with fewer visitors than this in both periods do not count as moved. */
const leastMoved = 20

/** A page that changed. */
interface Mover extends CountChange {
  id: number
  path: string
}

/** The pages that changed by more than chance explains, largest change first. */
function moversOf(report: VisitorsReport) {
  const movers: Mover[] = []
  for (const id of report.isComplete ? report.ids : []) {
    const { path, change } = pageOf(report, id)
    if (change === null || change.direction === 'level') continue
    if (Math.max(change.now, change.before) >= leastMoved) movers.push({ id, path, ...change })
  }
  return movers.sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference))
}

/** Fewer visitors than this are too few to say that a page moved. */
const leastRenamed = 50
const mostRenames = 3

/**
 * A page that lost all its visitors and the new page with the closest number of them, up to three times. Each page is in
 * one pair.
 */
function renamesAmong(movers: readonly Mover[]) {
  const pages = movers.map((mover) => ({ ...mover, ...splitPath(mover.path) }))
  const fresh = new Set(pages.filter(({ before, now }) => before === 0 && now > leastRenamed))
  const gone = pages.values().filter(({ before, now }) => now === 0 && before > leastRenamed)
  const renames = gone.flatMap(({ path, name, folder, before, difference }) => {
    const gapOf = ({ now }: Mover) => Math.abs(now + difference)
    const [next] = [...fresh]
      // They differ by at most a fifth.
      .filter((page) => gapOf(page) <= 0.2 * Math.max(page.now, -difference))
      .filter((page) => page.name === name || (folder !== '' && page.folder === folder))
      .sort((one, other) => gapOf(one) - gapOf(other))
    if (next === undefined) return []
    fresh.delete(next)
    return [{ path, newPath: next.path, visitors: next.now, previousVisitors: before }]
  })
  return renames.take(mostRenames).toArray()
}

/** The last part of a path, and its folder: empty for the root. A path may begin or end with a slash, or not. */
function splitPath(path: string) {
  const parts = path.split('/').filter(Boolean)
  const name = parts.pop()
  return { name, folder: parts.join('/') }
}

/**
 * The pages that `paths` selects. They are sorted by visitors in the current period, then in the compared period, then
 * by path, so that the same figures always give the same report.
 */
function selectPages({ paths }: ReportRequest, { book, current, previous }: Readings) {
  // The empty path is not a page: its counts moved to `/`.
  const all = [...book.ids.values()].filter((id) => current.pages.has(id) || previous.pages.has(id))
  const selection = all.filter((id) => isListed(book.pathOf(id), paths))
  selection.sort(
    (one, other) =>
      current.pages.visitorsOf(other) - current.pages.visitorsOf(one) ||
      previous.pages.visitorsOf(other) - previous.pages.visitorsOf(one) ||
      (book.pathOf(one) < book.pathOf(other) ? -1 : 1),
  )
  const isFile = (id: number) => isForMachines(book.pathOf(id))
  const unmatched = paths.filter((glob) => {
    const bare = glob.replace(/^!/, '')
    return !all.some((id) => isListed(book.pathOf(id), [bare]))
  })
  return { ids: selection.filter((id) => !isFile(id)), files: selection.filter(isFile), unmatched }
}
