/** What GitHub lists of the token's own account, and the entries in it. */
import { fingerprint, type Sign } from '../core/mark.ts'
import type { Bounded, GitHubReply } from '../core/reply.ts'
import type { Thread } from '../core/thread.ts'
import { dayMs } from '../core/units.ts'
import type { AgentPorts, FoundComment, FoundStatus } from '../ports.ts'
import { type EntryComment, type EntryStatus, firstContext, readComment, readStatus } from './format.ts'

/** A reply with what `read` makes of its value. */
async function readAs<T, U>(call: Promise<GitHubReply<T>>, read: (value: T) => U): Promise<GitHubReply<U>> {
  const reply = await call
  return reply.ok ? { ok: true, value: read(reply.value) } : reply
}

/** A list without items instead of one that is too long: it must not stop work on others. */
export function unlessTooLong<T>(reply: GitHubReply<T[]>): GitHubReply<Bounded<T>> {
  if (reply.ok) return { ok: true, value: { items: reply.value, isCut: false } }
  if (reply.failure.kind === 'too-long') return { ok: true, value: { items: [], isCut: true } }
  return reply
}

/** The comments with entries. */
export function entriesIn(comments: readonly FoundComment[], sign: Sign) {
  return comments.flatMap((comment) => readComment(comment, sign) ?? [])
}

/** The signed entries on a thread, oldest first. */
export function entriesOn(thread: Thread, { github, sign }: AgentPorts) {
  const read = (comments: FoundComment[]) => entriesIn(comments, sign).filter(({ isSigned }) => isSigned)
  return readAs(github.comments(thread), read)
}

/** The signed entries of the step's project. */
export function ofProject(entries: readonly EntryComment[], { run }: AgentPorts) {
  const project = fingerprint(run.step.project)
  return entries.filter(({ isSigned, entry }) => isSigned && entry.project === project)
}

/** A status of a step. `entry`: null if it has none of this project. */
export type StepStatus = EntryStatus | (FoundStatus & { entry: null })

/** The step's statuses on a commit, newest first. @param first its contexts; their further ones belong to them */
export function stepStatuses(commit: string, first: readonly string[], ports: AgentPorts) {
  const isOfStep = ({ context }: FoundStatus) => first.includes(firstContext(context))
  const read = (status: FoundStatus): StepStatus => readStatus(status, ports) ?? { ...status, entry: null }
  const reply = ports.github.statuses(ports.run.repository, commit)
  return readAs(reply, (statuses) => statuses.filter(isOfStep).map(read))
}

/** The entries of each of a step's requests on a commit, by run. */
export function byRun(statuses: readonly StepStatus[]) {
  const entries = statuses.filter((status) => status.entry !== null)
  return Map.groupBy(entries, ({ entry }) => entry.run)
}

/** How far back to look for entries, in milliseconds. */
const lookBack = 28 * dayMs

/** The project's signed entries in the whole repository, newest first; may be incomplete. */
export function recentEntries(kind: 'issues' | 'pulls', ports: AgentPorts) {
  const { github, clock, run, sign } = ports
  const reply = github.recentComments(run, kind, clock.date() - lookBack)
  return readAs(reply, ({ items, isCut }) => ({ items: ofProject(entriesIn(items, sign), ports), isCut }))
}

/** The latest signed entry in each of the project's contexts on recent commits; may be incomplete. */
function recentStatuses(ports: AgentPorts) {
  const { github, clock, run } = ports
  const since = clock.date() - lookBack
  return readAs(github.recentStatuses(run.repository, since), ({ items, isCut }) => {
    const entries = items.flatMap((status) => readStatus(status, ports) ?? [])
    return { items: entries.filter(({ isSigned, createdAt }) => isSigned && createdAt >= since), isCut }
  })
}

/** The project's recent entries, or those on a thread. `failure`: why some may be missing; null if none are. */
export async function recentLists(ports: AgentPorts, thread: Thread | null = null) {
  const comments =
    thread === null
      ? [await recentEntries('issues', ports), await recentEntries('pulls', ports)]
      : [unlessTooLong(await readAs(entriesOn(thread, ports), (entries) => ofProject(entries, ports)))]
  const statuses = thread === null ? [await recentStatuses(ports)] : []
  const replies = [...comments, ...statuses]
  const isCut = (reply: GitHubReply<Bounded<unknown>>) => reply.ok && reply.value.isCut
  const itemsOf = <T>(reply: GitHubReply<Bounded<T>>) => (reply.ok ? reply.value.items : [])
  return {
    comments: comments.flatMap(itemsOf),
    statuses: statuses.flatMap(itemsOf),
    hasMoreComments: comments.some(isCut),
    isCut: replies.some(isCut),
    failure: replies.find((reply) => !reply.ok)?.failure ?? null,
  }
}
