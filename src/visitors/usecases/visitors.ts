/** Mode visitors: reads two periods in parallel, then the rest of the chart and the lists, and builds the report. */

import type { PlatformPorts } from '../../usecases/ports.ts'
import type { Gap } from '../core/gap.ts'
import { PageCounts, PathBook } from '../core/pages.ts'
import { Paging } from '../core/paging.ts'
import { type Period, periodBefore, periodsUpTo } from '../core/period.ts'
import {
  buildReport,
  type Comparison,
  isListed,
  type PeriodReading,
  type ReportRequest,
  type TrendPoint,
  type VisitorsResult,
} from '../core/report.ts'
import type { Section, Site } from '../core/section.ts'
import { pageSize, type VisitorCounts } from '../core/visitors.ts'
import { reading } from './messages.ts'
import { Requests, type Take } from './requests.ts'

/** The command in suggested comments, as in the examples. */
const defaultCommand = '/docs'
/** Share of the requests that the compared period can use while the current one, which has priority, is still being read. */
const earlyShare = 1 / 3
/** Number of periods in the chart. */
const trendPoints = 8

/** Reads the contents of the report within the budget. @param all the sections that the input `sections` can name */
export async function runVisitors(
  { projectId, siteUrl, paths, period, sections, maxRequests, alertDrop, command }: ReportRequest,
  all: readonly Section[],
  ports: PlatformPorts,
): Promise<VisitorsResult> {
  const start = ports.clock.now()
  const result = (
    outcome: VisitorsResult['outcome'],
    more: Partial<VisitorsResult> = {},
  ): VisitorsResult => ({ outcome, report: null, problem: null, elapsed: ports.clock.now() - start, ...more })

  const requests = new Requests(maxRequests, projectId, ports)
  const reader = new Reader(requests, ports)
  const [current, compared] = await reader.readBoth(period)
  if (ports.cancelled.aborted) return result('cancelled')
  if (current.kind === 'unread')
    return result('error', { problem: current.gap.why === 'failed' ? current.gap.problem : null })
  const trend = await reader.readTrend(current.reading, compared)
  const { book } = reader
  const { pages, gap } = current.reading
  const site: Site = {
    *pages() {
      for (let id = 0; id < book.size; id++) yield { path: book.pathOf(id), visitors: pages.totalOf(id) }
    },
    isComplete: gap === null,
    isListed: (path) => isListed(path, paths),
    url: siteUrl,
  }
  const chosen = all.filter(({ name }) => sections.has(name))
  const parts = await Promise.all(
    chosen.map((each) => each.read((list) => requests.list(list, period), site)),
  )
  if (ports.cancelled.aborted) return result('cancelled')

  const report = buildReport(
    {
      projectId,
      siteUrl,
      paths,
      trend,
      compared,
      book,
      parts,
      current: current.reading,
      generatedAt: ports.clock.date(),
      requests: { used: requests.used, limit: requests.limit },
      command: command ?? defaultCommand,
    },
    alertDrop,
  )
  return result(report.alerts.length > 0 ? 'alert' : 'reported', { report })
}

class Reader {
  readonly book = new PathBook()
  private readonly requests: Requests
  private readonly ports: PlatformPorts

  constructor(requests: Requests, ports: PlatformPorts) {
    this.requests = requests
    this.ports = ports
  }

  /** Reads a period and the one before in parallel. If few requests are allowed, the first one has priority. */
  async readBoth(period: Period): Promise<[Comparison, Comparison]> {
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
    const both = await Promise.all([reading, this.readPeriod(periodBefore(period), takeAfterCurrent)])
    requests.rejected = both.map(gapOf).find(isLimit) ?? null
    return both
  }

  /** Reads the chart. Each point that was not read before takes a request. */
  async readTrend(current: PeriodReading, compared: Comparison): Promise<TrendPoint[]> {
    const known = compared.kind === 'read' ? [current, compared.reading] : [current]
    const points = periodsUpTo(current.period, trendPoints).map((period): TrendPoint => {
      const reading = known.find((each) => each.period.from === period.from)
      return { period, totals: reading?.totals ?? null }
    })
    // The latest points are requested first, because requests may run out.
    const missing = points.filter(({ totals }) => totals === null).reverse()
    await Promise.all(
      missing.map(async (point) => {
        const response = await this.requests.pages(point.period, 0)
        if (response.ok) point.totals = response.value.totals
      }),
    )
    return points
  }

  /** Reads all pages of a period. If the site changes meanwhile, reads them again if enough requests are left. */
  private async readPeriod(period: Period, take: Take): Promise<Comparison> {
    const { requests, ports } = this
    let read = await this.readPages(period, take)
    const canRepeat =
      read.kind === 'read' && requests.limit - requests.used >= read.reading.pages.size / pageSize
    if (isMixed(read) && canRepeat) {
      ports.log(reading.reread(period))
      const again = await this.readPages(period, take)
      if (gapOf(again) === null || isMixed(again)) read = again
    }
    if (read.kind === 'read') {
      const { pages, gap } = read.reading
      ports.log(reading.periodRead(period, pages.size, gap))
    }
    return read
  }

  private async readPages(period: Period, take: Take): Promise<Comparison> {
    const { book, ports, requests } = this
    const paging = new Paging()
    const pages = new PageCounts()
    const read = (totals: VisitorCounts, gap: Gap | null): Comparison => {
      // An empty path is the home page.
      pages.merge(book.idOf(''), book.idOf('/'))
      return { kind: 'read', reading: { period, totals, pages, gap } }
    }
    for (let number = 1; ; number++) {
      const response = await requests.pages(period, paging.offset, take)
      if (!response.ok) {
        const { gap } = response
        return paging.totals === null ? { kind: 'unread', period, gap } : read(paging.totals, gap)
      }
      const { totals, visitors } = response.value
      const newRows = visitors.filter((row) => pages.set(book.idOf(row.path), row)).length
      ports.log(...reading.pages(period, pages.size, number))
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
  const failure = gap?.why === 'failed' ? gap.problem.call?.failure : undefined
  return failure?.kind === 'rejected' && failure.status === 429
}
