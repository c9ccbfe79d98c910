import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMovers } from '../../../src/visitors/core/movers.ts'
import { PageCounts, PathBook } from '../../../src/visitors/core/pages.ts'
import { counts } from './report-samples.ts'

type Site = Record<string, [people: number, ai?: number]>

function find(then: Site, now: Site, scale = 1) {
  const book = new PathBook()
  const pages = (site: Site) => {
    const read = new PageCounts()
    for (const [path, [people, ai]] of Object.entries(site)) read.set(book.idOf(path), counts(people, ai))
    return read
  }
  const [current, previous] = [pages(now), pages(then)]
  return findMovers(
    Array.from({ length: book.size }, (_, id) => id),
    book,
    current,
    previous,
    scale,
  )
}

const pairsOf = (movers: ReturnType<typeof find>) => movers.moved.map(({ from, to }) => `${from} → ${to}`)

describe('a page likely moved', () => {
  it.each<[string, Site, Site]>([
    ['to another name in its folder', { '/guides/authentication': [440] }, { '/guides/sign-in': [408] }],
    ['to another folder', { '/old/install': [200] }, { '/guides/install': [120] }],
    ['to a longer name', { '/install-cli': [100] }, { '/install-the-cli': [90] }],
    ['with another ending', { '/install.html': [100] }, { '/install': [60] }],
    ['if only its figures tell, and they fit no other page', { '/a/b': [500, 100] }, { '/c/d': [510, 104] }],
  ])('%s', (_, then, now) => {
    const movers = find(then, now)
    expect(pairsOf(movers)).toEqual([`${Object.keys(then)[0]} → ${Object.keys(now)[0]}`])
    expect([movers.new, movers.gone]).toEqual([[], []])
  })

  it('a likely move lists the counts of both addresses, and the most visited move comes first', () => {
    const { moved } = find(
      { '/x/small': [30], '/x/large': [900, 90] },
      { '/y/small': [28], '/y/large': [905, 80] },
    )
    expect(moved).toEqual([
      { from: '/x/large', to: '/y/large', previous: counts(900, 90), current: counts(905, 80) },
      { from: '/x/small', to: '/y/small', previous: counts(30), current: counts(28) },
    ])
  })

  it('a page likely moved to the closest of several pages', () => {
    const movers = find(
      { '/guides/authentication': [444] },
      { '/guides/agents': [512], '/guides/sign-in': [431] },
    )
    expect(pairsOf(movers)).toEqual(['/guides/authentication → /guides/sign-in'])
    expect(movers.new.map(({ path }) => path)).toEqual(['/guides/agents'])
  })

  it('a page likely moved by daily averages, if the periods differ in length', () => {
    expect(pairsOf(find({ '/a/x': [280] }, { '/a/y': [250] }, 31 / 28))).toEqual(['/a/x → /a/y'])
    expect(pairsOf(find({ '/a/x': [280] }, { '/a/y': [240] }, 31 / 28))).toEqual([])
  })
})

describe('pages that are not reported as moved', () => {
  it.each<[string, Site, Site]>([
    ['if the names and folders differ, and so do the figures', { '/a/b': [500] }, { '/c/d': [400] }],
    ['if two pages have the figures', { '/a/b': [500] }, { '/c/d': [500], '/e/f': [505] }],
    ['if the names share only numbers', { '/log/3.9.1': [40] }, { '/log/3.9.2': [40] }],
    ['if the names share a word of two', { '/page-a': [40] }, { '/page-b': [40] }],
    ['if small figures are all that agrees', { '/a/b': [49] }, { '/c/d': [49] }],
    ['within a folder, if the figures are small', { '/x/a': [49] }, { '/x/b': [48] }],
    ['within the root, if the figures differ', { '/a': [100] }, { '/b': [85] }],
    ['within a folder, if the figures differ', { '/guides/a': [500] }, { '/guides/b': [300] }],
    [
      'within a folder, if one is read by people and the other by AI',
      { '/x/a': [300, 0] },
      { '/x/b': [10, 290] },
    ],
    ['if the old page still has visitors', { '/x/a': [300] }, { '/x/a': [100], '/x/b': [200] }],
  ])('a page is not reported as moved %s', (_, then, now) => {
    expect(pairsOf(find(then, now))).toEqual([])
  })
})

it('a page is in one list only, whatever the sites are like', () => {
  const path = fc.constantFrom('/', '/a', '/b/a', '/b/c', '/b/a-c', '/d/e', '/d/f', '/g')
  const site = fc.dictionary(path, fc.tuple(fc.nat(300), fc.nat(100)), { noNullPrototype: true })
  fc.assert(
    fc.property(site, site, (then, now) => {
      const { moved, ...lists } = find(then, now)
      const paths = [
        ...Object.values(lists).flatMap((pages) => pages.map((page) => page.path)),
        ...moved.flatMap(({ from, to }) => [from, to]),
      ]
      expect(new Set(paths).size).toBe(paths.length)
    }),
  )
})

it('only the largest of thousands of new and gone pages are compared', () => {
  const site = (folder: string): Site =>
    Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`/${folder}/p${at}`, [at + 20]]))
  const { moved, ...lists } = find(site('old'), site('new'))
  expect(moved.length).toBe(300)
  expect([lists.gone.length, lists.new.length]).toEqual([2_700, 2_700])
})
