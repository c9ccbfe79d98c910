/** The order of requests, the budget, and what is reported as missing: literal ports, and time that only passes by sleeping. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInputs } from '../../../src/core/inputs/inputs.ts'
import type { Exchange } from '../../../src/core/job/response.ts'
import type { LogEntry } from '../../../src/say/messages.ts'
import { pageSize } from '../../../src/visitors/core/pages.ts'
import { periodOf } from '../../../src/visitors/core/period.ts'
import type { Gap, PeriodReading, VisitorsReport, VisitorsResult } from '../../../src/visitors/core/report.ts'
import { runVisitors } from '../../../src/visitors/usecases/visitors.ts'
import { runs } from '../../core/samples.ts'
import { answer, reset } from '../../usecases/world.ts'
import { counts } from '../samples.ts'

/** A Monday, so that the last complete week ends the day before. */
const start = Date.UTC(2026, 10, 2, 10)
const firstDay = Date.UTC(2026, 9, 26)
const weekMs = 7 * 24 * 3_600_000

interface Asked {
  /** What is requested: `visitors`, or a list. */
  what: string
  /** Number of weeks before the current period. */
  week: number
  offset: number
  /** Milliseconds since the start. */
  at: number
  /** Number of times that this was requested before. */
  times: number
  /** Whether the step was already cancelled. */
  late: boolean
}

interface World {
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

interface Run {
  result: VisitorsResult
  asked: Asked[]
  progress: LogEntry[]
  awaited: number
  /** Milliseconds from start to end. */
  took: number
}

/** Maximum number of waits of a step: more would mean that it never ends. */
const waitLimit = 20_000

async function run(inputs: Record<string, string>, world: World = {}): Promise<Run> {
  const controller = new AbortController()
  const asked: Asked[] = []
  const progress: LogEntry[] = []
  /** Sleeps and exchanges in progress. They continue in order of time or, at equal times, in the order they started. */
  const waiting: { until: number; go: () => void }[] = []
  let now = start
  let awaited = 0

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

  const least = { mode: 'visitors', 'project-id': 'docs', 'api-key': 'mint_0123456789' }
  const parsed = parseInputs({ ...least, ...inputs }, { isComment: false, now: start })
  if (!parsed.ok || parsed.inputs.mode !== 'visitors') throw new Error(JSON.stringify(parsed))
  const request = { ...parsed.inputs, period: periodOf(parsed.inputs, start) }
  const result = await runVisitors(request, {
    clock: { now: () => now - start, date: () => now, sleep: (ms) => pass(ms) },
    deadline: parsed.inputs.timeout,
    http: {
      host: 'api.mintlify.com',
      async exchange({ path }) {
        const late = controller.signal.aborted
        const { pathname, searchParams } = new URL(path, 'https://x.example')
        const what = pathname.replace('/v1/analytics/docs/', '')
        const week = (firstDay - Date.parse(searchParams.get('dateFrom') ?? '')) / weekMs
        const offset = Number(searchParams.get('offset'))
        const times = asked.filter(
          (each) => each.what === what && each.week === week && each.offset === offset,
        ).length
        const one = { what, week, offset, at: now - start, times, late }
        asked.push(one)
        await pass(world.latency ?? 0)
        if (controller.signal.aborted && !world.answersAtCancel)
          return { type: 'silence', sent: true, code: 'CANCELLED', viaProxy: false }
        return world.answer?.(one) ?? usual(world, one)
      },
    },
    random: () => 0.5,
    cancelled: controller.signal,
    log: (...seen) => void progress.push(...seen),
  })
  return { result, asked, progress, awaited, took: now - start }
}

const row = (path: string, human: number) => ({ path, human, ai: 1, total: human + 1 })
const rowsFrom = (from: number, count = pageSize) =>
  Array.from({ length: count }, (_, at) => row(`/p${from + at}`, 5))
const platformTotals = (week: number) => ({ human: 1000 - week, ai: 100, total: 1050 })
const totalsOf = (week: number) => counts(1000 - week, 100, 1050)

function usual({ pages = 300 }: World, { what, week, offset }: Asked): Exchange {
  if (what !== 'visitors')
    return answer(200, { feedback: [], searches: [], conversations: [], hasMore: false })
  const left = (typeof pages === 'number' ? pages : pages(week)) - offset
  return reply(rowsFrom(offset, Math.max(0, Math.min(left, pageSize))), left > pageSize, platformTotals(week))
}

/** A response with these rows. */
const reply = (visitors: object[], hasMore: boolean, totals = platformTotals(0)) =>
  answer(200, { totals, visitors, hasMore })

/** Replaces the first `times` responses for an offset in a week. */
const at =
  (week: number, offset: number, exchange: Exchange, times = Number.POSITIVE_INFINITY) =>
  (asked: Asked) =>
    asked.week === week && asked.offset === offset && asked.times < times ? exchange : undefined

function reportOf({ result }: Run): VisitorsReport {
  if (result.report === null) throw new Error(JSON.stringify(result))
  return result.report
}

const whyOf = ({ problem, reason }: Gap) =>
  problem === undefined ? reason.match(/max-requests|timeout|changed|announced/)?.[0] : 'failed'

/** The number of pages and the gap of each period. */
const readings = (seen: Run) => {
  const { current, previous } = reportOf(seen)
  return [current, previous].map(({ pages, gap }: PeriodReading) => [pages.size, gap && whyOf(gap)])
}

/** The requested offsets of a period. */
const offsets = ({ asked }: Run, week: number) =>
  asked.filter((one) => one.week === week && one.what === 'visitors').map(({ offset }) => offset)

const limit = answer(429, { error: 'slow down' })
const limitFor = (seconds: number) => answer(429, { error: 'slow down' }, { 'retry-after': `${seconds}` })
const broken = answer(500)

describe('a report', () => {
  it('a report of 1,128 pages with a comparison and a chart of 8 periods takes 16 requests, both periods in parallel', async () => {
    const seen = await run({ 'site-url': 'https://docs.example.com/' }, { pages: 1128, latency: 1000 })
    expect(seen.asked.map(({ week, offset, at: time }) => [week, offset, time])).toEqual([
      ...[0, 1, 2, 3, 4].flatMap((page) => [0, 1].map((week) => [week, 250 * page, 1000 * page])),
      ...[2, 3, 4, 5, 6, 7].map((week) => [week, 0, 5000]),
    ])
    const report = reportOf(seen)
    expect(readings(seen)).toEqual([
      [1128, null],
      [1128, null],
    ])
    expect(report.trend.map(({ totals }) => totals)).toEqual([7, 6, 5, 4, 3, 2, 1, 0].map(totalsOf))
    expect(report).toMatchObject({
      requests: 16,
      maxRequests: 40,
      siteUrl: 'https://docs.example.com',
      generatedAt: start + 6000,
      isComplete: true,
    })
    const period = { from: '2026-10-26', to: '2026-11-02' }
    expect(report.current).toMatchObject({ period, totals: totalsOf(0) })
    expect(seen.result).toMatchObject({ outcome: 'reported', problem: null })
    expect(seen.progress).toContainEqual({ level: 'info', text: 'Oct 26 – Nov 1, 2026: read 1,128 pages.' })
  })

  it('an empty path and `/` are one page, and the last counts of a page count', async () => {
    const rows = [row('/', 9), row('/a', 1), row('/a', 2), row('', 3)]
    const seen = await run({}, { answer: () => reply(rows, false) })
    const { ids, book, current } = reportOf(seen)
    expect([...ids].map((id) => [book.pathOf(id), current.pages.get(id)?.humanVisitors])).toEqual([
      ['/', 9],
      ['/a', 2],
    ])
    expect(readings(seen)[0]).toEqual([2, null])
  })
})

describe('the budget', () => {
  it.each([
    [1, [0], [], [250, 'max-requests'], [0, 'max-requests']],
    [4, [0, 250], [0, 250], [500, 'max-requests'], [500, 'max-requests']],
    [8, [0, 250, 500, 750], [0, 250, 500, 750], [1000, null], [1000, null]],
  ])(
    'a budget of %i is spent on both periods alike, before the chart',
    async (budget, now, then, ...read) => {
      const seen = await run({ 'max-requests': `${budget}` }, { pages: 1000 })
      expect([offsets(seen, 0), offsets(seen, 1), readings(seen)]).toEqual([now, then, read])
      expect(reportOf(seen)).toMatchObject({ requests: budget, maxRequests: budget })
      expect(offsets(seen, 2)).toEqual([])
    },
  )

  it('a budget that is used up between two attempts ends the step with the failure', async () => {
    const seen = await run({ 'max-requests': '3' }, { answer: at(0, 0, broken) })
    expect(seen.asked).toHaveLength(3)
    const problem = { call: { failure: { kind: 'broken', status: 500 } } }
    expect(seen.result).toMatchObject({ outcome: 'error', report: null, problem })
  })

  it('the budget is never exceeded, and the report says what is missing, whatever fails', async () => {
    const fault = fc.constantFrom(undefined, undefined, broken, reset, limit, limitFor(3), answer(200, {}))
    const world = fc.record({
      budget: fc.integer({ min: 1, max: 30 }),
      pages: fc.tuple(fc.integer({ min: 1, max: 1500 }), fc.integer({ min: 1, max: 1500 })),
      latency: fc.constantFrom(0, 700),
      faults: fc.array(fault, { maxLength: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(world, async ({ budget, pages, latency, faults }) => {
        const left = [...faults]
        const given = { 'max-requests': `${budget}`, sections: 'feedback, searches, questions' }
        const seen = await run(given, {
          latency,
          answer: () => left.shift(),
          pages: (week) => pages[week] ?? 1,
        })
        expect(seen.asked.length).toBeLessThanOrEqual(budget)
        const { report, outcome } = seen.result
        if (report === null) {
          expect(outcome).toBe('error')
          return
        }
        expect(report.requests).toBe(seen.asked.length)
        // There is a gap if and only if pages are missing.
        expect(readings(seen).map(([, why]) => why === null)).toEqual(
          readings(seen).map(([size], week) => size === pages[week]),
        )
      }),
      runs(50),
    )
  })
})

describe('a request that fails', () => {
  it('the hourly limit ends all requests, and what was read is reported', async () => {
    const seen = await run({ sections: 'searches' }, { pages: 1000, answer: at(0, 500, limit) })
    expect(offsets(seen, 0)).toEqual([0, 250, 500])
    expect(seen.asked.every(({ week, what }) => week < 2 && what === 'visitors')).toBe(true)
    expect(reportOf(seen).current).toMatchObject({
      gap: { problem: { call: { name: 'visitors', failure: { status: 429 } } } },
    })
    expect([seen.took, seen.result.outcome, readings(seen)[0]]).toEqual([0, 'reported', [500, 'failed']])
  })

  it.each([
    ['1h', 90_000, [1000, null]],
    ['1m', 0, [500, 'failed']],
  ])(
    'a 429 with Retry-After is repeated after that time, if `timeout: %s` allows it',
    async (timeout, took, read) => {
      const seen = await run({ timeout }, { pages: 1000, answer: at(0, 500, limitFor(90), 1) })
      expect([seen.took, readings(seen)[0]]).toEqual([took, read])
    },
  )

  it.each([401, 404])('a first request that fails with %i is an error at once', async (status) => {
    const seen = await run({}, { answer: () => answer(status) })
    expect(seen.asked.map(({ week }) => week)).toEqual([0, 1])
    const problem = { call: { name: 'visitors', failure: { status } } }
    expect(seen.result).toMatchObject({ outcome: 'error', report: null, problem })
  })

  it.each<[string, Exchange, number, number]>([
    ['with 500', broken, 5, 1500 + 3000 + 6000 + 12_000],
    ['without a response', reset, 5, 1500 + 3000 + 6000 + 12_000],
    ['with JSON of another shape', answer(200, { totals: {}, visitors: [], hasMore: 'false' }), 2, 1500],
  ])(
    'a request that fails %s is tried again, and what was read is reported',
    async (_, exchange, tries, took) => {
      const seen = await run({}, { pages: 1000, answer: at(0, 250, exchange) })
      expect(offsets(seen, 0)).toEqual([0, ...Array(tries).fill(250)])
      expect([readings(seen)[0], seen.took]).toEqual([[250, 'failed'], took])
      const mended = await run({}, { pages: 1000, answer: at(0, 250, exchange, tries - 1) })
      expect(readings(mended)[0]).toEqual([1000, null])
    },
  )

  it('a failure of the previous period prevents the comparison, but not the report', async () => {
    const seen = await run({ 'alert-drop': '1%' }, { answer: at(1, 0, answer(403)) })
    expect(seen.result.outcome).toBe('reported')
    const previous = { totals: null, gap: { problem: { id: 'no-access' } } }
    expect(reportOf(seen)).toMatchObject({ previous, movers: [], alerts: [], isComplete: false })
    expect(reportOf(seen).trend).toHaveLength(7)
  })

  it('the chart leaves out points that were not read, and requests the latest first', async () => {
    const seen = await run({ 'max-requests': '7' }, { pages: 1, answer: at(3, 0, answer(403)) })
    expect(reportOf(seen).trend.map(({ totals }) => totals)).toEqual([6, 5, 4, 2, 1, 0].map(totalsOf))
    expect([seen.result.outcome, reportOf(seen).isComplete]).toEqual(['reported', true])
  })

  it.each([
    ['is empty', reply([], true)],
    ['repeats its rows', reply(rowsFrom(0), true)],
  ])("the platform's list ends the reading if a page %s", async (_, exchange) => {
    const seen = await run({}, { pages: 1000, answer: at(0, 250, exchange) })
    expect([offsets(seen, 0), readings(seen)[0]]).toEqual([
      [0, 250],
      [250, 'announced'],
    ])
  })

  it('the timeout ends the reading: no request starts after it, and what was read is reported', async () => {
    const seen = await run({ timeout: '3s' }, { pages: 5000, latency: 1000 })
    expect(seen.asked.map(({ week, at: time }) => [week, time])).toEqual(
      [0, 1000, 2000].flatMap((time) => [0, 1].map((week) => [week, time])),
    )
    expect(readings(seen)).toEqual([
      [750, 'timeout'],
      [750, 'timeout'],
    ])
    expect(seen.took).toBe(3000)
  })
})

describe('a site that changes while its pages are read', () => {
  it.each<[string, Exchange]>([
    ['the totals change', reply(rowsFrom(250), false, { human: 7, ai: 7, total: 7 })],
    // One row of the first response is repeated, so another one is missing.
    ['a row is in two responses', reply(rowsFrom(249), false)],
  ])('a report is not complete if %s', async (_, exchange) => {
    const seen = await run({}, { pages: 500, answer: at(0, 250, exchange) })
    expect([offsets(seen, 0), readings(seen)[0]?.[1]]).toEqual([[0, 250], 'changed'])
    expect(reportOf(seen)).toMatchObject({ isComplete: false, movers: [] })
  })
})

describe('a list of what readers say', () => {
  const all = { sections: 'feedback, searches, questions' }
  const gapsOf = (seen: Run) =>
    reportOf(seen).parts.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.kind === 'table' ? [[block.id, block.gap]] : [])),
    )

  it.each<[string, Exchange, number, string]>([
    ['403', answer(403), 1, 'not available to this API key or plan (403)'],
    ['429 without Retry-After', limit, 1, 'the hourly limit of 100 analytics requests was reached (429)'],
    ['429 with Retry-After', limitFor(5), 2, 'the hourly limit of 100 analytics requests was reached (429)'],
    ['no response', reset, 2, 'Mintlify did not respond'],
    ['500', broken, 2, 'Mintlify responded with 500'],
    ['an odd shape', answer(200, { searches: 'x' }), 2, "Mintlify's response could not be read"],
    ['unusable rows', answer(200, { searches: [[]] }), 2, "Mintlify's response could not be read"],
  ])('a list is missing after %s, and the others are read', async (_, exchange, tries, why) => {
    const seen = await run(all, { answer: ({ what }) => (what === 'searches' ? exchange : undefined) })
    expect(seen.asked.filter(({ what }) => what === 'searches')).toHaveLength(tries)
    expect(gapsOf(seen)).toEqual([
      ['questions', null],
      ['votes', null],
      ['comments', null],
      ['searches', `The searches are missing: ${why}.`],
    ])
  })

  it('a list knows the visitors of its pages, with or without a slash at the start of their paths', async () => {
    const votes = ['/a', '/b', '/c'].map((path) => ({ path, thumbsUp: 0, thumbsDown: 2 }))
    const seen = await run(all, {
      answer: ({ what }) =>
        what === 'visitors'
          ? reply([row('/a', 5), row('b', 9)], false)
          : answer(200, { feedback: what === 'feedback' ? [] : votes, searches: [], conversations: [] }),
    })
    const tables = reportOf(seen).parts.flatMap(({ blocks }) =>
      blocks.filter((block) => block.kind === 'table'),
    )
    const rows = [...(tables.find(({ id }) => id === 'votes')?.rows ?? [])]
    expect(rows.map(({ path, visitors }) => [path, visitors])).toEqual([
      ['/b', 10],
      ['/a', 6],
      ['/c', null],
    ])
  })
})

it.each([
  ['requests in progress are given up', false],
  ['requests in progress still get a response', true],
])(
  'a cancel at any moment ends the step as cancelled, and nothing is sent after it: %s',
  async (_, answersAtCancel) => {
    const world: World = { pages: 600, latency: 1000, answer: at(0, 250, broken, 2), answersAtCancel }
    const whole = await run({ sections: 'searches' }, world)
    expect(whole.result.outcome).toBe('reported')
    for (let cancelIn = 0; cancelIn < whole.awaited; cancelIn++) {
      const seen = await run({ sections: 'searches' }, { ...world, cancelIn })
      expect(seen.result).toEqual({ outcome: 'cancelled', report: null, problem: null })
      expect(seen.asked.filter(({ late }) => late)).toEqual([])
      expect(seen.asked.length).toBeGreaterThan(0)
    }
  },
)
