/** The action's own comments: posting them once, binding their marks, and finding them again, even after a lost response. */
import { type FoundMark, type Mark, projectName, readMark, type Sign, writeMark } from '../core/mark.ts'
import type { ThreadAct } from '../core/progress.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { readRequestId } from '../core/trigger/request-id.ts'
import type {
  Bounded,
  FoundComment,
  GitHubReply,
  OwnComments,
  PlacedComment,
  PlatformPorts,
  Reaction,
} from './ports.ts'

export interface CommentPorts extends Pick<PlatformPorts, 'clock' | 'cancelled' | 'onProgress'> {
  github: OwnComments
  sign: Sign
}

/** A thread's comments by the token's own account, oldest first. */
export async function ownComments(
  thread: Thread,
  { github }: Pick<CommentPorts, 'github'>,
): Promise<GitHubReply<FoundComment[]>> {
  const comments = await github.comments(thread)
  if (!comments.ok) return comments
  if (comments.value.isCut) {
    const message = 'The thread has more comments than the action reads'
    return { ok: false, rejection: { status: null, message } }
  }
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  return { ok: true, value: comments.value.items.filter(({ author }) => author === viewer.value) }
}

/** The marks on a thread, oldest first. Only comments by the token's own account count. */
export async function findMarks(
  thread: Thread,
  ports: Pick<CommentPorts, 'github' | 'sign'>,
): Promise<GitHubReply<FoundMark[]>> {
  const comments = await ownComments(thread, ports)
  return comments.ok ? { ok: true, value: marksIn(comments.value, thread, ports) } : comments
}

/** A repository's comments by the token's own account, newest first; may be incomplete. */
export async function ownRecentComments(
  kind: 'issue' | 'review',
  repository: string,
  since: number,
  { github }: Pick<CommentPorts, 'github'>,
): Promise<GitHubReply<Bounded<PlacedComment>>> {
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const comments = await github.recentComments(repository, kind, since)
  if (!comments.ok) return comments
  const items = comments.value.items.filter(({ author }) => author === viewer.value)
  return { ok: true, value: { ...comments.value, items } }
}

/** A project's signed and bound marks in the whole repository, newest first; may be incomplete. */
export async function recentMarks(
  kind: 'issue' | 'review',
  repository: string,
  projectId: string,
  since: number,
  ports: Pick<CommentPorts, 'github' | 'sign'>,
): Promise<GitHubReply<Bounded<FoundMark & { thread: Thread }>>> {
  const own = await ownRecentComments(kind, repository, since, ports)
  if (!own.ok) return own
  const items = own.value.items.flatMap((comment) => {
    const found = readMark(comment, threadName(comment.thread), ports.sign)
    const isOurs = found?.isSigned && found.isBound && found.mark.project === projectName(projectId)
    return isOurs ? [{ ...found, thread: comment.thread }] : []
  })
  return { ok: true, value: { ...own.value, items } }
}

/** The marks in comments. */
export function marksIn(
  comments: readonly FoundComment[],
  thread: Thread,
  { sign }: Pick<CommentPorts, 'sign'>,
): FoundMark[] {
  const name = threadName(thread)
  return comments.flatMap((comment) => readMark(comment, name, sign) ?? [])
}

/** Milliseconds for which GitHub's lists may lack what was just written. */
export const listLag = 10_000

/** The text of a comment and its mark, before the mark is bound. */
export interface MarkedText {
  text: string
  mark: Omit<Mark, 'at'>
}

/** Posts a comment, and binds its mark to it. */
export async function postMarked(
  thread: Thread,
  marked: MarkedText,
  ports: CommentPorts,
): Promise<GitHubReply<number>> {
  const posted = await postUnbound(thread, marked, ports)
  if (!posted.ok) return posted
  const bound = await editFresh(thread, posted.value, marked, ports)
  return bound.ok ? posted : bound
}

/** Edits a comment, or posts it if there is none (null) or if someone deleted it. */
export async function putMarked(
  thread: Thread,
  id: number | null,
  marked: MarkedText,
  ports: CommentPorts,
): Promise<GitHubReply<number>> {
  if (id === null) return postMarked(thread, marked, ports)
  const edited = await editFresh(thread, id, marked, ports)
  if (edited.ok) return { ok: true, value: id }
  return isMissing(edited) ? postMarked(thread, marked, ports) : edited
}

/** Edits a comment that may have just been posted, so GitHub might not find it yet. */
export async function editFresh(
  thread: Thread,
  id: number,
  marked: MarkedText,
  ports: CommentPorts,
): Promise<GitHubReply<void>> {
  for (const looks = lagged(ports); ; ) {
    const edited = await editMarked(thread, id, marked, ports)
    if (!isMissing(edited) || (await looks.next()).done === true) return edited
  }
}

/** Pauses in which GitHub can catch up with recent writes: 15 seconds in all, and none once the step is cancelled. */
async function* lagged({ clock, cancelled }: CommentPorts): AsyncGenerator<void> {
  for (const wait of [1, 2, 4, 8]) {
    await clock.sleep(wait * 1000, cancelled)
    if (cancelled.aborted) return
    yield
  }
}

/** Posts a comment with an unbound mark. After a lost response, looks for the comment before posting it again. */
export async function postUnbound(
  thread: Thread,
  marked: MarkedText,
  ports: CommentPorts,
): Promise<GitHubReply<number>> {
  const body = bodyOf(thread, 0, marked, ports)
  const posted = await ports.github.reply(thread, body)
  if (posted.ok || posted.rejection.isUncertain !== true) return posted
  const found = await pollForComment(thread, (comment) => comment.body === body, ports)
  if (!found.ok || ports.cancelled.aborted) return posted
  return found.value === null ? ports.github.reply(thread, body) : { ok: true, value: found.value }
}

/** The id of the action's last matching comment; null if there is none. Looks several times, because GitHub's lists lag. */
export async function pollForComment(
  thread: Thread,
  isWanted: (comment: FoundComment) => boolean,
  ports: CommentPorts,
): Promise<GitHubReply<number | null>> {
  for (const looks = lagged(ports); ; ) {
    const comments = await ownComments(thread, ports)
    if (!comments.ok) return comments
    const found = comments.value.findLast(isWanted)
    if (found !== undefined) return { ok: true, value: found.id }
    if ((await looks.next()).done === true) return { ok: true, value: null }
  }
}

/**
 * Resolves a race between two runs that post the same comment, because GitHub has no compare-and-swap. The first
 * comment stays, and the run with the later comment deletes its own. @returns the comment that stays
 */
export async function keepFirst(
  thread: Thread,
  own: number,
  isSame: (mark: Mark) => boolean,
  ports: CommentPorts,
): Promise<number> {
  const orWarn = warnOnRejection(thread, ports)
  const marks = (await orWarn('read', findMarks(thread, ports))) ?? []
  const same = marks.filter(({ mark, isSigned }) => isSigned && isSame(mark))
  const first = Math.min(own, ...same.map(({ comment }) => comment))
  if (first !== own) await orWarn('delete', ports.github.remove(thread, own))
  return first
}

/** Replaces a comment's text, and binds its mark. */
export function editMarked(
  thread: Thread,
  id: number,
  marked: MarkedText,
  ports: Pick<CommentPorts, 'github' | 'sign'>,
): Promise<GitHubReply<void>> {
  return ports.github.edit(thread, id, bodyOf(thread, id, marked, ports))
}

/** Whether it is certain that GitHub has no such comment. */
export function isMissing(reply: GitHubReply<void>): boolean {
  return !reply.ok && reply.rejection.status === 404 && reply.rejection.isUncertain !== true
}

/** A comment's whole text, with its mark. */
export function bodyOf(
  thread: Thread,
  at: number,
  { text, mark }: MarkedText,
  { sign }: Pick<CommentPorts, 'sign'>,
): string {
  return `${text}\n\n${writeMark({ ...mark, at }, threadName(thread), sign)}`
}

/** Awaits an update of a thread. If GitHub rejects it, logs a warning and returns undefined. */
export function warnOnRejection(thread: Thread, { onProgress }: Pick<CommentPorts, 'onProgress'>) {
  return async <T>(act: ThreadAct, reply: Promise<GitHubReply<T>>): Promise<T | undefined> => {
    const done = await reply
    if (done.ok) return done.value
    onProgress({ type: 'thread-failed', act, thread, rejection: done.rejection })
    return undefined
  }
}

/**
 * Reacts to the comment that asked, or to the labeled issue or pull request. GitHub has no reactions to reviews, so
 * only the reply acknowledges a review.
 */
export async function reactTo(
  { thread, request }: { thread: Thread; request: string },
  content: Reaction,
  ports: Pick<CommentPorts, 'github' | 'onProgress'>,
): Promise<void> {
  const asked = readRequestId(request)
  if (asked?.kind === 'review') return
  const comment = asked?.kind === 'comment' ? Number(asked.id) : null
  await warnOnRejection(thread, ports)('react', ports.github.react(thread, comment, content))
}
