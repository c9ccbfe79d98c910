import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBeyondNoise } from '../../../src/visitors/core/change.ts'
import { changeOfPage, findMovers } from '../../../src/visitors/core/movers.ts'
import { PathBook } from '../../../src/visitors/core/pages.ts'
import { counts, pagesOf } from './report-samples.ts'

type People = Record<string, number>

/** The movers, for human visitors by path. */
function find(now: People, then: People, isIn = (_: string) => true) {
  const book = new PathBook()
  const [current, previous] = [pagesOf(book, now), pagesOf(book, then)]
  const ids = Array.from({ length: book.size }, (_, id) => id).filter((id) => isIn(book.pathOf(id)))
  return findMovers(ids, book, current, previous)
}

function kindOf(now: number | null, then: number | null): string | undefined {
  return find(now === null ? {} : { '/a': now }, then === null ? {} : { '/a': then })[0]?.move
}

describe('a page', () => {
  it.each([
    [20, 0, 'new'],
    [20, null, 'new'],
    [19, null, undefined],
    [0, 20, 'gone'],
    [null, 20, 'gone'],
    [null, 19, undefined],
    [null, null, undefined],
    [0, 0, undefined],
    // The difference, 18, is more than 3√(19 + 1), but 19 visitors are too few.
    [19, 1, undefined],
    [20, 1, 'rises'],
    [1, 20, 'falls'],
    // The difference, 30, is not more than 3√(65 + 35), which is 30.
    [65, 35, undefined],
    [66, 35, 'rises'],
    [35, 66, 'falls'],
    [1000, 1100, undefined],
    [1000, 1200, 'falls'],
  ])('a page with %s visitors now and %s before has the kind %s', (now, then, kind) => {
    expect(kindOf(now, then)).toBe(kind)
  })

  it('a page has at most one kind, and only if it has at least 20 visitors and changed beyond noise', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), (now, then) => {
        const found = find({ '/a': now }, { '/a': then })
        const isOne = Math.max(now, then) >= 20 && isBeyondNoise(now, then)
        expect(found.map((page) => changeOfPage(page).difference)).toEqual(isOne ? [now - then] : [])
      }),
    )
  })
})

describe('the movers', () => {
  it('the movers have the largest change first, with the counts of both periods', () => {
    const movers = find(
      {
        '/up': 150,
        '/up-most': 900,
        '/down': 100,
        '/down-most': 10,
        '/new': 30,
        '/new-most': 40,
        '/same': 5,
      },
      {
        '/up': 50,
        '/up-most': 100,
        '/down': 200,
        '/down-most': 500,
        '/gone': 25,
        '/gone-most': 90,
        '/same': 5,
      },
    )
    expect(movers.map(({ move, path }) => [move, path])).toEqual([
      ['rises', '/up-most'],
      ['falls', '/down-most'],
      ['rises', '/up'],
      ['falls', '/down'],
      ['gone', '/gone-most'],
      ['new', '/new-most'],
      ['new', '/new'],
      ['gone', '/gone'],
    ])
    const pages = movers.map(({ move: _, ...page }) => page)
    expect(pages).toContainEqual({ path: '/up', current: counts(150), previous: counts(50) })
    expect(pages).toContainEqual({ path: '/new', current: counts(30), previous: null })
    expect(pages).toContainEqual({ path: '/gone', current: null, previous: counts(25) })
  })

  it('the movers contain only the selected pages', () => {
    const movers = find({ '/a': 90, '/b': 90 }, {}, (path) => path === '/b')
    expect(movers.map(({ path }) => path)).toEqual(['/b'])
  })
})
