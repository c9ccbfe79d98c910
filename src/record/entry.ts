/**
 * The ledger: signed entries about a request, each by one writer. What is known about a request is the fold of its
 * entries. So a copy changes nothing, a stale list shows less but never anything false, and nothing can be taken back.
 */
import * as z from 'zod/mini'
import { pathSegment } from '../core/http.ts'
import { isRequestEnd } from '../core/outcome.ts'

const rising = ['asked', 'open', 'not-sent', 'unconfirmed', 'job', 'no-changes'] as const
const ends = ['archived', 'failed', 'error', 'out-of-bounds', 'pull-request'] as const

/** Every state. Their order is part of the format of a status. */
export const states = [...rising, ...ends]

/**
 * How far a request is. `asked`: a comment says that the agent is working, but nothing was sent. `open`: it is about
 * to be sent, or it was sent and its job is unknown. `not-sent`: this writer sent nothing. `job`: it has a job whose
 * result is not reported yet. Otherwise: how it ended.
 */
export type State = (typeof states)[number]

/** Each writer only rises. Among ends with a result, one with a pull request is higher, then the earliest. */
const rank = (state: State) => Math.min(states.indexOf(state), rising.length)

/** One statement by one writer. Times are in milliseconds since the epoch. */
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
  /** Whether the writer's run has ended, so that it no longer follows the job. */
  isLeft: z.boolean(),
})

/** See `statement`. */
export type Statement = z.infer<typeof statement>

/** A statement that was found on GitHub, whose ids ascend. It is not signed if the key changed, or in another place. */
export interface Found<S extends Statement = Statement> {
  id: number
  entry: S
  isSigned: boolean
}

/** What is known about a request. Times are in milliseconds since the epoch. */
export interface Known<F extends Found = Found> {
  /** The latest attempt; 0 if there is none. */
  attempt: number
  /** Its highest entry; null if there is none. */
  top: F | null
  /** What each writer has stated about it: the highest state, and the latest time. In the order of their first entries. */
  writers: Pick<Statement, 'writer' | 'state' | 'until' | 'isLeft'>[]
  /** When it began. */
  since: number
  /** Whether an entry with another signature says that something may have been sent. */
  isForeign: boolean
  /** When GitHub listed the entries. */
  at: number
}

/** The higher of two states of one writer. */
export function higher(one: State, other: State): State {
  return rank(other) > rank(one) ? other : one
}

/** Whether a state ends a request, so that it is not open. */
export function isAtRest(state: State): boolean {
  return state === 'not-sent' || isRequestEnd(state)
}

/** Whether a request has begun and is not at rest. */
export function isOpen({ top }: Known): boolean {
  return top !== null && !isAtRest(top.entry.state)
}

/** Whether a job ended without a result, so that a re-run is a new attempt. */
export function hasNoResult({ state, link }: { state: string; link: string | null }): boolean {
  return state === 'failed' || (state === 'archived' && link === null)
}

/** What is known from the entries of one request. Any order and any number of copies give the same. */
export function fold<F extends Found>(found: readonly F[], at = 0): Known<F> {
  const signed = found.filter(({ isSigned }) => isSigned)
  const attempt = Math.max(0, ...signed.map(({ entry }) => entry.attempt))
  const latest = signed.filter(({ entry }) => entry.attempt === attempt).toSorted((a, b) => a.id - b.id)
  const stated = latest.map(({ entry }) => entry)
  const writers = [...Map.groupBy(stated, ({ writer }) => writer)].map(([writer, own]) => ({
    writer,
    state: own.map(({ state }) => state).reduce(higher),
    until: Math.max(...own.map(({ until }) => until)),
    isLeft: own.some(({ isLeft }) => isLeft),
  }))
  const isForeign = found.some(({ isSigned, entry }) => !isSigned && entry.state !== 'not-sent')
  const since = Math.min(...stated.map((entry) => entry.since))
  return { attempt, top: highest(latest), writers, since, isForeign, at }
}

/**
 * The highest of an attempt's entries, by id. An attempt was not sent only if all writers say so, or have not come
 * further than being asked. A writer that withdrew no longer counts with what it stated before.
 */
function highest<F extends Found>(latest: readonly F[]): F | null {
  const unsent = latest.filter(({ entry }) => entry.state === 'not-sent').map(({ entry }) => entry.writer)
  const height = ({ entry: { state, link, writer } }: F) => {
    if (state === 'not-sent') return -1
    if (state === 'asked' || (state === 'open' && unsent.includes(writer))) return -2
    return rank(state) + (link !== null && isRequestEnd(state) ? 0.5 : 0)
  }
  return latest.toSorted((one, other) => height(other) - height(one))[0] ?? null
}

/** The entries that a request at rest no longer needs: all but each attempt's highest, if that is the last or an end. */
export function replaced<F extends Found>(found: readonly F[]): F[] {
  const { top } = fold(found)
  if (top === null || !isAtRest(top.entry.state)) return []
  const signed = found.filter(({ isSigned }) => isSigned)
  const tops = [...Map.groupBy(signed, ({ entry }) => entry.attempt).values()].map((own) => fold(own).top)
  return signed.filter((each) => !tops.includes(each) || (each !== top && !isRequestEnd(each.entry.state)))
}
