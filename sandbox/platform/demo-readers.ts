/**
 * What readers of the made-up documentation site say (see traffic.ts). Nothing here comes from real readers. Readers
 * say the same things every week, so that a period of any length has some words.
 */
import demo from './demo.json' with { type: 'json' }

const [dayMs, weekMs] = [86_400_000, 7 * 86_400_000]

/** What readers say before `today` (YYYY-MM-DD). */
export function demoReaders(today: string) {
  const end = Date.parse(today)
  return (dateFrom: string, dateTo: string) => {
    const from = Date.parse(dateFrom.slice(0, 10))
    const to = Math.min(Date.parse(dateTo.slice(0, 10)), end)
    const scaled = (count: number) => Math.round((count * Math.max(0, to - from)) / weekMs)
    const weeks = Array.from({ length: Math.max(0, Math.ceil((end - from) / weekMs)) }, (_, week) => week)
    /** Each entry once a week, newest first, with an id and a time. */
    const weekly = <Entry, Row>(entries: Entry[], toRow: (entry: Entry, id: string, time: string) => Row) =>
      weeks.flatMap((week) =>
        entries.flatMap((entry, at): Row[] => {
          const time = end - (week + (at + 0.5) / entries.length) * weekMs
          if (time < from || time >= to) return []
          return [toRow(entry, `${Math.floor(time / dayMs)}_${at}`, new Date(time).toISOString())]
        }),
      )
    const lastSearchedAt = new Date(Math.max(from, to - dayMs)).toISOString()
    const searches = demo.searches.map((entry) => ({ ...entry, hits: scaled(entry.hits), lastSearchedAt }))
    const votes = demo.votes.map(({ path, ...votes }) => {
      const [thumbsUp, thumbsDown] = [scaled(votes.thumbsUp), scaled(votes.thumbsDown)]
      return { path, thumbsUp, thumbsDown, code: 0, total: thumbsUp + thumbsDown }
    })
    return {
      votes: votes.filter(({ total }) => total > 0),
      comments: weekly(demo.comments, (entry, id, createdAt) => ({ id: `fb_${id}`, createdAt, ...entry })),
      searches: searches.filter(({ hits }) => hits > 0),
      conversations: weekly(demo.questions, (entry, id, timestamp) => {
        return { id: `turn_${id}`, conversationId: `c_${id}`, timestamp, ...entry }
      }),
    }
  }
}
