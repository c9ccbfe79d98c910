import { describe, expect, test } from 'vitest'
import { demoReaders } from '../../sandbox/platform/demo-readers.ts'
import type { ReadersSource } from '../../sandbox/platform/readers.ts'
import { startPlatform } from '../../sandbox/platform/server.ts'
import { seededTraffic } from '../../sandbox/platform/traffic.ts'
import { call, start, week } from './platform.calls.ts'

const today = '2026-11-23'
const readers = demoReaders(today)
const dates = 'dateFrom=2026-11-16&dateTo=2026-11-23'
const list = (name: string, more = '') => ({ path: `/v1/analytics/sandbox-docs/${name}?${dates}${more}` })
const lists = ['feedback/by-page', 'feedback', 'searches', 'assistant']

const words = readers('2026-11-16', today)
const row = { ...words.conversations[0], resolutionStatus: 'answered' } as (typeof words.conversations)[0]
const many: ReadersSource = () => ({
  ...words,
  conversations: Array.from({ length: 250 }, (_, at) => ({ ...row, id: `c${at}` })),
})

describe('the lists', () => {
  test.each(lists)('%s is empty without a source', async (name) => {
    const { status, json } = await call(await start(), list(name))
    expect([status, ...Object.values(json).filter(Array.isArray)]).toEqual([200, []])
  })

  test.each(lists)('%s takes the key, its scope and known parameters only', async (name) => {
    const keys = { mint_r: { scopes: ['read'] }, mint_w: { scopes: ['write'] } } as const
    const platform = await start({ keys, readers })
    const ask = async (key: string, more = '') => (await call(platform, { ...list(name, more), key })).status
    expect([await ask('mint_r'), await ask('mint_w'), await ask('mint_x')]).toEqual([200, 403, 401])
    expect([await ask('mint_r', '&limit=0'), await ask('mint_r', '&page=2')]).toEqual([400, 400])
  })

  test('share one hourly limit with visitors', async () => {
    const platform = await start({ readers, visitorsLimit: 4 })
    const asked = [{ path: week }, ...lists.map((name) => list(name))]
    const statuses: number[] = []
    for (const one of asked) statuses.push((await call(platform, one)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429])
  })

  test('page by cursor', async () => {
    const platform = await start({ readers: many })
    const first = (await call(platform, list('assistant'))).json
    const last = (await call(platform, list('assistant', '&limit=1000&cursor=c99'))).json
    expect([first.conversations.length, first.nextCursor, first.hasMore]).toEqual([100, 'c99', true])
    expect([last.conversations.length, last.nextCursor, last.hasMore]).toEqual([150, null, false])
    expect((await call(platform, list('assistant', '&cursor=x'))).status).toBe(400)
    const terms = (await call(await start({ readers }), list('searches', '&limit=1'))).json
    expect([terms.searches.length, terms.nextCursor, terms.totalSearches]).toEqual([1, 'webhooks', 427])
  })

  test('filter feedback by source', async () => {
    const { json } = await call(await start({ readers }), list('feedback', '&source=agent'))
    expect(json.feedback.map(({ source }: { source: string }) => source)).toEqual(['agent', 'agent'])
    expect((await call(await start(), list('feedback', '&source=bot'))).status).toBe(400)
  })

  test.each([
    ['a share over 100', { searches: [{ ...words.searches[0], ctr: 101 }] }],
    ['a negative vote', { votes: [{ ...words.votes[0], thumbsDown: -1 }] }],
    ['an unknown source', { comments: [{ ...words.comments[0], source: 'mail' }] }],
    ['a time that is none', { conversations: [{ ...row, timestamp: 'now' }] }],
  ])('may not hold %s', async (_, odd) => {
    const platform = await startPlatform({ readers: () => ({ ...words, ...odd }) as typeof words })
    const statuses = await Promise.all(lists.map(async (name) => (await call(platform, list(name))).status))
    expect(statuses.filter((status) => status === 500)).toHaveLength(1)
    await expect(platform.close()).rejects.toThrow('ContractViolation')
  })

  test.each(['feedback-by-page', 'feedback', 'searches', 'assistant'] as const)(
    '%s can go wrong by script',
    async (on) => {
      const platform = await start({ readers, faults: [{ on, do: { kind: 'huge', bytes: 10_000_000 } }] })
      const sizes = await Promise.all(
        lists.map(async (name) => (await call(platform, list(name))).text.length),
      )
      expect(sizes.filter((size) => size >= 10_000_000)).toHaveLength(1)
    },
  )
})

describe('the demo', () => {
  test('has readers speak of pages that are visited', () => {
    const visited = new Set(seededTraffic({ today })('2026-11-16', today).rows.map(({ path }) => path))
    const paths = [
      ...[...words.votes, ...words.comments].map(({ path }) => path),
      ...words.conversations.flatMap(({ pageUrl }) => (pageUrl === null ? [] : [new URL(pageUrl).pathname])),
      ...words.searches.flatMap(({ topClickedPage }) => topClickedPage ?? []),
    ]
    expect(paths.filter((path) => !visited.has(path))).toEqual([])
  })

  test.each(lists)('%s of any period is as described', async (name) => {
    const platform = await start({ readers })
    for (const [from, to] of [
      ['2026-11-16', '2026-11-23'],
      ['2026-10-01', '2026-11-01'],
      ['2026-11-22', '2026-12-24'],
      ['2020-01-01', '2026-11-23'],
      ['2027-01-01', '2027-01-08'],
    ]) {
      const path = `/v1/analytics/sandbox-docs/${name}?dateFrom=${from}&dateTo=${to}&limit=100`
      expect((await call(platform, { path })).status).toBe(200)
    }
  })

  test('grows with the period', () => {
    const month = readers('2026-10-26', today)
    expect(month.conversations).toHaveLength(4 * words.conversations.length)
    expect(month.searches[0]?.hits).toBe(4 * (words.searches[0]?.hits ?? 0))
    expect(readers(today, '2027-01-01')).toMatchObject({ votes: [], comments: [], searches: [] })
  })
})
