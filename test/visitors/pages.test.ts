import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PageCounts, PathBook } from '../../src/visitors/pages.ts'
import { runs } from '../core/samples.ts'
import { counts } from './samples.ts'

it('the book of paths gives each path one number, from 0, and returns the path for it', () => {
  const book = new PathBook()
  const paths = ['/a', '/b', '/a', '', '__proto__', '/A', '/a/', 'constructor']
  expect(paths.map((path) => book.idOf(path))).toEqual([0, 1, 0, 2, 3, 4, 5, 6])
  expect([book.ids.size, book.ids.get('/b'), book.ids.get('/x')]).toEqual([7, 1, undefined])
  for (const path of paths) expect(book.pathOf(book.idOf(path))).toBe(path)
})

describe("a period's pages", () => {
  it("a period's pages match a Map with the same entries, however many there are", () => {
    // The columns start with room for 1,024 pages, and double when full.
    const id = fc.oneof(fc.nat(5_000), fc.constantFrom(1_023, 1_024, 1_025, 2_048, 250_000))
    const entry = fc.tuple(id, fc.nat(9), fc.nat(9), fc.nat(9))
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 300 }), (entries) => {
        const pages = new PageCounts()
        const map = new Map<number, unknown>()
        for (const [id, ...all] of entries) {
          expect(pages.set(id, counts(...all))).toBe(!map.has(id))
          map.set(id, counts(...all))
        }
        expect(pages.size).toBe(map.size)
        const ids = [...Array(5_001).keys(), 250_000, 10_000_000]
        expect(ids.map((id) => pages.get(id))).toEqual(ids.map((id) => map.get(id) ?? null))
      }),
      runs(8),
    )
  })

  it.each([
    ['moves the counts of one that is not there', [counts(3), null], counts(3)],
    ['keeps the larger counts', [counts(3), counts(5)], counts(5)],
    ['replaces smaller counts', [counts(7), counts(5)], counts(7)],
    ['changes nothing without a page to merge', [null, counts(5)], counts(5)],
  ])('merging two pages %s', (_, [from, to], merged) => {
    const pages = new PageCounts()
    if (from) pages.set(1, from)
    if (to) pages.set(2, to)
    pages.merge(1, 2)
    expect([pages.get(1), pages.get(2), pages.size]).toEqual([null, merged, 1])
  })
})
