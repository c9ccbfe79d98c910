/** The page's pure parts: words, addresses, order, axes. */
import { describe, expect, it, test } from 'vitest'
import { pageAddress } from '../../page/link.ts'
import { figuresOf, makeRows } from '../../page/rows.ts'
import { labelled, runs, ticksUpTo } from '../../page/scale.ts'
import {
  aiShare,
  changeOf,
  periodInWords,
  pointsOf,
  relative,
  shortened,
  shortPeriod,
  shown,
} from '../../page/text.ts'
import { hostilePaths, makeIncomplete, makeReport } from './sample.ts'

describe('a change', () => {
  test.each([
    [110, 100, 'up', '+10.0%'],
    [80, 100, 'down', '−20.0%'],
    [5, 5, 'level', 'no change'],
    [0, 0, 'level', 'no change'],
    [7, 0, 'up', 'new'],
    [0, 7, 'down', '−100.0%'],
    [10_001, 10_000, 'up', 'under +0.1%'],
    [99_999, 100_000, 'down', 'under −0.1%'],
    [2_000, 10, 'up', '+19,900%'],
  ])('to %d from %d is %s: %s', (now, before, direction, text) => {
    expect(changeOf(now, before)).toEqual({ direction, text })
  })

  test('of nothing is not "under 0.1%"', () => {
    expect(relative(0)).toBe('0.0%')
  })

  test.each([
    [0.225, 0.197, 'up', '+2.8 points'],
    [0.1, 0.2, 'down', '−10.0 points'],
    [0.2, 0.2003, 'level', 'no change'],
  ])('between the shares %d and %d is in points', (now, before, direction, text) => {
    expect(pointsOf(now, before)).toEqual({ direction, text })
  })
})

test('the AI share is of the deduplicated total, and there is none of nobody', () => {
  expect(aiShare({ human: 90, ai: 30, total: 100 })).toBe(0.3)
  expect(aiShare({ human: 0, ai: 0, total: 0 })).toBeNull()
})

test.each([
  ['2026-11-09', '2026-11-16', '9 – 15 November 2026', '9 – 15 Nov'],
  ['2026-09-28', '2026-10-05', '28 September – 4 October 2026', '28 Sept – 4 Oct'],
  ['2026-11-09', '2026-11-10', '9 November 2026', '9 Nov'],
  ['yesterday\u202E', '2026-11-10', 'yesterday\\u{202E} – 2026-11-10', 'yesterday\\u{202E} – 2026-11-10'],
])('a period is in words (%#)', (from, to, long, short) => {
  // Which blank stands around the dash is the Unicode data's affair.
  const plain = (text: string) => text.replace(/[\u2009\u202F]/g, ' ').replace(/(\d)–(\d)/, '$1 – $2')
  expect(plain(periodInWords({ from, to }))).toBe(long)
  expect(plain(shortPeriod({ from, to }))).toBe(short)
})

test('hidden characters are shown, line ends too', () => {
  expect(shown('a\u202Eb\u200B\n\tc')).toBe('a\\u{202E}b\\u{200B}\\u{A}\\u{9}c')
})

test('a long text keeps its beginning and its end, and whole characters', () => {
  expect(shortened('short', 9)).toBe('short')
  expect(shortened('abcdefghijkl', 9)).toBe('abcdef…jkl')
  expect(shortened(`${'\u{1F600}'.repeat(9)}`, 9)).toBe('\u{1F600}\u{1F600}\u{1F600}…\u{1F600}')
})

describe('an address', () => {
  test.each([
    ['https://docs.example.com', '/guides/install', 'https://docs.example.com/guides/install'],
    ['https://docs.example.com', '//evil.example/x', 'https://docs.example.com//evil.example/x'],
    ['https://example.com/docs', '/a/../b', 'https://example.com/docs/b'],
    ['https://example.com/docs', '', 'https://example.com/docs'],
    ['http://localhost:3000', '/a', 'http://localhost:3000/a'],
  ])('of %s and %s', (site, path, address) => {
    expect(pageAddress(site, path)).toBe(address)
  })

  test.each([
    [null, '/guides'],
    ['not a site', '/guides'],
    ['javascript:alert(1)//', '/guides'],
    ['data:text/html,x', '/guides'],
    ['file:///etc', '/passwd'],
    ['https://user:secret@example.com', '/guides'],
    ['https://example.com/#', '/guides'],
    ['https://example.com/?to=', '/guides'],
    ['https://example.com', '@evil.example/'],
    ['https://example.com', '.evil.example/'],
    ['https://example.com', ':8080/'],
    ['https://example.com/docs', '/../admin'],
    ['https://example.com/docs', '/%2e%2e/admin'],
    ['https://example.com/docs', '/\\..\\..\\admin'],
    ['https://example.com/docs', 'evil'],
    ['https://example.com', '/a\u202Eb'],
    ['https://example.com', '/a\nb'],
  ])('is none of a site and path that do not belong together (%#)', (site, path) => {
    expect(pageAddress(site, path)).toBeNull()
  })

  test('of a hostile path stays within the site', () => {
    const addresses = hostilePaths.flatMap((path) => pageAddress('https://docs.example.com/docs', path) ?? [])
    expect(addresses).toContain('https://docs.example.com/docs//evil.example/phish')
    expect(addresses.filter((one) => !/^https:\/\/docs\.example\.com\/docs(\/|$)/.test(one))).toEqual([])
  })
})

describe('the rows', () => {
  const report = makeIncomplete()
  const rows = makeRows(report)
  const unread = report.pages.findIndex(({ current }) => current === null)

  test('a page that an incomplete reading lacks is not known, one that a complete reading lacks has no visitor', () => {
    const page = { path: '/', current: null, previous: null }
    expect(figuresOf(page, report).now).toBeNull()
    expect(figuresOf(page, makeReport()).now).toEqual({ human: 0, ai: 0, total: 0 })
    expect(figuresOf(page, { ...makeReport(), compared: null }).before).toBeNull()
  })

  test.each(['visitors', 'human', 'ai', 'share', 'change'] as const)(
    'by %s, what is not known is last in either direction',
    (column) => {
      expect(rows.select(column, 'ascending', '').at(-1)).toBe(unread)
      expect(rows.select(column, 'descending', '').at(-1)).toBe(unread)
    },
  )

  test('a search keeps the order, and no case', () => {
    const all = [...rows.select('ai', 'ascending', '')].filter((at) => report.pages[at]?.path.includes('cli'))
    expect(all.length).toBeGreaterThan(1)
    expect([...rows.select('ai', 'ascending', ' CLI ')]).toEqual(all)
  })

  it('come in the same order however often they are sorted', () => {
    const equal = Array.from({ length: 50 }, (_, at) => ({
      path: `/${at}`,
      current: { human: 1, ai: 1, total: 2 },
      previous: null,
    }))
    const order = makeRows({ ...makeReport(), pages: equal })
    expect([...order.select('visitors', 'descending', '')]).toEqual([...equal.keys()])
  })
})

describe('an axis', () => {
  test.each([
    [18_432, 1, [0, 5_000, 10_000, 15_000, 20_000]],
    [0, 1, [0, 1]],
    [3, 1, [0, 1, 2, 3]],
    [0.225, 0.01, [0, 0.1, 0.2, 0.30000000000000004]],
  ])('up to %d has round values', (max, smallest, ticks) => {
    expect(ticksUpTo(max, smallest)).toEqual(ticks)
  })

  test('labels as many as there is room for, the last one always', () => {
    expect([...labelled(12, 240, 58)]).toEqual([11, 8, 5, 2])
    expect([...labelled(3, 1_000, 58)]).toEqual([2, 1, 0])
  })

  test('a gap parts a line', () => {
    expect(runs([1, null, null, 2, 3])).toEqual([
      [{ at: 0, value: 1 }],
      [
        { at: 3, value: 2 },
        { at: 4, value: 3 },
      ],
    ])
  })
})
