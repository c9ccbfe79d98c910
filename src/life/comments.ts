/** The action's own comments: finding their entries, and posting, editing and removing them despite lost responses. */
import { projectName, stepName } from '../core/mark.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { readRequestId } from '../core/trigger/request.ts'
import { dayMs } from '../core/units.ts'
import { type GitHubAct, say } from '../say/messages.ts'
import type {
  AgentPorts,
  Bounded,
  GitHubPorts,
  GitHubReply,
  PlacedComment,
  Reaction,
} from '../usecases/ports.ts'
import type { Found } from './entry.ts'
import { type CommentEntry, type FoundEntry, readComment, writeComment } from './format.ts'
import { lagMs } from './next.ts'

/** What reading and writing entries needs from outside. */
export type LedgerPorts = Pick<AgentPorts, 'github' | 'clock' | 'cancelled' | 'sign' | 'words' | 'log'>

type ReadPorts = Pick<LedgerPorts, 'github' | 'sign'>

/** The items of a list by the token's own account: only those count. */
export async function ownIn<T>(
  list: Promise<GitHubReply<Bounded<T>>>,
  authorOf: (item: T) => string | null,
  { github }: { github: Pick<GitHubPorts, 'viewer'> },
): Promise<GitHubReply<Bounded<T>>> {
  const listed = await list
  if (!listed.ok) return listed
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const items = listed.value.items.filter((item) => authorOf(item) === viewer.value)
  return { ok: true, value: { ...listed.value, items } }
}

/** The items of a list that must be complete. @param all what has too many of them */
export function whole<T>(listed: GitHubReply<Bounded<T>>, all: string): GitHubReply<T[]> {
  if (!listed.ok) return listed
  if (!listed.value.isCut) return { ok: true, value: listed.value.items }
  return { ok: false, rejection: { status: null, message: `${all} than the action reads` } }
}

/** A thread's comments by the token's own account, oldest first. */
export async function ownComments(
  thread: Thread,
  { github }: { github: Pick<GitHubPorts, 'viewer' | 'comments'> },
): Promise<GitHubReply<PlacedComment[]>> {
  const own = await ownIn(github.comments(thread), ({ author }) => author, { github })
  const listed = whole(own, 'The thread has more comments')
  if (!listed.ok) return listed
  return { ok: true, value: listed.value.map((comment) => ({ ...comment, thread })) }
}

/** The signed entries on a thread, oldest first. Only comments by the token's own account count. */
export async function entriesOn(thread: Thread, ports: ReadPorts): Promise<GitHubReply<FoundEntry[]>> {
  const comments = await ownComments(thread, ports)
  if (!comments.ok) return comments
  return { ok: true, value: entriesIn(comments.value, ports).filter(({ isSigned }) => isSigned) }
}

/** The entries in comments. */
export function entriesIn(
  comments: readonly PlacedComment[],
  { sign }: Pick<LedgerPorts, 'sign'>,
): FoundEntry[] {
  return comments.flatMap((comment) => readComment(comment, sign) ?? [])
}

/** The signed entries of the step's project. */
export function ofProject(found: readonly FoundEntry[], { run }: Pick<AgentPorts, 'run'>): FoundEntry[] {
  const project = projectName(run.step.project)
  return found.filter(({ isSigned, entry }) => isSigned && entry.project === project)
}

/** How far back to look for entries, in milliseconds. */
export const lookBack = 28 * dayMs

/** The project's signed entries in the whole repository, newest first; may be incomplete. */
export async function recentEntries(
  kind: 'issue' | 'review',
  ports: AgentPorts,
): Promise<GitHubReply<Bounded<FoundEntry>>> {
  const since = ports.clock.date() - lookBack
  const comments = ports.github.recentComments(ports.run.repository, kind, since)
  const own = await ownIn(comments, ({ author }) => author, ports)
  if (!own.ok) return own
  return { ok: true, value: { ...own.value, items: ofProject(entriesIn(own.value.items, ports), ports) } }
}

/**
 * Comments on pull requests that repeat an earlier one, because two runs reported at the same time: each job has one on
 * the agent's pull request, and each step has one on the change's.
 */
export function copiesIn(entries: readonly FoundEntry[]): FoundEntry[] {
  const about = entries.filter(({ entry }) => entry.role !== 'request')
  const name = ({ thread, entry: { role, job, step, request } }: FoundEntry) =>
    [threadName(thread), role, { pull: job, link: step, notice: request, request }[role]].join(' ')
  return [...Map.groupBy(about, name).values()].flatMap((own) =>
    own.toSorted((one, other) => one.id - other.id).slice(1),
  )
}

/** Posts a comment. After a lost response, looks for the comment before posting it again. */
export async function post(
  thread: Thread,
  words: string,
  entry: CommentEntry,
  ports: LedgerPorts,
): Promise<GitHubReply<number>> {
  const body = writeComment(words, entry, thread, ports.sign)
  const posted = await ports.github.reply(thread, body)
  if (posted.ok || posted.rejection.isUncertain !== true) return posted
  // GitHub's lists lag, so a second look shows what the first may lack.
  for (const wait of [0, lagMs]) {
    if (wait > 0) await ports.clock.sleep(wait, ports.cancelled)
    if (ports.cancelled.aborted) return posted
    const found = await entriesOn(thread, ports)
    if (!found.ok) return posted
    const own = found.value.find((each) => isSameStatement(each.entry, entry))
    if (own !== undefined) return { ok: true, value: own.id }
  }
  return ports.github.reply(thread, body)
}

function isSameStatement(one: CommentEntry, other: CommentEntry): boolean {
  const names = ['role', 'request', 'step', 'attempt', 'writer', 'state', 'job'] as const
  return names.every((name) => one[name] === other[name])
}

/** Seconds between attempts to edit a comment that was just posted: GitHub might not find it yet. */
const freshPauses = [1, 2, 4, 8]

/** Edits a comment that may have just been posted. */
export async function edit(
  thread: Thread,
  id: number,
  words: string,
  entry: CommentEntry,
  ports: LedgerPorts,
): Promise<GitHubReply<void>> {
  const body = writeComment(words, entry, thread, ports.sign)
  let edited = await ports.github.edit(thread, id, body)
  for (const seconds of freshPauses) {
    if (!isMissing(edited)) break
    await ports.clock.sleep(seconds * 1000, ports.cancelled)
    if (ports.cancelled.aborted) break
    edited = await ports.github.edit(thread, id, body)
  }
  return edited
}

/** Edits a comment, or posts it if there is none (null) or if someone deleted it. */
export async function put(
  thread: Thread,
  id: number | null,
  words: string,
  entry: CommentEntry,
  ports: LedgerPorts,
): Promise<GitHubReply<number>> {
  if (id === null) return post(thread, words, entry, ports)
  const edited = await edit(thread, id, words, entry, ports)
  if (edited.ok) return { ok: true, value: id }
  return isMissing(edited) ? post(thread, words, entry, ports) : edited
}

/** Whether it is certain that GitHub has no such comment. */
function isMissing(reply: GitHubReply<void>): boolean {
  return !reply.ok && reply.rejection.status === 404 && reply.rejection.isUncertain !== true
}

/** Removes comments; false if GitHub rejected that. A comment whose words someone changed is hidden, never deleted. */
export async function discard(found: readonly FoundEntry[], ports: LedgerPorts): Promise<boolean> {
  let isDone = true
  for (const { thread, id, nodeId, isIntact } of found) {
    const orWarn = warnOnRejection(thread, ports)
    const done = isIntact
      ? await orWarn('delete', ports.github.remove(thread, id))
      : await orWarn('hide', ports.github.hide(nodeId))
    isDone = done.ok && isDone
  }
  return isDone
}

/** Awaits an update of a thread, and logs a warning if GitHub rejects it. */
export function warnOnRejection(thread: Thread, { log }: Pick<LedgerPorts, 'log'>) {
  return async <T>(act: GitHubAct, reply: Promise<GitHubReply<T>>): Promise<GitHubReply<T>> => {
    const done = await reply
    if (!done.ok) log(say.rejected(act, thread, done.rejection))
    return done
  }
}

/**
 * Reacts to the comment that asked, or to the labeled issue or pull request. GitHub has no reactions to reviews, so
 * only the reply acknowledges a review.
 */
export async function reactTo(
  { thread, request }: { thread: Thread; request: string },
  content: Reaction,
  ports: Pick<LedgerPorts, 'github' | 'log'>,
): Promise<void> {
  const asked = readRequestId(request)
  if (asked?.kind === 'review') return
  const comment = asked?.kind === 'comment' ? Number(asked.id) : null
  await warnOnRejection(thread, ports)('react', ports.github.react(thread, comment, content))
}

/** The entries of one request of a step. */
export function entriesOf<F extends Found<CommentEntry>>(
  { request, step }: Pick<CommentEntry, 'request' | 'step'>,
  found: readonly F[],
): F[] {
  return found.filter(
    ({ entry }) => entry.role === 'request' && entry.request === request && entry.step === step,
  )
}

/** The entries of each request on any threads. */
export function byRequest(found: readonly FoundEntry[]): FoundEntry[][] {
  const name = ({ thread, entry: { request, step } }: FoundEntry) =>
    [threadName(thread), request, step].join(' ')
  const own = found.filter(({ entry }) => entry.role === 'request')
  return [...Map.groupBy(own, name).values()]
}

/** Entries by the time when their writers began: a copy of an earlier entry is as old as the entry. */
export function inOrder<F extends Found<CommentEntry>>(found: readonly F[]): F[] {
  return found.toSorted((one, other) => one.entry.since - other.entry.since || one.id - other.id)
}

/**
 * The job that this step's next request on a thread continues: the latest one that is named there; null if none is.
 */
export function jobToFollow(found: readonly FoundEntry[], { run }: Pick<AgentPorts, 'run'>): string | null {
  const [step, project] = [stepName(run.step), projectName(run.step.project)]
  const named = found.filter(({ entry, isSigned }) => {
    const isOurs = entry.role === 'pull' ? entry.project === project : entry.step === step
    return isSigned && isOurs && entry.job !== null
  })
  return inOrder(named).at(-1)?.entry.job ?? null
}
