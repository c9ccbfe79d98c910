import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../src/core/job/response.ts'
import { reading } from '../../../src/visitors/usecases/messages.ts'
import { runs } from '../../core/samples.ts'
import { answer, reset } from '../../usecases/world.ts'
import {
  type Asked,
  offsets,
  page,
  readings,
  reply,
  reportOf,
  row,
  run,
  start,
  totalsOf,
  type World,
  wholePage,
} from './visitors-world.ts'

const limit = answer(429, { error: 'slow down' })
const limitFor = (seconds: number) => answer(429, { error: 'slow down' }, { 'retry-after': `${seconds}` })
const broken = answer(500)

/** Replaces the first `times` responses for an offset in a week. */
const at =
  (week: number, offset: number, exchange: Exchange, times = Number.POSITIVE_INFINITY) =>
  (asked: Asked) =>
    asked.week === week && asked.offset === offset && asked.times < times ? exchange : undefined

describe('a report', () => {
  it('a report of 1,128 pages with a comparison and a chart of 8 periods takes 16 requests', async () => {
    const seen = await run({}, { pages: 1128 })
    expect(seen.asked).toHaveLength(16)
    for (const week of [0, 1]) expect(offsets(seen, week)).toEqual([0, 250, 500, 750, 1000])
    expect(seen.asked.slice(10).map(({ week, limit: rows, offset }) => [week, rows, offset])).toEqual(
      [2, 3, 4, 5, 6, 7].map((week) => [week, 250, 0]),
    )
    expect(readings(seen)).toEqual([
      [1128, null],
      [1128, null],
    ])
    const report = reportOf(seen)
    expect(report.trend.map(({ totals }) => totals)).toEqual([7, 6, 5, 4, 3, 2, 1, 0].map(totalsOf))
    expect(report).toMatchObject({ requests: { used: 16, limit: 40 }, siteUrl: null, projectId: 'docs' })
    expect(report.current).toMatchObject({
      period: { from: '2026-10-26', to: '2026-11-02' },
      totals: totalsOf(0),
    })
    expect(seen.result).toMatchObject({ outcome: 'reported', problem: null, elapsed: 0 })
    expect(report.isComplete).toBe(true)
  })

  it('a report reads both periods in parallel', async () => {
    const seen = await run({}, { pages: 1000, latency: 1000 })
    expect(seen.asked.slice(0, 8).map(({ week, at: time, underWay }) => [week, time, underWay])).toEqual(
      [0, 1000, 2000, 3000].flatMap((time) => [
        [0, time, time === 0 ? 1 : 2],
        [1, time, 2],
      ]),
    )
  })

  it.each([
    [0, [0]],
    [1, [0]],
    [250, [0]],
    [251, [0, 250]],
    [500, [0, 250]],
    [501, [0, 250, 500]],
  ])('a report of %i pages requests nothing after the end of the list', async (pages, asked) => {
    const seen = await run({}, { pages })
    expect(offsets(seen, 0)).toEqual(asked)
    expect(readings(seen)[0]).toEqual([pages, null])
  })

  it('a report logs each period that was read', async () => {
    const seen = await run({}, { pages: 300 })
    const period = { from: '2026-10-26', to: '2026-11-02' }
    expect(seen.progress).toContainEqual(reading.periodRead(period, 300, null))
  })

  it('a report shows the pages that the globs match, with the last counts if a response names a page twice', async () => {
    const rows = [row('/a', 1), row('/b', 2), row('/b/c', 3), row('/a', 9)]
    const seen = await run({ paths: '/a\nb/**\n/b\n!/b/*' }, { answer: () => reply(rows, false) })
    const report = reportOf(seen)
    expect([...report.ids].map((id) => report.current.pages.get(id))).toEqual(
      [row('/a', 9), row('/b', 2)].map(({ path: _, ...counts }) => counts),
    )
    expect(report.current.pages.size).toBe(3)
    expect(report.paths).toEqual(['/a', 'b/**', '/b', '!/b/*'])
  })

  it('a report raises an alert if human visitors fell by at least the threshold', async () => {
    const fallen = (people: number): World => ({
      answer: ({ week }) => reply([], false, { ...totalsOf(0), human: week === 0 ? people : 100 }),
    })
    const inputs = { 'alert-drop': '20%', 'site-url': 'https://docs.example.com/' }
    expect((await run(inputs, fallen(81))).result.outcome).toBe('reported')
    const seen = await run(inputs, fallen(80))
    expect(seen.result.outcome).toBe('alert')
    expect(reportOf(seen)).toMatchObject({ alerts: [{ change: -0.2 }], siteUrl: 'https://docs.example.com' })
  })
})

describe('the budget', () => {
  it.each([
    // The previous period gets up to a third of the requests early, and later what the current period leaves.
    [1, [0], [], [250, 'budget'], 'unread'],
    [2, [0, 250], [], [500, 'budget'], 'unread'],
    [4, [0, 250, 500], [0], [750, 'budget'], [250, 'budget']],
    [5, [0, 250, 500, 750], [0], [1000, null], [250, 'budget']],
    [6, [0, 250, 500, 750], [0, 250], [1000, null], [500, 'budget']],
    [8, [0, 250, 500, 750], [0, 250, 500, 750], [1000, null], [1000, null]],
  ])(
    'the budget of %i is spent on the current period first',
    async (budget, now, then, current, compared) => {
      const seen = await run({ 'max-requests': `${budget}` }, { pages: 1000 })
      expect([offsets(seen, 0), offsets(seen, 1)]).toEqual([now, then])
      expect(readings(seen)).toEqual([current, compared])
      expect(reportOf(seen).requests).toEqual({ used: budget, limit: budget })
      expect(
        reportOf(seen)
          .trend.slice(0, 6)
          .map(({ totals }) => totals),
      ).toEqual(Array(6).fill(null))
    },
  )

  it('the budget includes retries', async () => {
    const seen = await run({ 'max-requests': '5' }, { answer: at(0, 0, broken, 2), pages: 1000 })
    expect(offsets(seen, 0)).toEqual([0, 0, 0, 250])
    expect(readings(seen)[0]).toEqual([500, 'budget'])
  })

  it('a budget that is used up between two attempts ends the step with the failure', async () => {
    const seen = await run({ 'max-requests': '2' }, { answer: at(0, 0, broken) })
    expect(seen.asked).toHaveLength(2)
    expect(seen.result).toMatchObject({
      outcome: 'error',
      report: null,
      problem: { call: { failure: { kind: 'broken', status: 500 } } },
    })
  })

  it("the budget keeps the current period's share even if requests for the previous one are retried", async () => {
    const seen = await run(
      { 'max-requests': '6' },
      {
        pages: (week) => (week === 0 ? 1000 : 250),
        latency: 60_000,
        answer: at(1, 0, broken),
      },
    )
    expect(readings(seen)).toEqual([[1000, null], 'unread'])
    expect(offsets(seen, 1)).toEqual([0, 0])
  })

  it('the budget is not spent on the previous period once the current one has failed', async () => {
    const seen = await run({ 'max-requests': '6' }, { answer: at(0, 0, answer(401)), pages: 5000 })
    expect(seen.result.outcome).toBe('error')
    expect(offsets(seen, 1)).toEqual([0, 250])
  })

  it('the budget is never exceeded, and the report says what is missing, whatever fails', async () => {
    const fault = fc.constantFrom(undefined, undefined, broken, reset, limit, limitFor(3), answer(200, {}))
    const world = fc.record({
      budget: fc.integer({ min: 1, max: 30 }),
      pages: fc.tuple(fc.nat(1500), fc.nat(1500)),
      latency: fc.constantFrom(0, 700),
      faults: fc.array(fault, { maxLength: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(world, async ({ budget, pages, latency, faults }) => {
        const left = [...faults]
        const seen = await run(
          { 'max-requests': `${budget}` },
          {
            latency,
            answer: () => left.shift(),
            pages: (week) => pages[week] ?? 1,
          },
        )
        expect(seen.asked.length).toBeLessThanOrEqual(budget)
        const { report, outcome } = seen.result
        if (report === null) {
          expect(outcome).toBe('error')
          return
        }
        expect(report.requests).toEqual({ used: seen.asked.length, limit: budget })
        const [current, compared] = readings(seen)
        // There is a gap if and only if pages are missing.
        expect(current?.[1] === null).toBe(current?.[0] === pages[0])
        if (compared !== 'unread') expect(compared?.[1] === null).toBe(compared?.[0] === pages[1])
      }),
      runs(50),
    )
  })
})

describe('a request that fails', () => {
  it('a request that fails with 429 and no Retry-After ends the reading at once, and what was read is reported', async () => {
    const seen = await run({}, { pages: 1000, answer: at(0, 500, limit) })
    expect(offsets(seen, 0)).toEqual([0, 250, 500])
    expect(readings(seen)[0]).toEqual([500, 'failed'])
    expect(reportOf(seen).current.gap).toMatchObject({
      problem: { call: { name: 'visitors', failure: { status: 429 } } },
    })
    expect([seen.took, seen.result.outcome]).toEqual([0, 'reported'])
  })

  it('a request that fails with 429 and a Retry-After is repeated after that time', async () => {
    const seen = await run({}, { pages: 1000, answer: at(0, 500, limitFor(90), 1) })
    expect(offsets(seen, 0)).toEqual([0, 250, 500, 500, 750])
    expect(readings(seen)[0]).toEqual([1000, null])
    expect(seen).toMatchObject({ took: 90_000, result: { elapsed: 90_000 } })
    expect(reportOf(seen).generatedAt).toBe(start + 90_000)
    expect(seen.progress.map(({ text }) => text)).toContainEqual(expect.stringContaining('Still trying'))
  })

  it('a request is not retried if its Retry-After is beyond the deadline', async () => {
    const seen = await run({ timeout: '1m' }, { pages: 1000, answer: at(0, 500, limitFor(90)) })
    expect(readings(seen)[0]).toEqual([500, 'failed'])
    expect(seen.took).toBe(0)
  })

  it.each([401, 403, 400, 404])('a first request that fails with %i is an error at once', async (status) => {
    const seen = await run({}, { answer: () => answer(status) })
    expect(seen.asked.map(({ week }) => week)).toEqual([0, 1])
    expect(seen.result).toMatchObject({
      outcome: 'error',
      report: null,
      problem: { call: { name: 'visitors', failure: { status } } },
      elapsed: 0,
    })
  })

  it.each([
    ['with 500', broken],
    ['without a response', reset],
  ])(
    'a request that fails %s is tried five times, and what was read by then is reported',
    async (_, exchange) => {
      const seen = await run({}, { pages: 1000, answer: at(0, 250, exchange) })
      expect(offsets(seen, 0)).toEqual([0, 250, 250, 250, 250, 250])
      expect(readings(seen)[0]).toEqual([250, 'failed'])
      expect(reportOf(seen).current.gap).toMatchObject({ why: 'failed' })
      expect(seen.took).toBe(1500 + 3000 + 6000 + 12_000)

      const mended = await run({}, { pages: 1000, answer: at(0, 250, exchange, 4) })
      expect(readings(mended)[0]).toEqual([1000, null])
    },
  )

  it('a response that cannot be read is requested at most twice', async () => {
    const odd = answer(200, { totals: totalsOf(0), visitors: [], hasMore: 'false' })
    const seen = await run({}, { pages: 1000, answer: at(0, 250, odd) })
    expect(offsets(seen, 0)).toEqual([0, 250, 250])
    expect(readings(seen)[0]).toEqual([250, 'failed'])
  })

  it('a failed request for the previous period prevents the comparison, but not the report', async () => {
    const seen = await run({ 'alert-drop': '1%' }, { answer: at(1, 0, answer(403)) })
    expect(seen.result.outcome).toBe('reported')
    expect(reportOf(seen)).toMatchObject({
      compared: { kind: 'unread', period: { from: '2026-10-19', to: '2026-10-26' }, gap: { why: 'failed' } },
      movers: null,
      alerts: [],
    })
    expect(reportOf(seen).isComplete).toBe(false)
  })

  it('a request that fails halfway through the previous period keeps the pages read before it', async () => {
    const seen = await run({}, { pages: 1000, answer: at(1, 750, limit) })
    expect(readings(seen)).toEqual([
      [1000, null],
      [750, 'failed'],
    ])
  })
})

describe('the chart', () => {
  it('the chart leaves out points that were not read, and the rest is reported', async () => {
    const seen = await run({}, { answer: at(3, 0, limit) })
    expect(reportOf(seen).trend.map(({ totals }) => totals?.human ?? null)).toEqual([
      ...[993, 994, 995, 996, null, 998],
      ...[999, 1000],
    ])
    expect([seen.result.outcome, reportOf(seen).isComplete]).toEqual(['reported', true])
  })

  it('the chart reads its points in parallel, within the budget, latest first', async () => {
    const seen = await run({ 'max-requests': '7' }, { pages: 1, latency: 1000 })
    expect(seen.asked.map(({ week, at: time }) => [week, time])).toEqual([
      ...[0, 1].map((week) => [week, 0]),
      ...[2, 3, 4, 5, 6].map((week) => [week, 1000]),
    ])
    const { trend } = reportOf(seen)
    expect(trend.map(({ totals }) => totals !== null)).toEqual([false, ...Array(7).fill(true)])
    expect(trend.at(-1)?.period).toEqual({ from: '2026-10-26', to: '2026-11-02' })
  })

  it('the chart has the totals of a partly read period', async () => {
    const seen = await run({}, { pages: 1000, answer: at(1, 250, limit) })
    expect(
      reportOf(seen)
        .trend.slice(-2)
        .map(({ totals }) => totals),
    ).toEqual([totalsOf(1), totalsOf(0)])
    expect(offsets(seen, 1)).toEqual([0, 250])
  })
})

it('an empty path and `/` are one page', async () => {
  const rows = [row('', 3), row('/', 9), row('/a', 1)]
  const seen = await run(
    {},
    { answer: ({ offset }) => reply(offset === 0 ? rows.slice(1) : rows.slice(0, 1), offset === 0) },
  )
  const report = reportOf(seen)
  expect([...report.ids].map((id) => [report.book.pathOf(id), report.current.pages.get(id)?.human])).toEqual([
    ['/', 9],
    ['/a', 1],
  ])
  expect(readings(seen)[0]).toEqual([2, null])
})

describe("the platform's list", () => {
  it("the platform's list continues after a short page, and after a page that was empty once", async () => {
    const rows = (from: number, count: number) => wholePage(from).slice(0, count)
    const answers = new Map([
      ['0 0', reply(rows(0, 3), true)],
      ['250 0', reply([], true)],
      ['250 1', reply(rows(250, 250), true)],
      ['500 0', reply(rows(500, 1), false)],
    ])
    const seen = await run({}, { answer: ({ offset, times }) => answers.get(`${offset} ${times}`) })
    expect(offsets(seen, 0)).toEqual([0, 250, 250, 500])
    expect(readings(seen)[0]).toEqual([254, null])
  })

  it.each([
    ['is empty twice', reply([], true), [0, 250, 250], 'empty-page'],
    ['repeats its rows', reply(wholePage(), true), [0, 250], 'offset-ignored'],
  ])("the platform's list ends the reading if it %s", async (_, exchange, asked, why) => {
    const seen = await run({}, { pages: 1000, answer: at(0, 250, exchange) })
    expect(offsets(seen, 0)).toEqual(asked)
    expect(readings(seen)[0]).toEqual([250, why])
  })
})

describe('totals that change while pages are read', () => {
  const moved = { human: 7, ai: 7, total: 7 }
  /** The third page has different totals in these readings of the period, counted from 0. */
  const movesIn = (...readings: number[]): World => ({
    pages: 600,
    answer: ({ week, offset, times, limit: rows }) =>
      week === 0 && offset === 500 && readings.includes(times)
        ? page(
            { totals: moved, rows: wholePage().concat(wholePage(250), wholePage(500)).slice(0, 600) },
            {
              offset,
              limit: rows,
            },
          )
        : undefined,
  })

  it('totals that change once cause the period to be read again', async () => {
    const seen = await run({}, movesIn(0))
    expect(offsets(seen, 0)).toEqual([0, 250, 500, 0, 250, 500])
    expect(readings(seen)[0]).toEqual([600, null])
    expect(reportOf(seen).current.totals).toEqual(totalsOf(0))
    expect(seen.progress.filter(({ text }) => text.includes('Reading again'))).toHaveLength(1)
  })

  it('totals that change twice make the reading incomplete, without a third reading', async () => {
    const seen = await run({}, movesIn(0, 1))
    expect(offsets(seen, 0)).toEqual([0, 250, 500, 0, 250, 500])
    expect(readings(seen)[0]).toEqual([600, 'moving'])
  })

  it.each([
    [7, 6, null],
    [6, 3, 'moving'],
  ])(
    'totals that change are read again only if the budget (%i) suffices: %i requests',
    async (budget, requests, why) => {
      const { answer: moving, ...world } = movesIn(0)
      // The previous period takes one request.
      const previous = at(1, 0, answer(403))
      const seen = await run(
        { 'max-requests': `${budget}` },
        { ...world, answer: (asked) => previous(asked) ?? moving?.(asked) },
      )
      expect(offsets(seen, 0)).toHaveLength(requests)
      expect(readings(seen)[0]).toEqual([600, why])
    },
  )

  it('the first reading is kept if the totals change and the second reading fails', async () => {
    const world = movesIn(0)
    const seen = await run(
      {},
      {
        ...world,
        answer: (asked) => (asked.times === 1 && asked.offset === 250 ? limit : world.answer?.(asked)),
      },
    )
    expect(readings(seen)[0]).toEqual([600, 'moving'])
    expect(reportOf(seen).current.totals).toEqual(moved)
  })

  it('totals that change are not read again if the list ended for another reason', async () => {
    const answers = new Map([
      [0, reply(wholePage(), true)],
      [250, reply(wholePage(250), true, moved)],
      [500, limit],
    ])
    const seen = await run({}, { answer: ({ offset }) => answers.get(offset) })
    expect(offsets(seen, 0)).toEqual([0, 250, 500])
    expect(readings(seen)[0]).toEqual([500, 'failed'])
  })

  it('pages that only the first reading had are dropped if the totals change', async () => {
    const seen = await run(
      {},
      {
        answer: ({ offset, times }) => {
          if (times === 0)
            return offset === 0
              ? reply([...wholePage(), row('/x', 1)], true)
              : reply([row('/y', 1)], false, moved)
          return reply([row('/y', 1)], false)
        },
      },
    )
    const report = reportOf(seen)
    expect([...report.ids].map((id) => report.book.pathOf(id))).toEqual(['/y'])
    expect(readings(seen)[0]).toEqual([1, null])
  })
})

describe('rows that shift between responses', () => {
  /** A list in which a page moved while it was read: the second response repeats a row, and one row is missing. */
  const shiftsIn = (...readings: number[]): World => ({
    pages: 500,
    answer: ({ week, offset, times }) =>
      week === 0 && offset === 250 && readings.includes(times)
        ? reply([...wholePage(0).slice(-1), ...wholePage(250).slice(1)], false)
        : undefined,
  })

  it('rows that shift once cause the period to be read again', async () => {
    const seen = await run({}, shiftsIn(0))
    expect(offsets(seen, 0)).toEqual([0, 250, 0, 250])
    expect(readings(seen)).toEqual([
      [500, null],
      [500, null],
    ])
    expect(reportOf(seen).movers).not.toBeNull()
  })

  it('rows that shift twice make the reading incomplete, and no page is called new or gone', async () => {
    const seen = await run({}, shiftsIn(0, 1))
    expect(offsets(seen, 0)).toEqual([0, 250, 0, 250])
    expect(readings(seen)[0]).toEqual([499, 'shifting'])
    expect(reportOf(seen).isComplete).toBe(false)
    expect(reportOf(seen).movers).toBeNull()
  })
})

describe('a cancel', () => {
  it.each([
    ['requests in progress are given up', {}, false],
    ['requests in progress still get a response', {}, true],
    ['requests are given up while the previous period waits', { 'max-requests': '7' }, false],
    ['requests get a response while the previous period waits', { 'max-requests': '7' }, true],
  ])(
    'a cancel at any moment ends the step as cancelled, and nothing is sent after it: %s',
    async (_, inputs, answersAtCancel) => {
      const world: World = { pages: 600, latency: 1000, answer: at(0, 250, broken, 2), answersAtCancel }
      const whole = await run(inputs, world)
      expect(whole.result.outcome).toBe('reported')
      for (let cancelIn = 0; cancelIn < whole.awaited; cancelIn++) {
        const seen = await run(inputs, { ...world, cancelIn })
        expect(seen.result).toMatchObject({ outcome: 'cancelled', report: null, problem: null })
        expect(seen.asked.filter(({ late }) => late)).toEqual([])
        expect(seen.asked.length).toBeGreaterThan(0)
      }
    },
  )
})

describe('the timeout', () => {
  it('the timeout ends the reading: no request starts after it, and what was read is reported', async () => {
    const seen = await run({ timeout: '3s' }, { pages: 5000, latency: 1000 })
    expect(seen.asked.map(({ week, at: time }) => [week, time])).toEqual(
      [0, 1000, 2000].flatMap((time) => [
        [0, time],
        [1, time],
      ]),
    )
    expect(readings(seen)).toEqual([
      [750, 'timeout'],
      [750, 'timeout'],
    ])
    expect(
      reportOf(seen)
        .trend.slice(0, 6)
        .map(({ totals }) => totals),
    ).toEqual(Array(6).fill(null))
    expect(seen.took).toBe(3000)
  })

  it('the timeout ends the attempts of the first request, whose failure is then the error', async () => {
    const seen = await run({ timeout: '4s' }, { answer: () => broken })
    expect(seen.result).toMatchObject({ outcome: 'error', problem: { call: {} } })
    expect(seen.took).toBe(1500)
  })
})
