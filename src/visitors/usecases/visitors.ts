/** Mode visitors: reads two periods in parallel, then the rest of the chart, and builds the report. */

import type { VisitorCounts } from '../core/counts.ts'
import { PageCounts, PathBook } from '../core/pages.ts'
import { Paging } from '../core/paging.ts'
import { type Period, periodBefore, periodsUpTo } from '../core/period.ts'
import {
  buildReport,
  type Comparison,
  type Gap,
  isListed,
  type PeriodReading,
  previousOf,
  type ReportRequest,
  type TrendPoint,
  type VisitorsResult,
} from '../core/report.ts'
import { findInSections, type Site } from '../core/sections/findings.ts'
import { suggestFixes } from '../core/suggestions/suggestions.ts'
import { pageSize } from '../core/visitors.ts'
import type { ReadingPorts } from './ports.ts'
import { Requests, type Take } from './requests.ts'
import { readSections } from './sections.ts'

/** The command in suggested comments, as in the examples. */
const defaultCommand = '/docs'

/** Share of the requests that the compared period can use while the current one, which has priority, is still being read. */
const earlyShare = 1 / 3

/** Number of periods in the chart. */
const trendPoints = 8
/** Number of them to read at the same time. */
const atOnce = 4

/** Reads the contents of the report within the budget. */
export async function runVisitors(request: ReportRequest, ports: ReadingPorts): Promise<VisitorsResult> {
  const start = ports.clock.now()
  const result = (
    outcome: VisitorsResult['outcome'],
    more: Partial<VisitorsResult> = {},
  ): VisitorsResult => ({ outcome, report: null, problem: null, elapsed: ports.clock.now() - start, ...more })

  const reader = new Reader(request, ports)
  const { current, compared } = await reader.readBoth()
  if (ports.cancelled.aborted) return result('cancelled')
  if (current.kind === 'unread')
    return result('error', { problem: current.gap.why === 'failed' ? current.gap.problem : null })
  const trend = await reader.readTrend(current.reading, compared)
  if (ports.cancelled.aborted) return result('cancelled')

  const sections = findInSections(
    await reader.readSections(current.reading.period, true),
    siteOf(request, current.reading, reader.book),
    // What readers said in the previous period, for comparison. The report shows no comments from it.
    compared.kind === 'read' ? await reader.readSections(compared.reading.period, false) : null,
  )
  if (ports.cancelled.aborted) return result('cancelled')

  const { projectId, siteUrl, paths, command, alertDrop } = request
  const report = buildReport(
    {
      projectId,
      trend,
      compared,
      sections,
      suggestions: suggestFixes(sections, command ?? defaultCommand),
      siteUrl,
      generatedAt: ports.clock.date(),
      current: current.reading,
      paths,
      book: reader.book,
      requests: { used: reader.requests.used, limit: reader.requests.limit },
    },
    alertDrop,
  )
  return result(report.alerts.length > 0 ? 'alert' : 'reported', { report })
}

/** The site's pages, to combine with readers' words. */
function siteOf({ siteUrl, paths }: ReportRequest, { pages, gap }: PeriodReading, book: PathBook): Site {
  return {
    *pages() {
      for (let id = 0; id < book.size; id++) yield { path: book.pathOf(id), visitors: pages.totalOf(id) }
    },
    isComplete: gap === null,
    counts: (path) => isListed(path, paths),
    url: siteUrl,
  }
}

class Reader {
  readonly book = new PathBook()
  readonly requests: Requests
  private readonly request: ReportRequest
  private readonly ports: ReadingPorts

  constructor(request: ReportRequest, ports: ReadingPorts) {
    this.request = request
    this.ports = ports
    this.requests = new Requests(request.maxRequests, ports)
  }

  /** Reads both periods in parallel. If few requests are allowed, the current period has priority. */
  async readBoth(): Promise<{ current: Comparison; compared: Comparison }> {
    const { period } = this.request
    const { requests } = this
    const reading = this.readPeriod(period, () => requests.take())
    let early = 0
    const takeAfterCurrent: Take = async () => {
      // Without the current period there is no report, so reading more of the compared period would be useless.
      const mayBeEarly = early < Math.floor(requests.limit * earlyShare)
      if (!mayBeEarly && (await reading).kind === 'unread') return { why: 'budget' }
      early++
      return requests.take()
    }
    const [current, compared] = await Promise.all([
      reading,
      this.readPeriod(periodBefore(period, 1), takeAfterCurrent),
    ])
    requests.rejected = [current, compared].map(gapOf).find(isLimit) ?? null
    return { current, compared }
  }

  /** Reads the chart. Each point that was not read before takes a request. The latest points are read first. */
  async readTrend(current: PeriodReading, compared: Comparison): Promise<TrendPoint[]> {
    const previous = previousOf({ compared })
    const points = periodsUpTo(current.period, trendPoints).map((period): TrendPoint => {
      const known = [current, previous].find((reading) => reading?.period.from === period.from)
      return { period, totals: known?.totals ?? null }
    })
    const missing = points.filter(({ totals }) => totals === null).reverse()
    const work = async () => {
      for (let point = missing.shift(); point !== undefined; point = missing.shift()) {
        point.totals = await this.readTotals(point.period)
        // If one point is rejected, the others will be, too.
        if (point.totals === null) missing.length = 0
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return points
  }

  readSections(period: Period, withComments: boolean) {
    const { sections: chosen, projectId } = this.request
    const { requests } = this
    return readSections({ chosen, projectId, period, requests, withComments }, this.ports)
  }

  /** Reads a period's totals. */
  private async readTotals(period: Period): Promise<VisitorCounts | null> {
    const response = await this.requests.pages(this.request.projectId, period, 0)
    return response.ok ? response.value.totals : null
  }

  private async readPeriod(period: Period, take: Take): Promise<Comparison> {
    const read = await this.readUnmixed(period, take)
    if (read.kind === 'read') {
      const { pages, gap } = read.reading
      this.ports.onProgress({ type: 'period-read', period, pages: pages.size, isComplete: gap === null })
    }
    return read
  }

  /** Reads all pages of a period. If the site changes meanwhile, rereads them if enough requests are left. */
  private async readUnmixed(period: Period, take: Take): Promise<Comparison> {
    const { requests, ports } = this
    const first = await this.readPages(period, take)
    if (first.kind === 'unread' || !isMixed(first)) return first
    if (requests.limit - requests.used < first.reading.pages.size / pageSize) return first
    ports.onProgress({ type: 'reread', period })
    const again = await this.readPages(period, take)
    return gapOf(again) === null || isMixed(again) ? again : first
  }

  private async readPages(period: Period, take: Take): Promise<Comparison> {
    const { book, ports, requests, request } = this
    const paging = new Paging()
    const pages = new PageCounts()
    const read = (totals: VisitorCounts, gap: Gap | null): Comparison => ({
      kind: 'read',
      reading: { period, totals, pages, gap },
    })
    for (let number = 1; ; number++) {
      const response = await requests.pages(request.projectId, period, paging.offset, take)
      if (!response.ok) {
        const { gap } = response
        return paging.totals === null ? { kind: 'unread', period, gap } : read(paging.totals, gap)
      }
      const { totals, visitors } = response.value
      const newRows = visitors.filter((row) => pages.set(book.idOf(row.path), row)).length
      ports.onProgress({ type: 'pages', period, pages: pages.size, requests: number })
      const next = paging.addPage(response.value, newRows)
      if (next === 'end') return read(totals, paging.mixed && { why: paging.mixed })
      if (next !== 'read') return read(totals, { why: next })
    }
  }
}

function gapOf(read: Comparison): Gap | null {
  return read.kind === 'unread' ? read.gap : read.reading.gap
}

function isMixed(read: Comparison): boolean {
  const why = gapOf(read)?.why
  return why === 'moving' || why === 'shifting'
}

/** Whether the platform's hourly limit ended a reading, so that it would reject any other request, too. */
function isLimit(gap: Gap | null): gap is Extract<Gap, { why: 'failed' }> {
  const failure = gap?.why === 'failed' ? gap.problem.failure : undefined
  return failure?.kind === 'rejected' && failure.status === 429
}
