/** Mode visitors: reads two periods in parallel, then the rest of the chart and the lists, and builds the report. */
import { type Failure, isLimited } from '../core/http.ts'
import { counted } from '../core/units.ts'
import type { Called } from '../mintlify/client.ts'
import type { PlatformPorts } from '../ports.ts'
import { info } from '../say/messages.ts'
import { explain } from '../say/problems.ts'
import type { VisitorCounts } from './figures.ts'
import { capitalize } from './headline.ts'
import { type Period, periodBefore, periodsBefore, rangeText } from './period.ts'
import {
  buildReport,
  type Gap,
  type PeriodReading,
  type ReportRequest,
  type VisitorsResult,
} from './report.ts'
import { listingOf, type Site } from './section.ts'
import { sections } from './sections/index.ts'

/** Number of periods in the chart. */
const trendPoints = 8

/** Why the action does not read everything, or does not trust what it read. */
const gaps = {
  budget: { reason: 'all requests allowed by max-requests were used up' },
  timeout: { reason: 'the timeout was reached' },
  mixed: { reason: 'the site changed while its pages were read' },
  stuck: { reason: 'Mintlify announced more pages but sent no new ones' },
}

/** A report that is being read. */
interface Reading {
  request: ReportRequest
  ports: PlatformPorts
  /** How many requests were made, including retries. All tools of an organization share the platform's hourly limit. */
  used: number
  /** That limit, once it is reached: the platform would reject any other request, too. */
  limit: Gap | null
}

/** Reads the contents of the report within the budget. */
export async function runVisitors(request: ReportRequest, ports: PlatformPorts): Promise<VisitorsResult> {
  const { period } = request
  const reading: Reading = { request, ports, used: 0, limit: null }
  const [current, previous] = await Promise.all([
    readPeriod(period, reading),
    readPeriod(periodBefore(period), reading),
  ])
  if (current.totals === null && !ports.cancelled.aborted)
    return { outcome: 'error', report: null, problem: current.gap?.problem ?? { kind: 'too-late' } }
  const trend = await readTrend(previous, current, reading)
  const [now, before] = await Promise.all([readViews(period, reading), readViews(previous.period, reading)])
  const site = siteOf(current, reading)
  const parts = await Promise.all(
    [...request.sections].map(async (name) => (await sections[name]()).section(site)),
  )
  if (ports.cancelled.aborted) return { outcome: 'cancelled', report: null, problem: null }
  const report = buildReport(request, {
    current,
    previous,
    trend,
    views: { now, before },
    parts,
    requests: reading.used,
    generatedAt: ports.clock.date(),
  })
  return { outcome: report.alerts.length > 0 ? 'alert' : 'reported', report, problem: null }
}

/** Reads all pages of a period. */
async function readPeriod(period: Period, reading: Reading) {
  const analytics = analyticsIn(period, reading)
  const pages = new Map<string, VisitorCounts>()
  let totals: PeriodReading['totals'] = null
  let isShifted = false
  let wasEmpty = false
  const end = (gap: Gap | null) => {
    log(reading, period, `read ${counted(pages.size, 'page')}`, gap)
    return { period, totals, pages, gap }
  }
  for (let batch = 0; ; batch++) {
    const { value, gap } = await ask(reading, () => analytics.visitors(batch))
    if (value === null) return end(gap)
    const rows = value.pages.filter(({ path }) => !pages.has(path))
    for (const { path, ...counts } of rows) pages.set(path, counts)
    // If a row was in two responses, another one may be in none.
    isShifted ||= rows.length < value.pages.length
    totals = value.totals
    if (!value.hasMore) return end(isShifted ? gaps.mixed : null)
    // Mintlify may skip one batch, but not two.
    const isEmpty = rows.length === 0
    if (isEmpty && wasEmpty) return end(gaps.stuck)
    wasEmpty = isEmpty
  }
}

/** The calls about a period. Each repetition of a request is taken from the budget, too. */
function analyticsIn(period: Period, reading: Reading) {
  return reading.ports.mintlify.analytics(period, () => take(reading) === null)
}

/** The totals of both periods and of those before. The latest are requested first, because requests may run out. */
async function readTrend(previous: PeriodReading, current: PeriodReading, reading: Reading) {
  const responses = await Promise.all(
    periodsBefore(previous.period, trendPoints - 2).map(async (period) => {
      const { value } = await ask(reading, () => analyticsIn(period, reading).visitors(0))
      return { period, totals: value?.totals ?? null }
    }),
  )
  return [...responses.reverse(), previous, current].flatMap(({ period, totals }) =>
    totals === null ? [] : { period, totals },
  )
}

/** A period's page views; null if they are not available. The report is complete without them. */
async function readViews(period: Period, reading: Reading) {
  const { value, gap } = await ask(reading, analyticsIn(period, reading).views)
  log(reading, period, 'read the page views', gap)
  return value
}

/** The site as its sections see it. */
function siteOf({ period, pages }: PeriodReading, reading: Reading): Site {
  return {
    analytics: analyticsIn(period, reading),
    /** If a list cannot be read, the rest of the report is still complete. */
    async read(name, call) {
      const { value, gap } = await ask(reading, call)
      log(reading, period, `read the ${name}`, gap)
      if (value !== null) return listingOf(name, value, reading.request)
      return { entries: [], gap: `The ${name} are missing: ${gap?.reason}.` }
    },
    visitorsOf(path) {
      if (path === null) return null
      // The platform decides whether paths begin with a slash.
      return (pages.get(path) ?? pages.get(path.slice(1)))?.visitors ?? null
    },
  }
}

/** Makes a call within the budget. Returns the response, or why there is none; the other is null. */
async function ask<T>(reading: Reading, call: () => Promise<Called<T>>) {
  const none = take(reading)
  if (none !== null) return { value: null, gap: none }
  const reply = await call()
  if (reply.ok) return { value: reply.value, gap: null }
  const { why } = reply.failure
  const gap = { reason: reasonFor(why), problem: reply.failure }
  if (isLimited(why)) reading.limit = gap
  return { value: null, gap }
}

/** Takes one of the requests. Returns why none is left; otherwise null. The reason does not matter after a cancel. */
function take(reading: Reading) {
  const { clock, cancelled, deadline } = reading.ports
  if (reading.limit !== null) return reading.limit
  if (cancelled.aborted || clock.now() >= deadline) return gaps.timeout
  if (reading.used >= reading.request.maxRequests) return gaps.budget
  reading.used++
  return null
}

/** Why a request failed, as the end of a sentence. */
function reasonFor(failure: Failure) {
  if (!('status' in failure)) return 'Mintlify did not respond'
  const { kind, status } = failure
  if (kind === 'unreadable') return "Mintlify's response could not be read"
  if (status === 429) return 'the hourly limit of 100 analytics requests was reached (429)'
  // Mintlify responds like this to keys without access, and perhaps to plans that do not include the list.
  if (status === 403 || status === 404) return `not available to this API key or plan (${status})`
  return `Mintlify responded with ${status}`
}

/** Logs what was done for a period, and why not all of it. Mintlify's own messages are only here, not in the report. */
function log({ ports }: Reading, period: Period, what: string, gap: Gap | null) {
  const action = `${rangeText(period)}: ${what}`
  if (gap === null) return ports.log(info(`${action}.`))
  const why = gap.problem ? explain(gap.problem).what : `${capitalize(gap.reason)}.`
  ports.log(info(`${action}, but not completely. ${why}`))
}
