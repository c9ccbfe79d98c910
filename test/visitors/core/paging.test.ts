import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Paging } from '../../../src/visitors/core/paging.ts'
import { pageSize, type VisitorCounts } from '../../../src/visitors/core/visitors.ts'
import { counts } from '../samples.ts'

/** A response in short: its rows, how many of them are new, and whether there are more. */
type Page = [rows: number, isNew: number, hasMore: boolean, totals?: VisitorCounts]

/** The next step and offset after each response. */
function read(...pages: Page[]) {
  const paging = new Paging()
  const steps = pages.map(([rows, isNew, hasMore, totals = counts(9)]): [string, number] => {
    const list = Array.from({ length: rows }, (_, at) => ({ path: `/${at}`, ...counts(1) }))
    return [paging.addPage({ totals, visitors: list, hasMore }, isNew), paging.offset]
  })
  return { steps, paging }
}

describe('the reading of pages', () => {
  it.each([
    ['starts at 0, and continues in steps of the limit', [[250, 250, true]], [['read', 250]]],
    [
      'ends when the platform says that there are no more rows',
      [
        [250, 250, true],
        [250, 250, false],
      ],
      [
        ['read', 250],
        ['end', 250],
      ],
    ],
    ['ends after a full last page', [[250, 250, false]], [['end', 0]]],
    ['ends at once on an empty site', [[0, 0, false]], [['end', 0]]],
    ['ends when the platform says so, even if the page has nothing new', [[250, 0, false]], [['end', 0]]],
    [
      'continues after a short page, still in steps of the limit',
      [
        [3, 3, true],
        [1, 1, true],
      ],
      [
        ['read', 250],
        ['read', 500],
      ],
    ],
    [
      'continues if some rows are already known',
      [
        [250, 250, true],
        [250, 1, true],
      ],
      [
        ['read', 250],
        ['read', 500],
      ],
    ],
    [
      'requests an empty page once more, at the same offset',
      [
        [250, 250, true],
        [0, 0, true],
        [250, 250, true],
      ],
      [
        ['read', 250],
        ['read', 250],
        ['read', 500],
      ],
    ],
    [
      'stops at the second empty page in a row',
      [
        [250, 250, true],
        [0, 0, true],
        [0, 0, true],
      ],
      [
        ['read', 250],
        ['read', 250],
        ['empty-page', 250],
      ],
    ],
    [
      'requests another empty page once more after a page with rows',
      [
        [0, 0, true],
        [250, 250, true],
        [0, 0, true],
        [0, 0, false],
      ],
      [
        ['read', 0],
        ['read', 250],
        ['read', 250],
        ['end', 250],
      ],
    ],
    [
      'stops if a page only repeats known rows',
      [
        [250, 250, true],
        [250, 0, true],
      ],
      [
        ['read', 250],
        ['offset-ignored', 250],
      ],
    ],
  ] as [string, Page[], [string, number][]][])('the reading of pages %s', (_, pages, steps) => {
    expect(read(...pages).steps).toEqual(steps)
  })

  it('the reading of pages always ends once no new rows arrive', () => {
    const page = fc.tuple(fc.nat(250), fc.boolean())
    fc.assert(
      fc.property(fc.array(page), (pages) => {
        const paging = new Paging()
        let requests = 0
        const stale = [0, 0].map((rows): [number, boolean] => [rows, false])
        for (const [rows, isNew] of [...pages, ...stale]) {
          const newRows = isNew ? rows : 0
          const step = paging.addPage(
            {
              totals: counts(9),
              visitors: Array.from({ length: rows }, () => ({ path: '', ...counts(1) })),
              hasMore: true,
            },
            newRows,
          )
          requests++
          if (step !== 'read') break
        }
        expect(requests).toBeLessThanOrEqual(pages.length + 2)
        expect(paging.offset % pageSize).toBe(0)
        expect(paging.offset).toBeLessThan(requests * pageSize)
      }),
    )
  })
})

describe('the totals', () => {
  it('the totals are unknown before the first response', () => {
    expect(new Paging()).toMatchObject({ totals: null, mixed: null, offset: 0 })
  })

  it.each([
    ['stay the same', [counts(9), counts(9), counts(9)], null],
    ['change', [counts(9), counts(10), counts(10)], 'moving'],
    ['change with the last page', [counts(9), counts(9), counts(8, 1)], 'moving'],
    ['change and change back', [counts(9), counts(10), counts(9)], 'moving'],
    ['come in a single response', [counts(9)], null],
  ])(
    "the last response's totals are used, and changed totals are detected: the totals %s",
    (_, totals, mixed) => {
      const pages = totals.map((each, at): Page => [250, 250, at < totals.length - 1, each])
      expect(read(...pages).paging).toMatchObject({ mixed, totals: totals.at(-1) })
    },
  )
})

describe('rows that shift between responses', () => {
  it.each<[string, Page[], 'shifting' | 'moving' | null]>([
    [
      'no row is repeated',
      [
        [250, 250, true],
        [250, 250, false],
      ],
      null,
    ],
    [
      'one row of an earlier response is repeated',
      [
        [250, 250, true],
        [250, 249, false],
      ],
      'shifting',
    ],
    [
      'the last response has only repeated rows',
      [
        [250, 250, true],
        [3, 0, false],
      ],
      'shifting',
    ],
    [
      'the totals change, too',
      [
        [250, 250, true],
        [250, 249, false, counts(10)],
      ],
      'moving',
    ],
  ])('rows that shift between responses are recognized by repeated rows: %s', (_, pages, mixed) => {
    expect(read(...pages).paging.mixed).toBe(mixed)
  })

  it('a page listed twice in one response is not mistaken for shifted rows', () => {
    const paging = new Paging()
    const row = { path: '/a', ...counts(1) }
    paging.addPage({ totals: counts(9), visitors: [row, row], hasMore: false }, 1)
    expect(paging.mixed).toBeNull()
  })
})
