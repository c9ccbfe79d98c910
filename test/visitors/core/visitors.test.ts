import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseVisitorsPage } from '../../../src/visitors/core/visitors.ts'
import { counts } from '../samples.ts'

const row = { path: '/a', human: 3, ai: 1, total: 4 }
const totals = counts(30, 12, 40)
const reply = { totals, visitors: [row], hasMore: true }

describe('a response', () => {
  it('a valid response is read', () => {
    expect(parseVisitorsPage(reply)).toEqual({ totals, visitors: [row], hasMore: true })
  })

  it.each([
    ['without rows', { visitors: [] }, { visitors: [] }],
    ['that is the last one', { hasMore: false }, { hasMore: false }],
    ['with an empty path', { visitors: [{ ...row, path: '' }] }, { visitors: [{ ...row, path: '' }] }],
    ['with fractions', { totals: counts(0.5, 0.25) }, { totals: counts(0.5, 0.25) }],
    ['with negative counts', { totals: counts(-3, 2 ** 60) }, { totals: counts(-3, 2 ** 60) }],
    ['with a total that is not the sum', { totals: counts(5, 5, 1) }, { totals: counts(5, 5, 1) }],
    [
      'with the largest count',
      { totals: counts(2 ** 53 - 1, 0, 2 ** 53 - 1) },
      { totals: counts(2 ** 53 - 1, 0, 2 ** 53 - 1) },
    ],
    ['with unknown fields', { nextCursor: 'x', visitors: [{ ...row, bots: 'many' }] }, {}],
    ['with unknown totals', { totals: { ...totals, other: null } }, {}],
  ])('a response %s is read', (_, more, read) => {
    expect(parseVisitorsPage({ ...reply, ...more })).toEqual({
      totals,
      visitors: [row],
      hasMore: true,
      ...read,
    })
  })

  const { hasMore: _1, ...withoutMore } = reply
  const { totals: _2, ...withoutTotals } = reply
  const { visitors: _3, ...withoutRows } = reply
  it.each([
    ['null', null],
    ['text', 'ok'],
    ['a list', [reply]],
    ['an empty object', {}],
    ['no hasMore', withoutMore],
    ['no totals', withoutTotals],
    ['no rows', withoutRows],
    ...[null, 'false', 'true', 0, 1, {}].map((hasMore): [string, unknown] => [
      `hasMore ${JSON.stringify(hasMore)}`,
      { ...reply, hasMore },
    ]),
    ...[null, '3', Number.NaN, Number.POSITIVE_INFINITY, true, [3]].flatMap((count): [string, unknown][] => [
      [
        `a row's count of ${String(count)} (${typeof count})`,
        { ...reply, visitors: [row, { ...row, ai: count }] },
      ],
      [`a total of ${String(count)} (${typeof count})`, { ...reply, totals: { ...totals, total: count } }],
    ]),
    ['a row without human visitors', { ...reply, visitors: [{ path: '/a', ai: 1, total: 1 }] }],
    ['totals without AI readers', { ...reply, totals: { human: 1, total: 1 } }],
    ['a row without a path', { ...reply, visitors: [totals] }],
    ['a path that is not text', { ...reply, visitors: [{ ...row, path: 7 }] }],
    ['a row that is null', { ...reply, visitors: [null] }],
    ['rows in an object by path', { ...reply, visitors: { '/a': row } }],
    ['totals that are null', { ...reply, totals: null }],
  ])('an invalid response is rejected: %s', (_, json) => {
    expect(parseVisitorsPage(json)).toBeUndefined()
  })

  it('parsing any JSON never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (whole, visitors, hasMore) => {
        expect(() => parseVisitorsPage(whole)).not.toThrow()
        const page = parseVisitorsPage({ totals, visitors, hasMore })
        if (page !== undefined) expect(page.hasMore).toBe(hasMore)
      }),
    )
  })
})
