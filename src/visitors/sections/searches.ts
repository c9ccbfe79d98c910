/** Searches that led to few clicks. */
import { count, words } from '../blocks.ts'
import { shareText } from '../figures.ts'
import { quotable } from '../readers-words.ts'
import { type Section, sectionPart, sum } from '../section.ts'

export const section: Section = async (site) => {
  const { entries, gap } = await site.read('searches', site.analytics.searches)
  const terms = entries.map(({ text, searches, clickRate }) => ({ search: text, searches, clickRate }))
  const all = terms.filter(({ search }) => search !== '')
  const rows = all.filter(({ searches, clickRate }) => searches >= 5 && clickRate < 0.2)
  /** The number of a term's searches without a click. */
  const clicklessOf = ({ searches, clickRate }: (typeof all)[number]) =>
    Math.round(searches * (1 - clickRate))
  rows.sort((one, other) => clicklessOf(other) - clicklessOf(one))
  return sectionPart({
    id: 'searches',
    title: 'Searches with few clicks',
    columns: [
      words('search', 'Search'),
      count('searches', 'Searches', 'search', 'searches'),
      {
        title: 'Clicked',
        kind: 'figure',
        text: (row) => shareText(Number(row.clickRate)),
        unit: ['clicked'],
      },
    ],
    nothing: 'No term that was searched for 5 or more times has a click rate under 20%.',
    gap,
    rows,
    tally: [sum(all, clicklessOf), sum(all, (term) => term.searches), 'searches led to no click'],
    fix({ search, searches, clickRate }) {
      const quote = quotable(search)
      if (searches < 20 || clickRate >= 0.05 || quote === '') return null
      const task = `Document what readers search for and do not find. ${searches} searches led to few clicks`
      return { search: quote, task, words: [quote] }
    },
  })
}
