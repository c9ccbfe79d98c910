import { describe, expect, it } from 'vitest'
import { parseVisitors } from '../../src/mintlify/analytics.ts'

describe('a response about visitors', () => {
  const row = { path: '/a', human: 3, ai: 1, total: 4 }
  const totals = { human: 30, ai: 12, total: 40 }
  const reply = { totals, visitors: [row], hasMore: true }

  it('a response is read, whatever its counts and its unknown fields', () => {
    const visitors = [{ ...row, bots: 'many' }]
    const odd = { ...reply, visitors, totals: { human: 0.5, ai: -3, total: 2 }, nextCursor: 'x' }
    expect(parseVisitors(odd)).toEqual({
      totals: { visitors: 2, humanVisitors: 0.5, aiVisitors: -3 },
      pages: [{ path: '/a', visitors: 4, humanVisitors: 3, aiVisitors: 1 }],
      hasMore: true,
    })
  })

  it.each<[string, unknown]>([
    ['a list', [reply]],
    ['no hasMore', { ...reply, hasMore: undefined }],
    ['a hasMore that is text', { ...reply, hasMore: 'false' }],
    ['a count that is text', { ...reply, visitors: [{ ...row, ai: '3' }] }],
    ['a row without a path', { ...reply, visitors: [totals] }],
    ['totals that are null', { ...reply, totals: null }],
  ])('an invalid response is rejected: %s', (_, json) => {
    expect(parseVisitors(json)).toBeUndefined()
  })
})
