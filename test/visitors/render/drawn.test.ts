/** The summary in a browser: its chart, and its width on a phone. */
import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderPage } from '../../../sandbox/page.ts'
import { projectDir } from '../../../sandbox/runner/action.ts'
import { previousOf } from '../../../src/visitors/core/report.ts'
import { suggestFixes } from '../../../src/visitors/core/suggestions/suggestions.ts'
import { reportMarkdown } from '../../../src/visitors/render/markdown.ts'
import { findChromium, launchChromium, withoutChromium } from '../../browser.ts'
import { runs } from '../../core/samples.ts'
import { jobRef } from '../../render/samples.ts'
import { anySample, aReport, counts, demoSections, nobody, page, type Sample, sectionsOf } from './samples.ts'

let browser: Browser
beforeAll(async () => {
  if (findChromium() !== undefined) browser = await launchChromium()
})
afterAll(() => browser?.close())

const markdownOf = (more: Partial<Sample> = {}) => reportMarkdown(aReport(more), jobRef)

const chart = /^```mermaid\n(?<text>.*?)\n```$/ms

/** The only Mermaid syntax that the action may write: anything else could be parsed differently. */
function readChart(markdown: string) {
  const { text = '' } = chart.exec(markdown)?.groups ?? {}
  const grammar = [
    /---\nconfig:\n {2}xyChart:\n {4}height: 300\n {4}showLegend: false\n {2}themeVariables:\n {4}xyChart:\n {6}backgroundColor: "#00000000"\n {6}plotColorPalette: "#[0-9a-f]{6}, #[0-9a-f]{6}"\n---\n/,
    /xychart-beta\n {2}x-axis \[(?<labels>"[\w ]+(?:, \d+)?"(?:, "[\w ]+(?:, \d+)?")*)\]\n/,
    / {2}y-axis "Visitors" 0 --> (?<most>[1-9]\d*)\n/,
    / {2}line "Human visitors" \[(?<people>\d+(?:, \d+)*)\]\n/,
    / {2}line "AI readers" \[(?<ai>\d+(?:, \d+)*)\]/,
  ]
  const parsed = new RegExp(`^${grammar.map(({ source }) => source).join('')}$`).exec(text)?.groups
  if (parsed === undefined) throw new Error(`Not the grammar of a chart:\n${text}`)
  const list = (name: string) => (parsed[name] ?? '').split(/, (?!\d+")/)
  return {
    text,
    labels: list('labels'),
    most: Number(parsed.most),
    people: list('people').map(Number),
    ai: list('ai').map(Number),
  }
}

describe('the chart', () => {
  it('the chart has one fixed grammar, as many figures as labels, no label twice, and no figure above the axis', () => {
    const lengths = fc.constantFrom(1, 7, 28, 31, 73, 365)
    fc.assert(
      fc.property(anySample, lengths, fc.integer({ min: 2, max: 52 }), (more, days, trend) => {
        const to = '2026-11-16'
        const from = new Date(Date.parse(to) - days * 86_400_000).toISOString().slice(0, 10)
        const earlier = Array.from({ length: trend - 2 }, () => more.totals ?? nobody)
        const report = aReport({ ...more, trend, earlier, period: { from, to } })
        fc.pre(previousOf(report) !== null)
        const { labels, most, people, ai } = readChart(reportMarkdown(report, jobRef))
        expect(new Set(labels).size).toBe(trend)
        expect([people.length, ai.length]).toEqual([trend, trend])
        expect(Math.max(...people, ...ai)).toBeLessThanOrEqual(most)
      }),
      runs(40),
    )
  })

  describe.skipIf(withoutChromium('the chart as Mermaid draws it'))('the chart as Mermaid draws it', () => {
    let tab: Page

    beforeAll(async () => {
      tab = await browser.newPage()
      await tab.setContent('<body></body>')
      await tab.addScriptTag({ path: `${projectDir}/node_modules/mermaid/dist/mermaid.min.js` })
      await tab.evaluate('mermaid.initialize({ startOnLoad: false })')
    })

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

    it.each(samples)(
      'the chart as Mermaid draws it has two lines through all points: %s',
      async (_, more) => {
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
      },
    )
  })
})

describe.skipIf(withoutChromium('the summary on a phone'))('on a phone', () => {
  let tab: Page
  beforeAll(async () => {
    tab = await browser.newPage({ viewport: { width: 390, height: 844 } })
  })

  const long = `/${'unbroken'.repeat(12)}`
  const huge = counts(104_432_118, 25_210_444, 123_118_902)
  const samples: [string, Partial<Sample>][] = [
    ['a small site', {}],
    [
      'long paths',
      { pages: [page(long, 900, 300), page(`${long}-2`, null, 444), page('/a b'.repeat(40), 30, 40)] },
    ],
    [
      'millions',
      {
        totals: huge,
        compared: { totals: counts(94_000_118, 15_000_444, 103_000_902), gap: null },
        earlier: [huge, huge],
      },
    ],
    ['an alert on small numbers', { totals: counts(75, 5), compared: { totals: counts(100, 6), gap: null } }],
  ]

  const wordy = sectionsOf(
    {
      votes: [{ path: long, thumbsUp: 1, thumbsDown: 1_234 }],
      comments: [{ path: long, comment: 'unbroken'.repeat(12), source: 'contextual' }],
      searches: [{ searchQuery: 'unbroken'.repeat(12), hits: 1_234_567, ctr: 0 }],
      questions: [{ query: 'unbroken'.repeat(12), resolutionStatus: 'unanswered', pageUrl: long }],
    },
    { [long]: 1_234_567 },
  )
  const reports = [
    ...samples.map(([name, more]) => [name, aReport(more)] as const),
    ['sections', { ...aReport(), sections: demoSections }] as const,
    [
      'sections of long words',
      { ...aReport(), sections: wordy, ...suggestFixes(wordy, [], '2026-11-09', '/docs') },
    ] as const,
  ]

  it.each(reports)('nothing is wider than 390 pixels on a phone: %s', async (name, report) => {
    const open = reportMarkdown(report, jobRef).replaceAll('<details>', '<details open>')
    // A chart takes a second to draw and always fits the width, so only the one with the longest figures is drawn.
    const isDrawn = name === 'millions'
    const html = await renderPage('Job summary', isDrawn ? open : open.replace('```mermaid', '```text'))
    await tab.setContent(html)
    if (isDrawn) await tab.locator('code.language-mermaid').waitFor({ state: 'detached' })
    expect(await tab.locator('svg[id^=diagram]').count()).toBe(isDrawn ? 1 : 0)
    const wide = await tab.evaluate<string[]>(
      `[document.documentElement, ...document.querySelectorAll('.markdown-body *')]
        .filter((element) => element.scrollWidth > element.clientWidth && getComputedStyle(element).display !== 'inline')
        .filter((element) => !element.closest('pre, svg')).map((element) => element.tagName)`,
    )
    expect(wide).toEqual([])
  })
})
