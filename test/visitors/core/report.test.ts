import { describe, expect, it } from 'vitest'
import { changeOfPage, countsOf, type VisitorsReport } from '../../../src/visitors/core/report.ts'
import { aReport, budget, counts, page, type Sample, unread } from '../samples.ts'

const pathsOf = ({ book }: VisitorsReport, ids: Iterable<number>) => [...ids].map((id) => book.pathOf(id))
const moversOf = (pages: Sample['pages']) => {
  const report = aReport({ pages })
  return report.movers.map((id) => [report.book.pathOf(id), changeOfPage(report, id)?.difference])
}

describe('an alert', () => {
  const fallen = (now: number, then: number, drop: number | null) =>
    aReport({
      totals: counts(now, 5),
      previous: { totals: counts(then, 900), gap: null },
      alertDrop: drop,
    }).alerts

  it.each([
    [80, 100, 0.2, true],
    [81, 100, 0.2, false],
    // Binary fractions make the percentage slightly too high.
    [9_993, 10_000, 0.07 / 100, true],
    [9_972, 10_000, 0.28 / 100, true],
    [9_973, 10_000, 0.28 / 100, false],
    [71, 100, 0.29, true],
    [0, 100, 1, true],
    [1, 100, 1, false],
    [9_999, 10_000, 0.01 / 100, true],
    [10_000, 10_000, 0.01 / 100, false],
    [150, 100, 0.2, false],
    [5, 0, 0.2, false],
    [0, 0, 0.2, false],
    // The alert compares the exact change, not the one rounded to four decimals.
    [800_040, 1_000_000, 0.2, false],
    [0, 100, null, false],
  ])('a change to %i human visitors from %i raises an alert at %s: %s', (now, then, drop, isRaised) => {
    const change = Math.round(((now - then) / then) * 10_000) / 10_000
    const threshold = -(drop ?? 0)
    expect(fallen(now, then, drop)).toEqual(isRaised ? [{ metric: 'humanVisitors', change, threshold }] : [])
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
    page('/discarded', null, null),
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
  ])('`paths` of %j narrows the pages to %j, and matches nothing with %j', (paths, listed, unmatched) => {
    const [whole, narrow] = [aReport({ pages }), aReport({ pages, paths })]
    expect([pathsOf(narrow, narrow.ids), narrow.unmatched]).toEqual([listed, unmatched])
    expect([narrow.totals, narrow.alerts]).toEqual([whole.totals, whole.alerts])
  })

  it('a page missing from a complete reading has zeros, and one missing from an incomplete reading is unknown', () => {
    const figures = (more: Partial<Sample>) => countsOf(aReport({ pages: [page('/b', null, 7)], ...more }), 0)
    expect(figures({})).toEqual({ now: counts(0), before: counts(7) })
    expect(figures({ gap: budget })).toEqual({ now: null, before: counts(7) })
    expect(figures({ previous: unread() })).toEqual({ now: counts(0), before: counts(7) })
  })
})

describe('the movers', () => {
  it.each([
    [20, 0, true],
    [20, null, true],
    [19, null, false],
    [null, 20, true],
    [null, 19, false],
    // The difference, 18, is more than 3√(19 + 1), but 19 visitors are too few.
    [19, 1, false],
    [20, 1, true],
    [1, 20, true],
    [1_000, 1_100, false],
    [1_000, 1_200, true],
  ])('a page with %s visitors now and %s before moved: %s', (now, then, moved) => {
    expect(moversOf([page('/a', now, then)])).toHaveLength(moved ? 1 : 0)
  })

  it('the movers have the largest change first, in either direction', () => {
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
