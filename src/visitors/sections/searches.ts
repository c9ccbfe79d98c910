/** Searches that led to few clicks. */
import * as z from 'zod/mini'
import { type Column, count, words } from '../blocks.ts'
import { shareText } from '../figures.ts'
import { quotable } from '../readers-words.ts'
import { findings, type Section, said, sumOf } from '../section.ts'

const entry = z.object({
  path: z.catch(z.null(), null),
  searchQuery: said,
  hits: z.number(),
  ctr: z.catch(z.number(), -1),
})
type Entry = z.infer<typeof entry>

const list = {
  name: 'searches',
  path: 'searches',
  query: { limit: 100 },
  rows: 'searches',
  entry,
}

const clicked: Column = {
  title: 'Clicked',
  kind: 'figure',
  text: ({ clickRate }) => shareText(Number(clickRate)),
  unit: ['clicked', 'clicked'],
}

export const section: Section = async (site) => {
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
      .filter(({ searches, clickRate }) => searches >= 5 && clickRate < 0.2)
      .sort((one, other) => unclicked(other) - unclicked(one)),
    fix({ search, searches, clickRate }) {
      const quote = quotable(search)
      if (searches < 20 || clickRate >= 0.05 || quote === '') return null
      const task = `Document what readers search for and do not find. ${searches} searches led to few clicks`
      return { page: null, search: quote, task, words: [quote] }
    },
  })
}

/** The terms whose click rate, from 0 to 1, is known. */
function terms(entries: readonly Entry[]) {
  // The unit of `ctr` is not documented. If one value is over 1, all values are percentages.
  const whole = entries.some(({ ctr }) => ctr > 1) ? 100 : 1
  return entries
    .map(({ searchQuery: search, hits, ctr }) => ({ search, searches: hits, clickRate: ctr / whole }))
    .filter(({ search, clickRate }) => search !== '' && clickRate >= 0 && clickRate <= 1)
}

/** The number of a term's searches without a click. */
function unclicked({ searches, clickRate }: ReturnType<typeof terms>[number]): number {
  return Math.round(searches * (1 - clickRate))
}
