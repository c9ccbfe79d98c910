/** The visitors report as Markdown, as GitHub renders it, whatever the site's pages are called. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isForMachines, shortPath } from '../../../src/visitors/core/page-link.ts'
import { isComplete, pageOf } from '../../../src/visitors/core/report.ts'
import { headline } from '../../../src/visitors/render/headline.ts'
import { reportMarkdown, summaryLimit } from '../../../src/visitors/render/markdown.ts'
import { runs } from '../../core/samples.ts'
import { all, elements, find, links, mentions, render, textOf } from '../../render/github.ts'
import { jobRef } from '../../render/samples.ts'
import { anySample, aReport, budget, counts, failedWith, nobody, page, type Sample } from './samples.ts'

const markdownOf = (more: Partial<Sample> = {}) => reportMarkdown(aReport(more), jobRef)
const treeOf = (more: Partial<Sample> = {}) => render(markdownOf(more))
const textOfReport = (more: Partial<Sample> = {}) => textOf(treeOf(more))

/** The items of the list under a heading, or in the fold with that title. */
function listAfter(markdown: string, title: string): string[] {
  const [, after = ''] = markdown.split(new RegExp(`(?:### |<summary>)${title}.*\n`))
  // Parsing the rest of a large report would take seconds.
  const [own = ''] = after.split(/\n### |\n<details>|<\/details>/)
  const list = find(render(own), /^\s*- /.test(own) ? 'ul' : 'ol')
  return all(list, 'li').map(textOf)
}

/** The cells of the totals by title, with a slash for a line break. */
function totalsOf(markdown: string): Record<string, string[]> {
  const rows = markdown.split('\n').filter((line) => /^\| (?:Visitors|Human visitors|AI readers)/.test(line))
  return Object.fromEntries(
    rows.map((row) => {
      const [title = '', ...cells] = row.slice(2, -2).replaceAll('<br>', ' / ').split(' | ')
      return [title, cells.map((cell) => textOf(render(cell)).trim())]
    }),
  )
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
  it('the report shows a small site in full', () => {
    expect(markdownOf()).toMatchSnapshot()
  })

  it('the report says that pages of the period and of the previous one are missing', () => {
    const compared = { totals: counts(1_180, 257, 1_402), gap: failedWith('<b>@octocat</b> #1') }
    expect(
      markdownOf({ gap: budget, compared, earlier: [null, counts(1_120, 201, 1_300)] }),
    ).toMatchSnapshot()
  })

  it('the report has the verdict and the totals first, then “What moved” and “Pages”, and the sources of the figures last', () => {
    expect(outlineOf(treeOf())).toEqual([
      ...['📊 Visitors, Nov 9–15, 2026', 'p', 'table', 'p', 'What moved', 'ul', 'Pages', 'ol', 'p'],
      ...[
        'fold: Files that machines read (1)',
        'fold: Most read by AI readers',
        'fold: Trend of 4 periods',
        'provenance',
      ],
    ])
  })

  it('the report without a chart or pages has only the headline, the totals and the sources', () => {
    expect(outlineOf(treeOf({ trend: 0, pages: [] }))).toEqual([
      ...['📊 Visitors, Nov 9–15, 2026', 'p', 'table', 'p', 'provenance'],
    ])
  })

  it('the report has a fold with all other changes only if there are too many to show above', () => {
    const pages = Array.from({ length: 14 }, (_, at) => page(`/p/${at}`, 100 + at, 900))
    const markdown = markdownOf({ pages })
    expect(listAfter(markdown, 'What moved')).toHaveLength(10)
    expect(listAfter(markdown, '4 more')).toHaveLength(4)
    expect(markdownOf()).not.toContain(' more</summary>')
  })
})

describe('hostile page names and platform messages', () => {
  const blandPath = (at: number) => `/page${at}`
  /** The same report with harmless text. */
  function bland(more: Partial<Sample>): Partial<Sample> {
    const blandGap = <T>(gap: T): T =>
      JSON.stringify(gap)?.includes('detail') ? (failedWith('x') as T) : gap
    const { compared = budget } = more
    return {
      ...more,
      projectId: 'x',
      siteUrl: null,
      gap: blandGap(more.gap ?? null),
      compared: 'totals' in compared ? { ...compared, gap: blandGap(compared.gap) } : blandGap(compared),
      pages: (more.pages ?? []).map((each, at) => ({ ...each, path: blandPath(at) })),
    }
  }
  const shownPath = (path: string) => shortPath(path).replace(/\s+/g, ' ').trim()

  it('hostile text creates no element, link or mention', () => {
    fc.assert(
      fc.property(anySample, (more) => {
        // Names also decide whether the headline has room for a page, and whether a path counts as a file for machines.
        const [named, namedBland] = [more, bland(more)].map((each) => headline(aReport(each)).length)
        fc.pre(named === namedBland && !(more.pages ?? []).some(({ path }) => isForMachines(path)))
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
      runs(12),
    )
  })

  it('every list is complete, and names each page once by its path', () => {
    fc.assert(
      fc.property(anySample, (more) => {
        const report = aReport(more)
        const { movers, current, book } = report
        const top = 20
        const ids = [...report.ids]
        const moved = movers?.length ?? 0
        const pages = ids.filter((id) => !isForMachines(book.pathOf(id)))
        const readByAi = pages.filter((id) => (current.pages.get(id)?.ai ?? 0) > 0)
        const tree = render(reportMarkdown(report, jobRef))
        const lengths = (name: string) => all(tree, name).map((list) => all(list, 'li').length)
        const points = report.trend.length
        const folded = Math.max(0, pages.length - top) + (ids.length - pages.length)
        expect(lengths('ul').reduce((sum, length) => sum + length, 0)).toBe(
          moved + folded + (points > 1 ? points : 0),
        )
        expect(lengths('ol')).toEqual(
          [Math.min(pages.length, top), Math.min(readByAi.length, top)].filter(Boolean),
        )
        const [first, ...rest] = all(tree, 'ol')
        const paths = first === undefined ? [] : all(first, 'li').map((item) => textOf(find(item, 'code')))
        const shown = pages.slice(0, top).map((id) => shownPath(pageOf(report, id).path))
        expect(pages.length === 0 ? rest : paths).toEqual(pages.length === 0 ? [] : shown)
      }),
      runs(12),
    )
  })

  it('the report claims nothing unknown: no deleted page, no “others”, no infinite change', () => {
    fc.assert(
      fc.property(anySample, (more) => {
        expect(textOfReport(bland(more))).not.toMatch(
          /deleted|removed|others?\b|Infinity|NaN|undefined|null/i,
        )
      }),
      runs(12),
    )
  })

  it('what moved is only shown if both periods are complete', () => {
    fc.assert(
      fc.property(anySample, (more) => {
        const report = aReport(more)
        const outline = outlineOf(render(reportMarkdown(report, jobRef))).join('\n')
        const isKnown = isComplete(report)
        expect(outline.includes('What moved')).toBe(report.ids.length > 0)
        expect(/What moved\nul/.test(outline)).toBe(isKnown && report.movers?.length !== 0)
      }),
      runs(12),
    )
  })

  it('the report says “incomplete” below the headline and in the sources if and only if figures are missing', () => {
    fc.assert(
      fc.property(anySample, (more) => {
        const report = aReport(more)
        const text = textOf(render(reportMarkdown(report, jobRef)))
        expect(text.includes('Incomplete:')).toBe(!isComplete(report))
        expect(text.includes('· incomplete ·')).toBe(!isComplete(report))
        expect(text.includes('· all pages read ·')).toBe(isComplete(report))
      }),
      runs(12),
    )
  })
})

it('pages are linked only if their URL is inside the site and hides nothing', () => {
  const paths = ['/guides/install', 'guides/install', '/../outside', '/a\u202Eb']
  const linked = (siteUrl: string | null) =>
    new Set(links(treeOf({ siteUrl, pages: paths.map((path) => page(path, 9, 9)) })))
  expect(linked('https://docs.example.com/docs')).toEqual(
    new Set(['https://docs.example.com/docs/guides/install']),
  )
  expect(linked(null)).toEqual(new Set())
})

describe('a large site', () => {
  const large = (part: string): Partial<Sample> => ({
    trend: 52,
    earlier: Array.from({ length: 50 }, () => counts(9_007_199_254_740_991, 1, 9_007_199_254_740_991)),
    projectId: part.repeat(200),
    pages: Array.from({ length: 1_500 }, (_, at) =>
      page(`/${at}/${part.repeat(2_000 / part.length)}`, 2 * at + 40, at % 3 === 0 ? null : 3 * at + 400, 20),
    ),
  })

  // Escaped, these characters take the most room. With `RUNS` set, the test also tries the others.
  const parts = ['|\n@#\u202E', ...(process.env.RUNS ? ['漢', '😀', '<&>"', 'x'] : [])]
  it.each(parts)(
    'a large site with paths of 2 kB of %j fits into the summary, which says what is left out',
    (part) => {
      const report = aReport(large(part))
      const summary = reportMarkdown(report, jobRef)
      expect(summaryLimit).toBe(900 * 1024)
      expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(summaryLimit)
      expect(summary).toMatch(/[\d,]+ of 1,500 pages with AI readers/)
      expect(summary).toContain('1,500 pages with visitors in this period.')
      expect(summary).toMatch(/[\d,]+ more are not shown here/)
      expect(summary).toMatch(/<\/sub>\n$/)
      // Parsing a megabyte of Markdown takes seconds.
      expect(outlineOf(render(reportMarkdown(report, jobRef, 30_000))).at(-1)).toBe('provenance')
    },
  )

  it('a large site fits into any limit that the fixed parts fit into', () => {
    const report = aReport({ ...large('x'), trend: 0 })
    fc.assert(
      fc.property(fc.integer({ min: 8_000, max: 200_000 }), (limit) => {
        expect(Buffer.byteLength(reportMarkdown(report, jobRef, limit))).toBeLessThanOrEqual(limit)
      }),
      runs(3),
    )
  })

  it('a large site has full lists if there is room', () => {
    const pages = Array.from({ length: 1_500 }, (_, at) => page(`/${at}`, at + 40, null))
    const markdown = markdownOf({ pages })
    expect(listAfter(markdown, 'Pages')).toHaveLength(20)
    expect(listAfter(markdown, '1,480 more')).toHaveLength(1_000)
    expect(listAfter(markdown, '1,490 more')).toHaveLength(1_000)
    expect(markdown).toContain('480 more are not shown here. With report-dir, report.json lists all of them.')
  })
})

describe('honest figures', () => {
  it('the report shows no sum of human visitors and AI readers, or of pages', () => {
    const text = textOfReport({
      totals: counts(701, 302, 951),
      compared: { totals: counts(680, 290, 940), gap: null },
      trend: 0,
      pages: [page('/a', 617, 600), page('/b', 512, 500)],
    })
    for (const sum of ['1,003', '1,129', '970', '1,100']) expect(text).not.toContain(sum)
    expect(text).toContain('951')
  })

  it('the report shows the AI share once, and no share for other visitors', () => {
    const markdown = markdownOf({ totals: counts(90, 30, 100) })
    expect(totalsOf(markdown)).toEqual({
      Visitors: ['100', '▼ \u221292.9%, from 1,402 / ▇▇█▁'],
      'Human visitors': ['90', '▼ \u221292.4%, from 1,180 / ███▂'],
      'AI readers / 30.0% of visitors': ['30', '▼ \u221288.3%, from 257 / ▆▆█▂'],
    })
    expect(markdown.match(/30\.0%/g)).toHaveLength(1)
    expect(markdown).not.toContain('70.0%')
  })

  it('the report calls a change from zero “new”, without a percentage', () => {
    const compared = { totals: counts(0, 0, 0), gap: null }
    const pages = [page('/came', 50, null), page('/from-zero', 40, 0), page('/stayed', 30, 30)]
    const markdown = markdownOf({ compared, pages })
    for (const lines of Object.values(totalsOf(markdown))) expect(lines[1]).toMatch(/^▲ new, from 0 /)
    expect(listAfter(markdown, 'Pages')).toEqual([
      ...['/came: 50 visitors (▲ new)', '/from-zero: 40 visitors (▲ new)', '/stayed: 30 visitors (0.0%)'],
    ])
  })

  it('the report does not call a page or a total without visitors “new”', () => {
    const compared = { totals: counts(9, 0, 9), gap: null }
    const pages = [page('/nobody', 0, 0), page('/', 9, 9)]
    const markdown = markdownOf({ totals: counts(9, 0, 9), compared, pages })
    expect(Object.values(totalsOf(markdown)).map((lines) => lines[1]?.split(' /')[0])).toEqual([
      '0.0%, from 9',
      '0.0%, from 9',
      '–, from 0',
    ])
    expect(listAfter(markdown, 'Pages')).toEqual(['/: 9 visitors (0.0%)', '/nobody: 0 visitors'])
  })

  it('the report marks small numbers instead of giving them a direction', () => {
    const compared = { totals: counts(100, 0), gap: null }
    expect(totalsOf(markdownOf({ totals: counts(75, 0), compared }))['Human visitors']).toEqual([
      ...['75', expect.stringMatching(/^\u221225\.0% \(small numbers\), from 100 /)],
    ])
  })

  it.each([
    ['both periods are complete', {}, '0 visitors (▼ \u2212100.0%)'],
    ['the current period is incomplete', { gap: budget }, 'not read'],
    [
      'the previous period is incomplete',
      { compared: { totals: nobody, gap: budget } },
      '0 visitors (▼ \u2212100.0%)',
    ],
  ] as const)('a page that only had visitors before shows only what is known if %s', (_, more, text) => {
    const markdown = markdownOf({ ...more, pages: [page('/missing', null, 75)] })
    expect(listAfter(markdown, 'Pages')).toEqual([`/missing: ${text}`])
  })

  it.each([
    ['both periods are complete', {}, ' (▲ new)'],
    ['the current period is incomplete', { gap: budget }, ' (▲ new)'],
    ['the previous period is incomplete', { compared: { totals: nobody, gap: budget } }, ''],
  ] as const)('a page is called new only if it certainly had no visitors before: %s', (_, more, change) => {
    const markdown = markdownOf({ ...more, pages: [page('/came', 75, null)] })
    expect(listAfter(markdown, 'Pages')).toEqual([`/came: 75 visitors${change}`])
  })

  it('the report ignores noise: pages that hardly changed are not listed under “What moved”', () => {
    const pages = [page('/noise', 110, 100), page('/small', 19, 1)]
    expect(textOfReport({ pages })).toContain('No single page stands out.')
  })

  it('the report lists the largest change first, in either direction', () => {
    expect(listAfter(markdownOf(), 'What moved')).toEqual([
      '/guides/streaming: new, with 310 visitors',
      '/changelog: ▼ \u2212119 (160 → 41 visitors)',
      '/old: no visitors now, 75 before',
    ])
  })

  it('the report folds files that machines read, and does not list them under “What moved”', () => {
    const markdown = markdownOf()
    expect(listAfter(markdown, 'Files that machines read')).toEqual(['/llms.txt: 240 visitors (▲ +100.0%)'])
    expect(listAfter(markdown, 'What moved').join()).not.toContain('llms')
  })

  it('the report says how many pages had visitors in this period, and how many only before', () => {
    expect(textOfReport()).toContain(
      '5 pages with visitors in this period, and 1 more only in the previous period.',
    )
  })

  it('the report says which globs match nothing', () => {
    expect(textOfReport({ paths: ['/', '/nope', '!/neither'] })).toContain(
      'paths: /nope matches no page.paths: !/neither matches no page.',
    )
  })

  it('the report compares a month by daily averages, and says so', () => {
    const period = { from: '2026-10-01', to: '2026-11-01', isMonth: true } as const
    const compared = { totals: counts(3_000, 0), gap: null }
    const markdown = markdownOf({ period, compared, totals: counts(3_100, 0), pages: [page('/a', 620, 300)] })
    expect(markdown).toContain('Compared with Sep 1–30, 2026.')
    expect(totalsOf(markdown).Visitors?.[1]).toMatch(/^0\.0%, from 3,000 /)
    expect(listAfter(markdown, 'What moved')).toEqual(['/a: ▲ +100.0% (300 → 620 visitors)'])
    expect(textOf(render(markdown))).toContain(
      'The period has 31 days, and the previous one has 30, so changes compare daily averages.',
    )
  })

  it('the report says what narrows the lists, if anything does', () => {
    const said = 'The input “paths” narrows the lists of pages, not the totals.'
    expect(textOfReport()).not.toContain(said)
    expect(textOfReport({ paths: ['!/x'] })).toContain(said)
  })
})

describe('the trend', () => {
  const fold = (more: Partial<Sample>) => {
    const markdown = markdownOf(more)
    return markdown.includes('Trend of') ? listAfter(markdown, 'Trend of') : []
  }

  it('the trend is folded if it has more than one point', () => {
    expect([0, 1, 2].map((trend) => fold({ trend }).length)).toEqual([0, 0, 2])
  })

  it('the trend lists every period, even one that was not read', () => {
    expect(fold({ trend: 3, earlier: [null] })).toEqual([
      'Oct 26 – Nov 1, 2026: not read',
      'Nov 2–8, 2026: 1,402 visitors (1,180 human visitors, 257 AI readers)',
      'Nov 9–15, 2026: 1,551 visitors (1,203 human visitors, 402 AI readers)',
    ])
  })
})

describe('an alert', () => {
  const fallen = { totals: counts(900, 402, 1_251) }
  const alertOf = (more: Partial<Sample>) =>
    all(treeOf(more), 'blockquote').map((block) => textOf(block).trim())

  it('an alert is the headline, and appears once', () => {
    expect(alertOf(fallen)).toEqual([
      expect.stringMatching(/^\[!WARNING\]\nHuman visitors fell by 23\.7% \(alert at 20%\)/),
    ])
    expect(textOfReport(fallen).match(/Human visitors fell/g)).toHaveLength(1)
  })

  it('an alert is not shown if none was raised', () => {
    expect(alertOf({})).toEqual([])
    expect(alertOf({ ...fallen, alertDrop: null })).toEqual([])
  })
})
