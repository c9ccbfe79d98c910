/**
 * The ledger: signed entries about a request, each by one writer. The progress of a request is the fold of its entries.
 * So a copy changes nothing, a stale list shows less but never anything false, and nothing can be taken back.
 */
import * as z from 'zod/mini'
import { isRequestEnd } from '../core/outcome.ts'
import type { Accounts } from '../core/problems.ts'
import { pathSegment } from '../core/text.ts'

/**
 * Every state, in order of rank, and how it is written. A code is never changed or used again, because entries outlive
 * versions of the action.
 */
export const stateCodes = {
  asked: 'a',
  open: 'o',
  'not-sent': 'n',
  unconfirmed: 'u',
  job: 'j',
  'no-changes': 'c',
  archived: 'r',
  failed: 'f',
  error: 'e',
  'out-of-bounds': 'b',
  'pull-request': 'p',
} as const

/**
 * How far a request is. `asked`: a comment says that the agent is working, but nothing was sent. `open`: it is about
 * to be sent, or it was sent and its job is unknown. `not-sent`: this writer sent nothing. `job`: it has a job whose
 * result is not reported yet. Otherwise: how it ended.
 */
export type State = keyof typeof stateCodes

export const states = Object.keys(stateCodes) as State[]

/** Each writer only rises: also from `unconfirmed` to a job, and from `no-changes` to a late link. All other ends rank equally. */
const rank = (state: State) => Math.min(states.indexOf(state), states.indexOf('archived'))

/**
 * One statement by one writer. Times are in milliseconds since the epoch. The order of the fields never changes: comments
 * list them in this order.
 */
export const statement = z.object({
  /** The number of the attempt to carry the request out, from 1. A re-run after a failed job is a new attempt. */
  attempt: z.int(),
  /** The step of a run attempt that wrote it; see `writersOf`. */
  writer: z.string(),
  state: z.enum(states),
  job: z.nullable(z.string().check(z.regex(pathSegment))),
  /** The agent's pull request; null if there is none (yet). */
  link: z.nullable(z.string()),
  /** When the writer began, and the latest time at which its run can end. */
  since: z.int(),
  until: z.int(),
  /** Whether the writer's run has ended, so that it no longer waits for the job. */
  isLeft: z.boolean(),
})

/** See `statement`. */
export type Statement = z.infer<typeof statement>

/** An entry that was found on GitHub, whose ids ascend. */
export interface FoundEntry<S extends Statement = Statement> {
  id: number
  entry: S
  /** Whether it counts: not if the key changed, in another place, or if another account wrote it. */
  isSigned: boolean
  /** Not null if another account wrote it with this key, or copied it. */
  accounts: Accounts | null
  /** Whether a later version of the action wrote it. Only its request is known, and it does not count as signed. */
  isNewer?: boolean
}

/** What `progressAt` returns: how far a request is. Times are in milliseconds since the epoch. */
export type Progress = ReturnType<typeof progressAt>

/** The higher of two states of one writer. */
export function higher(one: State, other: State) {
  return rank(other) > rank(one) ? other : one
}

/** Whether a state ends a request, so that it is not open. */
export function isAtRest(state: State) {
  return state === 'not-sent' || isRequestEnd(state)
}

/** Whether a request has begun and is not at rest. */
export function isOpen({ top }: Pick<Progress, 'top'>) {
  return top !== null && !isAtRest(top.entry.state)
}

/** Whether a job ended without a result, so that a re-run is a new attempt. */
export function hasNoResult({ state, link }: { state: string; link: string | null }) {
  return state === 'failed' || (state === 'archived' && link === null)
}

/** How far a request is at a time, for rules that compare times. @param at when GitHub listed the entries */
export function progressAt<F extends FoundEntry>(entries: readonly F[], at: number) {
  return { ...fold(entries), at }
}

/**
 * How far a request is, according to all of its entries by the token's own account; if it has none, by others. Any order
 * and any number of copies give the same.
 */
export function fold<F extends FoundEntry>(entries: readonly F[]) {
  const others = entries.filter(({ accounts }) => accounts !== null)
  const signedEntries = entries.filter(({ isSigned }) => isSigned)
  const countedEntries = signedEntries.length > 0 ? signedEntries : others
  const accounts = countedEntries[0]?.accounts ?? null
  const attempt = Math.max(0, ...countedEntries.map(({ entry }) => entry.attempt))
  const lastAttempt = countedEntries
    .filter(({ entry }) => entry.attempt === attempt)
    .sort((one, other) => one.id - other.id)
  const statements = lastAttempt.map(({ entry }) => entry)
  const byWriter = Map.groupBy(statements, ({ writer }) => writer)
  return {
    /** The last attempt; 0 if there is none. */
    attempt,
    /** Its highest entry; null if there is none. */
    top: highest(lastAttempt),
    /** What its writers have stated, in the order of their first entries: the highest state, and the latest time. */
    writers: [...byWriter].map(([writer, all]) => ({
      writer,
      state: all.map(({ state }) => state).reduce(higher),
      until: Math.max(...all.map(({ until }) => until)),
      isLeft: all.some(({ isLeft }) => isLeft),
    })),
    /** When it began. */
    since: Math.min(...statements.map(({ since }) => since)),
    /** Why more may have happened than the entries show, so that nothing can be sent; null if they show everything. */
    doubt: accounts === null ? doubtAbout(entries) : ('other-account' as const),
    /** Not null if only another account has recorded the request: then, nothing may act on the rest. */
    accounts,
  }
}

function doubtAbout(entries: readonly FoundEntry[]) {
  if (entries.some(({ isNewer }) => isNewer)) return 'newer-version' as const
  const isForeign = entries.some(
    ({ isSigned, accounts, entry }) => !isSigned && accounts === null && entry.state !== 'not-sent',
  )
  return isForeign ? ('key-changed' as const) : null
}

/** The highest of an attempt's entries, which are sorted by id; the earliest of several. */
function highest<F extends FoundEntry>(entries: readonly F[]) {
  const hasWithdrawn = (writer: string) =>
    entries.some(({ entry }) => entry.writer === writer && entry.state === 'not-sent')
  const heightOf = ({ entry }: F) => height(entry, hasWithdrawn(entry.writer))
  return entries.toSorted((one, other) => heightOf(other) - heightOf(one))[0] ?? null
}

/** How high an entry is among all entries of its attempt. */
function height({ state, link }: Statement, hasWithdrawn: boolean) {
  if (state === 'asked') return -2
  // A writer that withdrew no longer counts with what it stated before.
  if (state === 'open' && hasWithdrawn) return -2
  // An attempt was not sent only if no writer got further than being asked.
  if (state === 'not-sent') return -1
  // Among ends, one with a pull request counts more.
  if (link !== null && isRequestEnd(state)) return rank(state) + 0.5
  return rank(state)
}

/** The entries that a request at rest no longer needs. It keeps its highest one, and the end of each earlier attempt. */
export function leftoversIn<F extends FoundEntry>(entries: readonly F[]) {
  const { top } = fold(entries)
  if (top === null || !isAtRest(top.entry.state)) return []
  const signedEntries = entries.filter(({ isSigned }) => isSigned)
  const isResult = (each: F) => {
    const attempt = signedEntries.filter(({ entry }) => entry.attempt === each.entry.attempt)
    return isRequestEnd(each.entry.state) && fold(attempt).top === each
  }
  return signedEntries.filter((each) => each !== top && !isResult(each))
}
