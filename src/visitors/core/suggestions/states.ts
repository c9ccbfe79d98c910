/** How far suggestions are, from what is found on their issue. */
import type { Day } from '../calendar.ts'
import type { Dismissal } from './commands.ts'
import type { Remembered, State } from './memory.ts'

/** A request for a suggestion, as its mark on the issue records it. */
export interface SuggestionRequest {
  key: string
  /** The comment that asked, by which requests and dismissals are ordered. */
  comment: number
  /** Login; null if it is not known. */
  by: string | null
  /** Whether its result was reported; without a pull request, the suggestion is open again. */
  isOver: boolean
  prLink: string | null
}

/** What GitHub says of a pull request. */
export type PullState = { is: 'open' } | { is: 'closed' } | { is: 'merged'; on: Day }

/** The pull requests whose state decides how far suggestions are, by their addresses. */
export function pullsToRead(known: readonly Remembered[], requests: readonly SuggestionRequest[]): string[] {
  const urls = known.flatMap((each) => {
    const { state } = last(each, requests, [])
    return state.is === 'pull-request' ? [state.url] : []
  })
  return [...new Set(urls)]
}

/**
 * The suggestions with their current states. The latest word counts, and what an earlier report remembered counts if its
 * comments are no longer there.
 * @param pulls by address; a pull request that could not be read keeps the state that it had
 */
export function withStates(
  known: readonly Remembered[],
  requests: readonly SuggestionRequest[],
  dismissals: readonly Dismissal[],
  pulls: ReadonlyMap<string, PullState>,
): Remembered[] {
  return known.map((each) => {
    const { state } = last(each, requests, dismissals)
    if (state.is !== 'pull-request') return { ...each, state }
    const pull = pulls.get(state.url)
    // Measured long ago, and raised again since: only a later request counts.
    if (pull?.is === 'merged' && pull.on < each.raised) return each
    if (pull?.is === 'merged') return { ...each, state: { ...state, is: 'merged', on: pull.on } }
    return { ...each, state: pull?.is === 'closed' ? { is: 'open' } : state }
  })
}

/** The state as the latest request or dismissal left it. */
function last(
  { key, state }: Remembered,
  requests: readonly SuggestionRequest[],
  dismissals: readonly Dismissal[],
): { state: State } {
  const request = latest(
    requests.filter((each) => each.key === key).map((each) => ({ ...each, at: each.comment })),
  )
  const dismissal = latest(
    dismissals.filter((each) => each.key === key).map((each) => ({ ...each, at: each.request })),
  )
  if (dismissal !== undefined && dismissal.at > (request?.at ?? 0))
    return { state: { is: 'dismissed', by: dismissal.by } }
  if (request === undefined) return { state }
  const { by, prLink: url, isOver } = request
  // What is known of a pull request's end does not change any more.
  if (url !== null)
    return { state: 'url' in state && state.url === url ? state : { is: 'pull-request', by, url } }
  return { state: isOver ? { is: 'open' } : { is: 'asked', by } }
}

function latest<T extends { at: number }>(events: readonly T[]): T | undefined {
  return events.reduce<T | undefined>(
    (one, other) => (one === undefined || other.at > one.at ? other : one),
    undefined,
  )
}
