/** Sample visitors reports, built as the action builds them. */

import fc from 'fast-check'
import { demoReaders } from '../../sandbox/platform/demo-readers.ts'
import type { Gap } from '../../src/visitors/core/gap.ts'
import { PageCounts, PathBook } from '../../src/visitors/core/pages.ts'
import { type Period, periodBefore, periodsUpTo } from '../../src/visitors/core/period.ts'
import { buildReport, type PeriodReading, type VisitorsReport } from '../../src/visitors/core/report.ts'
import { readList, type SectionPart, type Site } from '../../src/visitors/core/section.ts'
import type { VisitorCounts } from '../../src/visitors/core/visitors.ts'
import { sections } from '../../src/visitors/sections/index.ts'
import { hostileText, urlPath } from '../core/samples.ts'
import { platform } from '../say/samples.ts'

/** A page's counts in both periods; null if the page is not among those that were read. */
export interface SamplePage {
  path: string
  now: VisitorCounts | null
  before: VisitorCounts | null
}

export interface Sample {
  pages: SamplePage[]
  period: Period
  totals: VisitorCounts
  gap: Gap | null
  /** The previous period; only a `Gap` if none of it was read. */
  compared: Gap | { totals: VisitorCounts; gap: Gap | null }
  /** Totals of the periods before the previous one, oldest first; null if one was not read. */
  earlier: (VisitorCounts | null)[]
  /** Maximum number of points in the chart, including both periods. */
  trend: number
  siteUrl: string | null
  projectId: string
  alertDrop: number | null
  paths: string[]
  parts: SectionPart[]
}

export const counts = (human: number, ai = 0, total = human + ai): VisitorCounts => ({ human, ai, total })
export const nobody = counts(0, 0)
export const page = (path: string, now: number | null, earlier: number | null, ai = 0): SamplePage => ({
  path,
  now: now === null ? null : counts(now - ai, ai),
  before: earlier === null ? null : counts(earlier, 0),
})

const week: Period = { from: '2026-11-09', to: '2026-11-16' }
export const budget: Gap = { why: 'budget' }
export const failedWith = (detail: string): Gap => ({
  why: 'failed',
  problem: platform('visitors', { kind: 'rejected', status: 403, detail }),
})

/** A week of a small site, complete and compared with the previous one. */
const sample: Sample = {
  pages: [
    page('/', 900, 880, 90),
    page('/guides/streaming', 310, null, 120),
    page('/llms.txt', 240, 120, 236),
    page('/changelog', 41, 160),
    page('/old', null, 75),
    page('/tail', 3, 2),
  ],
  period: week,
  totals: counts(1_203, 402, 1_551),
  gap: null,
  compared: { totals: counts(1_180, 257, 1_402), gap: null },
  earlier: [counts(1_100, 180, 1_260), counts(1_120, 201, 1_300)],
  trend: 4,
  siteUrl: 'https://docs.example.com/docs',
  projectId: 'docs',
  alertDrop: 0.2,
  paths: [],
  parts: [],
}

export function aReport(more: Partial<Sample> = {}): VisitorsReport {
  const { pages, period, totals, gap, compared, earlier, trend, alertDrop, ...rest } = { ...sample, ...more }
  const book = new PathBook()
  const reading = (of: Period, which: 'now' | 'before', more: Pick<PeriodReading, 'totals' | 'gap'>) => {
    const counted = new PageCounts()
    for (const each of pages) {
      const id = book.idOf(each.path)
      if (each[which] !== null) counted.set(id, each[which])
    }
    return { period: of, pages: counted, ...more }
  }
  const current = reading(period, 'now', { totals, gap })
  const previous = periodBefore(period)
  const known = [...earlier, 'totals' in compared ? compared.totals : null, totals]
  return buildReport(
    {
      ...rest,
      current,
      book,
      generatedAt: Date.parse('2026-11-16T06:00:00Z'),
      compared: comparisonOf(),
      trend: periodsUpTo(period, trend).map((of, at) => ({
        period: of,
        totals: known.at(at - trend) ?? null,
      })),
      requests: { used: 16, limit: 40 },
      command: '/docs',
    },
    alertDrop,
  )

  function comparisonOf(): VisitorsReport['compared'] {
    if ('why' in compared) return { kind: 'unread', period: previous, gap: compared }
    return { kind: 'read', reading: reading(previous, 'before', compared) }
  }
}

const anyCount = fc.oneof(
  fc.nat(60),
  fc.nat(1_000_000),
  fc.double({ min: -100, max: 100_000, noNaN: true }).map((count) => count + 0),
  fc.constant(Number.MAX_SAFE_INTEGER),
)
const anyCounts: fc.Arbitrary<VisitorCounts> = fc.record({
  human: anyCount,
  ai: anyCount,
  total: anyCount,
})

/** Realistic paths, and harmful ones. */
const anyPath: fc.Arbitrary<string> = fc.oneof(
  urlPath,
  hostileText,
  hostileText.map((text) => `/${text}`),
  fc.constantFrom(
    ...'/ //evil.example/x /../../outside /../docs-evil /%2e%2e/x /\\..\\x @evil.example/ .evil.example/'.split(
      ' ',
    ),
    ...':80/x ?x #x javascript:alert(1) </table> </details> =1+1 +1 -1 @SUM(1) \uFF1D1 \'=1 "'.split(' '),
    ...['', '| a | b |', '\t=1', '\r=1', '""', '</script>', '<!--'],
  ),
  fc
    .tuple(hostileText, fc.nat(3))
    .map(([text, at]) => `/${text || 'x'}${at}`.repeat(10_000).slice(0, 10_000)),
)

const anyGap: fc.Arbitrary<Gap> = fc.oneof(
  fc.constantFrom<Gap>(budget, { why: 'moving' }, { why: 'empty-page' }, { why: 'offset-ignored' }),
  hostileText.map(failedWith),
)
const anyPage = fc.record({
  path: anyPath,
  now: fc.option(anyCounts, { freq: 4 }),
  before: fc.option(anyCounts, { freq: 4 }),
})

/** A sample of any report; `aReport` builds the report from it. */
export const anySample: fc.Arbitrary<Partial<Sample>> = fc.record({
  pages: fc.uniqueArray(anyPage, { selector: ({ path }) => path, maxLength: 12 }),
  totals: fc.oneof(anyCounts, fc.constant(nobody)),
  gap: fc.option(anyGap, { freq: 2, nil: null }),
  compared: fc.oneof(
    anyGap,
    fc.record({ totals: anyCounts, gap: fc.constant(null) }),
    fc.record({ totals: anyCounts, gap: anyGap }),
  ),
  earlier: fc.array(fc.option(anyCounts, { freq: 4 }), { maxLength: 6 }),
  trend: fc.integer({ min: 1, max: 8 }),
  siteUrl: fc.constantFrom(
    null,
    'https://docs.example.com',
    'https://docs.example.com/docs',
    'http://localhost:3000/a/b',
  ),
  projectId: hostileText,
  alertDrop: fc.constantFrom(null, 0.05, 1),
})

/** A site with these visitors by path. */
export function aSite(visitors: Record<string, number>, more: Partial<Site> = {}): Site {
  const pages = Object.entries(visitors).map(([path, count]) => ({ path, visitors: count }))
  return {
    pages: () => pages,
    isComplete: true,
    isListed: () => true,
    url: 'https://docs.example.com',
    ...more,
  }
}

/** The platform's rows, by path of the list; null for a list that is missing. */
export interface Replies {
  'feedback/by-page'?: unknown[] | null
  /** The same rows for each source. */
  feedback?: unknown[] | null
  searches?: unknown[] | null
  assistant?: unknown[] | null
}

/** What the sections say about these responses. */
export function readParts(replies: Replies, site = aSite({}), names = sections.map(({ name }) => name)) {
  return Promise.all(
    sections
      .filter(({ name }) => names.includes(name))
      .map((section) =>
        section.read(async (list) => {
          const rows = replies[list.path as keyof Replies] ?? null
          const read = rows && readList(list, { [list.rows]: rows })
          return read || { kind: 'missing', gap: budget }
        }, site),
      ),
  )
}

const words = demoReaders('2026-11-23')('2026-11-16', '2026-11-23')
/** What the readers of the demo site say. */
export const demoParts = await readParts(
  {
    'feedback/by-page': words.votes,
    feedback: words.comments.filter(({ source }) => source === 'contextual'),
    searches: words.searches,
    assistant: words.conversations,
  },
  aSite({
    '/guides/migrate-to-v3': 152,
    '/api-reference/webhooks': 512,
    '/installation': 1200,
    '/pricing': 90,
  }),
)
