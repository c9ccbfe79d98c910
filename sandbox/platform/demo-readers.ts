/**
 * What readers of the made-up documentation site (see traffic.ts) say in the last full week before a day. Nothing here comes from
 * real readers.
 */
import demo from './demo.json' with { type: 'json' }

const [dayMs, weekMs] = [86_400_000, 7 * 86_400_000]

/** What readers say in the last week from Monday to Sunday before `today` (YYYY-MM-DD). */
export function demoReaders(today: string) {
  const end = Date.parse(today) - ((new Date(today).getUTCDay() + 6) % 7) * dayMs
  return (dateFrom: string, dateTo: string) => {
    const from = Date.parse(dateFrom.slice(0, 10))
    const to = Math.min(Date.parse(dateTo.slice(0, 10)), end)
    const isInWeek = from < end && to > end - weekMs
    /** The entries in the period, newest first, each with an id and a time. */
    const said = <Entry, Row>(entries: Entry[], toRow: (entry: Entry, id: string, time: string) => Row) =>
      entries.flatMap((entry, at): Row[] => {
        const time = end - ((at + 0.5) / entries.length) * weekMs
        if (time < from || time >= to) return []
        return [toRow(entry, `${Math.floor(time / dayMs)}_${at}`, new Date(time).toISOString())]
      })
    const lastSearchedAt = new Date(Math.max(from, to - dayMs)).toISOString()
    const votes = demo.votes.map((votes) => {
      return { ...votes, code: 0, total: votes.thumbsUp + votes.thumbsDown }
    })
    const searches = demo.searches.map((entry) => ({ ...entry, lastSearchedAt }))
    return {
      votes: isInWeek ? votes : [],
      comments: said(demo.comments, (entry, id, createdAt) => ({ id: `fb_${id}`, createdAt, ...entry })),
      searches: isInWeek ? searches : [],
      conversations: said(demo.questions, (entry, id, timestamp) => {
        return { id: `turn_${id}`, conversationId: `c_${id}`, timestamp, ...entry }
      }),
    }
  }
}
