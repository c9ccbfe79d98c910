/**
 * What readers of the made-up documentation site say (see traffic.ts). Nothing here comes from real readers. Readers
 * say the same things every week, so that a period of any length has some words.
 */
import demo from './demo.json' with { type: 'json' }
import type { CommentRow, ConversationRow, ReadersSource, SearchRow, VotesRow } from './readers.ts'

const [dayMs, weekMs] = [86_400_000, 7 * 86_400_000]

/** What readers say before `today` (YYYY-MM-DD). */
export function demoReaders(today: string): ReadersSource {
  const end = Date.parse(today)
  return (dateFrom, dateTo) => {
    const from = Date.parse(dateFrom.slice(0, 10))
    const to = Math.min(Date.parse(dateTo.slice(0, 10)), end)
    const scaled = (count: number) => Math.round((count * Math.max(0, to - from)) / weekMs)
    /** Each entry once a week, newest first, with an id and a time. */
    const weekly = <Entry, Row>(
      entries: Entry[],
      toRow: (entry: Entry, id: string, time: string) => Row,
    ): Row[] => {
      const weeks = Math.max(0, Math.ceil((end - from) / weekMs))
      return Array.from({ length: weeks }, (_, week) =>
        entries.map((entry, at) => ({
          entry,
          at,
          time: end - (week + (at + 0.5) / entries.length) * weekMs,
        })),
      )
        .flat()
        .filter(({ time }) => time >= from && time < to)
        .map(({ entry, at, time }) =>
          toRow(entry, `${Math.floor(time / dayMs)}_${at}`, new Date(time).toISOString()),
        )
    }

    return {
      votes: demo.votes
        .map(({ path, up, down }) => ({ path, thumbsUp: scaled(up), thumbsDown: scaled(down) }))
        .filter(({ thumbsUp, thumbsDown }) => thumbsUp + thumbsDown > 0)
        .map((row): VotesRow => ({ ...row, code: 0, total: row.thumbsUp + row.thumbsDown })),
      comments: weekly(demo.comments, (entry, id, createdAt) => {
        const contact = entry.source === 'contextual' ? 'reader@example.com' : null
        return {
          ...entry,
          id: `fb_${id}`,
          createdAt,
          status: 'pending',
          helpful: false,
          contact,
        } as CommentRow
      }),
      searches: demo.searches
        .map((entry): SearchRow => {
          const lastSearchedAt = new Date(Math.max(from, to - dayMs)).toISOString()
          return { ...entry, hits: scaled(entry.hits), lastSearchedAt }
        })
        .filter(({ hits }) => hits > 0),
      conversations: weekly(demo.questions, ({ page, query, resolutionStatus }, id, timestamp) => {
        const response = resolutionStatus === 'answered' ? 'As the docs say.' : 'I could not find that.'
        const pageUrl = page && `https://docs.example.com${page}`
        const rest = { sources: [], resolutionStatus, queryCategory: null, pageUrl }
        return { id: `c_${id}`, timestamp, query, response, ...rest } as ConversationRow
      }),
    }
  }
}
