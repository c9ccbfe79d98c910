/** Mode visitors: reads two periods in parallel, then the rest of the chart, and builds the report. */

import type { VisitorCounts } from '../core/counts.ts'
import { PageCounts, PathBook } from '../core/pages.ts'
import { Paging } from '../core/paging.ts'
import { lengthOf, type Period, periodBefore, periodsUpTo } from '../core/period.ts'
import {
  buildReport,
  type Comparison,
  type Gap,
  type PeriodReading,
  passes,
  previousOf,
  type ReportRequest,
  type TrendPoint,
  type VisitorsResult,
} from '../core/report.ts'
import { findInSections, type Site } from '../core/sections/findings.ts'
import { suggestFixes } from '../core/suggestions/suggestions.ts'
import { type EarlierPeriod, earlierPeriod } from '../core/usual.ts'
import { pageSize } from '../core/visitors.ts'
import type { LatestReport } from './issue.ts'
import { type MeasureRequest, measureFixes } from './measure.ts'
import type { ReadingPorts } from './ports.ts'
import { Requests, type Take } from './requests.ts'
import { readSections } from './sections.ts'

/** The command in suggested comments, as in the examples. */
const defaultCommand = '/docs'

/** Share of the requests that the compared period can use while the current one, which has priority, is still being read. */
const earlyShare = 1 / 3

/** Number of trend points to read at the same time. */
const atOnce = 4

/** Reads the contents of the report within the budget. @param latest earlier suggestions on the issue; null without an issue */
export async function runVisitors(
  request: ReportRequest,
  ports: ReadingPorts,
  latest: LatestReport | null = null,
): Promise<VisitorsResult> {
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

  const site = siteOf(request, current.reading, reader.book)
  const sections = findInSections(
    await reader.readSections(current.reading.period, true),
    site,
    // What readers said in the previous period, for comparison. The report shows no comments from it.
    compared.kind === 'read' ? await reader.readSections(compared.reading.period, false) : null,
  )
  const before = latest?.known ?? []
  const measured = await measureFixes(before, reader.measuring(site, current.reading, compared), ports)
  if (ports.cancelled.aborted) return result('cancelled')

  const { projectId, siteUrl, timezone, top, include, exclude, command, alertDrop } = request
  const from = current.reading.period.from.slice(0, 10)
  const chosen = suggestFixes(sections, latest && measured, from, command ?? defaultCommand)
  const report = buildReport(
    {
      projectId,
      timezone,
      top,
      trend,
      compared,
      sections,
      suggestions: chosen.suggestions,
      known: latest && chosen.known,
      changed: [
        ...(latest?.changed ?? []),
        ...measured.filter((each) => !before.includes(each)).map(({ key }) => key),
      ],
      earlier: reader.earlier,
      siteUrl,
      generatedAt: ports.clock.date(),
      current: current.reading,
      filter: { include, exclude },
      book: reader.book,
      requests: { used: reader.requests.used, limit: reader.requests.limit },
      pullStats: null,
    },
    alertDrop,
  )
  return result(report.alerts.length > 0 ? 'alert' : 'reported', { report })
}

/** The site's pages, to combine with readers' words. */
function siteOf(
  { siteUrl, include, exclude }: ReportRequest,
  { pages, gap }: PeriodReading,
  book: PathBook,
): Site {
  return {
    *pages() {
      for (let id = 0; id < book.size; id++) yield { path: book.pathOf(id), visitors: pages.totalOf(id) }
    },
    isComplete: gap === null,
    counts: (path) => passes({ include, exclude }, path),
    url: siteUrl,
  }
}

/** A period's reading; unread if even its totals could not be read. */
type Read = Exclude<Comparison, { kind: 'none' }>

class Reader {
  readonly book = new PathBook()
  readonly earlier: EarlierPeriod[] = []
  readonly requests: Requests
  private readonly request: ReportRequest
  private readonly ports: ReadingPorts

  constructor(request: ReportRequest, ports: ReadingPorts) {
    this.request = request
    this.ports = ports
    this.requests = new Requests(request.maxRequests, ports)
  }

  /** Reads both periods in parallel. If few requests are allowed, the current period has priority. */
  async readBoth(): Promise<{ current: Read; compared: Comparison }> {
    const { period, compare } = this.request
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
      compare ? this.readPeriod(periodBefore(period, 1), takeAfterCurrent) : ({ kind: 'none' } as const),
    ])
    requests.rejected = [current, compared].map(gapOf).find(isLimit) ?? null
    return { current, compared }
  }

  /** Reads the chart. Each point that was not read before takes a request. The latest points are read first. */
  async readTrend(current: PeriodReading, compared: Comparison): Promise<TrendPoint[]> {
    const previous = previousOf({ compared })
    if (previous !== null) {
      const { period, pages, gap } = previous
      this.earlier.push(earlierPeriod(lengthOf(period), (id) => pages.get(id)?.total, gap === null))
    }
    const points = periodsUpTo(current.period, this.request.trend).map((period): TrendPoint => {
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
    return readSections({ chosen, projectId, period, requests, pages: 1, withComments }, this.ports)
  }

  measuring(site: Site, current: PeriodReading, compared: Comparison): MeasureRequest {
    const read = [current, previousOf({ compared })].filter((reading) => reading !== null)
    return {
      projectId: this.request.projectId,
      site,
      requests: this.requests,
      today: current.period.to.slice(0, 10),
      hadVisitors: (path, { from, to }) => {
        const id = this.book.find(path)
        return (
          id !== undefined &&
          read.some(({ period, pages }) => period.from >= from && period.to <= to && pages.totalOf(id) > 0)
        )
      },
    }
  }

  /** Reads a period's totals. The same response includes the visitors of the first pages. */
  private async readTotals(period: Period): Promise<VisitorCounts | null> {
    const response = await this.requests.pages(this.request.projectId, period, 0)
    if (!response.ok) return null
    const { totals, visitors, hasMore } = response.value
    const known = new Map(visitors.map(({ path, total }) => [this.book.find(path), total]))
    this.earlier.push(earlierPeriod(lengthOf(period), (id) => known.get(id), !hasMore))
    return totals
  }

  private async readPeriod(period: Period, take: Take): Promise<Read> {
    const read = await this.readUnmixed(period, take)
    if (read.kind === 'read') {
      const { pages, gap } = read.reading
      this.ports.onProgress({ type: 'period-read', period, pages: pages.size, isComplete: gap === null })
    }
    return read
  }

  /** Reads all pages of a period. If the site changes meanwhile, rereads them if enough requests are left. */
  private async readUnmixed(period: Period, take: Take): Promise<Read> {
    const { requests, ports } = this
    const first = await this.readPages(period, take)
    if (first.kind === 'unread' || !isMixed(first)) return first
    if (requests.limit - requests.used < first.reading.pages.size / pageSize) return first
    ports.onProgress({ type: 'reread', period })
    const again = await this.readPages(period, take)
    return gapOf(again) === null || isMixed(again) ? again : first
  }

  private async readPages(period: Period, take: Take): Promise<Read> {
    const { book, ports, requests, request } = this
    const paging = new Paging()
    const pages = new PageCounts()
    const read = (totals: VisitorCounts, gap: Gap | null): Read => ({
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
  if (read.kind === 'unread') return read.gap
  return read.kind === 'read' ? read.reading.gap : null
}

function isMixed(read: Read): boolean {
  const why = gapOf(read)?.why
  return why === 'moving' || why === 'shifting'
}

/** Whether the platform's hourly limit ended a reading, so that it would reject any other request, too. */
function isLimit(gap: Gap | null): gap is Extract<Gap, { why: 'failed' }> {
  const failure = gap?.why === 'failed' ? gap.problem.failure : undefined
  return failure?.kind === 'rejected' && failure.status === 429
}
