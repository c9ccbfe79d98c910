/** Reads GitHub's responses: the response for Octokit, or the failure to show. */
import {
  askedWait,
  completeResponse,
  type Exchange,
  type Failure,
  type GitHubFailure,
  type GitHubReply,
  type Reply,
  type ReplyHeaders,
  replyWith,
  unreadable,
  wordsOf,
} from '../core/http.ts'
import { minuteMs } from '../core/units.ts'

/** A complete response. */
type CompleteResponse = Extract<Exchange, { type: 'response' }>

/** Reads an exchange: a response that Octokit can read, or why there is none. */
export function readExchange(exchange: Exchange, url: string): GitHubReply<CompleteResponse> {
  const reply = readResponse(exchange, url)
  if (reply.ok) return reply
  const headers = exchange.type === 'silence' ? {} : exchange.headers
  return { ok: false, failure: toGitHubFailure(reply.failure, headers) }
}

/** A failure, with what GitHub's own words and headers add to it. */
function toGitHubFailure(failure: Failure, headers: ReplyHeaders): GitHubFailure {
  if (!('detail' in failure)) return failure
  const kind = reasonOf(failure.status, failure.detail ?? '', headers)
  if (kind === undefined) return failure
  // A limit that is not hourly resets after a minute (GitHub's docs, "Rate limits for the REST API").
  return { ...failure, kind, wait: askedWait(headers) ?? minuteMs }
}

/**
 * Recognizes limits, missing permissions and missing diffs by GitHub's words: one status can have several reasons. GraphQL
 * reports all with the status 200. Nothing else proves a missing permission: `x-accepted-github-permissions` also comes
 * with successes (GitHub's docs, "Troubleshooting the REST API").
 */
function reasonOf(status: number, detail: string, headers: ReplyHeaders) {
  // “No common ancestor between …” (404), “Sorry, this diff is taking too long to generate.” (422, 500, 503).
  if (/^No common ancestor|this diff is/.test(detail)) return 'no-diff'
  if (status === 429) return 'rate-limit'
  if (status !== 403 && status !== 200) return undefined
  if (headers['retry-after'] !== undefined || /rate limit/i.test(detail)) return 'rate-limit'
  return /^Resource not accessible by /.test(detail) ? 'permission' : undefined
}

/** Reads a complete response that has GitHub's format: JSON, or the HTML for Markdown. */
function readResponse(exchange: Exchange, url: string) {
  const complete = completeResponse(exchange)
  if (!complete.ok) return complete
  const { status, text } = complete.value
  if (status !== 204 && !url.endsWith('/markdown') && !/^\s*[{[]/.test(text))
    return unreadable(status, 'not-json')
  if (url.endsWith('/graphql')) return readQuery(complete.value)
  return complete
}

interface QueryError {
  type?: string
  path?: unknown[]
}

/** Reads the response to a query, which has its errors in its body (GitHub's docs, "Handling GraphQL errors"). */
function readQuery(response: CompleteResponse): Reply<CompleteResponse> {
  const { status, text } = response
  const { errors = [], ...data } = JSON.parse(text) as { errors?: QueryError[] }
  if (errors.every(isMissingPull)) return replyWith({ ...response, text: JSON.stringify(data) })
  const detail = wordsOf(text)
  // GitHub's message for its own errors, and for a query that took too long.
  const kind = /^Something went wrong while executing your query/.test(detail) ? 'broken' : 'rejected'
  return { ok: false, failure: { kind, status, detail } }
}

/** Whether one of several pull requests in a query does not exist, unlike their repository. It is null in the data. */
function isMissingPull({ type, path = [] }: QueryError) {
  return type === 'NOT_FOUND' && path.length > 1
}
