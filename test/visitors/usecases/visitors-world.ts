/** A world to run mode visitors in: a platform scripted by period and offset, and time that only passes by sleeping. */
import type { Exchange } from '../../../src/core/job/response.ts'
import type { LogEntry } from '../../../src/say/messages.ts'
import type { VisitorsReport, VisitorsResult } from '../../../src/visitors/core/report.ts'
import { pageSize, type VisitorCounts } from '../../../src/visitors/core/visitors.ts'
import { parseVisitorsInputs, type VisitorsInputs } from '../../../src/visitors/inputs.ts'
import { sections } from '../../../src/visitors/sections/index.ts'
import { runVisitors } from '../../../src/visitors/usecases/visitors.ts'
import { answer } from '../../usecases/world.ts'

/** A Monday, so that the last complete week ends the day before. */
export const start = Date.UTC(2026, 10, 2, 10, 0, 0)

/** The first day of the current period. */
const firstDay = Date.UTC(2026, 9, 26)
const weekMs = 7 * 24 * 3_600_000

export interface Asked {
  /** Number of weeks before the current period. */
  week: number
  offset: number
  limit: number
  /** Milliseconds since the start. */
  at: number
  /** Number of times that this was requested before. */
  times: number
  /** Number of requests in progress when it arrived, including itself. */
  underWay: number
  /** Whether the step was already cancelled. */
  late: boolean
}

export interface World {
  /** The number of pages in each period; 300 by default. */
  pages?: number | ((week: number) => number)
  /** A response that replaces the usual one; undefined for the usual one. */
  answer?: (asked: Asked) => Exchange | undefined
  /** Milliseconds that each exchange takes. */
  latency?: number
  /** The wait during which the step is cancelled, counted from 0. */
  cancelIn?: number
  /** Whether requests in progress at the cancel still get a response. */
  answersAtCancel?: boolean
}

export interface Run {
  result: VisitorsResult
  asked: Asked[]
  progress: LogEntry[]
  awaited: number
  /** Milliseconds from start to end. */
  took: number
}

/** Maximum number of waits of a step: more would mean that it never ends. */
const waitLimit = 20_000

export async function run(inputs: Record<string, string>, world: World = {}): Promise<Run> {
  const controller = new AbortController()
  const asked: Asked[] = []
  const progress: LogEntry[] = []
  /** Sleeps and exchanges in progress. They continue in order of time or, at equal times, in the order they started. */
  const waiting: { until: number; go: () => void }[] = []
  let now = start
  let awaited = 0
  let underWay = 0

  /** Waits. Once everything waits, time moves to the next due event. */
  const pass = async (ms: number) => {
    if (awaited > waitLimit) throw new Error(`still waiting after ${now - start} ms`)
    // Like a real signal, the cancel comes between two turns of the event loop.
    if (awaited++ === world.cancelIn) setImmediate(() => controller.abort())
    if (controller.signal.aborted) return
    const until = now + Math.max(0, ms)
    await new Promise<void>((go) => {
      waiting.push({ until, go })
      controller.signal.addEventListener('abort', () => go())
      setImmediate(advance)
    })
  }
  const advance = () => {
    waiting.sort((one, other) => one.until - other.until)
    const next = waiting.shift()
    if (next === undefined) return
    if (!controller.signal.aborted) now = Math.max(now, next.until)
    next.go()
  }

  const given = read(inputs)
  const result = await runVisitors(given, sections, {
    clock: { now: () => now - start, date: () => now, sleep: (ms) => pass(ms) },
    deadline: given.timeout,
    http: {
      host: 'api.mintlify.com',
      async exchange({ method, path }) {
        const late = controller.signal.aborted
        const url = new URL(path, 'https://x.example')
        if (method !== 'GET' || url.pathname !== '/v1/analytics/docs/visitors') throw new Error(path)
        const { dateFrom = '', dateTo = '', ...query } = Object.fromEntries(url.searchParams)
        const week = (firstDay - Date.parse(dateFrom)) / weekMs
        if (Date.parse(dateTo) - Date.parse(dateFrom) !== weekMs) throw new Error(path)
        const offset = Number(query.offset)
        const limit = Number(query.limit)
        const times = asked.filter((each) => each.week === week && each.offset === offset).length
        const one = { week, offset, limit, at: now - start, times, underWay: ++underWay, late }
        asked.push(one)
        await pass(world.latency ?? 0)
        underWay--
        if (controller.signal.aborted && !world.answersAtCancel)
          return { type: 'silence', sent: true, code: 'CANCELLED', viaProxy: false }
        return world.answer?.(one) ?? page(siteOf(world, week), one)
      },
    },
    random: () => 0.5,
    cancelled: controller.signal,
    log: (...seen) => void progress.push(...seen),
  })
  return { result, asked, progress, awaited, took: now - start }
}

export interface Row extends VisitorCounts {
  path: string
}

export const row = (path: string, human: number): Row => ({ path, human, ai: 1, total: human + 1 })
export const totalsOf = (week: number): VisitorCounts => ({ human: 1000 - week, ai: 100, total: 1050 })

function siteOf({ pages = 300 }: World, week: number): { totals: VisitorCounts; rows: Row[] } {
  const count = typeof pages === 'number' ? pages : pages(week)
  return { totals: totalsOf(week), rows: Array.from({ length: count }, (_, at) => row(`/p${at}`, 5)) }
}

/** The requested part of a site; `totals` replaces the site's totals. */
export function page(
  { totals, rows }: { totals: VisitorCounts; rows: Row[] },
  { offset, limit }: Pick<Asked, 'offset' | 'limit'>,
): Exchange {
  const end = offset + limit
  return answer(200, { totals, visitors: rows.slice(offset, end), hasMore: end < rows.length })
}

/** A response with these rows. */
export const reply = (rows: Row[], hasMore: boolean, totals = totalsOf(0)): Exchange =>
  answer(200, { totals, visitors: rows, hasMore })

export const wholePage = (from = 0): Row[] =>
  Array.from({ length: pageSize }, (_, at) => row(`/p${from + at}`, 5))

export function reportOf({ result }: Run): VisitorsReport {
  if (result.report === null) throw new Error(JSON.stringify(result))
  return result.report
}

/** The number of pages and the gap of each period; `unread` in place of a period that could not be compared. */
export function readings(seen: Run) {
  const { current, compared } = reportOf(seen)
  const previous =
    compared.kind === 'read'
      ? [compared.reading.pages.size, compared.reading.gap?.why ?? null]
      : compared.kind
  return [[current.pages.size, current.gap?.why ?? null], previous]
}

/** The requested offsets of a period. */
export const offsets = ({ asked }: Run, week: number) =>
  asked.filter((one) => one.week === week).map(({ offset }) => offset)

function read(inputs: Record<string, string>): VisitorsInputs {
  const parsed = parseVisitorsInputs(
    { mode: 'visitors', 'project-id': 'docs', 'api-key': 'mint_0123456789', ...inputs },
    { isComment: false, now: start },
  )
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.inputs
}
