/** What readers of the site say: votes, comments, searches and questions to the assistant, as openapi.yaml lists them. */
import type { Reply } from '../wire.ts'
import { problem } from './reply.ts'

export interface VotesRow {
  path: string
  thumbsUp: number
  thumbsDown: number
  code: number
  total: number
}

export interface CommentRow {
  id: string
  path: string
  comment: string | null
  createdAt: string | null
  source: 'code_snippet' | 'contextual' | 'agent' | 'thumbs_only'
  status: string
  helpful?: boolean
  contact?: string | null
}

export interface SearchRow {
  searchQuery: string
  hits: number
  ctr: number
  topClickedPage: string | null
  lastSearchedAt: string
}

export interface ConversationRow {
  id: string
  timestamp: string
  query: string
  response: string
  sources: { title: string; url: string }[]
  resolutionStatus: 'answered' | 'unanswered'
  queryCategory: string | null
  pageUrl: string | null
}

/** Everything that readers said in a period. */
export interface ReadersWords {
  votes: VotesRow[]
  comments: CommentRow[]
  searches: SearchRow[]
  conversations: ConversationRow[]
}

/** Returns what readers said in a period. The dates are as in the request; `dateTo` is excluded. */
export type ReadersSource = (dateFrom: string, dateTo: string) => ReadersWords

export const silentReaders: ReadersSource = () => ({
  votes: [],
  comments: [],
  searches: [],
  conversations: [],
})

export type ListName = 'feedback-by-page' | 'feedback' | 'searches' | 'assistant'

const defaultLimits: Record<ListName, number> = {
  'feedback-by-page': 10,
  feedback: 50,
  searches: 50,
  assistant: 100,
}

type Query = Record<string, unknown>

/** A page of a list, in the platform's format. The query must be valid. */
export function listPage(name: ListName, source: ReadersSource, query: Query): Reply {
  const words = source(String(query.dateFrom), String(query.dateTo))
  const limit = Number(query.limit ?? defaultLimits[name])
  if (name === 'feedback-by-page') {
    const rows = words.votes
    return { status: 200, body: { feedback: rows.slice(0, limit), hasMore: rows.length > limit } }
  }
  const { rows, keyOf } = listed(name, words, query)
  const start = query.cursor === undefined ? 0 : rows.findIndex((row) => keyOf(row) === query.cursor) + 1
  if (start === 0 && query.cursor !== undefined) return problem(400, 'Invalid cursor')
  const page = rows.slice(start, start + limit)
  const hasMore = start + limit < rows.length
  const nextCursor = hasMore ? keyOf(page.at(-1)) : null
  switch (name) {
    case 'feedback':
      return { status: 200, body: { feedback: page, nextCursor, hasMore } }
    case 'assistant':
      return { status: 200, body: { conversations: page, nextCursor, hasMore } }
    case 'searches': {
      const totalSearches = words.searches.reduce((sum, { hits }) => sum + hits, 0)
      return { status: 200, body: { searches: page, totalSearches, nextCursor } }
    }
  }
}

/** The rows of a list in order, and the value by which a cursor identifies them. */
function listed(name: Exclude<ListName, 'feedback-by-page'>, words: ReadersWords, query: Query) {
  const keyOf = (row: unknown) => String((row as { id?: string }).id)
  if (name === 'assistant') return { rows: words.conversations, keyOf }
  if (name === 'searches')
    return {
      rows: words.searches.toSorted((one, other) => other.hits - one.hits),
      keyOf: (row: unknown) => (row as SearchRow).searchQuery,
    }
  const rows = words.comments.filter(
    ({ source, status }) =>
      (query.source === undefined || source === query.source) &&
      (query.status === undefined || status === query.status),
  )
  return { rows, keyOf }
}
