import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  aiShare,
  changeOf,
  isBeyondNoise,
  isSame,
  parseVisitorsPage,
} from '../../../src/core/visitors/visitors.ts'
import { counts } from './report-samples.ts'

const row = { path: '/a', human: 3, ai: 1, total: 4 }
const totals = counts(30, 12, 40)
const reply = { totals, visitors: [row], hasMore: true }

describe('a reply', () => {
  it('is read', () => {
    expect(parseVisitorsPage(reply)).toEqual({ totals, rows: [row], hasMore: true })
  })

  it.each([
    ['without rows', { visitors: [] }, { rows: [] }],
    ['that is the last', { hasMore: false }, { hasMore: false }],
    ['with an empty path', { visitors: [{ ...row, path: '' }] }, { rows: [{ ...row, path: '' }] }],
    ['with fractions', { totals: counts(0.5, 0.25) }, { totals: counts(0.5, 0.25) }],
    ['with a total that is no sum', { totals: counts(5, 5, 1) }, { totals: counts(5, 5, 1) }],
    [
      'with the largest count',
      { totals: counts(2 ** 53 - 1, 0, 2 ** 53 - 1) },
      { totals: counts(2 ** 53 - 1, 0, 2 ** 53 - 1) },
    ],
    ['with unknown fields', { nextCursor: 'x', visitors: [{ ...row, bots: 'many' }] }, {}],
    ['with unknown totals', { totals: { ...totals, other: null } }, {}],
  ])('%s is read', (_, more, read) => {
    expect(parseVisitorsPage({ ...reply, ...more })).toEqual({
      ...{ totals, rows: [row], hasMore: true },
      ...read,
    })
  })

  const { hasMore: _1, ...withoutMore } = reply
  const { totals: _2, ...withoutTotals } = reply
  const { visitors: _3, ...withoutRows } = reply
  it.each([
    ['null', null],
    ['a text', 'ok'],
    ['a list', [reply]],
    ['nothing', {}],
    ['no hasMore', withoutMore],
    ['no totals', withoutTotals],
    ['no rows', withoutRows],
    ...[null, 'false', 'true', 0, 1, {}].map((hasMore): [string, unknown] => [
      `hasMore ${JSON.stringify(hasMore)}`,
      { ...reply, hasMore },
    ]),
    ...[null, '3', -1, -0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, true, [3]].flatMap(
      (count): [string, unknown][] => [
        [`a row's count ${String(count)}`, { ...reply, visitors: [row, { ...row, ai: count }] }],
        [`a total of ${String(count)}`, { ...reply, totals: { ...totals, total: count } }],
      ],
    ),
    ['a row without people', { ...reply, visitors: [{ path: '/a', ai: 1, total: 1 }] }],
    ['totals without AI readers', { ...reply, totals: { human: 1, total: 1 } }],
    ['a row without a path', { ...reply, visitors: [totals] }],
    ['a path that is none', { ...reply, visitors: [{ ...row, path: 7 }] }],
    ['a row that is null', { ...reply, visitors: [null] }],
    ['rows by path', { ...reply, visitors: { '/a': row } }],
    ['totals that are null', { ...reply, totals: null }],
  ])('with %s is not one', (_, json) => {
    expect(parseVisitorsPage(json)).toBeUndefined()
  })

  it('of any JSON never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (whole, visitors, hasMore) => {
        expect(() => parseVisitorsPage(whole)).not.toThrow()
        const page = parseVisitorsPage({ totals, visitors, hasMore })
        if (page !== undefined) expect(page.hasMore).toBe(hasMore)
      }),
    )
  })
})

describe('counts', () => {
  it.each([
    [counts(1, 2, 3), true],
    [counts(2, 2, 3), false],
    [counts(1, 3, 3), false],
    [counts(1, 2, 4), false],
  ])('of 1, 2 and 3 are the same as %j: %s', (other, are) => {
    expect(isSame(counts(1, 2, 3), other)).toBe(are)
  })

  it.each([
    [counts(30, 10), 0.25],
    [counts(0, 10), 1],
    [counts(10), 0],
    [counts(0), null],
    [counts(8, 4, 10), 0.4],
  ])('%j have AI readers of %s', (given, share) => {
    expect(aiShare(given)).toBe(share)
  })
})

describe('a change', () => {
  it.each([
    [110, 100, 0.1],
    [92, 100, -0.08],
    [200, 100, 1],
    [0, 100, -1],
    [100, 100, 0],
    [1, 3, -0.6667],
    [2, 3, -0.3333],
    [99_999, 100_000, 0],
    [100_001, 100_000, 0],
    [99_994, 100_000, -0.0001],
    [1_000_000, 1, 999_999],
    [0.5, 0.25, 1],
    [5, 0, null],
    [0, 0, null],
  ])('to %d from %d is %s', (current, previous, change) => {
    // Object.is, so that -0 is not taken for 0.
    expect(changeOf(current, previous)).toBe(change)
  })

  it('has four decimals at most, and the sign of the difference unless it is too small to show', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 1_000_000 }), (current, previous) => {
        const change = changeOf(current, previous) ?? Number.NaN
        expect(change).toBe(Number(change.toFixed(4)))
        expect(Object.is(change, -0)).toBe(false)
        expect(Math.abs(change - (current - previous) / previous)).toBeLessThanOrEqual(0.000_050_1)
      }),
    )
  })
})

describe('a difference', () => {
  it.each([
    // 3√(a + b) is 9 for 0 and 9, 30 for 35 and 65: at it is not beyond it.
    [0, 9, false],
    [0, 10, true],
    [35, 65, false],
    [35, 66, true],
    [1000, 1100, false],
    [1000, 1200, true],
    [0, 0, false],
    [500, 500, false],
  ])('of %d and %d is beyond noise: %s', (one, other, is) => {
    expect(isBeyondNoise(one, other)).toBe(is)
    expect(isBeyondNoise(other, one)).toBe(is)
  })
})
