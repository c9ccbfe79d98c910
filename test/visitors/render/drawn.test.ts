/** The summary and the page in a browser, and the chart as Mermaid draws it, which is how GitHub shows it. */
import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderPage } from '../../../sandbox/page.ts'
import { type Period, periodsBefore } from '../../../src/visitors/period.ts'
import { reportHtml } from '../../../src/visitors/render/html.ts'
import { wholeMarkdown } from '../../../src/visitors/render/markdown.ts'
import { findChromium, launchChromium, withoutChromium } from '../../browser.ts'
import { judged } from '../../core/samples.ts'
import { mermaidScript, mermaidVersions, withoutJudge } from '../../judges.ts'
import { periodKinds } from '../periods.ts'
import { aReport, counts, demoParts, page, readParts, type Sample } from '../samples.ts'

let browser: Browser
let tab: Page
beforeAll(async () => {
  if (findChromium() === undefined) return
  browser = await launchChromium()
  tab = await browser.newPage({ viewport: { width: 390, height: 844 }, offline: true })
})
afterAll(() => browser?.close())

const unbroken = 'unbroken'.repeat(12)
const long = `/${unbroken}`
const huge = counts(104_432_118, 25_210_444, 123_118_902)
const wordy = await readParts(
  {
    'feedback/by-page': [{ path: long, thumbsUp: 1, thumbsDown: 1_234 }],
    feedback: [{ path: long, comment: unbroken }],
    searches: [{ searchQuery: unbroken, hits: 1_234_567, ctr: 0 }],
    assistant: [{ query: unbroken, resolutionStatus: 'unanswered', pageUrl: long }],
  },
  { [long]: 1_234_567 },
)
const samples: [string, Partial<Sample>][] = [
  ['a small site', { parts: demoParts }],
  [
    'long paths and words',
    {
      pages: [page(long, 900, 300), page(`${long}-2`, null, 444), page('/a b'.repeat(40), 30, 40)],
      parts: wordy,
    },
  ],
  [
    'millions',
    {
      totals: huge,
      earlier: [huge, huge],
      alertDrop: 0.01,
      previous: { totals: counts(194_000_118, 15_000_444), gap: null },
    },
  ],
]

describe.skipIf(withoutChromium('the report on a phone'))('on a phone', () => {
  it.each(
    samples.flatMap(([name, more]) => [
      [name, 'summary', renderPage('Job summary', wholeMarkdown(aReport(more)))] as const,
      [name, 'page', Promise.resolve(reportHtml(aReport(more), 'https://example.com/run'))] as const,
    ]),
  )('nothing is wider than 390 pixels: %s, %s', async (_, __, html) => {
    await tab.setContent((await html).replaceAll('<details>', '<details open>'))
    const wide = await tab.evaluate<string[]>(
      `[document.documentElement, ...document.querySelectorAll('body *')]
        .filter((element) => element.scrollWidth > element.clientWidth && getComputedStyle(element).display !== 'inline')
        .filter((element) => !element.closest('pre') && !element.closest('svg') && !element.closest('.markdown-body table')).map((element) => element.outerHTML.slice(0, 200))`,
    )
    expect(wide).toEqual([])
  })
})

/** The chart of a period and the seven before it. */
function chartOf(period: Period) {
  const earlier = periodsBefore(period, 6).map((_, at) => counts(10 + at))
  const previous = { totals: counts(30), gap: null }
  const markdown = wholeMarkdown(aReport({ period, earlier, previous, totals: counts(40) }))
  return /```mermaid\n([\s\S]*?)```/.exec(markdown)?.[1] ?? ''
}

// Drawing a chart takes 30 ms. test/visitors/period.test.ts has a law about many more labels.
const charts = periodKinds.flatMap(([, periods]) => {
  return fc.sample(periods, { numRuns: judged(125), seed: 7 }).map(chartOf)
})

/** Draws the charts, and reads the labels and the line's places from the SVG. */
const draw = `async (charts) => {
  mermaid.initialize({ startOnLoad: false })
  const drawn = []
  for (const chart of charts) {
    const { svg } = await mermaid.render('chart', chart)
    const page = new DOMParser().parseFromString(svg, 'image/svg+xml')
    const labels = [...page.querySelectorAll('.bottom-axis .label text')].map((label) => label.textContent)
    const line = page.querySelector('.line-plot-0 path').getAttribute('d')
    drawn.push({ labels, places: [...line.matchAll(/[ML] ?([\\d.]+)/g)].map(([, x]) => Number(x)) })
  }
  return drawn
}`

describe.each(mermaidVersions)('Mermaid %s', (version) => {
  const isMissing = withoutJudge(mermaidScript(version), `charts drawn by Mermaid ${version}`)

  it.skipIf(isMissing || withoutChromium('charts'))(
    `draws ${charts.length} periods with eight labels and eight places, from left to right`,
    async () => {
      const tab = await browser.newPage({ offline: true })
      await tab.setContent('<!doctype html>')
      await tab.addScriptTag({ path: mermaidScript(version) })
      const drawn = await tab.evaluate<{ labels: string[]; places: number[] }[]>(
        `(${draw})(${JSON.stringify(charts)})`,
      )
      await tab.close()
      expect(drawn).toHaveLength(charts.length)
      for (const [at, { labels, places }] of drawn.entries()) {
        expect([new Set(labels).size, places.length], charts[at]).toEqual([8, 8])
        expect(places, charts[at]).toEqual([...new Set(places)].sort((one, other) => one - other))
      }
    },
    300_000,
  )
})
