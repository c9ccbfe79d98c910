/** What readers say, as the platform lists it (openapi.yaml): feedback, searches, and questions to the assistant. */
import * as z from 'zod/mini'
import { listLimits } from '../../../core/job/operation.ts'
import type { PlatformProblem } from '../../../core/problem.ts'
import type { SectionName } from './rules.ts'
import { maskPath, readersWords } from './words.ts'

export interface PageVotes {
  path: string
  up: number
  down: number
}

/** A comment by a reader or an AI agent. */
export interface ReaderComment {
  path: string
  words: string
  isAgent: boolean
}

export interface SearchTerm {
  words: string
  searches: number
  /** The fraction of searches that led to a click, 0 to 1; null if unknown. */
  clickRate: number | null
}

/** A question to the assistant. */
export interface Question {
  /** null if the question is not about a page. */
  path: string | null
  words: string
  isAnswered: boolean
}

/** The first rows of a list. */
export interface ReadList<T> {
  rows: T[]
  /** Number of rows that the platform returned. */
  seen: number
  hasMore: boolean
}

/** Why a response is missing. */
export type Missing =
  /** `max-requests` was used up. */
  | { why: 'budget' }
  /** `timeout` was reached. */
  | { why: 'timeout' }
  /** A request failed after all attempts. */
  | { why: 'failed'; problem: PlatformProblem }

/** A list, or why it was not read. */
export type Listing<T> = ({ kind: 'read' } & ReadList<T>) | { kind: 'missing'; gap: Missing }

/** The sections, after they are read; null if not requested. */
export interface SectionsRead extends Record<SectionName, object | null> {
  feedback: { votes: Listing<PageVotes>; comments: Listing<ReaderComment> } | null
  searches: Listing<SearchTerm> | null
  questions: Listing<Question> | null
}

const count = z.number().check(z.nonnegative(), z.lte(Number.MAX_SAFE_INTEGER))
const path = z.string().check(z.minLength(1), z.maxLength(2_000))

const votes = z.object({ path, thumbsUp: count, thumbsDown: count })
// `contact` is left out: it is an email address, which is never kept.
const comment = z.object({
  path,
  comment: z.nullish(z.string()),
  source: z.catch(z.string(), ''),
  status: z.catch(z.string(), ''),
  helpful: z.catch(z.boolean(), false),
})
const search = z.object({ searchQuery: z.string(), hits: count, ctr: z.catch(z.nullable(count), null) })
const conversation = z.object({
  query: z.string(),
  resolutionStatus: z.string(),
  responseType: z.catch(z.string(), ''),
  pageUrl: z.catch(z.nullable(path), null),
})

/** Reads votes. Like the other parse functions, returns undefined if the list is missing, or has rows but no usable ones. */
export function parseVotes(json: unknown): ReadList<PageVotes> | undefined {
  return listOf(json, 'feedback', votes, listLimits['feedback-by-page'], (rows) =>
    rows.map((row) => ({ path: toPath(row.path), up: row.thumbsUp, down: row.thumbsDown })),
  )
}

/** Reads comments. Leaves out praise, and feedback that was resolved or dismissed. */
export function parseComments(json: unknown): ReadList<ReaderComment> | undefined {
  return listOf(json, 'feedback', comment, listLimits.feedback, (rows) =>
    rows
      .filter(({ status, helpful }) => status !== 'resolved' && status !== 'dismissed' && !helpful)
      .map((row) => ({
        path: toPath(row.path),
        words: readersWords(row.comment ?? ''),
        isAgent: row.source === 'agent',
      }))
      .filter(({ words }) => words !== ''),
  )
}

export function parseSearches(json: unknown): ReadList<SearchTerm> | undefined {
  return listOf(json, 'searches', search, listLimits.searches, (rows) => {
    // The unit of `ctr` is not documented. If one value is over 1, all values are percentages.
    const whole = rows.some(({ ctr }) => (ctr ?? 0) > 1) ? 100 : 1
    return rows
      .map(({ searchQuery, hits, ctr }) => ({
        words: readersWords(searchQuery),
        searches: hits,
        clickRate: ctr === null || ctr > whole ? null : ctr / whole,
      }))
      .filter(({ words }) => words !== '')
  })
}

export function parseQuestions(json: unknown): ReadList<Question> | undefined {
  return listOf(json, 'conversations', conversation, listLimits.assistant, (rows) =>
    rows
      // A clarifying question by the assistant is a turn of a conversation, not an unanswered question.
      .filter(({ responseType }) => responseType !== 'clarifying_question')
      .map(({ pageUrl, query, resolutionStatus }) => ({
        path: pageUrl === null ? null : toPath(pageUrl),
        words: readersWords(query),
        isAnswered: resolutionStatus !== 'unanswered',
      }))
      .filter(({ words, isAnswered }) => words !== '' || isAnswered),
  )
}

/** The usable rows, up to the requested limit, which the platform may have ignored. */
function listOf<T, Row>(
  json: unknown,
  name: string,
  schema: z.ZodMiniType<T>,
  limit: number,
  use: (rows: T[]) => Row[],
): ReadList<Row> | undefined {
  const reply = z.record(z.string(), z.unknown()).safeParse(json).data
  const given = reply?.[name]
  if (!Array.isArray(given)) return undefined
  const rows = given.slice(0, limit).flatMap((row) => {
    const parsed = schema.safeParse(row)
    return parsed.success ? [parsed.data] : []
  })
  if (rows.length === 0 && given.length > 0) return undefined
  const { hasMore, nextCursor } = reply ?? {}
  const hasCursor = typeof nextCursor === 'string' && nextCursor !== ''
  return {
    rows: use(rows),
    seen: Math.min(given.length, limit),
    hasMore: hasMore === true || hasCursor || given.length > limit,
  }
}

/** Maximum length of a path, in characters. No page's path is longer. */
const maxPathLength = 2_000

/** A page's path in one form for all lists: it begins with a slash, and has no origin, query, fragment or final slash. */
export function toPath(text: string): string {
  const path = text
    .slice(0, maxPathLength)
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/^\/*/, '/')
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  return maskPath(path.slice(0, end))
}
