/** Where a request's entries are kept. A place lists, writes, reports and clears them, and decides nothing. */
import type { JobChoice } from '../core/job/job.ts'
import type { AgentResult } from '../core/outcome.ts'
import type { Rejection } from '../core/problems.ts'
import type { Origin } from '../core/pull.ts'
import type { GitHubReply, PlatformPorts } from '../usecases/ports.ts'
import type { SavedCommit } from './commit.ts'
import { type Found, fold, type Known, type Statement } from './entry.ts'
import type { CommentEntry } from './format.ts'
import type { Look } from './next.ts'
import type { SavedThread } from './thread.ts'

/** What people see of an entry. `state` and `link` are shown only beside a commit. */
export interface Shown {
  words: string
  state: 'pending' | 'success' | 'failure'
  link: string
}

/** Where a request's entries are kept. A call that GitHub rejects is made twice, and then logged. */
export interface Place {
  readonly kind: 'thread' | 'commit' | 'nowhere'
  /** Whether nothing can be kept here, so that a re-run does not know what the first run did. */
  readonly isOff: boolean
  /** What its result is about; null if nothing is written on pull requests. */
  about(): Promise<About | null>
  /** The request's entries: those that GitHub lists, and those that this step wrote. */
  list(): Promise<GitHubReply<Found[]>>
  /** The words while the agent works. */
  pending(choice: JobChoice): Shown
  /** The words for a result. @param isOpen whether the request is not at rest, so that this is not its last word */
  result(result: AgentResult, isOpen: boolean): Shown
  /** Writes this step's entry, or raises it. Returns its id. */
  write(statement: Statement, shown: Shown): Promise<GitHubReply<number>>
  /** Reports an end to people. */
  report(statement: Statement, shown: Shown): Promise<GitHubReply<number>>
  /** Whether `clear` has anything to do. */
  hasLeftovers(): boolean
  /** Removes what the end of a request replaces; false if GitHub rejected that. */
  clear(): Promise<boolean>
  /** What the post step needs to continue here; null if nothing. */
  saved(): SavedThread | SavedCommit | null
}

/** What a request is about, and its names in comments about it. */
export type About = Origin & Pick<CommentEntry, 'request' | 'step' | 'project'>

const done = async () => ({ ok: true, value: 0 }) as const
const nothing = { words: '', state: 'pending', link: '' } as const

/** For a step that keeps no record. */
export const nowhere: Place = {
  kind: 'nowhere',
  isOff: true,
  about: async () => null,
  list: async () => ({ ok: true, value: [] }),
  pending: () => nothing,
  result: () => nothing,
  write: done,
  report: done,
  hasLeftovers: () => false,
  clear: async () => true,
  saved: () => null,
}

/** Makes a call again if GitHub rejects it: one rejected call must not lose a record. */
export async function twice<T>(call: () => Promise<GitHubReply<T>>): Promise<GitHubReply<T>> {
  const first = await call()
  return first.ok ? first : call()
}

/** What comes next after the last look; null if the step must end before that, or if GitHub rejects the list. */
type Looked<S> =
  | { step: Exclude<S, Look>; known: Known | null }
  | { step: null; known: Known | null; rejection: Rejection | null }

/** Looks at a place until something else comes next. @param known what an earlier look showed */
export async function lookAt<S extends { do: string }>(
  place: Pick<Place, 'list'>,
  next: (known: Known | null) => S,
  { clock, cancelled, deadline }: Pick<PlatformPorts, 'clock' | 'cancelled' | 'deadline'>,
  known: Known | null = null,
): Promise<Looked<S>> {
  const step = next(known)
  if (!isLook(step)) return { step: step as Exclude<S, Look>, known }
  const wait = step.at - clock.date()
  if (wait > 0 && clock.now() + wait > deadline) return { step: null, known, rejection: null }
  if (wait > 0) await clock.sleep(wait, cancelled)
  if (cancelled.aborted) return { step: null, known, rejection: null }
  const at = clock.date()
  const read = await place.list()
  if (!read.ok) return { step: null, known, rejection: read.rejection }
  return lookAt(place, next, { clock, cancelled, deadline }, fold(read.value, at))
}

function isLook(step: { do: string }): step is Look {
  return step.do === 'look'
}
