/** The summary and the page in a browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderPage } from '../../../sandbox/page.ts'
import { reportHtml } from '../../../src/visitors/render/html.ts'
import { wholeMarkdown } from '../../../src/visitors/render/markdown.ts'
import { findChromium, launchChromium, withoutChromium } from '../../browser.ts'
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
