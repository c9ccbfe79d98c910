/** Mode visitors: reads two periods in parallel, then the rest of the chart, and builds the report. */

import { type Called, call } from '../../usecases/call.ts'
import { Budget } from '../core/budget.ts'
import type { VisitorCounts } from '../core/counts.ts'
import { PageCounts, PathBook } from '../core/pages.ts'
import { Paging } from '../core/paging.ts'
import { lengthOf, type Period, before as periodBefore, periodsUpTo } from '../core/period.ts'
import {
  buildReport,
  type Comparison,
  type Gap,
  type PeriodReading,
  type ReadingPlan,
  type ReportRules,
  type TrendPoint,
  type VisitorsResult,
} from '../core/report.ts'
import { findInSections, type Site } from '../core/sections/findings.ts'
import type { SectionsRead } from '../core/sections/lists.ts'
import { suggestFixes } from '../core/suggestions/suggestions.ts'
import { type EarlierPeriod, earlierPeriod } from '../core/usual.ts'
import { pageSize, parseVisitorsPage, type VisitorsPage } from '../core/visitors.ts'
import type { Memory } from './issue.ts'
import { type MeasureRequest, measureFixes } from './measure.ts'
import type { ReadingPorts, VisitorsPorts } from './ports.ts'
import { readSections } from './sections.ts'

/** The command in suggested comments, as in the examples. */
const defaultCommand = '/docs'

/** Number of trend points to read at the same time. */
const atOnce = 4

/** Reads the contents of the report within the budget. @param memory earlier suggestions on the issue; null without an issue */
export async function runVisitors(
  plan: ReadingPlan,
  rules: ReportRules,
  ports: VisitorsPorts,
  memory: Memory | null = null,
): Promise<VisitorsResult> {
  const start = ports.clock.now()
  const result = (
    outcome: VisitorsResult['outcome'],
    more: Partial<VisitorsResult> = {},
  ): VisitorsResult => ({ outcome, report: null, problem: null, elapsed: ports.clock.now() - start, ...more })

  const reader = new Reader(plan, ports)
  const { current, compared } = await reader.readBoth()
  if (ports.cancelled.aborted) return result('cancelled')
  if (!current.ok)
    return result('error', { problem: current.gap.why === 'failed' ? current.gap.problem : null })
  const trend = await reader.readTrend(current.reading, compared)
  if (ports.cancelled.aborted) return result('cancelled')

  const site = siteOf(rules, current.reading, reader.book, ports)
  const sections = findInSections(
    await reader.readSections(current.reading.period, current.reading, compared),
    site,
    // What readers said in the previous period, for comparison. Its comments are not shown.
    compared.kind === 'read'
      ? await reader.readSections(compared.reading.period, current.reading, compared, false)
      : null,
  )
  const before = memory?.known ?? []
  const measured = await measureFixes(before, reader.measuring(site, current.reading, compared), ports)
  if (ports.cancelled.aborted) return result('cancelled')

  const { siteUrl, timezone, top, include, exclude, command, alertDrop } = rules
  const from = current.reading.period.from.slice(0, 10)
  const chosen = suggestFixes(sections, memory && measured, from, command ?? defaultCommand)
  const report = buildReport(
    {
      projectId: plan.projectId,
      timezone,
      top,
      trend,
      compared,
      sections,
      suggestions: chosen.suggestions,
      known: memory && chosen.known,
      changed: [
        ...(memory?.changed ?? []),
        ...measured.filter((each) => !before.includes(each)).map(({ key }) => key),
      ],
      earlier: reader.earlier,
      siteUrl,
      generatedAt: ports.clock.date(),
      current: current.reading,
      filter: { include, exclude },
      book: reader.book,
      requests: { used: reader.budget.used, limit: reader.budget.limit },
    },
    (path, glob) => ports.matches(path, glob),
    alertDrop,
  )
  return result(report.alerts.length > 0 ? 'alert' : 'reported', { report })
}

/** The site's pages, to combine with readers' words. */
function siteOf(
  { siteUrl, include, exclude }: ReportRules,
  { pages, gap }: PeriodReading,
  book: PathBook,
  { matches }: VisitorsPorts,
): Site {
  const isNamed = (globs: readonly string[], path: string) => globs.some((glob) => matches(path, glob))
  return {
    *pages() {
      for (let id = 0; id < book.size; id++) yield { path: book.pathOf(id), visitors: pages.totalOf(id) }
    },
    isComplete: gap === null,
    counts: (path) => (include.length === 0 || isNamed(include, path)) && !isNamed(exclude, path),
    url: siteUrl,
  }
}

/** A period's reading; not ok if even its totals could not be read. */
type Read = { ok: true; reading: PeriodReading } | { ok: false; gap: Gap }

/** Takes a request from the budget; a gap if none is left. */
type Take = () => Promise<Gap | null>

class Reader {
  readonly book = new PathBook()
  readonly earlier: EarlierPeriod[] = []
  readonly budget: Budget
  private readonly plan: ReadingPlan
  private readonly ports: ReadingPorts

  constructor(plan: ReadingPlan, ports: ReadingPorts) {
    this.plan = plan
    this.budget = new Budget(plan.maxRequests)
    this.ports = ports
  }

  /** Reads both periods in parallel. If the budget is small, the current period has priority. */
  async readBoth(): Promise<{ current: Read; compared: Comparison }> {
    const { period, compare } = this.plan
    const reading = this.readPeriod(period, async () => this.take())
    if (!compare) return { current: await reading, compared: { kind: 'none' } }
    let early = 0
    const takeAfterCurrent = async (): Promise<Gap | null> => {
      // Without the current period there is no report, so reading more of this one would be useless.
      if (early >= this.budget.early && !(await reading).ok) return { why: 'budget' }
      early++
      return this.take()
    }
    const previous = periodBefore(period, 1)
    const [current, compared] = await Promise.all([reading, this.readPeriod(previous, takeAfterCurrent)])
    return {
      current,
      compared: compared.ok
        ? { kind: 'read', reading: compared.reading }
        : { kind: 'unread', period: previous, gap: compared.gap },
    }
  }

  /** Reads the chart. Each point that is not read yet costs a request; the latest come first. */
  async readTrend(current: PeriodReading, compared: Comparison): Promise<TrendPoint[]> {
    const known = [current, ...(compared.kind === 'read' ? [compared.reading] : [])]
    if (compared.kind === 'read') {
      const { period, pages, gap } = compared.reading
      this.earlier.push(earlierPeriod(lengthOf(period), (id) => pages.get(id)?.total, gap === null))
    }
    const points = periodsUpTo(current.period, this.plan.trend).map((period): TrendPoint => {
      const totals = known.find((reading) => reading.period.from === period.from)?.totals ?? null
      return { period, totals }
    })
    const isSpent = [current.gap, gapOf(compared)].some(isLimit)
    const missing = isSpent ? [] : points.filter(({ totals }) => totals === null).reverse()
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

  /** Reads what readers said in a period, within the rest of the budget. */
  readSections(
    period: Period,
    current: PeriodReading,
    compared: Comparison,
    withComments = true,
  ): Promise<SectionsRead> {
    const { sections: chosen, projectId } = this.plan
    const refused = [current.gap, gapOf(compared)].find(isLimit) ?? null
    const request = { chosen, projectId, period, budget: this.budget, refused, withComments }
    return readSections(request, this.ports)
  }

  /** What is needed to measure merged fixes. */
  measuring(site: Site, current: PeriodReading, compared: Comparison): MeasureRequest {
    const { projectId } = this.plan
    const read = [current, ...(compared.kind === 'read' ? [compared.reading] : [])]
    return {
      projectId,
      site,
      budget: this.budget,
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
    if (this.take() !== null) return null
    const reply = await this.request(period, pageSize, 0, async () => this.take())
    if (!reply.ok) return null
    const { totals, rows, hasMore } = reply.value
    const known = new Map(rows.map(({ path, total }) => [this.book.find(path), total]))
    this.earlier.push(earlierPeriod(lengthOf(period), (id) => known.get(id), !hasMore))
    return totals
  }

  /** Reads all pages of a period. If the site changes meanwhile, rereads them within the budget. */
  private async readPeriod(period: Period, take: Take): Promise<Read> {
    const { onProgress } = this.ports
    const { budget } = this
    const first = await this.readPages(period, take)
    if (!first.ok || first.mixed === null || first.reading.gap !== null) return this.told(first)
    const mixed = { ok: true, reading: { ...first.reading, gap: { why: first.mixed } } } as const
    if (budget.limit - budget.used < first.requests) return this.told(mixed)
    onProgress({ type: 'reread', period })
    const again = await this.readPages(period, take)
    if (!again.ok || again.reading.gap !== null) return this.told(mixed)
    if (again.mixed === null) return this.told(again)
    return this.told({ ok: true, reading: { ...again.reading, gap: { why: again.mixed } } })
  }

  private async readPages(period: Period, take: Take) {
    const { book, ports } = this
    const paging = new Paging()
    const pages = new PageCounts()
    let requests = 0
    const end = (gap: Gap | null) => {
      const { totals, mixed } = paging
      if (totals === null) return { ok: false, gap: gap ?? { why: 'budget' } } as const
      return { ok: true, reading: { period, totals, pages, gap }, mixed, requests } as const
    }
    for (;;) {
      const gap = await take()
      if (gap !== null) return end(gap)
      const reply = await this.request(period, pageSize, paging.offset, take)
      if (!reply.ok) {
        const { failure, attempts } = reply
        return end({ why: 'failed', problem: { type: 'platform', operation: 'visitors', failure, attempts } })
      }
      requests++
      const newRows = reply.value.rows.filter((row) => pages.set(book.idOf(row.path), row)).length
      ports.onProgress({ type: 'pages', period, pages: pages.size, requests })
      const step = paging.saw(reply.value, newRows)
      if (step.next === 'end') return end(null)
      if (step.next === 'stop') return end({ why: step.fault })
    }
  }

  /**
   * Takes a request from the budget, unless it is too late. The reason for missing pages does not matter once the step
   * is cancelled.
   */
  private take(): Gap | null {
    const { clock, cancelled, deadline } = this.ports
    if (cancelled.aborted || clock.now() >= deadline) return { why: 'timeout' }
    return this.budget.take() ? null : { why: 'budget' }
  }

  private request(period: Period, limit: number, offset: number, take: Take): Promise<Called<VisitorsPage>> {
    const { projectId } = this.plan
    return call(
      {
        operation: { name: 'visitors', projectId, period, limit, offset },
        parse: parseVisitorsPage,
      },
      this.ports,
      async () => (await take()) === null,
    )
  }

  private told(read: Read): Read {
    if (read.ok) {
      const { period, pages, gap } = read.reading
      this.ports.onProgress({ type: 'period-read', period, pages: pages.size, isComplete: gap === null })
    }
    return read
  }
}

function gapOf(compared: Comparison): Gap | null {
  if (compared.kind === 'unread') return compared.gap
  return compared.kind === 'read' ? compared.reading.gap : null
}

/** Whether the platform's hourly limit ended a reading, so that it would reject any other request, too. */
function isLimit(gap: Gap | null): gap is Extract<Gap, { why: 'failed' }> {
  const failure = gap?.why === 'failed' ? gap.problem.failure : undefined
  return failure?.kind === 'refused' && failure.status === 429
}
