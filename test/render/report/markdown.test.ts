/** The visitors report as Markdown: what GitHub makes of it, whatever the site's pages are called. */
import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectDir } from '../../../sandbox/runner/action.ts'
import { cut, showHidden } from '../../../src/core/text.ts'
import { moves } from '../../../src/core/visitors/movers.ts'
import { isComplete, pageOf, previousOf, type VisitorsReport } from '../../../src/core/visitors/report.ts'
import { commentLimit, reportMarkdown, summaryLimit } from '../../../src/render/report/markdown.ts'
import { launchChromium, withoutChromium } from '../../browser.ts'
import { all, elements, find, links, mentions, render, textOf } from '../github.ts'
import { jobRef as place } from '../samples.ts'
import {
  anySample,
  aReport,
  budget,
  counts,
  failedWith,
  nobody,
  page,
  type Sample,
  sample,
} from './samples.ts'

const markdownOf = (more: Partial<Sample> = {}) => reportMarkdown(aReport(more), place)
const treeOf = (more: Partial<Sample> = {}) => render(markdownOf(more))
const textOfReport = (more: Partial<Sample> = {}) => textOf(treeOf(more))

/** A table's head, and the cells of its rows, as they read. */
function tablesOf(tree: ReturnType<typeof render>) {
  return all(tree, 'table').map((table) => ({
    head: all(table, 'th').map(textOf),
    rows: all(find(table, 'tbody'), 'tr').map((row) => all(row, 'td').map(textOf)),
  }))
}

/** The table under a heading, or in the fold of that title. */
function tableAfter(markdown: string, title: string): string[][] {
  const [, after = ''] = markdown.split(new RegExp(`(?:### |<summary>)${title}.*\n`))
  return tablesOf(render(after))[0]?.rows ?? []
}

/** Every block of the report, one after another. */
function outlineOf(tree: ReturnType<typeof render>): string[] {
  return tree.children.flatMap((block) => {
    if (block.type !== 'element') return []
    const names = elements(block)
    if (names.includes('sub')) return ['provenance']
    if (block.tagName === 'details') return [`fold: ${textOf(find(block, 'summary'))}`]
    return [block.tagName.startsWith('h') ? textOf(block) : block.tagName]
  })
}

describe('the report', () => {
  it('of a small site', () => {
    expect(markdownOf()).toMatchSnapshot()
  })

  it('that lacks pages of the period, and of the one before', () => {
    const compared = { totals: counts(1_180, 257, 1_402), gap: failedWith('<b>@octocat</b> #1') }
    expect(
      markdownOf({ gap: budget, compared, earlier: [null, counts(1_120, 201, 1_300)] }),
    ).toMatchSnapshot()
  })

  it('has the verdict first and where it comes from last', () => {
    expect(outlineOf(treeOf({ totals: counts(600, 402, 980) }))).toEqual([
      ...['📊 Visitors, 9–15 Nov 2026', 'p', 'table', 'blockquote'],
      ...['What moved', 'table', 'Trend', 'pre', 'p', 'fold: The chart in figures', 'Top pages', 'table'],
      ...['fold: Most read by AI', 'fold: All movers (4)', 'provenance'],
    ])
  })

  it('of nothing compared, no chart and no page is the verdict, the totals and where they come from', () => {
    expect(outlineOf(treeOf({ compared: 'none', trend: 0, pages: [] }))).toEqual([
      ...['📊 Visitors, 9–15 Nov 2026', 'p', 'table', 'provenance'],
    ])
  })
})

describe('whatever the pages are called and the platform says', () => {
  const blandPath = (at: number) => `/page-${at}`
  /** The same report of a site that means well. */
  function bland(more: Partial<Sample>): Partial<Sample> {
    const blandGap = <T>(gap: T): T =>
      JSON.stringify(gap)?.includes('detail') ? (failedWith('x') as T) : gap
    const { compared = 'none' } = more
    return {
      ...more,
      ...{ projectId: 'x', siteUrl: null, gap: blandGap(more.gap ?? null) },
      compared:
        typeof compared === 'object' && 'totals' in compared
          ? { ...compared, gap: blandGap(compared.gap) }
          : blandGap(compared),
      pages: (more.pages ?? []).map((each, at) => ({ ...each, path: blandPath(at) })),
    }
  }
  const shownPath = (path: string) =>
    path === '' ? '/' : cut(showHidden(path).replace(/\s+/g, ' ').trim(), 120)

  it('there is no element, link or mention that the action did not write', () => {
    fc.assert(
      fc.property(anySample, (more) => {
        const tree = treeOf(more)
        expect(elements(tree).filter((name) => name !== 'a')).toEqual(elements(treeOf(bland(more))))
        expect(mentions(tree)).toEqual([])
        const site = URL.parse(more.siteUrl ?? '')
        const folder = site?.pathname.replace(/\/*$/, '/') ?? ''
        for (const href of links(tree)) {
          const { origin, pathname, username } = new URL(href)
          expect({ origin, username }).toEqual({ origin: site?.origin, username: '' })
          expect(`${pathname}/`.startsWith(folder), href).toBe(true)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('there are the tables that it has pages for, each page once in a table and under its path', () => {
    fc.assert(
      fc.property(anySample, (more) => {
        const report = aReport(more)
        const { ids, movers, top, trend, current } = report
        const moved = moves.reduce((count, move) => count + (movers?.[move].length ?? 0), 0)
        const gap = trend.findLastIndex(({ totals }) => totals === null)
        const points = trend.length - gap - 1
        const readByAi = ids.filter((id) => (current.pages.get(id)?.ai ?? 0) > 0)
        const tables = tablesOf(render(reportMarkdown(report, place)))
        expect(tables.map(({ rows }) => rows.length)).toEqual([
          4,
          ...[Math.min(moved, top, 10), points > 1 ? points : 0, Math.min(ids.length, top)].filter(Boolean),
          ...[Math.min(readByAi.length, top), Math.min(moved, 1_000)].filter(Boolean),
        ])
        const isTop = ({ head }: (typeof tables)[number]) => head.join().startsWith('Page,Visitors')
        expect(tables.find(isTop)?.rows.map(([path]) => path) ?? []).toEqual(
          ids.slice(0, top).map((id) => shownPath(pageOf(report, id).path)),
        )
      }),
      { numRuns: 100 },
    )
  })

  it('nothing is said that nobody can know: no page was deleted, no “others”, no infinite change', () => {
    fc.assert(
      fc.property(anySample, (more) => {
        expect(textOfReport(bland(more))).not.toMatch(
          /deleted|removed|others?\b|Infinity|NaN|undefined|null/i,
        )
      }),
      { numRuns: 100 },
    )
  })

  it('what moved is shown where both periods are complete, and nowhere else', () => {
    fc.assert(
      fc.property(anySample, (more) => {
        const report = aReport(more)
        const outline = outlineOf(render(reportMarkdown(report, place))).join('\n')
        const isKnown = isComplete(report) && previousOf(report) !== null
        expect(outline.includes('What moved')).toBe(report.compared.kind !== 'none')
        expect(/What moved\ntable|All movers/.test(outline)).toBe(
          isKnown && moves.some((move) => report.movers?.[move].length !== 0),
        )
      }),
      { numRuns: 100 },
    )
  })

  it('what is missing is said with the verdict and where the figures come from, and only then', () => {
    fc.assert(
      fc.property(anySample, (more) => {
        const report = aReport(more)
        const blocks = render(reportMarkdown(report, place)).children.filter(({ type }) => type === 'element')
        const [verdict, provenance] = [blocks[1], blocks.at(-1)].map((block) => textOf(block as never))
        expect(verdict?.includes('Incomplete:')).toBe(!isComplete(report))
        expect(provenance?.includes('incomplete:')).toBe(!isComplete(report))
        expect(provenance?.includes('· complete ·')).toBe(isComplete(report))
      }),
      { numRuns: 100 },
    )
  })
})

describe('a link', () => {
  it.each([
    ['/guides/install', 'https://docs.example.com/docs/guides/install'],
    ['guides/install', 'https://docs.example.com/docs/guides/install'],
    ['', 'https://docs.example.com/docs/'],
    ['/a/../b', 'https://docs.example.com/docs/b'],
    ['//evil.example/x', 'https://docs.example.com/docs//evil.example/x'],
    ['@evil.example/', 'https://docs.example.com/docs/@evil.example/'],
    ['/日本', 'https://docs.example.com/docs/%E6%97%A5%E6%9C%AC'],
  ])('of %j leads into the site', (path, href) => {
    expect(new Set(links(treeOf({ pages: [page(path, 9, 9)] })))).toEqual(new Set([href]))
  })

  it.each(['/../outside', '/../docs-evil', '/%2e%2e/outside', '/\\..\\..\\x', `/${'x'.repeat(2_000)}`])(
    'is none for %j',
    (path) => {
      expect(links(treeOf({ pages: [page(path, 9, 9)] }))).toEqual([])
    },
  )

  it('is none where the address of the site is not known', () => {
    expect(links(treeOf({ siteUrl: null }))).toEqual([])
  })
})

describe('a large site', () => {
  const large = (part: string): Partial<Sample> => ({
    top: 1_000,
    trend: 52,
    earlier: Array.from({ length: 50 }, () => counts(9_007_199_254_740_991, 1, 9_007_199_254_740_991)),
    projectId: part.repeat(200),
    pages: Array.from({ length: 3_000 }, (_, at) =>
      page(
        `/${at}/${part.repeat(10_000 / part.length)}`,
        2 * at + 40,
        at % 3 === 0 ? null : 3 * at + 400,
        20,
      ),
    ),
  })

  it.each(['漢', '😀', '<&>"', '|\n@#\u202E', 'x'])(
    'of paths of 10 kB of %j fits, and says what is left out',
    (part) => {
      const report = aReport(large(part))
      const summary = reportMarkdown(report, place)
      const comment = reportMarkdown(report, place, commentLimit)
      expect(summaryLimit).toBe(900 * 1024)
      expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(summaryLimit)
      // What the comment is told apart by comes after it, below GitHub's 65,536.
      expect(Buffer.byteLength(comment)).toBeLessThan(65_536 - 500)
      for (const text of [summary, comment]) {
        const [top, byAi] = [/([\d,]+) of 3,000 pages\./, /([\d,]+) of 3,000 pages that AI read\./].map(
          (said) => said.exec(text)?.[1],
        )
        expect(top).toBeDefined()
        expect(byAi).toBe(top)
        expect(text).toMatch(/[\d,]+ more are not shown here/)
        expect(text).toMatch(/And [\d,]+ more, below/)
      }
      const tree = render(comment)
      expect(
        tablesOf(tree)
          .map(({ rows }) => rows.length)
          .filter((rows) => rows > 0),
      ).toHaveLength(6)
      expect(outlineOf(tree).at(-1)).toBe('provenance')
    },
  )

  it('fits in whatever there is, as long as its fixed parts do', () => {
    const report = aReport({ ...large('x'), trend: 0 })
    fc.assert(
      fc.property(fc.integer({ min: 8_000, max: 200_000 }), (limit) => {
        expect(Buffer.byteLength(reportMarkdown(report, place, limit))).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 5 },
    )
  })

  it('is not shortened where there is room', () => {
    const pages = Array.from({ length: 1_500 }, (_, at) => page(`/${at}`, at + 40, null))
    const markdown = markdownOf({ pages, top: 1_000 })
    expect(tableAfter(markdown, 'Top pages')).toHaveLength(1_000)
    expect(tableAfter(markdown, 'All movers')).toHaveLength(1_000)
    expect(markdown).toContain('500 more are not shown here')
  })
})

describe('honest figures', () => {
  it('has no sums: neither of people and AI nor of pages', () => {
    const text = textOfReport({
      totals: counts(701, 302, 951),
      compared: { totals: counts(680, 290, 940), gap: null },
      trend: 0,
      pages: [page('/a', 617, 600), page('/b', 512, 500)],
    })
    for (const sum of ['1,003', '1,129', '970', '1,100']) expect(text).not.toContain(sum)
    expect(text).toContain('951')
  })

  it('leaves the shares as they are: nothing is made up to fill 100 %', () => {
    const rows = tablesOf(treeOf({ totals: counts(90, 30, 100) }))[0]?.rows
    expect(rows?.map(([name, now]) => [name, now])).toEqual([
      ...[
        ['Visitors', '100'],
        ['People', '90'],
        ['AI readers', '30'],
        ['AI share', '30%'],
      ],
    ])
    expect(textOfReport({ totals: counts(90, 30, 100) })).not.toContain('70%')
  })

  it('calls “new” what came from zero, which has no percentage', () => {
    const compared = { totals: counts(0, 0, 0), gap: null }
    const pages = [page('/came', 50, null), page('/from-zero', 40, 0), page('/stayed', 30, 30)]
    const markdown = markdownOf({ compared, pages })
    expect(tablesOf(render(markdown))[0]?.rows.map((row) => row[3])).toEqual(['new', 'new', 'new', '–'])
    expect(tableAfter(markdown, 'Top pages').map((row) => row[2])).toEqual(['new', 'new', '0%'])
    expect(markdown).not.toContain('+100%')
  })

  it('calls nothing “new” that is not there', () => {
    const compared = { totals: counts(9, 0, 9), gap: null }
    const markdown = markdownOf({
      totals: counts(9, 0, 9),
      compared,
      pages: [page('/nobody', 0, 0), page('/', 9, 9)],
    })
    expect(tablesOf(render(markdown))[0]?.rows.map((row) => row[3])).toEqual(['0%', '0%', '–', '0 points'])
    expect(tableAfter(markdown, 'Top pages').map((row) => row[2])).toEqual(['0%', '–'])
  })

  it.each([
    ['complete', {}, ['0', '−100%', '–']],
    ['cut off now', { gap: budget }, ['–', '–', '–']],
    ['cut off before', { compared: { totals: nobody, gap: budget } }, ['0', '−100%', '–']],
  ] as const)('a page that is missing from a period that is %s', (_, more, cells) => {
    const markdown = markdownOf({ ...more, pages: [page('/missing', null, 75)] })
    expect(tableAfter(markdown, 'Top pages')).toEqual([['/missing', ...cells]])
  })

  it.each([
    ['complete', {}, 'new'],
    ['cut off now', { gap: budget }, 'new'],
    ['cut off before', { compared: { totals: nobody, gap: budget } }, '–'],
  ] as const)('a page that was missing before, where the report is %s', (_, more, change) => {
    const markdown = markdownOf({ ...more, pages: [page('/came', 75, null)] })
    expect(tableAfter(markdown, 'Top pages').map((row) => row[2])).toEqual([change])
  })

  it('sums up no noise: pages that hardly moved are not among what moved', () => {
    const pages = [page('/noise', 110, 100), page('/small', 19, 1)]
    expect(textOfReport({ pages })).toContain('Nothing beyond the usual noise.')
  })

  it('has the largest move first, whichever way it went', () => {
    expect(tableAfter(markdownOf(), 'What moved')).toEqual([
      ['/guides/streaming', '✨ new', '0 → 310'],
      ['/llms.txt', '▲ +120', '120 → 240'],
      ['/changelog', '▼ −119', '160 → 41'],
      ['/old', '∅ none now', '75 → 0'],
    ])
  })

  it('says what narrows the lists, where something does', () => {
    const said = 'include and exclude narrow the lists of pages, not the totals.'
    expect(textOfReport()).not.toContain(said)
    expect(textOfReport({ filter: { include: [], exclude: ['/x'] } })).toContain(said)
  })
})

describe('the trend', () => {
  const point = counts(5, 1)
  it.each([
    ['0 points', { trend: 0 }, 'none'],
    ['1 point', { trend: 1 }, 'none'],
    ['2 points', { trend: 2 }, ['2 Nov', '9 Nov']],
    ['all points read', { trend: 4, earlier: [point, point] }, ['19 Oct', '26 Oct', '2 Nov', '9 Nov']],
    ['a gap', { trend: 4, earlier: [point, null] }, ['2 Nov', '9 Nov']],
    ['a gap at the beginning', { trend: 4, earlier: [null, point] }, ['26 Oct', '2 Nov', '9 Nov']],
    [
      'the period before not read',
      { trend: 4, compared: budget },
      'The periods before could not be read this time.',
    ],
    [
      'nothing before read',
      { trend: 3, compared: 'none', earlier: [null] },
      'The periods before could not be read this time.',
    ],
  ] as const)('of %s', (_, more, expected) => {
    const markdown = markdownOf({
      ...more,
      earlier: [...('earlier' in more ? more.earlier : [])],
    } as Partial<Sample>)
    if (expected === 'none') return expect(markdown).not.toContain('### Trend')
    if (typeof expected === 'string') {
      expect(markdown).toContain(`### Trend\n\n${expected}\n`)
      return expect(markdown).not.toContain('mermaid')
    }
    expect(markdown).toContain(`x-axis [${expected.map((day) => `"${day}"`).join(', ')}]`)
    expect(tableAfter(markdown, 'The chart in figures')).toHaveLength(expected.length)
  })

  it.each([
    [[point, point], /first day\.$/],
    [[null, point], /first day\. 1 earlier period is not shown: it could not be read\.$/],
    [[point, null], /first day\. 2 earlier periods are not shown: not all could be read\.$/],
  ])('says how many points are missing (%#)', (earlier, said) => {
    const paragraphs = all(treeOf({ earlier }), 'p').map(textOf)
    expect(paragraphs.find((text) => text.startsWith('🔵'))).toMatch(said)
  })
})

const chart = /^```mermaid\n(?<text>.*?)\n```$/ms

/** What the action may write of Mermaid's language; anything else might be read as something else. */
function readChart(markdown: string) {
  const { text = '' } = chart.exec(markdown)?.groups ?? {}
  const grammar = [
    /---\nconfig:\n {2}xyChart:\n {4}height: 300\n {2}themeVariables:\n {4}xyChart:\n {6}backgroundColor: "#00000000"\n {6}plotColorPalette: "#[0-9a-f]{6}, #[0-9a-f]{6}"\n---\n/,
    /xychart-beta\n {2}x-axis \[(?<labels>"[\w ]+"(?:, "[\w ]+")*)\]\n/,
    / {2}y-axis "Visitors" 0 --> (?<most>[1-9]\d*)\n/,
    / {2}line "People" \[(?<people>\d+(?:, \d+)*)\]\n/,
    / {2}line "AI readers" \[(?<ai>\d+(?:, \d+)*)\]/,
  ]
  const parsed = new RegExp(`^${grammar.map(({ source }) => source).join('')}$`).exec(text)?.groups
  if (parsed === undefined) throw new Error(`Not the grammar of a chart:\n${text}`)
  const list = (name: string) => (parsed[name] ?? '').split(', ')
  return {
    text,
    labels: list('labels'),
    most: Number(parsed.most),
    people: list('people').map(Number),
    ai: list('ai').map(Number),
  }
}

describe('the chart', () => {
  it('is of one fixed grammar: as many figures as labels, no label twice, and no figure above the axis', () => {
    const lengths = fc.constantFrom(1, 7, 28, 31, 73, 365)
    fc.assert(
      fc.property(anySample, lengths, fc.integer({ min: 2, max: 52 }), (more, days, trend) => {
        const to = '2026-11-16'
        const from = new Date(Date.parse(to) - days * 86_400_000).toISOString().slice(0, 10)
        const earlier = Array.from({ length: trend - 2 }, () => more.totals ?? nobody)
        const report = aReport({ ...more, trend, earlier, period: { from, to } })
        fc.pre(previousOf(report) !== null)
        const { labels, most, people, ai } = readChart(reportMarkdown(report, place))
        expect(new Set(labels).size).toBe(trend)
        expect([people.length, ai.length]).toEqual([trend, trend])
        expect(Math.max(...people, ...ai)).toBeLessThanOrEqual(most)
      }),
      { numRuns: 100 },
    )
  })

  describe.skipIf(withoutChromium('the chart as Mermaid draws it'))('as Mermaid draws it', () => {
    let browser: Browser
    let tab: Page

    beforeAll(async () => {
      browser = await launchChromium()
      tab = await browser.newPage()
      await tab.setContent('<body></body>')
      await tab.addScriptTag({ path: `${projectDir}/node_modules/mermaid/dist/mermaid.min.js` })
      await tab.evaluate('mermaid.initialize({ startOnLoad: false })')
    })
    afterAll(() => browser?.close())

    const samples: [string, Partial<Sample>][] = [
      ['a small site', {}],
      ['zeros', { totals: nobody, compared: { totals: nobody, gap: null }, trend: 2 }],
      ['one point with visitors', { trend: 3, earlier: [nobody], compared: { totals: nobody, gap: null } }],
      [
        'fractions',
        { totals: counts(0.4, 0.2), compared: { totals: counts(12.7, 3.3), gap: null }, trend: 2 },
      ],
      ['huge counts', { totals: counts(Number.MAX_SAFE_INTEGER, 1), trend: 2 }],
      ['a year of weeks', { trend: 52, earlier: Array.from({ length: 50 }, (_, at) => counts(at, 2 * at)) }],
      ['years', { trend: 4, period: { from: '2025-01-01', to: '2026-01-01' } }],
    ]

    it.each(samples)('has two lines through all points: %s', async (_, more) => {
      const { text, labels } = readChart(markdownOf(more))
      expect(
        await tab.evaluate<{ diagramType: string }>(`mermaid.parse(${JSON.stringify(text)})`),
      ).toMatchObject({
        diagramType: 'xychart',
      })
      const svg = await tab.evaluate<string>(
        `mermaid.render('chart', ${JSON.stringify(text)}).then(({ svg }) => svg)`,
      )
      expect(svg).not.toMatch(/NaN|Infinity|Syntax error/)
      const line = /class="line-plot-\d"><path d="(?<points>[^"]+)"[^>]*stroke="(?<colour>[^"]+)"/g
      const lines = [...svg.matchAll(line)]
      expect(lines.map(({ groups }) => groups?.colour)).toEqual(['#2f81f7', '#d4761c'])
      for (const { groups } of lines) {
        const across = (groups?.points ?? '')
          .split(/[ML]/)
          .filter(Boolean)
          .map((point) => point.split(',')[0])
        expect(new Set(across).size).toBe(labels.length)
      }
    })
  })
})

describe('nobody', () => {
  it.each([
    ['in either week', { totals: nobody, compared: { totals: nobody, gap: null } }],
    ['in a week that is not compared', { totals: nobody, compared: 'none' as const }],
    ['in a week whose week before was not read', { totals: nobody, compared: budget }],
  ])('%s', (_, more) => {
    const text = textOf(find(treeOf({ ...more, pages: [], trend: 0 }), 'strong'))
    expect(text).toBe('No visitors were counted in 9–15 Nov 2026.')
  })

  it('after a week with visitors is a fall, not an emptiness', () => {
    const text = textOf(find(treeOf({ totals: nobody, pages: sample.pages }), 'strong'))
    expect(text).toBe(
      '0 visitors, 100% fewer than the week before (1,402): 0 people (−100%), 0 AI readers (−100%).',
    )
  })

  it('is shown as such in the shares', () => {
    expect(tablesOf(treeOf({ totals: nobody, compared: 'none' }))[0]?.rows.at(-1)).toEqual(['AI share', '–'])
  })
})

describe('an alert', () => {
  const alertOf = (report: VisitorsReport) =>
    all(render(reportMarkdown(report, place)), 'blockquote').map((block) => textOf(block).trim())

  it('is said between the totals and what moved', () => {
    expect(alertOf(aReport({ totals: counts(900, 402, 1_251) }))).toEqual([
      '[!WARNING]\nPeople fell by 23.7%; the alert is set to 20%.',
    ])
  })

  it('is not said where there is none', () => {
    expect(alertOf(aReport())).toEqual([])
    expect(alertOf(aReport({ totals: counts(900, 402, 1_251), alertDrop: null }))).toEqual([])
  })
})
