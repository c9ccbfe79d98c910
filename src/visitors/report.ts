/** The visitors report as a value: what was read, why something is missing, and what it means. Printers only display it. */
import type { VisitorsInputs } from '../core/inputs/schema.ts'
import type { Problem } from '../core/problems.ts'
import { type CountChange, changeBetween, fractionOf, noVisitors, type VisitorCounts } from './figures.ts'
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
  /** The counts of each page that was read, by path. */
  pages: ReadonlyMap<string, VisitorCounts>
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
  /** The requested sections. */
  parts: SectionPart[]
  /** How many requests were made, including retries. */
  requests: number
  /** Milliseconds since the epoch. */
  generatedAt: number
}

/** A page in both periods. */
export interface Page {
  path: string
  /** null if the count is unknown. */
  now: VisitorCounts | null
  before: VisitorCounts | null
  /** The change of its visitors; null if one of the counts is unknown. */
  change: CountChange | null
}

/** A page that changed. */
interface Mover extends Page {
  change: CountChange
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
  /** The pages that `paths` selects, most visited first. */
  pages: Page[]
  /** The pages that changed by more than chance explains, largest change first; empty unless the report is complete. */
  movers: Mover[]
  /** Pages that may have moved. `movers` does not contain them. */
  renames: ReturnType<typeof renamesAmong>
}

/** The result of a step in mode visitors that was not skipped. */
export interface VisitorsResult {
  outcome: 'reported' | 'alert' | 'cancelled' | 'error'
  /** null if the step made no report. */
  report: VisitorsReport | null
  problem: Problem | null
}

/** Evaluates what was read. */
export function buildReport(request: ReportRequest, readings: Readings) {
  const { current, previous } = readings
  const isComplete = current.gap === null && previous.gap === null
  const scale = lengthOf(current.period) / lengthOf(previous.period)
  const pages = selectPages(request, readings, scale)
  const movers = isComplete ? moversAmong(pages.filter(({ path }) => !isForMachines(path))) : []
  const renames = renamesAmong(movers)
  const renamed = new Set(renames.flatMap(({ path, newPath }) => [path, newPath]))
  const report: VisitorsReport = {
    ...request,
    ...readings,
    totals: current.totals ?? noVisitors,
    isComplete,
    scale,
    pages,
    movers: movers.filter(({ path }) => !renamed.has(path)),
    renames,
    alerts: [],
  }
  report.alerts = alertsOf(report)
  return report
}

/** The change of the site's totals; null if nothing is compared. */
export function changeOfTotals({ totals, previous, scale }: VisitorsReport, key: keyof VisitorCounts) {
  return previous.totals && changeBetween(totals[key], previous.totals[key], scale)
}

/** A page's counts: zeros if a complete reading lacks the page, null if an incomplete reading lacks it. */
function countsIn({ pages, gap }: PeriodReading, path: string) {
  return pages.get(path) ?? (gap === null ? noVisitors : null)
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
export function changeOfMetric(report: VisitorsReport, metric: Alert['metric']) {
  if (metric === 'humanVisitors') return changeOfTotals(report, metric)
  if (!report.isComplete) return null
  const before = sum(report.pages, (page) => page.before?.humanVisitors ?? 0)
  if (before < leastVisits) return null
  const now = sum(report.pages, (page) => page.now?.humanVisitors ?? 0)
  return changeBetween(now, before, report.scale)
}

/** The pages that changed by more than chance explains, largest change first. */
function moversAmong(pages: readonly Page[]) {
  const movers = pages.flatMap((page): Mover[] => {
    const { change } = page
    if (change === null || change.direction === 'level') return []
    return [{ ...page, change }]
  })
  const sizeOf = ({ change }: Mover) => Math.abs(change.difference)
  return movers.sort((one, other) => sizeOf(other) - sizeOf(one))
}

/** Fewer visitors than this are too few to say that a page moved. */
const leastRenamed = 50
const mostRenames = 3

/**
 * A page that lost all its visitors and the new page with the closest number of them, up to three times. Each page is in
 * one pair.
 */
function renamesAmong(movers: readonly Mover[]) {
  const pages = movers.map(({ path, change }) => ({ path, ...change, ...splitPath(path) }))
  const fresh = new Set(pages.filter(({ before, now }) => before === 0 && now > leastRenamed))
  const gone = pages.values().filter(({ before, now }) => now === 0 && before > leastRenamed)
  const renames = gone.flatMap(({ path, name, folder, before, difference }) => {
    const gapOf = ({ now }: CountChange) => Math.abs(now + difference)
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

/** The pages of either period that `paths` selects, most visited first. */
function selectPages({ paths }: ReportRequest, { current, previous }: Readings, scale: number) {
  const all = new Set([...current.pages.keys(), ...previous.pages.keys()])
  const selection = [...all].filter((path) => isListed(path, paths))
  const pages = selection.map((path): Page => {
    const now = countsIn(current, path)
    const before = countsIn(previous, path)
    const change = now && before && changeBetween(now.visitors, before.visitors, scale)
    return { path, now, before, change }
  })
  const visitorsOf = ({ now }: Page) => now?.visitors ?? 0
  return pages.sort((one, other) => visitorsOf(other) - visitorsOf(one))
}
