/** Measured fixes with the embedded platform: what is requested, and what is left for the next run. */
import { describe, expect, it } from 'vitest'
import type { ConversationRow, ReadersSource } from '../../../sandbox/platform/readers.ts'
import { type PlatformOptions, sandboxKey } from '../../../sandbox/platform/server.ts'
import type { VisitorsSource } from '../../../sandbox/platform/visitors.ts'
import { createHttp } from '../../../src/adapters/wire.ts'
import { readProxies } from '../../../src/core/proxy.ts'
import type { KnownSuggestion } from '../../../src/visitors/core/suggestions/known.ts'
import { measureFixes } from '../../../src/visitors/usecases/measure.ts'
import { Requests } from '../../../src/visitors/usecases/requests.ts'
import { platformFor } from '../../service.ts'
import { aSite } from '../core/sections/samples.ts'
import { suggestion } from '../core/suggestions/samples.ts'

const url = 'https://github.com/acme/docs/pull/101'
const merged = (on: string, more: Partial<KnownSuggestion> = {}) =>
  suggestion({ state: { is: 'merged', by: 'mona', url, on }, ...more })

const asked = (page: string, count: number): ConversationRow[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${page}-${at}`,
    timestamp: '2026-10-01T00:00:00Z',
    query: `How ${at}?`,
    response: '',
    sources: [],
    resolutionStatus: 'unanswered',
    queryCategory: null,
    pageUrl: page,
  }))

/** 24 questions on the page before, and 6 after; always 100 on another page. */
const readers: ReadersSource = (from) => ({
  votes: [],
  comments: [],
  searches: [],
  conversations: [...asked('/guides/keys', from < '2026-10-05' ? 24 : 6), ...asked('/other', 100)],
})
const visitors: VisitorsSource = () => ({
  totals: { human: 9, ai: 0, total: 9 },
  rows: ['/a', '/guides/keys'].map((path) => ({ path, human: 9, ai: 0, total: 9 })),
})

async function measure(
  known: KnownSuggestion[],
  options: PlatformOptions = {},
  requests = 40,
  wasSeen = true,
) {
  const platform = await platformFor({ readers, visitors, ...options })
  const cancelled = new AbortController().signal
  const ports = {
    http: createHttp({
      githubToken: null,
      baseUrl: platform.url,
      apiKey: sandboxKey,
      proxy: readProxies({}).proxy,
      cancelled,
      keepAlive: true,
    }),
    clock: { now: () => 0, date: () => 0, sleep: async () => undefined },
    deadline: 60_000,
    random: () => 0.5,
    cancelled,
    onProgress: () => undefined,
  }
  const budget = new Requests(requests, ports)
  const site = aSite({})
  const request = {
    projectId: 'sandbox-docs',
    today: '2026-12-01',
    requests: budget,
    site,
    hadVisitors: () => wasSeen,
  }
  const measured = await measureFixes(known, request, ports)
  const requested = platform.requests.map(
    ({ path, query }) => `${path.split('/').at(-1)} ${query.dateFrom} ${query.dateTo}`,
  )
  return { states: measured.map(({ state }) => state), requested, used: budget.used }
}

const counts = { is: 'counts', first: 24, second: 6, restFirst: 100, restSecond: 100 }

describe('a merged fix', () => {
  it('a merged fix takes a request for each period, and keeps its result', async () => {
    const { states, requested } = await measure([merged('2026-10-20')])
    expect(requested).toEqual(['assistant 2026-09-07 2026-10-05', 'assistant 2026-10-21 2026-11-18'])
    expect(states).toEqual([{ is: 'measured', by: 'mona', url, on: '2026-10-20', result: counts }])
    expect((await measure([suggestion({ state: states[0] ?? { is: 'open' } })])).used).toBe(0)
  })

  it('the page of a merged fix is looked up if the report does not know whether it had visitors', async () => {
    const { states, requested } = await measure([merged('2026-10-20')], {}, 40, false)
    expect(requested[0]).toBe('visitors 2026-10-21 2026-11-18')
    expect(states).toMatchObject([{ result: counts }])
    const nobody: VisitorsSource = () => ({ totals: { human: 0, ai: 0, total: 0 }, rows: [] })
    const gone = await measure([merged('2026-10-20')], { visitors: nobody }, 40, false)
    expect([gone.states, gone.used]).toEqual([[expect.objectContaining({ result: { is: 'gone' } })], 1])
  })

  it('a merged fix is measured later if the requests are used up, or if the platform rejects one', async () => {
    const known = [merged('2026-10-20')]
    for (const [options, requests] of [
      [{}, 0],
      [{}, 1],
      [{ faults: [{ on: 'assistant', do: { kind: 'status', status: 403 } }] }, 40],
    ] as const) {
      const { states, used } = await measure(known, options as PlatformOptions, requests)
      expect(states).toEqual(known.map(({ state }) => state))
      expect(used).toBeLessThanOrEqual(requests)
    }
  })

  it('merged fixes are measured oldest first, at most three in a run', async () => {
    const days = ['2026-10-23', '2026-10-20', '2026-10-22', '2026-10-21']
    const known = days.map((on, at) => merged(on, { key: `s-00000${at}` }))
    const { states } = await measure(known)
    expect(states.map(({ is }) => is)).toEqual(['merged', 'measured', 'measured', 'measured'])
  })
})
