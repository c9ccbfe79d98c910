/** What GitHub lists, and the entries in it. */
import { fingerprint, type Sign } from '../core/mark.ts'
import type { Bounded, GitHubReply } from '../core/reply.ts'
import type { Thread } from '../core/thread.ts'
import { dayMs } from '../core/units.ts'
import type { AgentPorts, FoundComment, FoundStatus } from '../ports.ts'
import {
  type EntryComment,
  type EntryStatus,
  firstContext,
  isStepContext,
  readComment,
  readStatus,
} from './format.ts'

/** A reply with what `read` makes of its value. */
async function readAs<T, U>(call: Promise<GitHubReply<T>>, read: (value: T) => U) {
  const reply = await call
  return reply.ok ? { ok: true as const, value: read(reply.value) } : reply
}

/** A list without items instead of one that is too long: it must not stop work on others. */
export function unlessTooLong<T>(reply: GitHubReply<T[]>) {
  if (reply.ok) return { ok: true as const, value: { items: reply.value, isCut: false } }
  if (reply.failure.kind === 'too-long') return { ok: true as const, value: { items: [], isCut: true } }
  return reply
}

/** The comments with entries, also those that do not count. */
export function entriesIn(comments: readonly FoundComment[], sign: Sign) {
  return comments.flatMap((comment) => readComment(comment, sign) ?? [])
}

/** The entries on a thread that count, oldest first. */
export function entriesOn(thread: Thread, { github, sign }: AgentPorts) {
  return readAs(github.comments(thread), (comments) =>
    entriesIn(comments, sign).filter(({ isSigned }) => isSigned),
  )
}

/** The entries of the step's project. */
export function ofProject(entries: readonly EntryComment[], { run }: AgentPorts) {
  const project = fingerprint(run.step.project)
  return entries.filter(({ entry }) => entry.project === project)
}

/** A status in a step's context. `entry`: null if it has none of this project, or if another account made it up. */
export type StepStatus = EntryStatus | (FoundStatus & { entry: null })

const readStep = (status: FoundStatus, ports: AgentPorts): StepStatus =>
  readStatus(status, ports) ?? { ...status, entry: null }

/** The step's statuses on a commit, newest first. @param first its contexts; their further ones belong to them */
export function stepStatuses(commit: string, first: readonly string[], ports: AgentPorts) {
  const isOfStep = ({ context }: FoundStatus) => first.includes(firstContext(context))
  const reply = ports.github.statuses(ports.run.repository, commit)
  return readAs(reply, (statuses) => statuses.filter(isOfStep).map((status) => readStep(status, ports)))
}

/** The entries of each of a step's requests on a commit, by run. */
export function byRun(statuses: readonly StepStatus[]) {
  const entries = statuses.filter((status) => status.entry !== null)
  return Map.groupBy(entries, ({ entry }) => entry.run)
}

/** How far back to look for entries, in milliseconds. */
const lookBack = 28 * dayMs

/** The project's entries in the whole repository, newest first, also those that do not count; may be incomplete. */
export function recentEntries(kind: 'issues' | 'pulls', ports: AgentPorts) {
  const { github, clock, run, sign } = ports
  const reply = github.recentComments(run, kind, clock.date() - lookBack)
  return readAs(reply, ({ items, isCut }) => ({ items: ofProject(entriesIn(items, sign), ports), isCut }))
}

/** The latest status in each context of a step on recent commits; may be incomplete. */
function recentStatuses(ports: AgentPorts) {
  const { github, clock, run } = ports
  const since = clock.date() - lookBack
  return readAs(github.recentStatuses(run.repository, since), ({ items, isCut }) => {
    const recent = items.filter(({ context, createdAt }) => isStepContext(context) && createdAt >= since)
    return { items: recent.map((status) => readStep(status, ports)), isCut }
  })
}

/** The project's recent entries, or those on a thread, also those that do not count. `failure`: why some may be missing; null if none are. */
export async function recentLists(ports: AgentPorts, thread: Thread | null = null) {
  const { github, sign } = ports
  const read = (comments: FoundComment[]) => ofProject(entriesIn(comments, sign), ports)
  const comments =
    thread === null
      ? [await recentEntries('issues', ports), await recentEntries('pulls', ports)]
      : [unlessTooLong(await readAs(github.comments(thread), read))]
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
