/** Readings of a small site, as input for reports. */

import type { Gap } from '../../../src/visitors/core/gap.ts'
import { PageCounts, PathBook } from '../../../src/visitors/core/pages.ts'
import { periodBefore } from '../../../src/visitors/core/period.ts'
import type { PeriodReading, ReportReading } from '../../../src/visitors/core/report.ts'
import type { VisitorCounts } from '../../../src/visitors/core/visitors.ts'
import { counts } from '../samples.ts'

const week = { from: '2026-10-26', to: '2026-11-02' }
export const weekBefore = periodBefore(week)

/** Human visitors by path. */
function pagesOf(book: PathBook, people: Record<string, number>): PageCounts {
  const pages = new PageCounts()
  for (const [path, human] of Object.entries(people)) pages.set(book.idOf(path), counts(human))
  return pages
}

export interface Site {
  totals?: VisitorCounts
  people?: Record<string, number>
  gap?: Gap | null
}

export function readingOf(book: PathBook, { totals, people, gap }: Site, period = week): PeriodReading {
  return { period, totals: totals ?? counts(100), pages: pagesOf(book, people ?? {}), gap: gap ?? null }
}

/** What was read about a site this week and the week before; `then` is null if that week could not be read. */
export function partsOf(now: Site, then: Site | null, book = new PathBook()): ReportReading {
  const current = readingOf(book, now)
  return {
    projectId: 'docs',
    siteUrl: null,
    generatedAt: Date.UTC(2026, 10, 2),
    current,
    compared:
      then === null
        ? { kind: 'unread', period: weekBefore, gap: { why: 'budget' } }
        : { kind: 'read', reading: readingOf(book, then, weekBefore) },
    trend: [{ period: week, totals: current.totals }],
    paths: [],
    book,
    requests: { used: 2, limit: 40 },
    parts: [],
    command: '/docs',
  }
}
