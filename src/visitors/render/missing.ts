/** What is missing from a section, and why. The platform's own message is only in the log. */
import type { ListName } from '../../core/job/operation.ts'
import type { Failure } from '../../core/job/response.ts'
import { oneLine } from '../../core/text.ts'
import type { Missing } from '../core/sections/lists.ts'

/** The name of each list in a sentence. */
export const listNames: Record<ListName, string> = {
  'feedback-by-page': 'votes',
  feedback: 'comments',
  searches: 'searches',
  assistant: 'questions',
}

/** Why a list was not read, as the end of a sentence. */
export function missingReason(gap: Missing): string {
  switch (gap.why) {
    case 'budget':
      return 'all requests allowed by max-requests were used up'
    case 'timeout':
      return 'the timeout was reached'
    case 'failed':
      return failureReason(gap.problem.failure)
  }
}

function failureReason(failure: Failure): string {
  switch (failure.kind) {
    case 'unreachable':
      return `could not connect to Mintlify (${oneLine(failure.code, 60)})`
    case 'no-response':
      return `Mintlify did not respond (${oneLine(failure.code, 60)})`
    case 'unreadable':
      return `could not read Mintlify's response: ${oneLine(failure.problem, 100)}`
    case 'redirected':
      return `Mintlify redirected the request (${failure.status})`
    case 'broken':
      return `Mintlify failed (${failure.status})`
    case 'rejected':
      return rejectedReason(failure.status)
  }
}

function rejectedReason(status: number): string {
  if (status === 429) return 'the hourly limit of 100 analytics requests was reached (429)'
  // Mintlify responds like this to keys without access, and perhaps to plans that do not include the list.
  if (status === 403 || status === 404) return `not available to this API key or plan (${status})`
  return `Mintlify rejected the request (${status})`
}
