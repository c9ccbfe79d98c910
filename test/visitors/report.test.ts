import { describe, expect, it } from 'vitest'
import { pageOf, type VisitorsReport } from '../../src/visitors/report.ts'
import { rowsOf } from '../core/samples.ts'
import { aReport, budget, counts, page, type Sample, unread } from './samples.ts'

const pathsOf = ({ book }: VisitorsReport, ids: Iterable<number>) => [...ids].map((id) => book.pathOf(id))
const moversOf = (pages: Sample['pages']) => {
  const report = aReport({ pages })
  const movers = report.movers.map((id) => pageOf(report, id))
  return movers.map(({ path, change }) => [path, change?.difference])
}

describe('an alert', () => {
  // Binary fractions make some percentages slightly too high. The alert compares the exact change, not the one rounded to
  // four decimals.
  it.each(
    rowsOf(`
      80     | 100     | 20%   | yes
      81     | 100     | 20%   | no
      9993   | 10000   | 0.07% | yes
      9972   | 10000   | 0.28% | yes
      9973   | 10000   | 0.28% | no
      71     | 100     | 29%   | yes
      0      | 100     | 100%  | yes
      1      | 100     | 100%  | no
      9999   | 10000   | 0.01% | yes
      10000  | 10000   | 0.01% | no
      150    | 100     | 20%   | no
      5      | 0       | 20%   | no
      0      | 0       | 20%   | no
      800040 | 1000000 | 20%   | no
      0      | 100     | none  | no
    `),
  )('a change to %s human visitors from %s raises an alert at %s: %s', (now, then, drop = '', isRaised) => {
    const alertDrop = drop === 'none' ? null : Number.parseFloat(drop) / 100
    const previous = { totals: counts(Number(then), 900), gap: null }
    const change = Math.round((Number(now) / Number(then) - 1) * 10_000) / 10_000
    const raised = [{ metric: 'humanVisitors', change, threshold: -(alertDrop ?? 0) }]
    expect(aReport({ totals: counts(Number(now), 5), previous, alertDrop }).alerts).toEqual(
      isRaised === 'yes' ? raised : [],
    )
  })

  it('an alert is not raised if the previous period could not be read', () => {
    expect(aReport({ totals: counts(0), previous: unread() }).alerts).toEqual([])
  })
})

describe('the pages', () => {
  const pages = [
    page('/b', 5, 5),
    page('/a', 5, 5),
    page('/new', 5, null),
    page('/llms.txt', 90, 1),
    page('/z', 90, 1),
    page('/gone', null, 30),
    page('/zero', 0, 40),
    page('/.well-known/x', 3, 3),
    page('/in-neither', null, null),
  ]

  it('the pages are sorted by visitors now, then by visitors before, then by path, apart from files for machines', () => {
    for (const given of [pages, pages.toReversed()]) {
      const report = aReport({ pages: given })
      expect(pathsOf(report, report.ids)).toEqual(['/z', '/a', '/b', '/new', '/zero', '/gone'])
      expect(pathsOf(report, report.files)).toEqual(['/llms.txt', '/.well-known/x'])
    }
  })

  it.each<[string[], string[], string[]]>([
    [['/a', 'gone', '!/b'], ['/a', '/gone'], []],
    [['/a', '/z', '/nope', '!/neither', '!/z'], ['/a'], ['/nope', '!/neither']],
    [['/a', '!/a'], [], []],
  ])('the globs %j in `paths` list the pages %j, and %j match nothing', (paths, listed, unmatched) => {
    const [whole, narrow] = [aReport({ pages }), aReport({ pages, paths })]
    expect([pathsOf(narrow, narrow.ids), narrow.unmatched]).toEqual([listed, unmatched])
    expect([narrow.totals, narrow.alerts]).toEqual([whole.totals, whole.alerts])
  })

  it('a page missing from a complete reading has zeros, and one missing from an incomplete reading is unknown', () => {
    const figures = (more: Partial<Sample>) => {
      const { now, before } = pageOf(aReport({ pages: [page('/b', null, 7)], ...more }), 0)
      return { now, before }
    }
    expect(figures({})).toEqual({ now: counts(0), before: counts(7) })
    expect(figures({ gap: budget })).toEqual({ now: null, before: counts(7) })
    expect(figures({ previous: unread() })).toEqual({ now: counts(0), before: counts(7) })
  })
})

describe('the movers', () => {
  // The difference of 18 between 19 and 1 is beyond chance, but 19 visitors are too few.
  it.each(
    rowsOf(`
      20   | 0    | yes
      20   | null | yes
      19   | null | no
      null | 20   | yes
      null | 19   | no
      19   | 1    | no
      20   | 1    | yes
      1    | 20   | yes
      1000 | 1100 | no
      1000 | 1200 | yes
    `),
  )('a page with %s visitors now and %s before moved: %s', (now = '', then = '', moved) => {
    expect(moversOf([page('/a', JSON.parse(now), JSON.parse(then))])).toHaveLength(moved === 'yes' ? 1 : 0)
  })

  it('the movers are listed with the largest change first, in either direction', () => {
    const pages = [
      page('/up', 150, 50),
      page('/most', 900, 100),
      page('/down', 100, 210),
      page('/gone', null, 45),
    ]
    expect(moversOf([...pages, page('/llms.txt', 900, 0)])).toEqual([
      ['/most', 800],
      ['/down', -110],
      ['/up', 100],
      ['/gone', -45],
    ])
  })

  it.each<[string, Partial<Sample>, boolean]>([
    ['has both periods', {}, true],
    ['lacks pages of the current period', { gap: budget }, false],
    ['lacks pages of the previous period', { previous: { totals: counts(1), gap: budget } }, false],
    ['lacks the previous period', { previous: unread() }, false],
  ])('a report has movers only if it is complete: it %s', (_, more, isComplete) => {
    const report = aReport(more)
    expect([report.isComplete, report.movers.length > 0]).toEqual([isComplete, isComplete])
  })
})
