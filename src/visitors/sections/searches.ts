/** Searches that led to few clicks. */
import * as z from 'zod/mini'
import { count, remark, share, words } from '../core/blocks.ts'
import { quotable, readersWords } from '../core/readers-words.ts'
import { type List, type Site, section } from '../core/section.ts'

const row = z.object({
  searchQuery: z.string(),
  hits: z.number(),
  ctr: z.catch(z.nullable(z.number()), null),
})
type Row = z.infer<typeof row>

const list: List<Row> = {
  name: 'searches',
  path: 'searches',
  query: { limit: 100 },
  rows: 'searches',
  entry: row,
}

type Term = {
  path: null
  search: string
  searches: number
  /** The fraction of searches that led to a click, 0 to 1; null if unknown. */
  clickRate: number | null
}

/** Minimum number of searches, and maximum click rate, for a row and for a fix. */
const limits = { row: [5, 0.2], fix: [20, 0.05] } as const

export const searches = section({
  name: 'searches',
  title: 'Searches with few clicks',
  list,
  entries: terms,
  tally: ['searches led to no click', unclicked, (term) => term.searches],
  columns: [
    words('search', 'Search'),
    count('searches', 'Searches', 'search', 'searches'),
    share('clickRate', 'Clicked', 'clicked'),
    remark('page', 'Page'),
  ],
  nothing: 'No term that was searched for 5 or more times has a click rate under 20%.',
  rows: (all, site) =>
    withPages(
      all.filter((term) => isWithin(limits.row, term)),
      site,
    ).sort(byUnclicked),
  fix({ search, searches, clickRate, page }) {
    const target = quotable(search)
    if (!isWithin(limits.fix, { searches, clickRate }) || page !== noPage || target === '') return null
    const task = `Document what readers search for and do not find. ${searches} searches led to few clicks`
    return { about: 'search', target, task, words: [target] }
  },
})

function terms(rows: Row[]): Term[] {
  // The unit of `ctr` is not documented. If one value is over 1, all values are percentages.
  const whole = rows.some(({ ctr }) => (ctr ?? 0) > 1) ? 100 : 1
  return rows
    .map(({ searchQuery, hits, ctr }) => ({
      path: null,
      search: readersWords(searchQuery),
      searches: hits,
      clickRate: ctr === null || ctr < 0 || ctr > whole ? null : ctr / whole,
    }))
    .filter(({ search }) => search !== '')
}

type Counts = Pick<Term, 'searches' | 'clickRate'>

/** The number of a term's searches without a click; 0 if unknown. */
function unclicked({ searches, clickRate }: Counts): number {
  return Math.round(searches * (1 - (clickRate ?? 1)))
}

function byUnclicked(one: Term, other: Term): number {
  return unclicked(other) - unclicked(one) || (one.search < other.search ? -1 : 1)
}

function isWithin([least, most]: readonly [number, number], { searches, clickRate }: Counts): boolean {
  return searches >= least && clickRate !== null && clickRate < most
}

const noPage = 'no visited page has the word in its path'

/** Says for each term whether a visited page has its longest word in its path; null if that is unknown. */
function withPages(missed: Term[], { pages, isComplete }: Site): (Term & { page: string | null })[] {
  const topics = new Map(missed.map((term) => [term, topicOf(term.search)]))
  const open = new Set([...topics.values()].filter((topic) => topic !== ''))
  for (const { path } of open.size === 0 ? [] : pages()) {
    const parts = path.toLowerCase().split(/[^a-z\d]+/)
    for (const topic of open) if (parts.some((part) => part.startsWith(topic))) open.delete(topic)
  }
  const pageOf = (term: Term) => (isComplete && open.has(topics.get(term) ?? '') ? noPage : null)
  return missed.map((term) => ({ ...term, page: pageOf(term) }))
}

/** A term's longest word; empty for scripts other than Latin, which are rare in paths. */
function topicOf(search: string): string {
  if (/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(search)) return ''
  const plain = search.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  return plain
    .split(/[^a-z\d]+/)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}
