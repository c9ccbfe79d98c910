import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PageCounts, PathBook } from '../../../src/visitors/core/pages.ts'
import { runs } from '../../core/samples.ts'
import { counts } from '../samples.ts'

describe('the book of paths', () => {
  it('the book of paths gives each path one number, from 0, and returns the path for it', () => {
    const book = new PathBook()
    const paths = ['/a', '/b', '/a', '', '__proto__', '/A', '/a/', 'constructor']
    expect(paths.map((path) => book.idOf(path))).toEqual([0, 1, 0, 2, 3, 4, 5, 6])
    expect(book.size).toBe(7)
    for (const path of paths) expect(book.pathOf(book.idOf(path))).toBe(path)
  })

  it('the book of paths returns an empty path for an unknown number', () => {
    expect(new PathBook().pathOf(0)).toBe('')
  })
})

describe("a period's pages", () => {
  it("a period's pages keep the last counts, and report new pages", () => {
    const pages = new PageCounts()
    expect(pages.set(7, counts(1, 2, 3))).toBe(true)
    expect(pages.set(7, counts(4, 5, 6))).toBe(false)
    expect([pages.get(7), pages.size]).toEqual([counts(4, 5, 6), 1])
  })

  it('a page without visitors is distinguished from a missing one', () => {
    const pages = new PageCounts()
    pages.set(1, counts(0))
    expect([pages.get(0), pages.get(1), pages.get(2)]).toEqual([null, counts(0), null])
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

  // The columns start with room for 1,024 pages, and double when full.
  it.each([0, 1023, 1024, 1025, 2048, 250_000])("a period's pages grow to hold page number %i", (id) => {
    const pages = new PageCounts()
    pages.set(3, counts(3))
    pages.set(id, counts(1, 2, 3))
    expect([pages.get(3), pages.get(id), pages.size]).toEqual([counts(3), counts(1, 2, 3), 2])
    expect([pages.get(id + 1), pages.get(10_000_000)]).toEqual([null, null])
  })

  it("a period's pages match a Map with the same entries", () => {
    const entry = fc.tuple(fc.nat(5000), fc.nat(9), fc.nat(9), fc.nat(9))
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 300 }), (entries) => {
        const pages = new PageCounts()
        const map = new Map<number, unknown>()
        for (const [id, human, ai, total] of entries) {
          expect(pages.set(id, { human, ai, total })).toBe(!map.has(id))
          map.set(id, { human, ai, total })
        }
        expect(pages.size).toBe(map.size)
        const ids = Array.from({ length: 5001 }, (_, id) => id)
        expect(ids.map((id) => pages.get(id))).toEqual(ids.map((id) => map.get(id) ?? null))
      }),
      runs(8),
    )
  })
})
