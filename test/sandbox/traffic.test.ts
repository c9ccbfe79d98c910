import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededTraffic } from '../../sandbox/platform/traffic.ts'
import type { VisitorCounts, VisitorsSource } from '../../sandbox/platform/visitors.ts'

const today = '2026-11-23'
const site = seededTraffic({ today })
const lastWeek = site('2026-11-16', today)
const weekBefore = site('2026-11-09', '2026-11-16')

const kinds = ['human', 'ai', 'total'] as const
const nobody: VisitorCounts = { human: 0, ai: 0, total: 0 }

type Traffic = ReturnType<VisitorsSource>

function of(traffic: Traffic, path: string): VisitorCounts {
  return traffic.rows.find((row) => row.path === path) ?? nobody
}

function byPath({ rows }: Traffic): Map<string, VisitorCounts> {
  return new Map(rows.map((row) => [row.path, row]))
}

function sum(counts: readonly VisitorCounts[], kind: (typeof kinds)[number]): number {
  return counts.reduce((total, count) => total + count[kind], 0)
}

/** The date that many days before today. */
function daysAgo(days: number): string {
  return new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)
}

/** The ages of four days in the last year, the oldest first. */
const fourDays = fc
  .array(fc.nat(365), { minLength: 4, maxLength: 4 })
  .map((ages) => ages.sort((one, other) => other - one).map(daysAgo))

describe('a period', () => {
  test('is the same whenever and by whomever it is asked for', () => {
    expect(seededTraffic({ today })('2026-11-16', today)).toEqual(lastWeek)
    expect(site('2026-11-16', today)).toEqual(lastWeek)
  })

  test('is another with another seed', () => {
    expect(seededTraffic({ seed: 2, today })('2026-11-16', today).totals).not.toEqual(lastWeek.totals)
  })

  test('ends before dateTo', () => {
    expect(site('2026-11-16', '2026-11-16')).toEqual({ totals: nobody, rows: [] })
    expect(site('2026-11-17', '2026-11-16')).toEqual({ totals: nobody, rows: [] })
    expect(of(site('2026-11-15', '2026-11-16'), '/guides/agents')).toEqual(nobody)
    expect(of(site('2026-11-16', '2026-11-17'), '/guides/agents').total).toBeGreaterThan(0)
  })

  test('has date-times count as their days', () => {
    expect(site('2026-11-16T00:00:00Z', '2026-11-23T00:00:00.000+09:00')).toEqual(lastWeek)
  })

  test('has no visitors from today on, nor from before the records', () => {
    expect(site(today, '2027-01-01').rows).toEqual([])
    expect(site('2026-11-16', '2027-01-01')).toEqual(lastWeek)
    expect(site('2020-01-01', '2021-01-01').rows).toEqual([])
  })
})

describe('visitors', () => {
  test('are no fewer in a longer period, on no page and on the site', () => {
    fc.assert(
      fc.property(fourDays, ([first = '', second = '', third = '', last = '']) => {
        const inner = site(second, third)
        const outer = site(first, last)
        const pages = byPath(outer)
        for (const kind of kinds) {
          expect(outer.totals[kind]).toBeGreaterThanOrEqual(inner.totals[kind])
          expect(inner.rows.filter((row) => (pages.get(row.path)?.[kind] ?? 0) < row[kind])).toEqual([])
        }
      }),
      { numRuns: 20 },
    )
  })

  test('are whole numbers that fit each other, and the totals', () => {
    fc.assert(
      fc.property(fourDays, fc.constantFrom(3, 200, 1200), ([from = '', , , to = ''], pages) => {
        const { totals, rows } = seededTraffic({ pages, today })(from, to)
        const odd = [totals, ...rows].filter(
          ({ human, ai, total }) =>
            ![human, ai, total].every(Number.isSafeInteger) ||
            total < Math.max(human, ai) ||
            total > human + ai,
        )
        expect(odd).toEqual([])
        expect(rows.filter((row) => kinds.some((kind) => row[kind] > totals[kind]))).toEqual([])
        expect(rows.filter(({ total }) => total === 0)).toEqual([])
      }),
      { numRuns: 20 },
    )
  })

  test.each(kinds)('%s: come back on other days and go to several pages', (kind) => {
    const days = Array.from({ length: 7 }, (_, at) => site(daysAgo(7 - at), daysAgo(6 - at)))
    const totals = days.map((day) => day.totals)
    expect(lastWeek.totals[kind]).toBeLessThan(sum(totals, kind) * 0.9)
    expect(lastWeek.totals[kind]).toBeLessThan(sum(lastWeek.rows, kind) * 0.6)
    const more = lastWeek.rows.filter((row) => {
      const visits = days.map((day) => of(day, row.path))
      return row[kind] > sum(visits, kind)
    })
    expect(more).toEqual([])
  })

  test('are deduplicated across people and AI', () => {
    const { human, ai, total } = lastWeek.totals
    expect(total).toBeLessThan(human + ai)
    expect(total).toBeGreaterThan(0.9 * (human + ai))
  })
})

describe('pages', () => {
  test.each([0, 5, 100, 1200, 6000])('are no more than %i', (pages) => {
    const { rows } = seededTraffic({ pages, today })(daysAgo(365), today)
    expect(rows.length).toBeLessThanOrEqual(pages)
    expect(rows.length).toBeGreaterThanOrEqual(0.9 * pages)
    expect(new Set(rows.map(({ path }) => path)).size).toBe(rows.length)
    expect(rows.filter(({ path }) => !/^\/([a-z0-9.-]+(\/[a-z0-9.-]+)*)?$/.test(path))).toEqual([])
  })

  test('have a long tail, whose end nobody visits in a week', () => {
    const totals = lastWeek.rows.map(({ total }) => total).sort((one, other) => other - one)
    expect(totals.length).toBeGreaterThan(800)
    expect(totals.length).toBeLessThan(1100)
    expect(totals[0]).toBeGreaterThan(5 * (totals[49] ?? 0))
    expect(totals[49]).toBeGreaterThan(5 * (totals[399] ?? 0))
  })

  test('come in an order that is not that of their visitors or paths, and is always the same', () => {
    const paths = lastWeek.rows.map(({ path }) => path)
    expect(paths).not.toEqual(paths.toSorted())
    const top = lastWeek.rows.toSorted((one, other) => other.total - one.total).slice(0, 50)
    const early = top.filter(({ path }) => paths.indexOf(path) < paths.length / 2)
    expect(early.length).toBeGreaterThan(12)
    expect(early.length).toBeLessThan(38)
    const before = byPath(weekBefore)
    const now = byPath(lastWeek)
    expect(paths.filter((path) => before.has(path))).toEqual(
      [...before.keys()].filter((path) => now.has(path)),
    )
  })

  test('are read by AI to different degrees', () => {
    const shares = lastWeek.rows.filter(({ total }) => total >= 50).map(({ human, ai }) => ai / (human + ai))
    expect(Math.min(...shares)).toBeLessThan(0.2)
    expect(Math.max(...shares)).toBeGreaterThan(0.9)
    const shareIn = (section: string) => {
      const rows = lastWeek.rows.filter(({ path }) => path.startsWith(section))
      return sum(rows, 'ai') / (sum(rows, 'human') + sum(rows, 'ai'))
    }
    expect(shareIn('/api-reference/')).toBeGreaterThan(shareIn('/guides/') + 0.15)
  })
})

describe('the year', () => {
  const year = site(daysAgo(364), daysAgo(357)).totals

  test('has people grow slowly, and AI fast', () => {
    expect(lastWeek.totals.human / year.human).toBeGreaterThan(1.05)
    expect(lastWeek.totals.human / year.human).toBeLessThan(1.4)
    expect(lastWeek.totals.ai / year.ai).toBeGreaterThan(2)
  })

  test('has weekends, which AI minds less', () => {
    const [wednesday, sunday] = [site('2026-11-18', '2026-11-19').totals, site('2026-11-22', today).totals]
    expect(sunday.human).toBeLessThan(0.6 * wednesday.human)
    expect(sunday.ai).toBeLessThan(wednesday.ai)
    expect(sunday.ai / wednesday.ai).toBeGreaterThan(sunday.human / wednesday.human)
  })

  test('has holidays', () => {
    const { human } = site('2025-12-24', '2025-12-31').totals
    expect(human).toBeLessThan(0.7 * site('2025-12-10', '2025-12-17').totals.human)
    expect(human).toBeLessThan(0.7 * site('2026-01-07', '2026-01-14').totals.human)
  })
})

describe.each([1, 2, 3])('last week, with seed %i', (seed) => {
  const source = seededTraffic({ seed, today: '2026-03-05' })
  const now = source('2026-02-26', '2026-03-05')
  const before = source('2026-02-19', '2026-02-26')

  test('a page was launched, and is among the ten most visited', () => {
    const top = now.rows.toSorted((one, other) => other.total - one.total).slice(0, 10)
    expect(top.map(({ path }) => path)).toContain('/guides/agents')
    expect(of(source('2025-03-05', '2026-02-26'), '/guides/agents')).toEqual(nobody)
  })

  test('a page was renamed', () => {
    expect(of(now, '/guides/authentication')).toEqual(nobody)
    expect(of(before, '/guides/sign-in')).toEqual(nobody)
    expect(of(before, '/guides/authentication').total).toBeGreaterThan(100)
    expect(of(now, '/guides/sign-in').total).toBeGreaterThan(100)
  })

  test('a page fell', () => {
    const path = '/guides/migrate-to-v3'
    expect(of(now, path).total).toBeLessThan(0.5 * of(before, path).total)
  })

  test('a page rose, by its AI readers', () => {
    const path = '/api-reference/webhooks'
    expect(of(now, path).ai).toBeGreaterThan(3 * of(before, path).ai)
    expect(of(now, path).human).toBeLessThan(1.3 * of(before, path).human)
  })
})

test.each([
  ['a week', '2026-02-23', '2026-03-02', '2026-02-16'],
  ['28 days', '2026-02-05', '2026-03-05', '2026-01-08'],
  ['a month', '2026-02-01', '2026-03-01', '2026-01-01'],
])('the events begin with %s, if they are set to', (_, from, to, before) => {
  const source = seededTraffic({ today: '2026-03-05', events: from })
  expect(of(source(from, to), '/guides/sign-in').total).toBeGreaterThan(100)
  expect(of(source(before, from), '/guides/sign-in')).toEqual(nobody)
  expect(of(source(from, to), '/guides/authentication')).toEqual(nobody)
  // The days after the period have visitors, too, up to today.
  expect(source('2026-03-04', '2026-03-05').totals.total).toBeGreaterThan(500)
})
