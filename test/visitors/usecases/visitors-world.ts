/** A world to run mode `visitors` in: a platform scripted by period and offset, and time that passes only by sleeping. */
import type { Exchange } from '../../../src/core/job/response.ts'
import type { VisitorCounts } from '../../../src/visitors/core/counts.ts'
import { parseVisitorsInputs, type VisitorsInputs } from '../../../src/visitors/core/inputs.ts'
import type { ReportProgress } from '../../../src/visitors/core/progress.ts'
import type { VisitorsReport, VisitorsResult } from '../../../src/visitors/core/report.ts'
import { pageSize } from '../../../src/visitors/core/visitors.ts'
import { runVisitors } from '../../../src/visitors/usecases/visitors.ts'
import { answer } from '../../usecases/world.ts'

/** A Monday: the last complete week ends with it. */
export const start = Date.UTC(2026, 10, 2, 10, 0, 0)

/** The periods by the weeks that lie between: 0 is the current one, 1 the one before. */
const firstDay = Date.UTC(2026, 9, 26)
const weekMs = 7 * 24 * 3_600_000

export interface Asked {
  /** How many weeks before the current period. */
  week: number
  offset: number
  limit: number
  /** Milliseconds since the start. */
  at: number
  /** How often this was asked before. */
  times: number
  /** How many requests were under way when it came, itself among them. */
  underWay: number
  /** Whether the step had been cancelled before. */
  late: boolean
}

export interface World {
  /** Distinct pages of each period; 300 where absent. */
  pages?: number | ((week: number) => number)
  /** A response that overrides the site; undefined for none. */
  answer?: (asked: Asked) => Exchange | undefined
  /** Milliseconds that each exchange takes. */
  latency?: number
  /** The step is cancelled in the so many-th thing that it waits for, from 0. */
  cancelIn?: number
  /** Whether what is under way at the cancel is answered all the same. */
  answersAtCancel?: boolean
}

export interface Run {
  result: VisitorsResult
  asked: Asked[]
  progress: ReportProgress[]
  awaited: number
  /** Milliseconds from start to end. */
  took: number
}

/** What a step in here waits for at most; one that waits for more would wait for ever. */
const waitLimit = 20_000

export async function run(inputs: Record<string, string>, world: World = {}): Promise<Run> {
  const controller = new AbortController()
  const asked: Asked[] = []
  const progress: ReportProgress[] = []
  /** Sleeps and exchanges that wait for their time, and for their turn if it is the same. */
  const waiting: { until: number; go: () => void }[] = []
  let now = start
  let awaited = 0
  let underWay = 0

  /** Once everyone waits, time continues to what is due first. */
  const pass = async (ms: number) => {
    if (awaited > waitLimit) throw new Error(`still waiting after ${now - start} ms`)
    // As a signal comes: between two turns, not in the midst of one.
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
  const result = await runVisitors(given, given, {
    clock: { now: () => now - start, date: () => now, sleep: (ms) => pass(ms) },
    deadline: given.timeout,
    http: {
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
    onProgress: (seen) => void progress.push(seen),
    matches: (path, glob) => path.startsWith(glob),
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

/** The part of a site that is asked for; `totals` replaces the site's totals. */
export function page(
  { totals, rows }: { totals: VisitorCounts; rows: Row[] },
  { offset, limit }: Pick<Asked, 'offset' | 'limit'>,
): Exchange {
  const end = offset + limit
  return answer(200, { totals, visitors: rows.slice(offset, end), hasMore: end < rows.length })
}

/** A reply with these rows. */
export const reply = (rows: Row[], hasMore: boolean, totals = totalsOf(0)): Exchange =>
  answer(200, { totals, visitors: rows, hasMore })

export const wholePage = (from = 0): Row[] =>
  Array.from({ length: pageSize }, (_, at) => row(`/p${from + at}`, 5))

export function reportOf({ result }: Run): VisitorsReport {
  if (result.report === null) throw new Error(JSON.stringify(result))
  return result.report
}

/** The pages and the gap of the current and the compared period; the word for a comparison without any. */
export function readings(seen: Run) {
  const { current, compared } = reportOf(seen)
  const previous =
    compared.kind === 'read'
      ? [compared.reading.pages.size, compared.reading.gap?.why ?? null]
      : compared.kind
  return [[current.pages.size, current.gap?.why ?? null], previous]
}

/** The offsets that were asked for, of one period. */
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
