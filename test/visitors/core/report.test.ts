import { describe, expect, it } from 'vitest'
import type { Gap } from '../../../src/visitors/core/gap.ts'
import { PathBook } from '../../../src/visitors/core/pages.ts'
import { buildReport, changeOfPage, changeOfTotals, countsOf } from '../../../src/visitors/core/report.ts'
import { readPercentage } from '../../../src/visitors/inputs.ts'
import { rejected } from '../../core/samples.ts'
import { platform } from '../../say/samples.ts'
import { counts } from '../samples.ts'
import { partsOf, readingOf, type Site, weekBefore } from './report-samples.ts'

const budget: Gap = { why: 'budget' }

function build(now: Site, then: Site | null, paths: string[] = [], alertDrop?: number) {
  return buildReport({ ...partsOf(now, then), paths }, alertDrop ?? null)
}

/** A report whose previous period could not be read. */
function buildUnread(now: Site = {}) {
  const gap: Gap = {
    why: 'failed',
    problem: platform('visitors', rejected(429)),
  }
  const compared = { kind: 'unread', period: weekBefore, gap } as const
  return buildReport({ ...partsOf(now, null), compared }, 0.01)
}

const pathsOf = (report: ReturnType<typeof build>) => [...report.ids].map((id) => report.book.pathOf(id))
/** The movers' paths and differences. */
const moversOf = (report: ReturnType<typeof build>) =>
  report.movers?.map((id) => [report.book.pathOf(id), changeOfPage(report, id)?.difference])

describe('the changes', () => {
  it('the changes compare the totals, even if pages are missing', () => {
    const report = build(
      { totals: counts(90, 30, 110), gap: budget },
      { totals: counts(100, 20, 100), gap: budget },
    )
    const fractions = (['total', 'human', 'ai'] as const).map((key) => changeOfTotals(report, key)?.fraction)
    expect(fractions).toEqual([expect.closeTo(0.1), expect.closeTo(-0.1), 0.5])
    expect(changeOfTotals(buildUnread(), 'total')).toBeNull()
  })
})

describe('an alert', () => {
  it.each([
    [80, 100, '20%', true],
    [81, 100, '20%', false],
    [79, 100, '20%', true],
    [93, 100, '7%', true],
    [9_300, 10_000, '7%', true],
    // Binary fractions make the percentage slightly too high.
    [9_993, 10_000, '0.07%', true],
    [9_972, 10_000, '0.28%', true],
    [9_973, 10_000, '0.28%', false],
    [930_001, 1_000_000, '7%', false],
    [71, 100, '29%', true],
    [0, 100, '100%', true],
    [1, 100, '100%', false],
    [0, 1, '100%', true],
    [9_999, 10_000, '0.01%', true],
    [10_000, 10_000, '0.01%', false],
    [150, 100, '20%', false],
    [0, 0, '20%', false],
    [5, 0, '20%', false],
    // The alert compares the exact change, not the one rounded to four decimals.
    [800_040, 1_000_000, '20%', false],
  ])('a change to %i human visitors from %i raises an alert at %s: %s', (now, then, percentage, isRaised) => {
    const drop = readPercentage(percentage) ?? Number.NaN
    const { alerts } = build({ totals: counts(now) }, { totals: counts(then) }, [], drop)
    const change = Math.round(((now - then) / then) * 10_000) / 10_000
    const alert = { metric: 'humanVisitors', change, threshold: -drop }
    expect(alerts).toEqual(isRaised ? [alert] : [])
  })

  it.each([
    ['none is configured', build({ totals: counts(0) }, { totals: counts(100) })],
    ['the previous period could not be read', buildUnread({ totals: counts(0) })],
    ['AI readers fell', build({ totals: counts(100, 0) }, { totals: counts(100, 900) }, [], 0.01)],
  ])('an alert is not raised if %s', (_, { alerts }) => {
    expect(alerts).toEqual([])
  })
})

describe('the pages', () => {
  const now = { totals: counts(500), people: { '/b': 5, '/a': 5, '/z': 90, '/zero': 0 } }
  const then = {
    totals: counts(400),
    people: { '/a': 5, '/b': 5, '/x': 7, '/gone': 30, '/y': 7, '/z': 1, '/zero': 40 },
  }

  it('the pages of both periods are sorted by visitors now, then by visitors before, then by path', () => {
    expect(pathsOf(build(now, then))).toEqual(['/z', '/a', '/b', '/zero', '/gone', '/x', '/y'])
    expect(pathsOf(build(now, null))).toEqual(['/z', '/a', '/b', '/zero'])
  })

  it('the order of the pages does not depend on the order of reading', () => {
    const turned = (site: Site) => ({
      ...site,
      people: Object.fromEntries(Object.entries(site.people ?? {}).reverse()),
    })
    expect(pathsOf(build(turned(now), turned(then)))).toEqual(pathsOf(build(now, then)))
  })

  it('pages with equally many visitors now are sorted by visitors before', () => {
    expect(pathsOf(build({ people: { '/a': 1, '/b': 1 } }, { people: { '/a': 2, '/b': 3 } }))).toEqual([
      '/b',
      '/a',
    ])
  })

  it('`paths` narrows the pages, but not the totals, changes or alerts', () => {
    const [whole, narrow] = [[], ['/a', '/z', '/x', '!/x']].map((paths) =>
      build({ ...now, totals: counts(100) }, then, paths, 0.2),
    )
    expect(narrow && pathsOf(narrow)).toEqual(['/z', '/a'])
    expect(narrow && moversOf(narrow)).toEqual([['/z', 89]])
    expect(whole && moversOf(whole)).toEqual([
      ['/z', 89],
      ['/zero', -40],
      ['/gone', -30],
    ])
    for (const field of ['current', 'alerts'] as const) expect(narrow?.[field]).toEqual(whole?.[field])
  })

  it.each([
    [[], []],
    [['/a', 'gone', '!/b'], []],
    [
      ['/a', '/nope', '!/neither', '!/b'],
      ['/nope', '!/neither'],
    ],
    [['/a', '!/a'], []],
  ])('the globs %j: those that match no page are %j', (paths, unmatched) => {
    expect(build(now, then, paths).unmatched).toEqual(unmatched)
  })

  it('a page missing from a complete reading has zeros, and one missing from an incomplete reading is unknown', () => {
    const figures = (report: ReturnType<typeof build>) => countsOf(report, report.ids.at(-1) ?? -1)
    const site = { people: { '/b': 7 } }
    expect(figures(build({}, site))).toEqual({ now: counts(0), before: counts(7) })
    expect(figures(build({ gap: budget }, site))).toEqual({ now: null, before: counts(7) })
    expect(figures(build(site, { gap: budget }))).toEqual({ now: counts(7), before: null })
    expect(figures(build(site, null))).toEqual({ now: counts(7), before: null })
  })

  it('the pages exclude those of a discarded reading', () => {
    const book = new PathBook()
    readingOf(book, { people: { '/thrown-away': 9 } })
    const report = buildReport(partsOf({ people: { '/a': 1 } }, { people: { '/b': 1 } }, book), null)
    expect(pathsOf(report)).toEqual(['/a', '/b'])
  })

  it('files for machines are kept apart from pages', () => {
    const report = build({ people: { '/a': 5, '/llms.txt': 90, '/.well-known/x': 3, '/b.md': 4 } }, {})
    expect(pathsOf(report)).toEqual(['/a'])
    expect([...report.files].map((id) => report.book.pathOf(id))).toEqual([
      '/llms.txt',
      '/b.md',
      '/.well-known/x',
    ])
  })
})

describe('the movers', () => {
  it.each([
    [20, 0, true],
    [20, null, true],
    [19, null, false],
    [0, 20, true],
    [null, 20, true],
    [null, 19, false],
    [0, 0, false],
    // The difference, 18, is more than 3√(19 + 1), but 19 visitors are too few.
    [19, 1, false],
    [20, 1, true],
    [1, 20, true],
    // The difference, 30, is not more than 3√(65 + 35), which is 30.
    [65, 35, false],
    [66, 35, true],
    [1000, 1100, false],
    [1000, 1200, true],
  ])('a page with %s visitors now and %s before moved: %s', (now, then, moved) => {
    const of = (people: number | null) => ({ people: people === null ? {} : { '/a': people } })
    expect(moversOf(build(of(now), of(then)))).toHaveLength(moved ? 1 : 0)
  })

  it('the movers have the largest change first, in either direction', () => {
    const now = { people: { '/up': 150, '/up-most': 900, '/down': 100, '/new': 30, '/llms.txt': 900 } }
    const then = { people: { '/up': 50, '/up-most': 100, '/down': 210, '/gone': 45 } }
    expect(moversOf(build(now, then))).toEqual([
      ['/up-most', 800],
      ['/down', -110],
      ['/up', 100],
      ['/gone', -45],
      ['/new', 30],
    ])
  })
})

describe('a report', () => {
  it.each([
    ['has both periods', build({}, {}), true, true],
    ['lacks pages of the current period', build({ gap: budget }, {}), false, false],
    ['lacks pages of the previous period', build({}, { gap: budget }), false, false],
    ['lacks the previous period', buildUnread(), false, false],
  ])(
    'a report has movers only if both periods were read completely: it %s',
    (_, report, complete, hasMovers) => {
      expect([report.isComplete, report.movers !== null]).toEqual([complete, hasMovers])
    },
  )
})
