/** What readers of the site say: votes, comments, searches and questions to the assistant, as openapi.yaml lists them. */
import { periodOf } from './visitors.ts'

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
  status: 'pending' | 'in_progress' | 'resolved' | 'dismissed'
  helpful?: boolean
  code?: string
  contact?: string | null
  filename?: string | null
  lang?: string | null
}

export interface SearchRow {
  searchQuery: string
  hits: number
  ctr: number
  topClickedPage: string | null
  lastSearchedAt: string
}

/** A turn of a conversation with the assistant. */
export interface ConversationRow {
  id: string
  conversationId: string
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

/** A page of a list, in the platform's format; undefined if the cursor is invalid. The rest of the query must be valid. */
export function listPage(name: ListName, source: ReadersSource, query: Record<string, unknown>) {
  const words = source(...periodOf(query))
  const limit = Number(query.limit ?? defaultLimits[name])
  if (name === 'feedback-by-page')
    return { feedback: words.votes.slice(0, limit), hasMore: words.votes.length > limit }
  const { field, rows, keyOf } = listed(name, words, query)
  const start = query.cursor === undefined ? 0 : rows.findIndex((row) => keyOf(row) === query.cursor) + 1
  if (start === 0 && query.cursor !== undefined) return undefined
  const page = rows.slice(start, start + limit)
  const hasMore = start + limit < rows.length
  const totalSearches = words.searches.reduce((sum, { hits }) => sum + hits, 0)
  return {
    [field]: page,
    nextCursor: hasMore ? keyOf(page.at(-1)) : null,
    ...(name === 'searches' ? { totalSearches } : { hasMore }),
  }
}

/** The rows of a list in order, the field for them, and the value by which a cursor identifies a row. */
function listed(
  name: Exclude<ListName, 'feedback-by-page'>,
  words: ReadersWords,
  query: Record<string, unknown>,
) {
  const idOf = (row: unknown) => String((row as { id?: string }).id)
  const termOf = (row: unknown) => (row as SearchRow).searchQuery
  switch (name) {
    case 'assistant':
      return { field: 'conversations', rows: words.conversations, keyOf: idOf }
    case 'searches':
      return { field: 'searches', rows: words.searches.toSorted((a, b) => b.hits - a.hits), keyOf: termOf }
    case 'feedback': {
      const rows = words.comments.filter(
        ({ source, status }) =>
          (query.source === undefined || source === query.source) &&
          (query.status === undefined || status === query.status),
      )
      return { field: 'feedback', rows, keyOf: idOf }
    }
  }
}
