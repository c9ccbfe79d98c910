/** The action's own comments: posted once, bound to their mark, found again, and taken over when a response was lost. */
import { type FoundMark, type Mark, projectName, readMark, type Sign, writeMark } from '../core/mark.ts'
import type { ThreadAct } from '../core/progress.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { readRequestId } from '../core/trigger/request-id.ts'
import type { FoundComment, GitHubReply, OwnComments, PlatformPorts, Reaction } from './ports.ts'

export interface CommentPorts extends Pick<PlatformPorts, 'clock' | 'cancelled' | 'onProgress'> {
  github: OwnComments
  sign: Sign
}

/** The comments on a thread that the token's own account wrote, oldest first. */
export async function ownComments(
  thread: Thread,
  { github }: Pick<CommentPorts, 'github'>,
): Promise<GitHubReply<FoundComment[]>> {
  const comments = await github.comments(thread)
  if (!comments.ok) return comments
  if (comments.value.isCut) {
    const message = 'The thread has more comments than the action reads'
    return { ok: false, refusal: { status: null, message } }
  }
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  return { ok: true, value: comments.value.items.filter(({ author }) => author === viewer.value) }
}

/** The marks on a thread, oldest first. Only comments of the token's own account are looked at. */
export async function findMarks(
  thread: Thread,
  ports: Pick<CommentPorts, 'github' | 'sign'>,
): Promise<GitHubReply<FoundMark[]>> {
  const comments = await ownComments(thread, ports)
  return comments.ok ? { ok: true, value: marksIn(comments.value, thread, ports) } : comments
}

/** The marks of a project in comments of the whole repository: signed, bound, and by the token's own account; newest first. */
export async function recentMarks(
  kind: 'issue' | 'review',
  repository: string,
  projectId: string,
  since: number,
  { github, sign }: Pick<CommentPorts, 'github' | 'sign'>,
): Promise<GitHubReply<(FoundMark & { thread: Thread })[]>> {
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const comments = await github.recentComments(repository, kind, since)
  if (!comments.ok) return comments
  const own = comments.value.items.filter(({ author }) => author === viewer.value)
  const value = own.flatMap((comment) => {
    const found = readMark(comment, threadName(comment.thread), sign)
    const isOurs = found?.isSigned && found.isBound && found.mark.project === projectName(projectId)
    return isOurs ? [{ ...found, thread: comment.thread }] : []
  })
  return { ok: true, value }
}

/** The marks of comments. */
export function marksIn(
  comments: readonly FoundComment[],
  thread: Thread,
  { sign }: Pick<CommentPorts, 'sign'>,
): FoundMark[] {
  const name = threadName(thread)
  return comments.flatMap((comment) => readMark(comment, name, sign) ?? [])
}

/** Milliseconds for which GitHub's lists may lack what was written. */
export const listLag = 10_000

/** What a comment is to say, and the mark at its end, before it is bound. */
export interface MarkedText {
  text: string
  mark: Omit<Mark, 'at'>
}

/** Posts a comment and binds its mark to it. */
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

/** Edits a comment, or posts one: if there is none (null), or if someone has deleted it. */
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

/** Edits a comment that may have been posted just now: GitHub might not find it yet. */
export async function editFresh(
  thread: Thread,
  id: number,
  marked: MarkedText,
  ports: CommentPorts,
): Promise<GitHubReply<void>> {
  let edited = await editMarked(thread, id, marked, ports)
  for await (const _ of lagged(ports)) {
    if (!isMissing(edited)) break
    edited = await editMarked(thread, id, marked, ports)
  }
  return edited
}

/** Waits in which GitHub may catch up with what was just written: 15 seconds in all. None once the step is cancelled. */
async function* lagged({ clock, cancelled }: CommentPorts): AsyncGenerator<void> {
  for (const wait of [1, 2, 4, 8]) {
    await clock.sleep(wait * 1000, cancelled)
    if (cancelled.aborted) return
    yield
  }
}

/** Posts a comment whose mark is not bound yet. If the response is lost, the comment is looked for before it is posted again. */
export async function postUnbound(
  thread: Thread,
  marked: MarkedText,
  ports: CommentPorts,
): Promise<GitHubReply<number>> {
  const body = bodyOf(thread, 0, marked, ports)
  const posted = await ports.github.reply(thread, body)
  if (posted.ok || posted.refusal.isUncertain !== true) return posted
  const found = await lookFor(thread, (comment) => comment.body === body, ports)
  if (!found.ok || ports.cancelled.aborted) return posted
  return found.value === null ? ports.github.reply(thread, body) : { ok: true, value: found.value }
}

/** The latest of the action's own comments that was just posted, if it was; null if it was not. GitHub's lists lag. */
export async function lookFor(
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
 * GitHub has no compare-and-swap, so two runs may post the same at the same time. The comment that came first stays: a
 * run whose own came later deletes it.
 * @returns the comment that stays
 */
export async function keepFirst(
  thread: Thread,
  own: number,
  isSame: (mark: Mark) => boolean,
  ports: CommentPorts,
): Promise<number> {
  const tell = warnOnRefusal(thread, ports)
  const marks = (await tell('read', findMarks(thread, ports))) ?? []
  const same = marks.filter(({ mark, isSigned }) => isSigned && isSame(mark))
  const first = Math.min(own, ...same.map(({ comment }) => comment))
  if (first !== own) await tell('delete', ports.github.remove(thread, own))
  return first
}

/** Replaces a comment's text, with its mark bound to it. */
export function editMarked(
  thread: Thread,
  id: number,
  marked: MarkedText,
  ports: Pick<CommentPorts, 'github' | 'sign'>,
): Promise<GitHubReply<void>> {
  return ports.github.edit(thread, id, bodyOf(thread, id, marked, ports))
}

/** Whether GitHub certainly knows no such comment. */
export function isMissing(reply: GitHubReply<void>): boolean {
  return !reply.ok && reply.refusal.status === 404 && reply.refusal.isUncertain !== true
}

/** A comment's whole text: its words, and its mark. */
export function bodyOf(
  thread: Thread,
  at: number,
  { text, mark }: MarkedText,
  { sign }: Pick<CommentPorts, 'sign'>,
): string {
  return `${text}\n\n${writeMark({ ...mark, at }, threadName(thread), sign)}`
}

/** Awaits an act on a thread; a rejection is shown as a warning and gives undefined. */
export function warnOnRefusal(thread: Thread, { onProgress }: Pick<CommentPorts, 'onProgress'>) {
  return async <T>(act: ThreadAct, reply: Promise<GitHubReply<T>>): Promise<T | undefined> => {
    const done = await reply
    if (done.ok) return done.value
    onProgress({ type: 'thread-failed', act, thread, refusal: done.refusal })
    return undefined
  }
}

/** Reacts to the comment that asked, or to what was labeled. Nobody can react to a review: the reply acknowledges it. */
export async function reactTo(
  { thread, request }: { thread: Thread; request: string },
  content: Reaction,
  ports: Pick<CommentPorts, 'github' | 'onProgress'>,
): Promise<void> {
  const asked = readRequestId(request)
  if (asked?.kind === 'review') return
  const comment = asked?.kind === 'comment' ? Number(asked.id) : null
  await warnOnRefusal(thread, ports)('react', ports.github.react(thread, comment, content))
}
