/**
 * The made-up traffic of a documentation site. Nothing here comes from real visitors. Each page's visits on a day are
 * drawn from a hash, so that a day has the same visits in every period that contains it.
 */
import type { VisitorCounts, VisitorRow, VisitorsSource } from './analytics.ts'
import demo from './demo.json' with { type: 'json' }

const dayMs = 86_400_000
/** Each year multiplies the visits by this. */
const growth = { human: 1.2, ai: 3 }
/** Visits by people from Sunday to Saturday, relative to an ordinary weekday. */
const week = [0.4, 1, 1.08, 1.1, 1.04, 0.88, 0.36]

interface Page {
  path: string
  /** The fraction of its visits that are by AI readers. */
  ai: number
  /** Factors for its visits before and since the Monday of the last full week: one page launches, one is renamed, … */
  before?: number
  since?: number
}

/** Most visited first: the best-known pages, then a page for each topic in each section. */
const site: Page[] = [
  ...demo.pages,
  ...demo.topics.flatMap((topic) => [
    ...demo.sections.map((section) => ({ path: `${section}/${topic}`, ai: 0.4 })),
    ...demo.actions.map((action) => ({ path: `/api-reference/${topic}/${action}`, ai: 0.65 })),
  ]),
]

/** Visitors of a made-up documentation site, always the same for the same dates. `today` and later days do not have visits. */
export function seededTraffic(today = '2026-11-23'): VisitorsSource {
  const end = dayOf(today)
  const eventDay = end - ((new Date(today).getUTCDay() + 6) % 7) - 7
  return (dateFrom, dateTo) => {
    const from = dayOf(dateFrom)
    const length = Math.max(0, Math.min(dayOf(dateTo), end) - from)
    const days = Array.from({ length }, (_, at) => from + at)
    const all = { human: 0, ai: 0 }
    const rows = site.flatMap(({ path, ai, before = 1, since = 1 }, rank): VisitorRow[] => {
      // Zipf's law with Mandelbrot's shift, steep enough that the least visited pages have days without visits.
      const usual = 60_000 * (rank + 12) ** -1.8
      const visits = { human: 0, ai: 0 }
      for (const day of days) {
        const mean = usual * (day < eventDay ? before : since)
        const age = (day - end) / 365
        const weekday = week[new Date(day * dayMs).getUTCDay()] ?? 1
        visits.human += drawn(mean * (1 - ai) * weekday * growth.human ** age, hash(rank, 2 * day))
        visits.ai += drawn(mean * ai * growth.ai ** age, hash(rank, 2 * day + 1))
      }
      all.human += visits.human
      all.ai += visits.ai
      return visits.human + visits.ai > 0 ? [{ path, ...visitors(visits) }] : []
    })
    return { totals: visitors(all), rows }
  }
}

/**
 * Unique visitors, which grow more slowly than visits, like distinct words in a text (Heaps' law). So a longer period has
 * at least as many visitors as a shorter one, and the site at least as many as each page.
 */
function visitors(visits: { human: number; ai: number }): VisitorCounts {
  const human = Math.ceil(visits.human ** 0.85)
  const ai = Math.ceil(visits.ai ** 0.85)
  return { human, ai, total: human + ai - Math.floor(0.04 * Math.min(human, ai)) }
}

/** A random whole number with this mean. `random` is in [0, 1). */
function drawn(mean: number, random: number): number {
  return Math.floor(mean * (0.9 + 0.2 * random) + random)
}

/** A number in [0, 1) from two whole numbers. */
function hash(one: number, other: number): number {
  return Math.abs(Math.sin(one * 12.9898 + other * 78.233) * 43_758.5453) % 1
}

/** Days since 1970-01-01. The time in a date-time is ignored. */
function dayOf(date: string): number {
  return Date.parse(date.slice(0, 10)) / dayMs
}
