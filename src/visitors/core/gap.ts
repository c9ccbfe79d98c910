/** Why something is missing from a report. The platform's own message is only in the log. */
import type { Failure } from '../../core/job/response.ts'
import type { Problem } from '../../core/problems.ts'
import type { Mixed, PagingFault } from './paging.ts'

/** Why a response is missing. */
export type Missing =
  /** `max-requests` was used up. */
  | { why: 'budget' }
  /** `timeout` was reached. */
  | { why: 'timeout' }
  /** A request failed after all attempts. */
  | { why: 'failed'; problem: Problem }

/** Why pages of a period are missing. */
export type Gap =
  | Missing
  /** The site changed while its pages were read, and again while they were reread. */
  | { why: Mixed }
  | { why: PagingFault }

/** The reason as the end of a sentence. */
export function reasonOf(gap: Gap): string {
  switch (gap.why) {
    case 'budget':
      return 'all requests allowed by max-requests were used up'
    case 'timeout':
      return 'the timeout was reached'
    case 'failed':
      return failureReason(gap.problem.call?.failure)
    case 'moving':
      return 'the totals kept changing while the pages were read'
    case 'shifting':
      return 'the order of the pages kept changing while the list was being read'
    case 'empty-page':
      return 'Mintlify announced more pages but sent none'
    case 'offset-ignored':
      return 'Mintlify sent the same pages again and again'
  }
}

function failureReason(failure: Failure | undefined): string {
  if (failure === undefined || !('status' in failure)) return 'Mintlify did not respond'
  const { kind, status } = failure
  if (kind === 'unreadable') return "Mintlify's response could not be read"
  if (status === 429) return 'the hourly limit of 100 analytics requests was reached (429)'
  // Mintlify responds like this to keys without access, and perhaps to plans that do not include the list.
  const isClosed = status === 403 || status === 404
  return isClosed ? `not available to this API key or plan (${status})` : `Mintlify responded with ${status}`
}
