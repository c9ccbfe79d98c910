/** Where a request's entries are kept. A place lists, writes and clears them, and decides nothing. */

import { type GitHubReply, replyWith } from '../core/http.ts'
import type { AgentResult, Outcome } from '../core/outcome.ts'
import type { Thread } from '../core/thread.ts'
import type { Origin } from '../core/trigger/change.ts'
import type { CommitStatus, PlatformPorts } from '../ports.ts'
import { type FoundEntry, type Progress, progressAt, type Statement } from './entry.ts'
import type { CommentEntry, Names, StatusEntry } from './format.ts'
import type { Step } from './next.ts'

/** A request on a thread. */
export interface ThreadRequest extends Names, Pick<CommentEntry, 'by' | 'isBot' | 'code' | 'globs'> {
  thread: Thread
}

/** A request on a commit, and its run. */
export interface CommitRequest extends Pick<StatusEntry, 'run' | 'follows' | 'number' | 'globs'> {
  commit: string
  /** The first of the step's contexts. */
  context: string
  runUrl: string
  /** Outcomes that set the status to `failure`. */
  failOn: readonly Outcome[]
}

/** What people see of an entry. `state` and `link` are shown only beside a commit. */
export interface Display {
  words: string
  state: CommitStatus['state']
  link: string
  /** Whether it is the last word on the request, so that people get a message. */
  isReport: boolean
}

/** Where a request's entries are kept. A failed call is made again, unless it reports, and then logged. */
export interface Place {
  readonly kind: 'thread' | 'commit' | 'nowhere'
  readonly request: ThreadRequest | CommitRequest | null
  /** What the request is about, if its event says so; otherwise null. */
  readonly origin: Origin | null
  /**
   * Whether nothing can be kept here, so that a re-run does not know what the first run did. On a commit, a call that
   * GitHub rejects can begin this: see `canDoWithout`.
   */
  readonly isOff: boolean
  /** The request's entries: those that GitHub lists, and those that this step wrote. */
  list(): Promise<GitHubReply<FoundEntry[]>>
  /** What people see before the result. @param words only a comment has room for them */
  pending(words: string): Display
  /** What people see of a result. @param isReport whether it is the last word on the request */
  result(result: AgentResult, isReport: boolean): Display
  /** Writes this step's entry, or raises it. */
  write(statement: Statement, display: Display): Promise<GitHubReply<unknown>>
  /** Whether there is still something that the end of the request has replaced. */
  hasLeftovers(): boolean
  /** Removes that. If a call fails, settle does. */
  clear(): Promise<void>
}

/** What people see of a request without a result. */
export function pendingDisplay(words: string, link = ''): Display {
  return { words, state: 'pending', link, isReport: false }
}

/** No entries. */
export const nothing: GitHubReply<never[]> = replyWith([])

/** For a step that keeps no record. */
export const nowhere: Place = {
  kind: 'nowhere',
  request: null,
  origin: null,
  isOff: true,
  list: async () => nothing,
  pending: pendingDisplay,
  result: () => pendingDisplay(''),
  write: async () => nothing,
  hasLeftovers: () => false,
  async clear() {},
}

/** Makes a call again if it fails: one failed call must not lose a record. */
export async function retryOnce<T>(call: () => Promise<GitHubReply<T>>) {
  const reply = await call()
  return reply.ok ? reply : call()
}

/**
 * Looks until something else comes next. `step`: null if the step must end first, or if the list cannot be read.
 * @param rule one of those in `next`
 * @param start the progress that an earlier look showed; null if there was none
 */
export async function lookAt<S extends { do: string }>(
  place: Place,
  rule: (progress: Progress | null) => S | Step<'look'>,
  { clock, cancelled, deadline }: PlatformPorts,
  start: Progress | null = null,
) {
  const isLook = (step: S | Step<'look'>): step is Step<'look'> => step.do === 'look'
  for (let progress = start; ; ) {
    const step = rule(progress)
    if (!isLook(step)) return { step, progress, failure: null }
    const stop = { step: null, progress, failure: null }
    const wait = step.at - clock.date()
    if (wait > 0 && clock.now() + wait > deadline) return stop
    if (wait > 0) await clock.sleep(wait, cancelled)
    if (cancelled.aborted) return stop
    const at = clock.date()
    const list = await place.list()
    if (!list.ok) return { ...stop, failure: list.failure }
    progress = progressAt(list.value, at)
  }
}
