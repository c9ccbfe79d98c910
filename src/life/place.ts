/** Where a request's entries are kept. A place lists, writes, reports and clears them, and decides nothing. */
import type { JobChoice } from '../core/job/job.ts'
import type { AgentResult } from '../core/outcome.ts'
import type { Rejection } from '../core/problems.ts'
import type { Origin } from '../core/pull.ts'
import type { CommitStatus, GitHubReply, PlatformPorts } from '../usecases/ports.ts'
import type { CommitRequest } from './commit.ts'
import { type Found, fold, type Known, type Statement } from './entry.ts'
import type { CommentEntry } from './format.ts'
import type { Look } from './next.ts'
import type { ThreadRequest } from './thread.ts'

/** What people see of an entry. `state` and `link` are shown only beside a commit. */
export interface Shown {
  words: string
  state: CommitStatus['state']
  link: string
}

/** Where a request's entries are kept. A call that GitHub rejects is made twice, and then logged. */
export interface Place {
  readonly kind: 'thread' | 'commit' | 'nowhere'
  readonly request: ThreadRequest | CommitRequest | null
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
  /** What `clear` removes. */
  leftovers(): readonly unknown[]
  /** Removes what the end of a request replaces; false if GitHub rejected that. */
  clear(): Promise<boolean>
}

/** The parts of a request that identify a comment about it. */
export type Names = Pick<CommentEntry, 'request' | 'step' | 'project'>

/** What a request is about, and its names in comments about it. */
export type About = Origin & Names

const done = async () => ({ ok: true, value: 0 }) as const
const nothing = { words: '', state: 'pending', link: '' } as const

/** For a step that keeps no record. */
export const nowhere: Place = {
  kind: 'nowhere',
  request: null,
  isOff: true,
  about: async () => null,
  list: async () => ({ ok: true, value: [] }),
  pending: () => nothing,
  result: () => nothing,
  write: done,
  report: done,
  leftovers: () => [],
  clear: async () => true,
}

/** Makes a call again if GitHub rejects it: one rejected call must not lose a record. */
export async function twice<T>(call: () => Promise<GitHubReply<T>>): Promise<GitHubReply<T>> {
  const first = await call()
  return first.ok ? first : call()
}

/** What comes next after the last look; null if the step must end before that, or if GitHub rejects the list. */
interface Looked<S> {
  step: S | null
  known: Known | null
  rejection: Rejection | null
}

/** Looks at a place until something else comes next. @param known what an earlier look showed */
export async function lookAt<S extends { do: string }>(
  place: Pick<Place, 'list'>,
  next: (known: Known | null) => S | Look,
  ports: PlatformPorts,
  known: Known | null = null,
): Promise<Looked<S>> {
  const { clock, cancelled, deadline } = ports
  const step = next(known)
  if (!isLook(step)) return { step, known, rejection: null }
  const wait = step.at - clock.date()
  if (wait > 0 && clock.now() + wait > deadline) return { step: null, known, rejection: null }
  await waitUntil(step.at, ports)
  if (cancelled.aborted) return { step: null, known, rejection: null }
  const at = clock.date()
  const read = await place.list()
  if (!read.ok) return { step: null, known, rejection: read.rejection }
  return lookAt(place, next, ports, fold(read.value, at))
}

function isLook(step: { do: string }): step is Look {
  return step.do === 'look'
}

/** Waits until a time, in milliseconds since the epoch. */
export async function waitUntil(time: number, { clock, cancelled }: PlatformPorts): Promise<void> {
  const wait = time - clock.date()
  if (wait > 0) await clock.sleep(wait, cancelled)
}
