/** Updates the states of suggestions from what happened on their issue. */
import type { Day } from '../calendar.ts'
import type { Dismissal } from './commands.ts'
import type { KnownSuggestion, State } from './known.ts'

/** A request for a suggestion, as a mark on the issue records it. */
export interface SuggestionRequest {
  key: string
  /** The id of the comment with the request. Requests and dismissals are ordered by this id. */
  comment: number
  /** Login; null if unknown. */
  by: string | null
  /** Whether its result was reported. If the result was not a pull request, the suggestion is open again. */
  isOver: boolean
  prLink: string | null
}

export type PullState = { is: 'open' } | { is: 'closed' } | { is: 'merged'; on: Day }

/** The links of the pull requests that the states depend on. */
export function pullsToRead(
  known: readonly KnownSuggestion[],
  requests: readonly SuggestionRequest[],
  dismissals: readonly Dismissal[],
): string[] {
  const urls = known.flatMap((each) => {
    const state = last(each, requests, dismissals)
    return state.is === 'pull-request' ? [state.url] : []
  })
  return [...new Set(urls)]
}

/**
 * The suggestions with their current states. The latest request or dismissal decides. If its comment is gone, the state
 * from the earlier report remains.
 * @param pulls by link; if one could not be read, the state does not change
 */
export function withStates(
  known: readonly KnownSuggestion[],
  requests: readonly SuggestionRequest[],
  dismissals: readonly Dismissal[],
  pulls: ReadonlyMap<string, PullState>,
): KnownSuggestion[] {
  return known.map((each) => {
    const state = last(each, requests, dismissals)
    if (state.is !== 'pull-request') return { ...each, state }
    const pull = pulls.get(state.url)
    // The suggestion was raised again after this merge, so only a later request counts.
    if (pull?.is === 'merged' && pull.on < each.raised) return each
    if (pull?.is === 'merged') return { ...each, state: { ...state, is: 'merged', on: pull.on } }
    return { ...each, state: pull?.is === 'closed' ? { is: 'open' } : state }
  })
}

/** The state after the latest request or dismissal. */
function last(
  { key, state }: KnownSuggestion,
  requests: readonly SuggestionRequest[],
  dismissals: readonly Dismissal[],
): State {
  const isOwn = (each: { key: string }) => each.key === key
  const [request] = requests.filter(isOwn).sort((one, other) => other.comment - one.comment)
  const [dismissal] = dismissals.filter(isOwn).sort((one, other) => other.request - one.request)
  if (dismissal !== undefined && dismissal.request > (request?.comment ?? 0))
    return { is: 'dismissed', by: dismissal.by }
  if (request === undefined) return state
  const { by, prLink: url, isOver } = request
  // A known state of the same pull request is kept: merged and measured are final.
  if (url !== null) return 'url' in state && state.url === url ? state : { is: 'pull-request', by, url }
  return isOver ? { is: 'open' } : { is: 'asked', by }
}
