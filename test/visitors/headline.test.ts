/** The report's headline and movers in each situation; the snapshot is for an editor to read. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { warningsOf } from '../../src/visitors/compose.ts'
import { groups, headline, headlineLimit, plainHeadline } from '../../src/visitors/headline.ts'
import { changeOfTotals, type VisitorsReport } from '../../src/visitors/report.ts'
import { runs } from '../core/samples.ts'
import { anySample, aReport, budget, counts, nobody, page, type Sample, unread } from './samples.ts'

const against = (human: number, ai: number, total = human + ai) => ({
  previous: { totals: counts(human, ai, total), gap: null },
})
const steadyPages = [page('/', 900, 890), page('/quickstart', 410, 400)]
const october = { from: '2026-10-01', to: '2026-11-01', isMonth: true } as const

/** Each situation lists its differences from a site with 1,000 human visitors and 250 AI readers in both weeks. */
const situations: Record<string, Partial<Sample>> = {
  grows: {
    totals: counts(1_300, 330, 1_590),
    pages: [page('/', 900, 890), page('/guides/webhooks', 630, 260)],
  },
  falls: { totals: counts(800, 200, 970), pages: [page('/', 700, 890), page('/changelog', 41, 160)] },
  'had no visitors before': { totals: counts(140, 30, 165), ...against(0, 0), pages: [page('/', 140, null)] },
  'has no visitors at all': { totals: nobody, ...against(0, 0), pages: [] },
  'gets its first AI readers': { totals: counts(1_000, 60, 1_050), ...against(1_000, 0, 1_000) },
  'has a new page': { pages: [...steadyPages, page('/guides/agents', 512, null)] },
  'stays just above the alert': { totals: counts(80_040, 250, 80_200), ...against(100_000, 250, 100_100) },
  'was read in part': { gap: budget },
  'could not be compared': { previous: unread({ reason: 'Mintlify did not respond' }) },
  'has globs that match nothing': { paths: ['/', '!/nope/**'] },
  'is a month, compared with a shorter one': {
    period: october,
    totals: counts(3_100, 775, 3_800),
    ...against(3_000, 750, 3_600),
    pages: [page('/', 900, 871), page('/guides/webhooks', 1_240, 600)],
  },
  'is a month that loses visitors': {
    period: october,
    totals: counts(20_000, 0),
    ...against(30_000, 0),
    pages: [page('/guides/authentication', null, 4_400)],
  },
  'raises an alert, and loses a page with a long path': {
    totals: counts(700, 250, 940),
    pages: [page(`/guides/${'a-very-long-name-'.repeat(8)}`, 20, 700)],
  },
  'has hostile paths': { pages: [page('@octocat/\u202Egnp\n=cmd()', 600, 90), page('</b>| x |', 30, 400)] },
}

const base: Partial<Sample> = {
  totals: counts(1_000, 250, 1_220),
  ...against(1_000, 250, 1_220),
  pages: steadyPages,
}

/** What readers see of a report: its headline, what it lacks, and what moved. */
function seenOf(report: VisitorsReport): string {
  const moved = report.movers.map(({ path, change }) => `${path} ${change.difference}`)
  const text = plainHeadline(report)
  return [`${text} (${text.length})`, ...warningsOf(report), `  ${moved.join(', ') || 'no movers'}`].join(
    '\n',
  )
}

it('the headline says what is news in each situation', () => {
  const seen = Object.entries(situations).map(
    ([name, situation]) => `A site ${name}:\n${seenOf(aReport({ ...base, ...situation }))}`,
  )
  expect(`\n${seen.join('\n\n')}\n`).toMatchSnapshot()
})

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
      previous: { totals: counts(human, ai), gap: null },
      pages: pages.map(([then, by], at) => page(`/p${at}`, Math.round(then * by), then)),
    }),
  )
const check = (
  sample: fc.Arbitrary<Partial<Sample>>,
  property: (report: VisitorsReport, text: string) => void,
) =>
  fc.assert(
    fc.property(sample, (each) => {
      const report = aReport(each)
      property(report, plainHeadline(report))
    }),
    runs(30),
  )

describe('the headline', () => {
  it('the headline is one sentence of at most 90 characters, whatever the pages are called', () => {
    check(fc.oneof(anySample, closeSample), (_, text) => {
      expect(text.length).toBeLessThanOrEqual(headlineLimit)
      expect(text).toMatch(/^.+[.…]$/u)
      expect(text).not.toMatch(/undefined|NaN|Infinity|null/)
    })
  })

  it('the headline starts with the worst news, and names the page that lost most', () => {
    check(closeSample, (report, text) => {
      expect(text).toMatch(/^[A-Z\d/]/)
      const change = changeOfTotals(report, 'visitors')
      if (!change?.before || change.now === 0) return
      const fallen = report.movers.find(({ change }) => change.direction === 'down')
      const pages = headline(report).flatMap(({ page }) => page ?? [])
      if (fallen !== undefined) expect(pages).toEqual([fallen.path])
      const isDown = groups.some(([key]) => changeOfTotals(report, key)?.direction === 'down')
      if (isDown || report.alerts.length > 0)
        expect(text).toMatch(/^(Human visitors|Total visitors|AI readers) fell/)
      else if (fallen !== undefined) expect(text).toMatch(/^\/p\d+ lost/)
      else expect(text).not.toMatch(/ (fell|lost) /)
    })
  })
})
