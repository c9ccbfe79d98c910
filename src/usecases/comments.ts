/** The action's own comments: posted once, bound to their mark, found again, and taken over when an answer was lost. */
import { type FoundMark, type Mark, readMark, type Sign, writeMark } from '../core/mark.ts'
import type { ThreadAct } from '../core/progress.ts'
import { type Thread, threadName } from '../core/thread.ts'
import type { FoundComment, GitHubReply, OwnComments, PlatformPorts } from './ports.ts'

export interface CommentPorts extends Pick<PlatformPorts, 'clock' | 'onProgress'> {
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

/** The marks of comments. */
export function marksIn(
  comments: readonly FoundComment[],
  thread: Thread,
  { sign }: Pick<CommentPorts, 'sign'>,
): FoundMark[] {
  const name = threadName(thread)
  return comments.flatMap((comment) => readMark(comment, name, sign) ?? [])
}

/** What a comment is to say, and the mark at its end, before it is bound. */
export interface MarkedText {
  text: string
  mark: Omit<Mark, 'at'>
}

/**
 * Posts a comment and binds its mark to it. If the answer to the post is lost, the comment is looked for by its mark
 * and taken over; if it is not there, it is posted once more.
 */
export async function postMarked(
  thread: Thread,
  marked: MarkedText,
  ports: CommentPorts,
): Promise<GitHubReply<number>> {
  const posted = await postUnbound(thread, marked, ports)
  if (!posted.ok) return posted
  const bound = await editMarked(thread, posted.value, marked, ports)
  return bound.ok ? posted : bound
}

/** Posts a comment whose mark is not bound yet. */
export async function postUnbound(
  thread: Thread,
  marked: MarkedText,
  ports: CommentPorts,
): Promise<GitHubReply<number>> {
  const body = bodyOf(thread, 0, marked, ports)
  const posted = await ports.github.reply(thread, body)
  if (posted.ok || posted.refusal.isUncertain !== true) return posted
  const comments = await ownComments(thread, ports)
  if (!comments.ok) return posted
  const orphan = comments.value.findLast((comment) => comment.body === body)
  return orphan === undefined ? ports.github.reply(thread, body) : { ok: true, value: orphan.id }
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

/** Posts a comment, or edits the one that is there. */
export async function putMarked(
  thread: Thread,
  id: number | null,
  marked: MarkedText,
  ports: CommentPorts,
): Promise<GitHubReply<number>> {
  if (id === null) return postMarked(thread, marked, ports)
  const edited = await editMarked(thread, id, marked, ports)
  if (edited.ok) return { ok: true, value: id }
  // Someone may have deleted it.
  return edited.refusal.status === 404 ? postMarked(thread, marked, ports) : edited
}

function bodyOf(
  thread: Thread,
  at: number,
  { text, mark }: MarkedText,
  { sign }: Pick<CommentPorts, 'sign'>,
): string {
  return `${text}\n\n${writeMark({ ...mark, at }, threadName(thread), sign)}`
}

/** Awaits an act on a thread; a refusal is shown as a warning and gives undefined. */
export function warnOnRefusal(thread: Thread, { onProgress }: Pick<CommentPorts, 'onProgress'>) {
  return async <T>(act: ThreadAct, reply: Promise<GitHubReply<T>>): Promise<T | undefined> => {
    const done = await reply
    if (done.ok) return done.value
    onProgress({ type: 'thread-failed', act, thread, refusal: done.refusal })
    return undefined
  }
}
