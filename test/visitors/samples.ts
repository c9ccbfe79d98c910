/** Sample visitors reports, built as the action builds them. */
import fc from 'fast-check'
import { demoReaders } from '../../sandbox/platform/demo-readers.ts'
import { createClock } from '../../src/adapters/clock.ts'
import type { VisitorCounts } from '../../src/visitors/figures.ts'
import { type Period, periodBefore, periodsBefore } from '../../src/visitors/period.ts'
import {
  buildReport,
  type Gap,
  type PeriodReading,
  type ReportRequest,
  type VisitorsReport,
} from '../../src/visitors/report.ts'
import { listingOf, type SectionPart, type Site } from '../../src/visitors/section.ts'
import { sections } from '../../src/visitors/sections/index.ts'
import { hostileText, urlPath } from '../core/samples.ts'
import { mintlifyOn, type Platform } from '../run/mintlify.ts'
import { quiet } from '../run/step.ts'
import { answer } from '../run/world.ts'

/** A page's counts in both periods; null if the page is not among those that were read. */
export interface SamplePage {
  path: string
  now: VisitorCounts | null
  before: VisitorCounts | null
}

type SampleReading = Pick<PeriodReading, 'totals' | 'gap'>

export interface Sample extends SampleReading, Omit<ReportRequest, 'sections' | 'maxRequests' | 'command'> {
  pages: SamplePage[]
  previous: SampleReading
  /** Totals of the periods before the previous one, oldest first; null if one was not read. */
  earlier: (VisitorCounts | null)[]
  parts: SectionPart[]
  views: VisitorsReport['views']
}

export const counts = (humanVisitors: number, aiVisitors = 0, visitors = humanVisitors + aiVisitors) => ({
  visitors,
  humanVisitors,
  aiVisitors,
})
export const nobody = counts(0)
export const page = (path: string, now: number | null, earlier: number | null, ai = 0): SamplePage => ({
  path,
  now: now === null ? null : counts(now - ai, ai),
  before: earlier === null ? null : counts(earlier),
})

export const budget: Gap = { reason: 'all requests allowed by max-requests were used up' }
/** The previous period, if none of it was read. */
export const unread = (gap: Gap = budget) => ({ totals: null, gap })

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
  period: { from: '2026-11-09', to: '2026-11-16' },
  totals: counts(1_203, 402, 1_551),
  gap: null,
  previous: { totals: counts(1_180, 257, 1_402), gap: null },
  earlier: [counts(1_100, 180, 1_260), counts(1_120, 201, 1_300)],
  siteUrl: 'https://docs.example.com/docs',
  projectId: 'docs',
  alertDrop: 0.2,
  paths: [],
  parts: [],
  views: { now: 2_900, before: 2_700 },
}

export function aReport(more: Partial<Sample> = {}): VisitorsReport {
  const { pages, totals, gap, previous, earlier, parts, views, ...request } = { ...sample, ...more }
  const reading = (period: Period, which: 'now' | 'before', read: SampleReading): PeriodReading => {
    const counted = pages.flatMap((each) => (each[which] === null ? [] : [[each.path, each[which]] as const]))
    return { period, pages: new Map(counted), ...read }
  }
  const current = reading(request.period, 'now', { totals, gap })
  const compared = reading(periodBefore(request.period), 'before', previous)
  const past = periodsBefore(compared.period, earlier.length).reverse()
  const known = [...past.map((period, at) => ({ period, totals: earlier[at] ?? null })), compared, current]
  return buildReport(
    { ...request, sections: new Set(), maxRequests: 40, command: null },
    {
      current,
      previous: compared,
      parts,
      views,
      trend: known.flatMap(({ period, totals }) => (totals === null ? [] : { period, totals })),
      requests: 16,
      generatedAt: Date.parse('2026-11-16T06:00:00Z'),
    },
  )
}

const anyCount = fc.oneof(
  fc.nat(60),
  fc.nat(1_000_000),
  fc.double({ min: -100, max: 100_000, noNaN: true }).map((count) => count + 0),
  fc.constant(Number.MAX_SAFE_INTEGER),
)
const anyCounts = fc.tuple(anyCount, anyCount, anyCount).map((all) => counts(...all))

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

const anyGap = fc.option(fc.constant(budget), { freq: 2, nil: null })
const anyPage = fc.record({
  path: anyPath,
  now: fc.option(anyCounts, { freq: 4 }),
  before: fc.option(anyCounts, { freq: 4 }),
})

/** A sample of any report; `aReport` builds the report from it. */
export const anySample: fc.Arbitrary<Partial<Sample>> = fc.record({
  pages: fc.uniqueArray(anyPage, { selector: ({ path }) => path, maxLength: 12 }),
  totals: fc.oneof(anyCounts, fc.constant(nobody)),
  gap: anyGap,
  previous: fc.oneof(fc.constant(unread()), fc.record({ totals: anyCounts, gap: anyGap })),
  earlier: fc.array(fc.option(anyCounts, { freq: 4 }), { maxLength: 6 }),
  siteUrl: fc.constantFrom(
    null,
    'https://docs.example.com',
    'https://docs.example.com/docs',
    'http://localhost:3000/a/b',
  ),
  projectId: hostileText,
  alertDrop: fc.constantFrom(null, 0.05, 1),
})

/** The platform's rows, by path of the list; those of `feedback` are the same for each source. */
export type Replies = Partial<Record<'feedback/by-page' | 'feedback' | 'searches' | 'assistant', unknown[]>>

/** What the sections say about these responses, on a site with these visitors by path. */
export function readParts(
  replies: Replies,
  visitors: Record<string, number> = {},
  { siteUrl = 'https://docs.example.com', paths = [] }: Partial<Pick<Sample, 'siteUrl' | 'paths'>> = {},
): Promise<SectionPart[]> {
  const onPlatform: Platform = async ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'https://x.example')
    const list = pathname.replace('/v1/analytics/docs/', '')
    const rows = replies[list as keyof Replies]
    const limit = Number(searchParams.get('limit'))
    const shown = rows?.slice(0, limit)
    const isCut = rows !== undefined && rows.length > limit
    const more = list === 'searches' ? { nextCursor: isCut ? 'x' : null } : { hasMore: isCut }
    return answer(200, { feedback: shown, searches: shown, conversations: shown, ...more })
  }
  // Nothing is repeated.
  const mintlify = mintlifyOn(onPlatform, { ...quiet, clock: createClock(), deadline: 0 })
  const analytics = mintlify.analytics({ from: '2026-11-09', to: '2026-11-16' }, () => true)
  const site: Site = {
    analytics,
    async read(name, call) {
      const reply = await call()
      if (!reply.ok) return { entries: [], gap: `The ${name} are missing.` }
      return listingOf(name, reply.value, { siteUrl, paths })
    },
    visitorsOf: (path) => visitors[path ?? ''] ?? null,
  }
  return Promise.all(Object.values(sections).map(async (load) => (await load()).section(site)))
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
  {
    '/guides/migrate-to-v3': 152,
    '/api-reference/webhooks': 512,
    '/installation': 1200,
    '/pricing': 90,
  },
)
