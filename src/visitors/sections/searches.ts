/** Searches that led to few clicks. */
import * as z from 'zod/mini'
import { type Column, count, words } from '../blocks.ts'
import { shareText } from '../figures.ts'
import { quotable } from '../readers-words.ts'
import { findings, readersText, type Section, sum } from '../section.ts'

const entry = z.object({
  path: z.catch(z.null(), null),
  searchQuery: readersText,
  hits: z.number(),
  ctr: z.catch(z.number(), -1),
})

const list = {
  name: 'searches',
  path: 'searches',
  query: { limit: 100 },
  rows: 'searches',
  entry,
}

const clickRate: Column = {
  title: 'Clicked',
  kind: 'figure',
  text: (row) => shareText(Number(row.clickRate)),
  unit: ['clicked', 'clicked'],
}

const shape = {
  id: 'searches',
  title: 'Searches with few clicks',
  fault: 'searches led to no click',
  columns: [words('search', 'Search'), count('searches', 'Searches', 'search', 'searches'), clickRate],
  nothing: 'No term that was searched for 5 or more times has a click rate under 20%.',
} as const

export const section: Section = async (site) => {
  const { entries, gap } = await site.read(list)
  const all = termsOf(entries)
  const rows = all.filter(({ searches, clickRate }) => searches >= 5 && clickRate < 0.2)
  rows.sort((one, other) => clicklessOf(other) - clicklessOf(one))
  return findings({
    ...shape,
    gap,
    rows,
    tally: [sum(all.map(clicklessOf)), sum(all.map((term) => term.searches))],
    fix({ search, searches, clickRate }) {
      const quote = quotable(search)
      if (searches < 20 || clickRate >= 0.05 || quote === '') return null
      const task = `Document what readers search for and do not find. ${searches} searches led to few clicks`
      return { page: null, search: quote, task, words: [quote] }
    },
  })
}

/** The terms whose click rate, from 0 to 1, is known. */
function termsOf(entries: readonly z.infer<typeof entry>[]) {
  // The unit of `ctr` is not documented. If one value is over 1, all values are percentages.
  const whole = entries.some(({ ctr }) => ctr > 1) ? 100 : 1
  const terms = entries.map(({ searchQuery, hits, ctr }) => {
    return { search: searchQuery, searches: hits, clickRate: ctr / whole }
  })
  return terms.filter(({ search, clickRate }) => search !== '' && clickRate >= 0 && clickRate <= 1)
}

/** The number of a term's searches without a click. */
function clicklessOf({ searches, clickRate }: ReturnType<typeof termsOf>[number]): number {
  return Math.round(searches * (1 - clickRate))
}
