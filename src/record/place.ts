/** Where a request's entries are kept. A place lists, writes and clears them, and decides nothing. */
import type { AgentResult } from '../core/outcome.ts'
import type { GitHubReply } from '../core/reply.ts'
import type { Origin } from '../core/trigger/change.ts'
import type { CommitStatus, PlatformPorts } from '../ports.ts'
import type { CommitRequest } from './commit.ts'
import { type Found, fold, type Known, type Statement } from './entry.ts'
import type { Names } from './format.ts'
import type { Step } from './next.ts'
import type { ThreadRequest } from './thread.ts'

/** What people see of an entry. `state` and `link` are shown only beside a commit. */
export interface Shown {
  words: string
  state: CommitStatus['state']
  link: string
  /** Whether it is the last word on the request, so that people get a message. */
  isReport: boolean
}

/** Where a request's entries are kept. A call that GitHub rejects is made again unless it reports, and then logged. */
export interface Place {
  readonly kind: 'thread' | 'commit' | 'nowhere'
  readonly request: ThreadRequest | CommitRequest | null
  /** Whether nothing can be kept here, so that a re-run does not know what the first run did. */
  readonly isOff: boolean
  /** What its result is about; null if nothing is written on pull requests. */
  about(): Promise<About | null>
  /** The request's entries: those that GitHub lists, and those that this step wrote. */
  list(): Promise<GitHubReply<Found[]>>
  /** What people see before the result. @param words only a comment has room for them */
  pending(words: string): Shown
  /** What people see of a result. @param isReport whether it is the last word on the request */
  result(result: AgentResult, isReport: boolean): Shown
  /** Writes this step's entry, or raises it. */
  write(statement: Statement, shown: Shown): Promise<GitHubReply<unknown>>
  /** What the end of the request has replaced. */
  readonly leftovers: readonly unknown[]
  /** Removes that; false if GitHub rejected it. */
  clear(): Promise<boolean>
}

/** What a request is about, and its names in comments about it. */
export type About = Origin & Names

const nothing = { words: '', state: 'pending', link: '', isReport: false } as const

/** For a step that keeps no record. */
export const nowhere: Place = {
  kind: 'nowhere',
  request: null,
  isOff: true,
  about: async () => null,
  list: async () => ({ ok: true, value: [] }),
  pending: () => nothing,
  result: () => nothing,
  write: async () => ({ ok: true, value: null }),
  leftovers: [],
  clear: async () => true,
}

/** Makes a call again if GitHub rejects it: one rejected call must not lose a record. */
export async function twice<T>(call: () => Promise<GitHubReply<T>>): Promise<GitHubReply<T>> {
  const first = await call()
  return first.ok ? first : call()
}

/** Looks until something else comes next: null if the step must end first, or if GitHub rejects the list. */
export async function lookAt<S extends { do: string }>(
  place: Place,
  next: (known: Known | null) => S | Step<'look'>,
  { clock, cancelled, deadline }: PlatformPorts,
  given: Known | null = null,
) {
  const isLook = (step: S | Step<'look'>): step is Step<'look'> => step.do === 'look'
  for (let known = given; ; ) {
    const step = next(known)
    if (!isLook(step)) return { step, known, failure: null }
    const stopped = { step: null, known, failure: null }
    const wait = step.at - clock.date()
    if (wait > 0 && clock.now() + wait > deadline) return stopped
    if (wait > 0) await clock.sleep(wait, cancelled)
    if (cancelled.aborted) return stopped
    const at = clock.date()
    const read = await place.list()
    if (!read.ok) return { ...stopped, failure: read.failure }
    known = fold(read.value, at)
  }
}
