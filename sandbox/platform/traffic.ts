/**
 * The made-up traffic of a documentation site. Nothing here comes from real visitors. Each page's visits on a day are
 * drawn from a hash, so that a day has the same visits in every period that contains it.
 */
import type { VisitorCounts, VisitorRow, VisitorsSource } from './visitors.ts'

export interface TrafficOptions {
  /** Different seeds make different sites; 1 by default. */
  seed?: number
  /** Number of pages, including those without visitors; 1200 by default. With fewer than 15, some events are missing. */
  pages?: number
  /** YYYY-MM-DD; 2026-11-23 by default. This day and later ones do not have visits. */
  today?: string
  /** YYYY-MM-DD, the day of the site's events; a week before `today` by default. */
  events?: string
}

/** Visits per day, or a factor for them. */
interface Rate {
  human: number
  ai: number
}

interface KnownPage {
  path: string
  /** The fraction of its visits that are by AI readers. */
  ai: number
  /** Factors for its visits before and after the site's events; 1 by default. */
  before?: Rate
  since?: Rate
}

interface Page extends KnownPage {
  /** The seed of its random draws. */
  key: number
  /** Visits on an ordinary weekday now. */
  visits: Rate
}

/** Average visits per page on an ordinary weekday. */
const visitsPerPage = 5
/** How many days ago the data starts, and how many days ago the site's events happened. */
const [daysKept, eventAge] = [400, 7]

/** Each year multiplies the visits by `growth`. `rhythm`: how much visits depend on working days, from 0 to 1. */
const habits = { human: { growth: 1.2, rhythm: 1 }, ai: { growth: 3, rhythm: 0.35 } }
/** Human visits from Sunday to Saturday, relative to an ordinary weekday. */
const week = [0.4, 1, 1.08, 1.1, 1.04, 0.88, 0.36]
const holidays = { from: '12-23', to: '01-02', factor: 0.4 }

const usual: Rate = { human: 1, ai: 1 }
const none: Rate = { human: 0, ai: 0 }

/** The best-known pages, most visited first. The site's events: one page launches, one is renamed, one falls, one rises. */
const knownPages: KnownPage[] = [
  { path: '/', ai: 0.1 },
  { path: '/quickstart', ai: 0.25 },
  { path: '/guides/agents', ai: 0.4, before: none },
  { path: '/installation', ai: 0.3 },
  { path: '/api-reference', ai: 0.55 },
  { path: '/llms.txt', ai: 0.97 },
  { path: '/guides/authentication', ai: 0.3, since: none },
  { path: '/guides/sign-in', ai: 0.3, before: none },
  { path: '/guides/migrate-to-v3', ai: 0.15, since: { human: 0.2, ai: 0.5 } },
  { path: '/changelog', ai: 0.1 },
  { path: '/pricing', ai: 0.2 },
  { path: '/api-reference/errors', ai: 0.65 },
  { path: '/openapi.json', ai: 0.95 },
  { path: '/api-reference/webhooks', ai: 0.45, since: { human: 1, ai: 5 } },
  { path: '/integrations', ai: 0.3 },
]

const topics = words(`accounts api-keys audit-logs billing builds comments deployments domains environments
  events exports files invitations invoices jobs members organizations projects roles search secrets sessions tags
  teams tokens usage users webhooks`)
const tools = words(`auth0 aws azure bitbucket cloudflare datadog discord docker figma github gitlab
  google-cloud grafana jira kubernetes linear netlify notion okta pagerduty postgres salesforce segment sentry slack snowflake
  stripe terraform vercel zapier`)
const releases = Array.from({ length: 30 }, (_, at) => `${3 - Math.floor(at / 10)}.${9 - (at % 10)}`)

/** `ai`: the fraction of visits by AI readers on a typical page of the section. */
const sections = [
  { paths: within('/guides', words('automate debug manage migrate secure'), topics, '-'), ai: 0.3 },
  { paths: within('/api-reference', topics, words('create list retrieve update delete'), '/'), ai: 0.65 },
  { paths: within('/concepts', topics), ai: 0.3 },
  { paths: within('/integrations', tools), ai: 0.35 },
  { paths: within('/sdks', words('go java php python ruby typescript'), topics, '/'), ai: 0.5 },
  { paths: within('/changelog', releases), ai: 0.1 },
]
const catalogue = sections.flatMap(({ paths, ai }) => paths.map((path) => ({ path, ai })))
const languages = ['', '/es', '/ja', '/de', '/fr', '/pt-br', '/zh']

/** Visitors of a made-up documentation site, always the same for the same options and dates. */
export function seededTraffic(options: TrafficOptions = {}): VisitorsSource {
  const { seed = 1, pages = 1200, today = '2026-11-23', events } = options
  const site = createSite(seed, pages)
  const end = dayOf(today)
  const eventDay = events === undefined ? end - eventAge : dayOf(events)
  const known = new Map<string, ReturnType<VisitorsSource>>()
  // Cached, because a period is read in several requests.
  return (dateFrom, dateTo) => {
    const period = `${dateFrom} ${dateTo}`
    const all = known.get(period) ?? visitorsOf(dateFrom, dateTo)
    known.set(period, all)
    return all
  }

  function visitorsOf(dateFrom: string, dateTo: string): ReturnType<VisitorsSource> {
    const from = Math.max(dayOf(dateFrom), end - daysKept)
    const length = Math.max(0, Math.min(dayOf(dateTo), end) - from)
    const tempos = Array.from({ length }, (_, at) => tempoOf(from + at, end, seed))
    const all = { human: 0, ai: 0 }
    const rows: VisitorRow[] = []
    for (const page of site) {
      const visits = { human: 0, ai: 0 }
      for (const [at, tempo] of tempos.entries()) {
        const day = from + at
        const event = (day < eventDay ? page.before : page.since) ?? usual
        visits.human += draw(page.visits.human * event.human * tempo.human, hash(page.key, 2 * day))
        visits.ai += draw(page.visits.ai * event.ai * tempo.ai, hash(page.key, 2 * day + 1))
      }
      all.human += visits.human
      all.ai += visits.ai
      if (visits.human + visits.ai > 0) rows.push({ path: page.path, ...visitors(visits) })
    }
    return { totals: visitors(all), rows }
  }
}

/**
 * Unique visitors, which grow more slowly than visits, like distinct words in a text (Heaps' law). The same curve
 * applies to a page and to the site. It is non-decreasing and subadditive. So a longer period has at least as many
 * visitors as a shorter one, the site at least as many as each page, and a week at most as many as its days together.
 */
function visitors(visits: Rate): VisitorCounts {
  const human = Math.ceil(visits.human ** 0.85)
  const ai = Math.ceil(visits.ai ** 0.85)
  const both = Math.floor(0.04 * Math.min(human, ai))
  return { human, ai, total: human + ai - both }
}

/** The pages in arbitrary order, as the platform returns them. */
function createSite(seed: number, count: number): Page[] {
  const ranked = [...knownPages, ...furtherPages(seed, count - knownPages.length)].slice(0, count)
  // Zipf's law with Mandelbrot's shift, steep enough that the least visited pages have days and weeks without visits.
  const weights = ranked.map((_, rank) => (rank + 12) ** -1.8)
  const visitsPerWeight = (visitsPerPage * count) / weights.reduce((sum, weight) => sum + weight, 0)
  const site = ranked.map((page, rank): Page => {
    const visits = (weights[rank] ?? 0) * visitsPerWeight
    return { ...page, key: hash(seed, rank), visits: { human: visits * (1 - page.ai), ai: visits * page.ai } }
  })
  return site.sort((one, other) => one.key - other.key)
}

/** The pages of the catalog, in as many editions as needed, most visited first. */
function furtherPages(seed: number, count: number): KnownPage[] {
  const wanted = Math.max(0, count)
  const editions = Array.from({ length: Math.ceil(wanted / catalogue.length) }, (_, edition) =>
    prefixOf(edition),
  )
  const pages = editions.flatMap((prefix, edition) =>
    catalogue.map(({ path, ai }, at) => {
      const [popularity, taste] = halves(hash(~seed, edition * catalogue.length + at))
      // A translation has fewer visits than the original, but its best pages have more than the worst pages of the original.
      return { path: prefix + path, ai: ai ** (0.4 + 1.2 * taste), place: popularity + 0.2 * edition }
    }),
  )
  return pages.sort((one, other) => one.place - other.place).slice(0, wanted)
}

/** The path prefix of an edition: first the current version in each language, then each older version in each language. */
function prefixOf(edition: number): string {
  const language = languages[edition % languages.length]
  const version = Math.floor(edition / languages.length)
  return version === 0 ? `${language}` : `${language}/v0.${version}`
}

/** The factor for a day's visits, relative to an ordinary weekday now. */
function tempoOf(day: number, today: number, seed: number): Rate {
  const date = new Date(day * 86_400_000)
  const monthAndDay = date.toISOString().slice(5, 10)
  const holiday = monthAndDay >= holidays.from || monthAndDay <= holidays.to
  const working = (week[date.getUTCDay()] ?? 1) * (holiday ? holidays.factor : 1)
  const [weather] = halves(hash(seed, day))
  const tempo = ({ growth, rhythm }: typeof habits.ai) =>
    growth ** ((day - today) / 365) * (1 - rhythm * (1 - working)) * (0.95 + 0.1 * weather)
  return { human: tempo(habits.human), ai: tempo(habits.ai) }
}

/** A random whole number with this mean, and about the variance of a Poisson count. Never negative. */
function draw(mean: number, hashed: number): number {
  const [spread, rounding] = halves(hashed)
  return Math.floor(mean + Math.min(mean, Math.sqrt(3 * mean)) * (2 * spread - 1) + rounding)
}

/** A 32-bit hash of two whole numbers: the finalizer of MurmurHash3, by Austin Appleby (public domain). */
function hash(one: number, other: number): number {
  let mixed = Math.imul(one, 0x9e3779b1) ^ other
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Two numbers in [0, 1). */
function halves(hashed: number): [number, number] {
  return [(hashed >>> 16) / 2 ** 16, (hashed & 0xffff) / 2 ** 16]
}

/** Days since 1970-01-01. The time in a date-time is ignored. */
function dayOf(date: string): number {
  return Date.parse(date.slice(0, 10)) / 86_400_000
}

function words(text: string): string[] {
  return text.split(/\s+/)
}

function within(section: string, heads: string[], tails: string[] = [''], joint = ''): string[] {
  return heads.flatMap((head) => tails.map((tail) => `${section}/${head}${joint}${tail}`))
}
