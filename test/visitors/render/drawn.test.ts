/** The summary in a browser: its width on a phone. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderPage } from '../../../sandbox/page.ts'
import { suggestFixes } from '../../../src/visitors/core/suggestions/suggestions.ts'
import { reportMarkdown } from '../../../src/visitors/render/markdown.ts'
import { findChromium, launchChromium, withoutChromium } from '../../browser.ts'
import { jobRef } from '../../render/samples.ts'
import { aReport, counts, demoSections, page, type Sample, sectionsOf } from './samples.ts'

let browser: Browser
beforeAll(async () => {
  if (findChromium() !== undefined) browser = await launchChromium()
})
afterAll(() => browser?.close())

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
      { ...aReport(), sections: wordy, suggestions: suggestFixes(wordy, '/docs') },
    ] as const,
  ]

  it.each(reports)('nothing is wider than 390 pixels on a phone: %s', async (_, report) => {
    const open = reportMarkdown(report, jobRef).replaceAll('<details>', '<details open>')
    await tab.setContent(await renderPage('Job summary', open))
    const wide = await tab.evaluate<string[]>(
      `[document.documentElement, ...document.querySelectorAll('.markdown-body *')]
        .filter((element) => element.scrollWidth > element.clientWidth && getComputedStyle(element).display !== 'inline')
        .filter((element) => !element.closest('pre')).map((element) => element.tagName)`,
    )
    expect(wide).toEqual([])
  })
})
