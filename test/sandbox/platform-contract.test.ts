import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startPlatform } from '../../sandbox/platform/server.ts'
import type { VisitorRow } from '../../sandbox/platform/visitors.ts'
import { call, create, jobs, start, week } from './platform.calls.ts'

function rows(count: number): VisitorRow[] {
  return Array.from({ length: count }, (_, index) => ({ path: `/page-${index}`, human: 2, ai: 1, total: 3 }))
}

describe('visitors', () => {
  test('are the rows of their source, by page', async () => {
    const asked: string[][] = []
    const totals = { human: 80, ai: 40, total: 100 }
    const visitors = (...dates: string[]) => {
      asked.push(dates)
      return { totals, rows: rows(120) }
    }
    const platform = await start({ visitors })
    const pages = [
      week,
      `${week}&offset=50`,
      `${week}&offset=100`,
      `${week}&limit=120`,
      `${week}&limit=1&offset=120`,
    ]
    const replies = await Promise.all(pages.map((path) => call(platform, { path })))
    expect(replies.map(({ json }) => [json.visitors.length, json.hasMore])).toEqual([
      [50, true],
      [50, true],
      [20, false],
      [120, false],
      [0, false],
    ])
    expect(replies[1]?.json.visitors[0]).toEqual({ path: '/page-50', human: 2, ai: 1, total: 3 })
    expect(replies[0]?.json.totals).toEqual(totals)
    expect(asked[0]).toEqual(['2026-08-03', '2026-08-10'])
  })

  test('are none without a source', async () => {
    const { status, json } = await call(await start(), { path: week })
    expect(status).toBe(200)
    expect(json).toEqual({ totals: { human: 0, ai: 0, total: 0 }, visitors: [], hasMore: false })
  })

  test.each([
    'dateFrom=3.8.2026&dateTo=2026-08-10',
    'dateFrom=2026-08-03',
    'limit=0',
    'limit=251',
    'offset=-1',
    'page=2',
  ])('with the query %s are a 400 with details', async (query) => {
    const base = week.slice(0, week.indexOf('?'))
    const path = query.startsWith('date') ? `${base}?${query}` : `${week}&${query}`
    const { status, json } = await call(await start(), { path })
    expect(status).toBe(400)
    expect(json).toEqual({
      error: 'Invalid request',
      details: expect.arrayContaining([{ message: expect.any(String) }]),
    })
  })

  test('can be asked for by date-times', async () => {
    const path = week
      .replace('2026-08-03', '2026-08-03T00:00:00Z')
      .replace('2026-08-10', '2026-08-10T00:00:00.5%2B02:00')
    expect((await call(await start(), { path })).status).toBe(200)
  })
})

describe('the contract', () => {
  const counts = { human: 1, ai: 1, total: 2 }

  test.each([
    ['a negative count', { totals: { ...counts, ai: -1 }, rows: [] }],
    ['a count that is no integer', { totals: counts, rows: [{ path: '/', ...counts, human: 1.5 }] }],
    ['a count that is a text', { totals: { ...counts, total: '2' as unknown as number }, rows: [] }],
    ['a field too few', { totals: counts, rows: [{ path: '/', human: 1, ai: 1 } as VisitorRow] }],
    ['a field too many', { totals: { ...counts, bots: 3 }, rows: [] }],
  ])('catches %s in a reply: 500, a violation, and close() rejects', async (_, page) => {
    const platform = await startPlatform({ visitors: () => page })
    expect((await call(platform, { path: week })).status).toBe(500)
    expect(platform.violations).toEqual([expect.stringMatching(/^ContractViolation: visitors 200: \//)])
    await expect(platform.close()).rejects.toThrow('ContractViolation')
  })

  test('catches an invalid date and a source that throws', async () => {
    const broken = () => {
      throw new Error('no data')
    }
    const now = () => Object.assign(new Date(0), { toISOString: () => 'yesterday' })
    const platform = await startPlatform({ now, visitors: broken })
    expect((await create(platform)).status).toBe(500)
    expect((await call(platform, { path: week })).status).toBe(500)
    expect(platform.violations[0]).toMatch(/create 201: \/createdAt must match format "date-time"/)
    expect(platform.violations[1]).toBe('Error: no data')
    await expect(platform.close()).rejects.toThrow('no data')
  })

  test('is not violated by a caller that hangs up during a request', async () => {
    const platform = await start()
    const socket = connect(Number(new URL(platform.url).port), '127.0.0.1')
    socket.write(`POST ${jobs} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(platform.requests).toEqual([])
    expect(platform.violations).toEqual([])
  })
})
