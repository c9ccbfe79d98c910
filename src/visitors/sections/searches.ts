/** Searches that led to few clicks. */
import * as z from 'zod/mini'
import { type Column, count, words } from '../core/blocks.ts'
import { shareText } from '../core/figures.ts'
import { quotable, readersWords } from '../core/readers-words.ts'
import { findings, type List, type Section, sumOf } from '../core/section.ts'

const row = z.object({ searchQuery: z.string(), hits: z.number(), ctr: z.catch(z.number(), -1) })
const entry = z.pipe(
  row,
  z.transform(({ searchQuery, hits, ctr }) => ({
    path: null,
    search: readersWords(searchQuery),
    searches: hits,
    ctr,
  })),
)

const list: List<z.infer<typeof entry>> = {
  name: 'searches',
  path: 'searches',
  query: { limit: 100 },
  rows: 'searches',
  entry,
}

type Term = {
  search: string
  searches: number
  /** The fraction of searches that led to a click, 0 to 1. */
  clickRate: number
}

const clicked: Column = {
  title: 'Clicked',
  kind: 'figure',
  text: ({ clickRate }) => shareText(Number(clickRate)),
  unit: ['clicked', 'clicked'],
}

export const searches: Section = {
  name: 'searches',
  async read(site) {
    const { entries, gap } = await site.read(list)
    const all = terms(entries)
    return findings({
      id: 'searches',
      title: 'Searches with few clicks',
      tally: [sumOf(all, unclicked), sumOf(all, (term) => term.searches), 'searches led to no click'],
      columns: [words('search', 'Search'), count('searches', 'Searches', 'search', 'searches'), clicked],
      nothing: 'No term that was searched for 5 or more times has a click rate under 20%.',
      gap,
      rows: all
        .filter((term) => isMissed(term, 5, 0.2))
        .sort((one, other) => unclicked(other) - unclicked(one) || (one.search < other.search ? -1 : 1)),
      fix(term) {
        const search = quotable(term.search)
        if (!isMissed(term, 20, 0.05) || search === '') return null
        const task = `Document what readers search for and do not find. ${term.searches} searches led to few clicks`
        return { page: null, search, task, words: [search] }
      },
    })
  },
}

/** The terms whose click rate is known. */
function terms(rows: z.infer<typeof entry>[]): Term[] {
  // The unit of `ctr` is not documented. If one value is over 1, all values are percentages.
  const whole = rows.some(({ ctr }) => ctr > 1) ? 100 : 1
  return rows
    .map(({ search, searches, ctr }) => ({ search, searches, clickRate: ctr / whole }))
    .filter(({ search, clickRate }) => search !== '' && clickRate >= 0 && clickRate <= 1)
}

/** The number of a term's searches without a click. */
function unclicked({ searches, clickRate }: Term): number {
  return Math.round(searches * (1 - clickRate))
}

/** Whether there are at least so many searches, with a click rate under a limit. */
function isMissed({ searches, clickRate }: Term, least: number, limit: number): boolean {
  return searches >= least && clickRate < limit
}
