/**
 * What readers of the made-up documentation site say (see traffic.ts). Nothing here comes from real readers. Readers
 * say the same things every week, so that a period of any length has some words.
 */
import type { CommentRow, ConversationRow, ReadersSource, SearchRow, VotesRow } from './readers.ts'

/** Votes in a week: up and down. */
const votes: Record<string, [up: number, down: number]> = {
  '/quickstart': [31, 6],
  '/installation': [12, 9],
  '/guides/migrate-to-v3': [3, 14],
  '/api-reference/webhooks': [5, 8],
  '/api-reference/errors': [7, 2],
  '/guides/agents': [22, 3],
  '/pricing': [4, 6],
  '/integrations': [6, 1],
  '/changelog': [3, 0],
}

const comments: [path: string, source: CommentRow['source'], text: string | null][] = [
  ['/guides/migrate-to-v3', 'contextual', 'Step 4 renames a setting that no longer exists in 3.9.'],
  ['/guides/migrate-to-v3', 'contextual', 'What happens to keys made under v2? I did not dare to continue.'],
  ['/guides/migrate-to-v3', 'thumbs_only', null],
  ['/api-reference/webhooks', 'contextual', 'No example of how to check the signature.'],
  ['/api-reference/webhooks', 'code_snippet', 'The sample body lacks event_id, the real one has it.'],
  ['/installation', 'contextual', 'Fails behind a proxy. Please write to jane@example.com if you need logs.'],
  ['/installation', 'thumbs_only', null],
  ['/pricing', 'contextual', 'Is the limit per user or per workspace?'],
  ['/quickstart', 'contextual', 'Great, worked the first time!'],
  ['/api-reference/errors', 'agent', 'The table lists 429 twice, with different advice.'],
  ['/api-reference/webhooks', 'agent', 'The page says retries stop after 3 attempts; the schema says 5.'],
]

/** Searches in a week, the percentage that led to a click, and the page that was clicked most. */
const searches: [term: string, hits: number, ctr: number, clicked: string | null][] = [
  ['webhooks', 118, 61, '/api-reference/webhooks'],
  ['api keys', 96, 54, '/concepts/api-keys'],
  ['saml sso', 47, 2.1, '/guides/sign-in'],
  ['rate limit', 41, 4.9, '/api-reference/errors'],
  ['audit logs', 33, 48, '/concepts/audit-logs'],
  ['self hosted', 26, 0, null],
  ['webho', 14, 0, null],
  ['verify webhook', 24, 8.3, '/api-reference/webhooks'],
  ['terraform', 19, 63, '/integrations'],
  ['dark mode', 9, 0, null],
]

const questions: [page: string | null, text: string, status: ConversationRow['resolutionStatus']][] = [
  ['/api-reference/webhooks', 'How do I verify the signature of a webhook?', 'unanswered'],
  ['/api-reference/webhooks', 'Which header carries the webhook signature?', 'unanswered'],
  ['/api-reference/webhooks', 'how to verify webhook signature in python', 'unanswered'],
  ['/api-reference/webhooks', 'Can I replay a failed webhook?', 'unanswered'],
  ['/api-reference/webhooks', 'What is the timeout of a webhook?', 'answered'],
  ['/quickstart', 'Where do I find my project id?', 'answered'],
  ['/quickstart', 'Does the quickstart work on Windows?', 'answered'],
  ['/guides/migrate-to-v3', 'Can I go back to v2 after migrating?', 'unanswered'],
  ['/guides/migrate-to-v3', 'Do v2 keys keep working?', 'unanswered'],
  [null, 'Do you have a status page?', 'unanswered'],
  [null, 'What does it cost?', 'answered'],
]

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
      votes: Object.entries(votes)
        .map(([path, [up, down]]) => ({ path, thumbsUp: scaled(up), thumbsDown: scaled(down) }))
        .filter(({ thumbsUp, thumbsDown }) => thumbsUp + thumbsDown > 0)
        .map((row): VotesRow => ({ ...row, code: 0, total: row.thumbsUp + row.thumbsDown })),
      comments: weekly(comments, ([path, source, comment], id, createdAt): CommentRow => {
        const contact = source === 'contextual' ? 'reader@example.com' : null
        return {
          id: `fb_${id}`,
          path,
          comment,
          createdAt,
          source,
          status: 'pending',
          helpful: false,
          contact,
        }
      }),
      searches: searches
        .map(([searchQuery, hits, ctr, topClickedPage]): SearchRow => {
          const lastSearchedAt = new Date(Math.max(from, to - dayMs)).toISOString()
          return { searchQuery, hits: scaled(hits), ctr, topClickedPage, lastSearchedAt }
        })
        .filter(({ hits }) => hits > 0),
      conversations: weekly(questions, ([page, query, resolutionStatus], id, timestamp): ConversationRow => {
        const response = resolutionStatus === 'answered' ? 'As the docs say.' : 'I could not find that.'
        const pageUrl = page && `https://docs.example.com${page}`
        const rest = { sources: [], resolutionStatus, queryCategory: null, pageUrl }
        return { id: `c_${id}`, timestamp, query, response, ...rest }
      }),
    }
  }
}
