/** The page's pure parts: words, order, axes. The core's tests cover figures and URLs. */
import { describe, expect, it, test } from 'vitest'
import { shortened, shown } from '../../../src/visitors/core/page-link.ts'
import { figuresOf, makeSelect, scaleOf } from '../../../src/visitors/page/rows.ts'
import { placesToLabel, runs, ticksUpTo } from '../../../src/visitors/page/scale.ts'
import { makeIncomplete, makeReport } from './sample.ts'

test('hidden characters and line ends are made visible', () => {
  expect(shown('a\u202Eb\u200B\n\tc')).toBe('a\\u{202E}b\\u{200B}\\u{A}\\u{9}c')
})

test('a shortened text keeps its start and end, and splits no character', () => {
  expect(shortened('short', 9)).toBe('short')
  expect(shortened('abcdefghijkl', 9)).toBe('abcdef…jkl')
  expect(shortened(`${'\u{1F600}'.repeat(9)}`, 9)).toBe('\u{1F600}\u{1F600}\u{1F600}…\u{1F600}')
})

describe('the rows', () => {
  const report = makeIncomplete()
  const select = makeSelect(report)
  const unread = report.pages.findIndex(({ current }) => current === null)

  test('a page missing from an incomplete reading is unknown, and one missing from a complete reading has no visitors', () => {
    const page = { path: '/', current: null, previous: null }
    expect(figuresOf(page, report).now).toBeNull()
    expect(figuresOf(page, makeReport()).now).toEqual({ human: 0, ai: 0, total: 0 })
    expect(figuresOf(page, { ...makeReport(), compared: null }).before).toBeNull()
  })

  test('a month is compared by daily averages', () => {
    const month = { ...makeReport().period, from: '2026-10-01', to: '2026-11-01' }
    const before = { ...month, from: '2026-09-01', to: '2026-10-01' }
    expect(scaleOf({ period: month, compared: before })).toBeCloseTo(31 / 30)
    expect(scaleOf({ period: month, compared: null })).toBe(1)
  })

  test.each(['visitors', 'human', 'ai', 'change'] as const)(
    'the rows sorted by %s have unknown values last in both directions',
    (column) => {
      expect(select(column, 'ascending', '').at(-1)).toBe(unread)
      expect(select(column, 'descending', '').at(-1)).toBe(unread)
    },
  )

  test('a search keeps the order, and ignores case', () => {
    const all = [...select('ai', 'ascending', '')].filter((at) => report.pages[at]?.path.includes('cli'))
    expect(all.length).toBeGreaterThan(1)
    expect([...select('ai', 'ascending', ' CLI ')]).toEqual(all)
  })

  it('rows with equal values keep their order', () => {
    const equal = Array.from({ length: 50 }, (_, at) => ({
      path: `/${at}`,
      current: { human: 1, ai: 1, total: 2 },
      previous: null,
    }))
    const selectEqual = makeSelect({ ...makeReport(), pages: equal })
    expect([...selectEqual('visitors', 'descending', '')]).toEqual([...equal.keys()])
  })
})

describe('an axis', () => {
  test.each([
    [18_432, [0, 5_000, 10_000, 15_000, 20_000]],
    [0, [0, 1]],
    [3, [0, 1, 2, 3]],
  ])('an axis up to %d has round values', (max, ticks) => {
    expect(ticksUpTo(max)).toEqual(ticks)
  })

  test('an axis has as many labels as fit, including the last one', () => {
    expect([...placesToLabel(12, 240, 58)]).toEqual([11, 8, 5, 2])
    expect([...placesToLabel(3, 1_000, 58)]).toEqual([2, 1, 0])
  })

  test('a gap splits a line', () => {
    expect(runs([1, null, null, 2, 3])).toEqual([
      [{ at: 0, value: 1 }],
      [
        { at: 3, value: 2 },
        { at: 4, value: 3 },
      ],
    ])
  })
})
