/** Samples of what readers say and do. */
import type { Site } from '../../../../src/visitors/core/sections/findings.ts'
import type { Listing, Question, SectionsRead } from '../../../../src/visitors/core/sections/lists.ts'

export const noSections: SectionsRead = { feedback: null, searches: null, questions: null }

/** A list that starts with these rows; `hasMore` if it continues after them. */
export const listed = <T>(rows: T[], hasMore = false): Listing<T> => ({
  kind: 'read',
  rows,
  seen: rows.length,
  hasMore,
})

export const unanswered = (path: string | null, words: string): Question => ({
  path,
  words,
  isAnswered: false,
})

export const missing = { kind: 'missing', gap: { why: 'budget' } } as const

/** A site with these visitors by path. */
export function aSite(visitors: Record<string, number>, more: Partial<Site> = {}): Site {
  const pages = Object.entries(visitors).map(([path, count]) => ({ path, visitors: count }))
  return {
    pages: () => pages,
    isComplete: true,
    counts: () => true,
    url: 'https://docs.example.com',
    ...more,
  }
}
