/** The order of requests, the budget, and what is reported as missing: literal ports, and time that jumps. */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Exchange } from '../../src/core/http.ts'
import { parseInputs } from '../../src/core/inputs/inputs.ts'
import type { LogEntry } from '../../src/core/log.ts'
import { pageSize } from '../../src/mintlify/analytics.ts'
import { periodOf } from '../../src/visitors/period.ts'
import { runVisitors } from '../../src/visitors/read.ts'
import { noInputs, runs } from '../core/samples.ts'
import { mintlifyOn, type Platform } from '../run/mintlify.ts'
import { answer, reset } from '../run/world.ts'
import { budget, counts } from './samples.ts'

/** A Monday, so that the last complete week ends the day before. */
const start = Date.UTC(2026, 10, 2, 10)
const firstDay = Date.UTC(2026, 9, 26)
const weekMs = 7 * 24 * 3_600_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

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
  pages?: (week: number) => number
  /** A response that replaces the usual one; undefined for the usual one. */
  answer?: (asked: Asked) => Exchange | undefined
  /** Milliseconds that each exchange takes. */
  latency?: number
  /** Milliseconds until the step is cancelled. Every second request in progress is then given up. */
  cancelAt?: number
}

type Run = Awaited<ReturnType<typeof run>>

async function run(inputs: Record<string, string>, world: World = {}) {
  vi.setSystemTime(start)
  const controller = new AbortController()
  const { signal } = controller
  const asked: Asked[] = []
  const progress: LogEntry[] = []
  const now = () => Date.now() - start
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      signal.addEventListener('abort', () => wake())
      if (signal.aborted) wake()
      else setTimeout(wake, ms)
    })
  if (world.cancelAt !== undefined) setTimeout(() => controller.abort(), world.cancelAt)
  const least = { mode: 'visitors', 'project-id': 'docs', 'api-key': 'mint_0123456789' }
  const parsed = parseInputs({ ...noInputs, ...least, ...inputs }, { isComment: false, now: start })
  if (!parsed.ok || parsed.value.mode !== 'visitors') throw new Error(JSON.stringify(parsed))
  const request = { ...parsed.value, period: periodOf(parsed.value, start) }
  const onPlatform: Platform = async ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'https://x.example')
    const what = pathname.replace('/v1/analytics/docs/', '')
    const week = (firstDay - Date.parse(searchParams.get('dateFrom') ?? '')) / weekMs
    const offset = Number(searchParams.get('offset'))
    const isSame = (each: Asked) => each.what === what && each.week === week && each.offset === offset
    const times = asked.filter(isSame).length
    const one = { what, week, offset, at: now(), times, late: signal.aborted }
    const isGivenUp = asked.push(one) % 2 === 0
    await sleep(world.latency ?? 0)
    if (signal.aborted && isGivenUp) return { ...reset, code: 'CANCELLED' }
    return world.answer?.(one) ?? usual(world, one)
  }
  const ports = {
    clock: { now, date: () => Date.now(), follow: () => {}, sleep },
    deadline: request.timeout,
    random: () => 0.5,
    cancelled: signal,
    serverUrl: 'https://github.com',
    log: (...seen: LogEntry[]) => void progress.push(...seen),
  }
  const mintlify = mintlifyOn(onPlatform, ports)
  const running = runVisitors(request, { ...ports, mintlify }).then((result) => ({ result, took: now() }))
  await vi.runAllTimersAsync()
  return { ...(await running), asked, progress }
}

const row = (path: string, human: number) => ({ path, human, ai: 1, total: human + 1 })
const rowsFrom = (from: number, count = pageSize) =>
  Array.from({ length: count }, (_, at) => row(`/p${from + at}`, 5))
const platformTotals = (week: number) => ({ human: 1000 - week, ai: 100, total: 1050 })
const totalsOf = (week: number) => counts(1000 - week, 100, 1050)

function usual({ pages = () => 300 }: World, { what, week, offset }: Asked): Exchange {
  if (what === 'views') return answer(200, { totals: { human: 0, ai: 0, total: 900 - week }, views: [] })
  if (what !== 'visitors')
    return answer(200, { feedback: [], searches: [], conversations: [], hasMore: false })
  const left = pages(week) - offset
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

function reportOf({ result }: Run) {
  if (result.report === null) throw new Error(JSON.stringify(result))
  return result.report
}

/** The number of pages of each period, and what is missing. */
const readings = (seen: Run) => {
  const { current, previous } = reportOf(seen)
  return [current, previous].map(({ pages, gap }) => [pages.size, gap?.reason ?? null])
}

/** The requested offsets of a period. */
const offsets = ({ asked }: Run, week: number) =>
  asked.filter((one) => one.week === week && one.what === 'visitors').map(({ offset }) => offset)

const limit = answer(429)
const limitFor = (seconds: number) => answer(429, {}, { 'retry-after': `${seconds}` })
const limited = 'the hourly limit of 100 analytics requests was reached (429)'
const broken = answer(500)
const all = { sections: 'feedback, searches, questions' }

it('a report of 1,128 pages with a comparison and a chart of 8 periods takes 18 requests, both periods in parallel', async () => {
  const seen = await run({}, { pages: () => 1128, latency: 1000 })
  expect(seen.asked.map(({ week, offset, at: time }) => [week, offset, time])).toEqual([
    ...[0, 1, 2, 3, 4].flatMap((page) => [0, 1].map((week) => [week, 250 * page, 1000 * page])),
    ...[2, 3, 4, 5, 6, 7].map((week) => [week, 0, 5000]),
    ...[0, 1].map((week) => [week, 0, 6000]),
  ])
  const read = [1128, null]
  expect(readings(seen)).toEqual([read, read])
  expect(reportOf(seen)).toMatchObject({ requests: 18, generatedAt: start + 7000, isComplete: true })
  expect(reportOf(seen).trend.map(({ totals }) => totals)).toEqual([7, 6, 5, 4, 3, 2, 1, 0].map(totalsOf))
  expect(seen.result).toMatchObject({ outcome: 'reported', problem: null })
  expect(seen.progress).toContainEqual({ level: 'info', text: 'Oct 26 – Nov 1, 2026: read 1,128 pages.' })
})

it('a page that is listed twice has its last counts', async () => {
  const rows = [row('/', 9), row('/a', 1), row('/a', 2)]
  const seen = await run({}, { answer: () => reply(rows, false) })
  expect(reportOf(seen).pages.map(({ path, now }) => [path, now?.humanVisitors])).toEqual([
    ['/', 9],
    ['/a', 2],
  ])
  expect(readings(seen)[0]).toEqual([2, null])
})

it.each([
  [1, 250, 0],
  [4, 500, 500],
  [8, 1000, 1000],
])('a budget of %i is spent on both periods alike, before the chart', async (most, now, then) => {
  const seen = await run({ 'max-requests': `${most}` }, { pages: () => 1000 })
  expect(readings(seen)).toEqual([now, then].map((size) => [size, size < 1000 ? budget.reason : null]))
  expect([reportOf(seen).requests, seen.asked.length]).toEqual([most, most])
})

it('the budget is never exceeded, and the report says what is missing, whatever fails', async () => {
  const fault = fc.constantFrom(undefined, undefined, broken, reset, limit, limitFor(3), answer(200, {}))
  const world = fc.record({
    most: fc.integer({ min: 1, max: 30 }),
    sizes: fc.tuple(fc.integer({ min: 1, max: 1500 }), fc.integer({ min: 1, max: 1500 })),
    latency: fc.constantFrom(0, 700),
    faults: fc.array(fault, { maxLength: 40 }),
  })
  await fc.assert(
    fc.asyncProperty(world, async ({ most, sizes, latency, faults }) => {
      const left = [...faults]
      const given = { 'max-requests': `${most}`, ...all }
      const pages = (week: number) => sizes[week] ?? 1
      const seen = await run(given, { latency, answer: () => left.shift(), pages })
      expect(seen.asked.length).toBeLessThanOrEqual(most)
      const { report, outcome } = seen.result
      if (report === null) {
        expect(outcome).toBe('error')
        return
      }
      expect(report.requests).toBe(seen.asked.length)
      // There is a gap if and only if pages are missing.
      expect(readings(seen).map(([, why]) => why === null)).toEqual(
        readings(seen).map(([size], week) => size === sizes[week]),
      )
    }),
    runs(50),
  )
})

it('the hourly limit ends all requests, and what was read is reported', async () => {
  const seen = await run({ sections: 'searches' }, { pages: () => 1000, answer: at(0, 500, limit) })
  expect(offsets(seen, 0)).toEqual([0, 250, 500])
  expect(seen.asked.every(({ week, what }) => week < 2 && what === 'visitors')).toBe(true)
  expect([seen.took, seen.result.outcome, readings(seen)[0]]).toEqual([0, 'reported', [500, limited]])
})

it.each([
  ['1h', 90_000, [1000, null]],
  ['1m', 0, [500, limited]],
])(
  'a 429 with Retry-After is repeated after that time, if `timeout: %s` allows it',
  async (timeout, took, read) => {
    const seen = await run({ timeout }, { pages: () => 1000, answer: at(0, 500, limitFor(90), 1) })
    expect([seen.took, readings(seen)[0]]).toEqual([took, read])
  },
)

it.each([
  ['is rejected', {}, answer(401)],
  ['fails until the budget is used up', { 'max-requests': '3' }, broken],
])(
  'a first request that %s is an error, and only the previous period is read',
  async (_, inputs, exchange) => {
    const seen = await run(inputs, { answer: at(0, 0, exchange) })
    expect(seen.asked.map(({ week }) => week)).toEqual([0, 1, 1])
    expect(seen.result).toMatchObject({
      outcome: 'error',
      report: null,
      problem: { call: 'analytics' },
    })
  },
)

it.each<[string, Exchange]>([
  ['with 500', broken],
  ['with JSON of another shape', answer(200, { totals: {}, visitors: [], hasMore: 'false' })],
])('a request that fails %s is tried three times, and what was read is reported', async (_, exchange) => {
  const pages = () => 1000
  const seen = await run({}, { pages, answer: at(0, 250, exchange) })
  expect(offsets(seen, 0)).toEqual([0, 250, 250, 250])
  expect([readings(seen)[0]?.[0], seen.took]).toEqual([250, 1500 + 3000])
  const mended = await run({}, { pages, answer: at(0, 250, exchange, 2) })
  expect(readings(mended)[0]).toEqual([1000, null])
})

it('a failure of the previous period prevents the comparison, but not the report', async () => {
  const seen = await run({ 'alert-drop': '1%' }, { answer: at(1, 0, answer(403)) })
  expect(seen.result.outcome).toBe('reported')
  expect(reportOf(seen)).toMatchObject({
    previous: { totals: null },
    movers: [],
    alerts: [],
    isComplete: false,
  })
})

it('the chart leaves out points that were not read, and requests the latest first', async () => {
  const seen = await run({ 'max-requests': '7' }, { pages: () => 1, answer: at(3, 0, answer(403)) })
  expect(reportOf(seen).trend.map(({ totals }) => totals)).toEqual([6, 5, 4, 2, 1, 0].map(totalsOf))
  expect([seen.result.outcome, reportOf(seen).isComplete]).toEqual(['reported', true])
})

const stuck = 'Mintlify announced more pages but sent no new ones'
const changed = 'the site changed while its pages were read'
it.each<[string, Exchange, number, string]>([
  // Another row is missing.
  ['repeats one row', reply(rowsFrom(249), false), 499, changed],
])('a report is not complete if the second response %s', async (_, exchange, size, why) => {
  const seen = await run({}, { pages: () => 1000, answer: at(0, 250, exchange) })
  expect([offsets(seen, 0), readings(seen)[0]]).toEqual([
    [0, 250],
    [size, why],
  ])
  expect(reportOf(seen)).toMatchObject({ isComplete: false, movers: [] })
})

it.each<[string, number[], number[], unknown]>([
  ['one empty response', [250], [0, 250, 500, 750, 1000], [751, null]],
  ['two, one after the other', [250, 500], [0, 250, 500], [250, stuck]],
  ['two with rows between them', [250, 750], [0, 250, 500, 750, 1000], [501, null]],
])(
  'a report passes over an empty response if more rows are announced: %s',
  async (_, empty, read, reading) => {
    const answer = ({ week, offset }: Asked) =>
      week === 0 && empty.includes(offset) ? reply([], true) : undefined
    const seen = await run({}, { pages: () => 1001, answer })
    expect([offsets(seen, 0), readings(seen)[0]]).toEqual([read, reading])
  },
)

it('the timeout ends the reading: no request starts after it, and what was read is reported', async () => {
  const seen = await run({ timeout: '3s' }, { pages: () => 5000, latency: 1000 })
  expect(seen.asked.map(({ week, at: time }) => [week, time])).toEqual(
    [0, 1000, 2000].flatMap((time) => [0, 1].map((week) => [week, time])),
  )
  const read = [750, 'the timeout was reached']
  expect([readings(seen), seen.took]).toEqual([[read, read], 3000])
})

const tablesOf = (seen: Run) =>
  reportOf(seen).parts.flatMap(({ blocks }) => blocks.filter((block) => block.kind === 'table'))

it.each<[string, Exchange, number, string]>([
  ['403', answer(403), 1, 'not available to this API key or plan (403)'],
  ['429 without Retry-After', limit, 1, limited],
  ['429 with Retry-After', limitFor(5), 3, limited],
  ['no response', reset, 3, 'Mintlify did not respond'],
  ['500', broken, 3, 'Mintlify responded with 500'],
  ['an odd shape', answer(200, { searches: 'x' }), 3, "Mintlify's response could not be read"],
  ['unusable rows', answer(200, { searches: [[]] }), 3, "Mintlify's response could not be read"],
])('a list is missing after %s, and the others are read', async (_, exchange, tries, why) => {
  const seen = await run(all, { answer: ({ what }) => (what === 'searches' ? exchange : undefined) })
  expect(seen.asked.filter(({ what }) => what === 'searches')).toHaveLength(tries)
  const gaps = tablesOf(seen).map(({ gap }) => gap)
  expect(gaps).toEqual([null, null, null, `The searches are missing: ${why}.`])
})

it('a list knows the visitors of its pages, with or without a slash at the start of their paths', async () => {
  const feedback = ['/a', '/b', '/c'].map((path) => ({ path, thumbsUp: 0, thumbsDown: 2 }))
  const replies: Record<string, Exchange> = {
    visitors: reply([row('/a', 5), row('b', 9)], false),
    'feedback/by-page': answer(200, { feedback }),
  }
  const [votes] = tablesOf(await run({ sections: 'feedback' }, { answer: ({ what }) => replies[what] }))
  expect([...(votes?.rows ?? [])].map(({ path, visitors }) => [path, visitors])).toEqual([
    ['/b', 10],
    ['/a', 6],
    ['/c', null],
  ])
})

it('a cancel at any moment ends the step as cancelled, and nothing is sent after it', async () => {
  const world: World = { pages: () => 600, latency: 1000, answer: at(0, 250, broken, 2) }
  const whole = await run({ sections: 'searches' }, world)
  expect(whole.result.outcome).toBe('reported')
  for (let cancelAt = 0; cancelAt < whole.took; cancelAt += 250) {
    const { result, asked } = await run({ sections: 'searches' }, { ...world, cancelAt })
    expect(result).toEqual({ outcome: 'cancelled', report: null, problem: null })
    expect(asked.filter(({ late }) => late)).toEqual([])
    expect(asked.length).toBeGreaterThan(0)
  }
})
