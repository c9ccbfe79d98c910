/** The action's own comments: posting, editing and removing them despite lost responses, and which belong together. */
import { isMissing } from '../core/http.ts'
import type { GitHubReply } from '../core/reply.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { readRequestId } from '../core/trigger/request.ts'
import type { AgentPorts, Reaction } from '../ports.ts'
import { type GitHubAct, say } from '../say/messages.ts'
import { type CommentEntry, type FoundEntry, type Names, writeComment } from './format.ts'
import { lagMs } from './next.ts'

/** The parts of an entry that say what its comment is about. */
type Subject = Names & Pick<CommentEntry, 'role'> & Partial<Pick<CommentEntry, 'job'>>

/** What a comment is about. Only requests have several comments: a job has one on its pull request, for example. */
function subjectOf({ role, request, step, project, job }: Subject): string {
  const about = { request: [request, step], pull: [project, job], link: [step], notice: [request] }
  return [role, ...about[role]].join(' ')
}

/** The entries on a thread that are about the same as another one. */
export function entriesAbout(one: Subject, found: readonly FoundEntry[]): FoundEntry[] {
  return found.filter(({ entry }) => subjectOf(entry) === subjectOf(one))
}

/** The entries on any threads, by what they are about. */
export function bySubject(found: readonly FoundEntry[]): FoundEntry[][] {
  const name = ({ thread, entry }: FoundEntry) => `${threadName(thread)} ${subjectOf(entry)}`
  return [...Map.groupBy(found, name).values()]
}

/** A comment to write. */
export type Draft = Pick<FoundEntry, 'thread' | 'words' | 'entry'>

/** Edits a comment, or posts it if there is none (null) or if someone deleted it. Returns its id. */
export async function put(draft: Draft, id: number | null, ports: AgentPorts): Promise<GitHubReply<number>> {
  const { thread, words, entry } = draft
  const body = writeComment(words, entry, thread, ports.sign)
  if (id === null) return post(thread, body, ports)
  for (const seconds of freshPauses) {
    await ports.clock.sleep(seconds * 1000, ports.cancelled)
    const edited = await ports.github.edit(thread, id, body)
    if (edited.ok) return { ok: true, value: id }
    if (!isMissing(edited.failure) || edited.failure.isUncertain === true) return edited
  }
  return post(thread, body, ports)
}

/** Seconds before attempts to edit a comment: GitHub might not find one that was just posted. */
const freshPauses = [0, 1, 2, 4, 8]

/** Posts a comment. After a lost response, looks for the comment before posting it again. */
async function post(thread: Thread, body: string, ports: AgentPorts): Promise<GitHubReply<number>> {
  const { github, clock, cancelled } = ports
  const posted = await github.reply(thread, body)
  if (posted.ok || posted.failure.isUncertain !== true) return posted
  const mark = body.slice(body.lastIndexOf('\n'))
  // GitHub's lists lag, so a second look shows what the first may lack.
  for (const wait of [0, lagMs]) {
    await clock.sleep(wait, cancelled)
    if (cancelled.aborted) return posted
    const found = await github.comments(thread)
    if (!found.ok) return posted
    const own = found.value.find((each) => each.body.trimEnd().endsWith(mark))
    if (own !== undefined) return { ok: true, value: own.id }
  }
  return github.reply(thread, body)
}

/** Removes comments; false if GitHub rejected that. A comment whose words someone changed is hidden, never deleted. */
export async function discard(found: readonly FoundEntry[], ports: AgentPorts): Promise<boolean> {
  let isDone = true
  for (const { thread, id, nodeId, isIntact } of found) {
    const removing = isIntact ? ports.github.remove(thread, id) : ports.github.hide(nodeId)
    isDone = (await orWarn(isIntact ? 'delete' : 'hide', thread, removing, ports)).ok && isDone
  }
  return isDone
}

/** Awaits a call, and logs it if GitHub rejects it. @param names the labels or reviewers that it is about */
export async function orWarn<R extends GitHubReply<unknown>>(
  act: GitHubAct,
  on: Thread | string,
  reply: R | Promise<R>,
  { log }: AgentPorts,
  names: readonly string[] = [],
): Promise<R> {
  const done = await reply
  if (!done.ok) log(say.rejected(act, on, done.failure, names))
  return done
}

/** Reacts to the comment that asked, or to the labeled thread. GitHub has no reactions to reviews: a reply must do. */
export async function reactTo(on: Thread, request: string, content: Reaction, ports: AgentPorts) {
  const asked = readRequestId(request)
  if (asked?.kind === 'review') return
  const comment = asked?.kind === 'comment' ? Number(asked.id) : null
  await orWarn('react', on, ports.github.react(on, comment, content), ports)
}

/** Entries by the time when their writers began: a copy of an earlier entry is as old as the entry. */
export function inOrder(found: readonly FoundEntry[]): FoundEntry[] {
  return found.toSorted((one, other) => one.entry.since - other.entry.since || one.id - other.id)
}
