/** The action's own comments: posting, editing and removing them despite lost responses, and which belong together. */
import { type GitHubReply, isMissing, replyWith } from '../core/http.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { readRequestId } from '../core/trigger/request.ts'
import type { AgentPorts, Reaction } from '../ports.ts'
import { say } from '../say/messages.ts'
import type { GitHubAct } from '../say/rejections.ts'
import { type CommentEntry, type MarkedComment, type Names, writeComment } from './format.ts'
import { lagMs } from './next.ts'

/** The parts of an entry that say what its comment is about. */
type Topic = Names & Pick<CommentEntry, 'role'> & Partial<CommentEntry>

/** What a comment is about. Only requests have several comments: a job has one on its pull request, for example. */
function topicOf({ role, request, step, project, job }: Topic) {
  const parts = { request: [request, step], pull: [project, job], link: [step], notice: [request] }
  return [role, ...parts[role]].join(' ')
}

/** The entries on a thread that are about the same as another one. */
export function entriesAbout<E extends Pick<MarkedComment, 'entry'>>(topic: Topic, entries: readonly E[]) {
  const name = topicOf(topic)
  return entries.filter(({ entry }) => topicOf(entry) === name)
}

/** The entries on any threads, by their thread and what they are about. */
export function byTopic(entries: readonly MarkedComment[]) {
  return Map.groupBy(entries, ({ thread, entry }) => `${threadName(thread)} ${topicOf(entry)}`)
}

/** A comment to write. */
export type Draft = Pick<MarkedComment, 'thread' | 'words' | 'entry'>

/** Edits a comment, or posts it if there is none (null) or if someone deleted it. Returns its id. */
export async function put(draft: Draft, id: number | null, ports: AgentPorts) {
  const { thread, words, entry } = draft
  const body = writeComment(words, entry, thread, ports.sign)
  if (id === null) return post(thread, body, ports)
  for (const seconds of editPauses) {
    await ports.clock.sleep(seconds * 1000, ports.cancelled)
    const reply = await ports.github.edit(thread, id, body)
    if (reply.ok || !isMissing(reply.failure) || reply.failure.isUncertain) return reply
  }
  return post(thread, body, ports)
}

/** Seconds before attempts to edit a comment: GitHub might not find one that was just posted. */
const editPauses = [0, 1, 2, 4, 8]

/** Posts a comment. After a lost response, looks for the comment before posting it again. */
async function post(thread: Thread, body: string, ports: AgentPorts) {
  const { github, clock, cancelled } = ports
  const reply = await github.reply(thread, body)
  if (reply.ok || !reply.failure.isUncertain) return reply
  // GitHub's lists lag.
  await clock.sleep(lagMs, cancelled)
  if (cancelled.aborted) return reply
  const list = await github.comments(thread)
  if (!list.ok) return reply
  const mark = body.slice(body.lastIndexOf('\n'))
  const comment = list.value.find(
    ({ author, viewer, body }) => author === viewer && body.trimEnd().endsWith(mark),
  )
  if (comment !== undefined) return replyWith(comment.id)
  return github.reply(thread, body)
}

/** Removes comments. A comment whose words someone changed is hidden, never deleted. */
export async function discard(comments: readonly MarkedComment[], ports: AgentPorts) {
  for (const { thread, id, nodeId, isIntact } of comments) {
    const call = isIntact ? ports.github.remove(thread, id) : ports.github.hide(nodeId)
    await orWarn(isIntact ? 'delete' : 'hide', thread, call, ports)
  }
}

/** Awaits a call, and logs it if it fails. @param names the labels or reviewers that it is about */
export async function orWarn<R extends GitHubReply<unknown>>(
  act: GitHubAct,
  on: Thread | string,
  call: Promise<R>,
  { log }: AgentPorts,
  names: readonly string[] = [],
) {
  const reply = await call
  if (!reply.ok) log(say.githubFailed(act, on, reply.failure, names))
  return reply
}

/** Reacts to the comment that asked, or to the labeled thread. GitHub has no reactions to reviews: a reply must do. */
export async function reactTo(on: Thread, request: string, content: Reaction, ports: AgentPorts) {
  const { kind, id } = readRequestId(request) ?? {}
  if (kind === 'review') return
  const comment = kind === 'comment' || kind === 'line' ? Number(id) : null
  const place = kind === 'line' ? { ...on, reviewRoot: comment } : on
  const act = content === 'eyes' ? 'begin' : 'react'
  await orWarn(act, on, ports.github.react(place, comment, content), ports)
}

/** Entries by the time when their writers began: a copy of an earlier entry is as old as the entry. */
export function inOrder(entries: readonly MarkedComment[]) {
  return entries.toSorted((one, other) => one.entry.since - other.entry.since || one.id - other.id)
}
