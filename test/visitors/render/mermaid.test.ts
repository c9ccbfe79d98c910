/** The chart as Mermaid draws it, which is how GitHub shows it. */
import fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Period, periodsBefore } from '../../../src/visitors/period.ts'
import { wholeMarkdown } from '../../../src/visitors/render/markdown.ts'
import { launchChromium, withoutChromium } from '../../browser.ts'
import { mermaidScript, mermaidVersions, withoutJudge } from '../../judges.ts'
import { aReport, counts } from '../samples.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** A period from a time after 2020, in milliseconds. */
function periodOf(start: number, length: number): Period {
  const [from = '', to = ''] = [0, length].map((more) =>
    new Date(Date.UTC(2020) + start + more).toISOString(),
  )
  return { from, to }
}

/** Periods of whole days, of minutes, and of calendar months: from an hour to ten years. */
const periods = fc.oneof(
  fc.tuple(fc.nat(4_000), fc.integer({ min: 1, max: 3_652 })).map(([start, days]) => {
    const { from, to } = periodOf(start * day, days * day)
    return { from: from.slice(0, 10), to: to.slice(0, 10) }
  }),
  fc
    .tuple(fc.nat(4_000_000), fc.integer({ min: 60, max: 3_652 * 24 * 60 }))
    .map(([start, minutes]) => periodOf(start * minute, minutes * minute)),
  fc
    .tuple(fc.nat(4_000_000), fc.integer({ min: 60, max: 3_000 }))
    .map(([start, minutes]) => periodOf(start * minute, minutes * minute)),
  fc.nat(100).map((month): Period => {
    const [from = '', to = ''] = [0, 1].map((more) => new Date(Date.UTC(2018, month + more)).toISOString())
    return { from: from.slice(0, 10), to: to.slice(0, 10), isMonth: true }
  }),
)

/** The chart of a period and the seven before it. */
function chartOf(period: Period) {
  const earlier = periodsBefore(period, 6).map((_, at) => counts(10 + at))
  const previous = { totals: counts(30), gap: null }
  const markdown = wholeMarkdown(aReport({ period, earlier, previous, totals: counts(40) }))
  return /```mermaid\n([\s\S]*?)```/.exec(markdown)?.[1] ?? ''
}

const charts = fc.sample(periods, { numRuns: 500, seed: 7 }).map(chartOf)

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

let browser: Browser
afterAll(() => browser?.close())

describe.each(mermaidVersions)('Mermaid %s', (version) => {
  const isMissing = withoutJudge(mermaidScript(version), `charts drawn by Mermaid ${version}`)
  beforeAll(async () => {
    if (!isMissing && !browser) browser = await launchChromium()
  })

  it.skipIf(isMissing || withoutChromium('charts'))(
    `draws ${charts.length} periods with eight labels and eight places, from left to right`,
    async () => {
      const tab = await browser.newPage({ offline: true })
      await tab.setContent('<!doctype html>')
      await tab.addScriptTag({ path: mermaidScript(version) })
      const drawn = await tab.evaluate<{ labels: string[]; places: number[] }[]>(
        `(${draw})(${JSON.stringify(charts)})`,
      )
      for (const [at, { labels, places }] of drawn.entries()) {
        expect([new Set(labels).size, places.length], charts[at]).toEqual([8, 8])
        expect(places, charts[at]).toEqual([...new Set(places)].sort((one, other) => one - other))
      }
      await tab.close()
    },
    300_000,
  )
})
