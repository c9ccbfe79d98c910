/** What a step uses of GitHub's limits (GitHub's docs, "Rate limits for the REST API"). */
import type { Exchange } from '../core/http.ts'

/** Maximum number of comments that a step posts before it counts as at its limit: GitHub allows about 500 an hour. */
const commentLimit = 400

/** Counts what a step uses of GitHub's limits. */
export type Budget = ReturnType<typeof createBudget>

/** Makes a budget: half of what the token has left when the step begins. */
export function createBudget() {
  /** By resource, because REST and GraphQL have separate limits: the requests left before the first one, and now. */
  const limits = new Map<string, { first: number; left: number }>()
  let comments = 0
  let isLimited = false
  return {
    /** Counts a request. @param isLimit whether GitHub rejected it because of a limit */
    count({ method, url }: { method: string; url: string }, exchange: Exchange, isLimit: boolean) {
      isLimited ||= isLimit
      if (exchange.type === 'silence') return
      if (method === 'POST' && exchange.status === 201 && /\/(comments|replies)$/.test(url)) comments++
      const { 'x-ratelimit-resource': resource, 'x-ratelimit-remaining': remaining } = exchange.headers
      if (resource === undefined || remaining === undefined) return
      const left = Number(remaining)
      // After a reset, more are left than before.
      const first = Math.max(left + 1, limits.get(resource)?.first ?? 0)
      limits.set(resource, { first, left })
    },

    /** How many further requests leave the repository's other workflows enough; infinite if GitHub named no limit. */
    room() {
      if (isLimited || comments >= commentLimit) return 0
      return Math.min(...limits.values().map(({ first, left }) => left - first / 2))
    },
  }
}
