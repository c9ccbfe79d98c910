import { describe, expect, it } from 'vitest'
import { suggest, warningsOf } from '../../src/visitors/compose.ts'
import { plainHeadline } from '../../src/visitors/headline.ts'
import { describeReport } from '../../src/visitors/render/result.ts'
import { rowsOf } from '../core/samples.ts'
import { aReport, budget, counts, page, type Sample, unread } from './samples.ts'

const moversOf = (pages: Sample['pages']) => {
  const { movers } = aReport({ pages })
  return movers.map(({ path, change }) => [path, change.difference])
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
    page('/z', 90, 1),
    page('/gone', null, 30),
    page('/zero', 0, 40),
    page('/in-neither', null, null),
  ]

  const listed = (more: Partial<Sample>) => aReport({ pages, ...more }).pages.map(({ path }) => path)

  it('pages are sorted by their visitors in the current period', () => {
    expect(listed({})).toEqual(['/z', '/b', '/a', '/new', '/zero', '/gone'])
  })

  it.each<[string[], string[]]>([
    [
      ['/a', 'gone', '!/b'],
      ['/a', '/gone'],
    ],
    [['/a', '/z', '/nope', '!/neither', '!/z'], ['/a']],
    [['/a', '!/a'], []],
  ])('the globs %j in `paths` list the pages %j', (paths, some) => {
    expect(listed({ paths })).toEqual(some)
    const [whole, narrow] = [aReport({ pages }), aReport({ pages, paths })]
    expect(narrow.totals).toEqual(whole.totals)
    expect(warningsOf(narrow)).toEqual(some.length === 0 ? ['The input “paths” matches no page.'] : [])
  })

  it('a page missing from a complete reading has zeros, and one missing from an incomplete reading is unknown', () => {
    const figures = (more: Partial<Sample>) => {
      const [found] = aReport({ pages: [page('/b', null, 7)], ...more }).pages
      return { now: found?.now, before: found?.before }
    }
    expect(figures({})).toEqual({ now: counts(0), before: counts(7) })
    expect(figures({ gap: budget })).toEqual({ now: null, before: counts(7) })
    expect(figures({ previous: unread() })).toEqual({ now: counts(0), before: counts(7) })
  })
})

/** Pages that lost all their visitors, pages that are new, and which of them may be the same. */
it.each<[why: string, pages: [path: string, now: number | null, before: number | null][], renames: string[]]>(
  [
    [
      'one folder',
      [
        ['/a/b', null, 697],
        ['/a/c', 630, null],
      ],
      ['/a/b > /a/c'],
    ],
    [
      'the same last part',
      [
        ['/a/b', null, 100],
        ['/c/b', 120, null],
      ],
      ['/a/b > /c/b'],
    ],
    [
      'more than a fifth apart',
      [
        ['/a/b', null, 100],
        ['/c/b', 126, null],
      ],
      [],
    ],
    [
      'only the root in common',
      [
        ['/b', null, 100],
        ['/c', 100, null],
      ],
      [],
    ],
    [
      'only a final slash in common',
      [
        ['/a/b/', null, 100],
        ['/c/d/', 100, null],
      ],
      [],
    ],
    [
      'one folder, without slashes at the start',
      [
        ['a/b', null, 100],
        ['a/c', 100, null],
      ],
      ['a/b > a/c'],
    ],
    [
      '50 visitors',
      [
        ['/a/b', null, 50],
        ['/a/c', 51, null],
      ],
      [],
    ],
    [
      'not new',
      [
        ['/a/b', null, 100],
        ['/a/c', 100, 1],
      ],
      [],
    ],
    [
      'not gone',
      [
        ['/a/b', 1, 100],
        ['/a/c', 100, null],
      ],
      [],
    ],
    [
      'a page is in one pair',
      [
        ['/a/b', null, 100],
        ['/a/c', null, 90],
        ['/a/d', 95, null],
      ],
      ['/a/b > /a/d'],
    ],
    [
      'the closest number of visitors',
      [
        ['/a/b', null, 100],
        ['/a/c', null, 90],
        ['/a/d', 118, null],
        ['/a/e', 89, null],
        ['/a/f', 99, null],
      ],
      ['/a/b > /a/f', '/a/c > /a/e'],
    ],
    [
      'at most three',
      [1, 2, 3, 4].flatMap((at) => [
        [`/${at}/b`, null, 100],
        [`/${at}/c`, 100, null],
      ]),
      ['/1/b > /1/c', '/2/b > /2/c', '/3/b > /3/c'],
    ],
  ],
)('a page may have moved: %s', (_, rows, expected) => {
  const report = aReport({ pages: rows.map((row) => page(...row)) })
  expect(report.renames.map(({ path, newPath }) => `${path} > ${newPath}`)).toEqual(expected)
  const paths = new Set(expected.flatMap((pair) => pair.split(' > ')))
  expect(report.movers.filter((mover) => paths.has(mover.path))).toEqual([])
  const plain = expected.filter((pair) => pair.startsWith('/'))
  expect(suggest(report).map(({ page: path }) => path)).toEqual(plain.map((pair) => pair.split(' > ')[0]))
})

it.each<[why: string, now: number, before: number, more: Partial<Sample>, isRaised: boolean]>([
  ['lost more', 79, 100, {}, true],
  ['lost less', 81, 100, {}, false],
  ['had under 20 visits', 0, 19, {}, false],
  ['were not all read', 10, 100, { gap: budget }, false],
])('with `paths`, an alert is about the selected pages: they %s', (_, now, before, more, isRaised) => {
  const pages = [page('/a/b', now - 5, before), page('/a', 5, null), page('/c', 900, 10)]
  const report = aReport({ pages, paths: ['/a/**'], alertDrop: 0.2, ...more })
  expect(report.alerts.map(({ metric }) => metric)).toEqual(isRaised ? ['selectedPages'] : [])
  if (!isRaised) return
  expect(plainHeadline(report)).toMatch(/^Visits to the selected pages fell by 21\.0% to 79;/)
  expect(describeReport({ outcome: 'alert', report, problem: null }, new Set())).toMatchObject({
    title: 'Fewer visits to the selected pages: docs, Nov 9–15, 2026',
  })
})

describe('the movers', () => {
  it.each(
    rowsOf(`
      10   | 0    | yes
      10   | null | yes
      9    | null | no
      null | 10   | yes
      null | 9    | no
      1000 | 1100 | no
      1000 | 1200 | yes
    `),
  )('a page with %s visitors now and %s before moved: %s', (now = '', then = '', moved) => {
    expect(moversOf([page('/a', JSON.parse(now), JSON.parse(then))])).toHaveLength(moved === 'yes' ? 1 : 0)
  })

  it('a file for machines does not count as a mover', () => {
    const paths = ['/llms.txt', '/openapi.json', '/.well-known/agent', '/guide.md']
    expect(moversOf(paths.map((path) => page(path, 500, 20)))).toEqual([])
  })

  it('the movers are listed with the largest change first, in either direction', () => {
    const pages = [
      page('/up', 150, 50),
      page('/most', 900, 100),
      page('/down', 100, 210),
      page('/gone', null, 45),
    ]
    expect(moversOf(pages)).toEqual([
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
