/** The report's headline, colors and movers in each situation; the snapshot is for an editor to read. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnChange, columns, valueText } from '../../../src/visitors/core/columns.ts'
import type { VisitorCounts } from '../../../src/visitors/core/counts.ts'
import type { Move } from '../../../src/visitors/core/movers.ts'
import { previousOf, type VisitorsReport } from '../../../src/visitors/core/report.ts'
import { headlineLimit, plainHeadline } from '../../../src/visitors/render/headline.ts'
import { reportMarkdown } from '../../../src/visitors/render/markdown.ts'
import { gapSentences, unmatchedSentences } from '../../../src/visitors/render/words.ts'
import { runs } from '../../core/samples.ts'
import { render, textOf } from '../../render/github.ts'
import { jobRef } from '../../render/samples.ts'
import {
  anySample,
  aReport,
  budget,
  counts,
  failedWith,
  nobody,
  page,
  type Sample,
  type SamplePage,
} from './samples.ts'

const against = (human: number, ai: number, total = human + ai) => ({
  compared: { totals: counts(human, ai, total), gap: null },
})
const none: SamplePage[] = []
const steadyPages = [page('/', 900, 890), page('/quickstart', 410, 400)]
const october = { from: '2026-10-01', to: '2026-11-01', isMonth: true } as const

/** Each situation lists its differences from a site with 1,000 human visitors and 250 AI readers in both weeks. */
const situations: Record<string, Partial<Sample>> = {
  grows: {
    totals: counts(1_300, 330, 1_590),
    pages: [page('/', 900, 890), page('/guides/webhooks', 630, 260)],
  },
  falls: { totals: counts(800, 200, 970), pages: [page('/', 700, 890), page('/changelog', 41, 160)] },
  stays: { totals: counts(1_004, 251, 1_225) },
  'stays exactly': {},
  'grows within normal variation': { totals: counts(1_050, 255, 1_270) },
  doubles: { totals: counts(2_000, 500, 2_440) },
  'grows a thousandfold': { totals: counts(90_000, 12_000, 101_000), ...against(80, 11, 90) },
  'is tiny and grows': { totals: counts(9, 2, 11), ...against(5, 1, 6), pages: [page('/', 9, 5)] },
  'is tiny and falls': { totals: counts(75, 5, 80), ...against(100, 6, 105), pages: [page('/', 60, 80)] },
  'is huge and hardly changes': { totals: counts(10_030_000, 0), ...against(10_000_000, 0) },
  'has one visitor': { totals: counts(1, 0, 1), ...against(1, 0, 1), pages: [page('/', 1, 1)] },
  'had no visitors before': { totals: counts(140, 30, 165), ...against(0, 0), pages: [page('/', 140, null)] },
  'has no visitors now': { totals: nobody, ...against(900, 100), pages: [page('/', null, 900)] },
  'has no visitors at all': { totals: nobody, ...against(0, 0), pages: none },
  'has only AI readers': {
    totals: counts(0, 500),
    ...against(0, 300),
    pages: [page('/llms.txt', 500, 300, 500)],
  },
  'gets its first AI readers': { totals: counts(1_000, 60, 1_050), ...against(1_000, 0, 1_000) },
  'grows by AI readers alone': { totals: counts(1_002, 402, 1_390) },
  'loses people and gains AI readers': { totals: counts(800, 460, 1_230) },
  'loses AI readers': { totals: counts(1_010, 120, 1_110) },
  'is dominated by one page': {
    totals: counts(9_000, 250, 9_200),
    pages: [page('/blog/launch', 8_400, 40), ...steadyPages],
  },
  'has a new page': { pages: [...steadyPages, page('/guides/agents', 512, null)] },
  'has a page without visitors now': { pages: [...steadyPages, page('/guides/old', null, 75)] },
  'has changes of every kind': {
    pages: [
      page('/up', 900, 400),
      page('/down', 100, 500),
      page('/x/new', 310, null),
      page('/y/gone', null, 75),
    ],
  },
  'raises an alert': {
    totals: counts(700, 260, 930),
    pages: [page('/', 500, 890), page('/pricing', 30, 210)],
  },
  'raises an alert exactly at the threshold': { totals: counts(800, 250, 1_020) },
  'stays just above the alert': { totals: counts(80_040, 250, 80_200), ...against(100_000, 250, 100_100) },
  'raises an alert on small numbers': { totals: counts(75, 6, 80), ...against(100, 6, 105), pages: none },
  'raises an alert at a fine threshold': {
    totals: counts(92_700, 0),
    ...against(100_000, 0),
    alertDrop: 0.0725,
  },
  'raises an alert while AI readers grow': { totals: counts(600, 900, 1_450) },
  'loses everyone, with an alert': { totals: nobody, pages: [page('/', null, 890)], alertDrop: 0.5 },
  'was read in part': { gap: budget },
  'was read in part the week before': {
    compared: { totals: counts(1_000, 250, 1_220), gap: { why: 'shifting' } },
  },
  'could not be compared': { compared: failedWith('Too many requests') },
  'is not compared': { compared: budget },
  'is not compared and has no visitors': { compared: budget, totals: nobody, pages: none },
  'is narrowed to pages that changed': {
    paths: ['/guides/webhooks'],
    pages: [...steadyPages, page('/guides/webhooks', 630, 260)],
  },
  'is narrowed to nothing': { paths: ['/nope/**'] },
  'has an exclude that matches nothing': { paths: ['!/nope/**'] },
  'is a month, compared with a shorter one': {
    period: october,
    totals: counts(3_100, 775, 3_800),
    ...against(3_000, 750, 3_600),
    pages: [page('/', 900, 871), page('/guides/webhooks', 1_240, 600)],
  },
  'is a month with as many visitors as the shorter one': {
    period: october,
    totals: counts(30_000, 0),
    ...against(30_000, 0),
    pages: none,
  },
  'has hostile paths': { pages: [page('@octocat/\u202Egnp\n=cmd()', 600, 90), page('</b>| x |', 30, 400)] },
}

const base: Partial<Sample> = {
  totals: counts(1_000, 250, 1_220),
  ...against(1_000, 250, 1_220),
  pages: steadyPages,
  trend: 0,
}
const reportOf = (situation: Partial<Sample>) => aReport({ ...base, ...situation })

/** What readers see of a report: its headline, what it lacks, the colors of the totals, and what moved. */
function seenOf(report: VisitorsReport): string {
  const then = previousOf(report)?.totals
  const side = { up: '▲', down: '▼', level: '·' }
  const totals = columns.map((column) => {
    const change = then && columnChange(column, report.current.totals, then, report.scale)
    return change
      ? `${column.title} ${side[change.direction]} ${change.text}${change.isSmall ? ' small' : ''}`
      : column.title
  })
  const { movers } = report
  const moved = (movers ?? []).map((each) => `${each.move} ${each.path}`)
  return [
    `${plainHeadline(report)} (${plainHeadline(report).length})`,
    ...gapSentences(report, jobRef),
    ...unmatchedSentences(report),
    `  ${totals.join(', ')}`,
    `  ${movers === null ? 'movers unknown' : moved.join(', ') || 'no movers'}`,
  ].join('\n')
}

it('the headline says what is news in each situation', () => {
  const seen = Object.entries(situations).map(
    ([name, situation]) => `A site ${name}:\n${seenOf(reportOf(situation))}`,
  )
  expect(seen.length).toBeGreaterThanOrEqual(40)
  expect(`\n${seen.join('\n\n')}\n`).toMatchSnapshot()
})

const check = (property: (report: VisitorsReport, text: string) => void) =>
  fc.assert(
    fc.property(fc.oneof(anySample, closeSample), (sample) => {
      const report = aReport({
        ...sample,
        pages: (sample.pages ?? []).map((each, at) => ({ ...each, path: `/p${at}` })),
      })
      property(report, plainHeadline(report))
    }),
    runs(40),
  )
/** Two similar weeks, like most real ones. */
const near = fc.tuple(fc.nat(3_000), fc.double({ min: 0.5, max: 1.6, noNaN: true }))
const closeSample = fc
  .record({
    people: near,
    ai: near,
    pages: fc.array(near, { maxLength: 8 }),
    alertDrop: fc.constantFrom(null, 0.05, 0.2),
  })
  .map(
    ({ people: [human, growth], ai: [ai, aiGrowth], pages, alertDrop }): Partial<Sample> => ({
      alertDrop,
      totals: counts(Math.round(human * growth), Math.round(ai * aiGrowth)),
      compared: { totals: counts(human, ai), gap: null },
      pages: pages.map(([then, by], at) => page(`/p${at}`, Math.round(then * by), then)),
    }),
  )

describe('the headline', () => {
  it('the headline is one sentence of at most 90 characters, whatever the pages are called', () => {
    fc.assert(
      fc.property(anySample, (sample) => {
        const text = plainHeadline(aReport(sample))
        expect(text.length).toBeLessThanOrEqual(headlineLimit)
        expect(text).toMatch(/[.…]$/)
        expect(text).not.toMatch(/undefined|NaN|Infinity|null/)
      }),
      runs(60),
    )
  })

  it('the headline is about an alert if and only if one was raised', () => {
    check((report, text) => {
      expect(text.includes('alert at')).toBe(report.alerts.length > 0)
    })
  })
})

describe('the verdict, the totals and the tables', () => {
  /** What the totals say about a group of visitors. */
  function stripOf({ current, scale }: VisitorsReport, then: VisitorCounts, name: string) {
    const column = columns.find(({ title }) => title.toLowerCase() === name.toLowerCase())
    if (column === undefined) throw new Error(name)
    return { ...columnChange(column, current.totals, then, scale), value: valueText(column, current.totals) }
  }
  const withTotals = (property: (report: VisitorsReport, text: string, then: VisitorCounts) => void) =>
    check((report, text) => {
      const then = previousOf(report)?.totals
      if (then !== undefined && then.total > 0) property(report, text, then)
    })

  it('the verdict, the totals and the tables agree about each group of visitors', () => {
    withTotals((report, text, then) => {
      const named = /(human visitors|visitors|AI readers) (rose|fell)(?: by ([\d,.]+%))?(?: to ([\d,]+))?/gi
      const sides = { rose: 'up', fell: 'down' }
      for (const [, name = '', way = '', by, to] of text.matchAll(named)) {
        const { direction, value, ...strip } = stripOf(report, then, name)
        // A fall can raise an alert even if it is small enough to be chance.
        const isSmall = report.alerts.length > 0 && direction === 'level'
        expect(isSmall ? 'down' : direction).toBe(sides[way as keyof typeof sides])
        const change = strip.text.replace(/^[+\u2212]/, '')
        expect([by ?? change, to ?? value]).toEqual([change, value])
      }
    })
  })

  it('the headline starts with the worst news, if there is any', () => {
    withTotals((report, text, then) => {
      const { movers, alerts } = report
      const isDown = ['Visitors', 'Human visitors', 'AI readers'].some(
        (name) => stripOf(report, then, name).direction === 'down',
      )
      const isWorse = movers?.some(({ move }) => move === 'falls' || move === 'gone')
      if (isDown || alerts.length > 0) expect(text).toMatch(/^(Human visitors|Visitors|AI readers) fell/)
      else if (isWorse) expect(text).toMatch(/^\/p\d+ (lost|has no visitors now)/)
      else expect(text).not.toMatch(/ (fell|lost) /)
    })
  })

  it('the headline and the tables name the same pages, or none if none stands out', () => {
    withTotals((report, text) => {
      const moves: Record<string, Move> = {
        lost: 'falls',
        gained: 'rises',
        'is new': 'new',
        'has no': 'gone',
      }
      const summary = textOf(render(reportMarkdown(report, jobRef)))
      expect(summary).toContain(text)
      for (const [, path = '', said = ''] of text.matchAll(/(\/p\d+) (lost|gained|is new|has no)/g)) {
        expect(report.movers).toContainEqual(expect.objectContaining({ move: moves[said], path }))
        expect(summary.split('What moved')[1]).toContain(path)
      }
      if (!text.includes('no single page stands out')) return
      expect(report.movers).toEqual([])
    })
  })
})
