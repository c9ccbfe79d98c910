import { describe, expect, test } from 'vitest'
import type { CommentRow } from '../../sandbox/platform/readers.ts'
import { startPlatform } from '../../sandbox/platform/server.ts'
import type { VisitorRow } from '../../sandbox/platform/visitors.ts'
import { platformFor } from '../service.ts'
import { call, create, week } from './platform.calls.ts'

describe('visitors', () => {
  test.each(['dateFrom=3.8.2026&dateTo=2026-08-10', 'limit=0', 'limit=251', 'offset=-1', 'page=2'])(
    'a visitors request with the query %s gets a 400 with details',
    async (query) => {
      const base = week.slice(0, week.indexOf('?'))
      const path = query.startsWith('date') ? `${base}?${query}` : `${week}&${query}`
      const { status, json } = await call(await platformFor(), { path })
      expect(status).toBe(400)
      expect(json).toEqual({
        error: 'Invalid request',
        details: expect.arrayContaining([{ message: expect.any(String) }]),
      })
    },
  )
})

test.each(['', '?dateFrom=2026-08-03', '?dateTo=2026-08-10'])(
  'a visitors request may leave out its dates: %j',
  async (query) => {
    const { status } = await call(await platformFor(), { path: week.slice(0, week.indexOf('?')) + query })
    expect(status).toBe(200)
  },
)

test('counts are numbers, and the file and language of a snippet can be null', async () => {
  const comment: CommentRow = {
    id: '1',
    path: '/',
    comment: null,
    createdAt: null,
    source: 'code_snippet',
    status: 'in_progress',
    code: 'x',
    filename: null,
    lang: null,
  }
  const readers = () => ({
    votes: [{ path: '/', thumbsUp: 1.5, thumbsDown: 0, code: 0, total: 1.5 }],
    comments: [comment],
    searches: [],
    conversations: [],
  })
  const platform = await platformFor({ readers })
  const base = '/v1/analytics/sandbox-docs/feedback'
  expect((await call(platform, { path: `${base}/by-page` })).json).toMatchObject({ hasMore: false })
  expect((await call(platform, { path: base })).json).toMatchObject({ feedback: [comment] })
})

describe('the contract', () => {
  const counts = { human: 1, ai: 1, total: 2 }

  test.each([
    ['a count that is text', { totals: { ...counts, total: '2' as unknown as number }, rows: [] }],
    ['a missing field', { totals: counts, rows: [{ path: '/', human: 1, ai: 1 } as VisitorRow] }],
    ['an extra field', { totals: { ...counts, bots: 3 }, rows: [] }],
  ])(
    'the contract catches %s in a response: the platform responds 500, and close() rejects',
    async (_, page) => {
      const platform = await startPlatform({ visitors: () => page })
      expect((await call(platform, { path: week })).status).toBe(500)
      expect(platform.violations).toEqual([expect.stringMatching(/^ContractViolation: visitors 200: \//)])
      await expect(platform.close()).rejects.toThrow('ContractViolation')
    },
  )

  test('the platform reports an invalid date and a source that throws', async () => {
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
})
