/** What GitHub lists, and the entries in it. */

import { type Bounded, type GitHubReply, replyWith } from '../core/http.ts'
import { fingerprint, type Sign } from '../core/mark.ts'
import type { Thread } from '../core/thread.ts'
import { dayMs } from '../core/units.ts'
import type { AgentPorts, FoundComment, FoundStatus } from '../ports.ts'
import {
  firstContext,
  isStepContext,
  type MarkedComment,
  type MarkedStatus,
  readComment,
  readStatus,
} from './format.ts'

/** A reply with what `read` makes of its value. */
async function readAs<T, U>(call: Promise<GitHubReply<T>>, read: (value: T) => U) {
  const reply = await call
  if (!reply.ok) return reply
  return replyWith(read(reply.value))
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
export function ofProject(entries: readonly MarkedComment[], { run }: AgentPorts) {
  const project = fingerprint(run.step.project)
  return entries.filter(({ entry }) => entry.project === project)
}

/** A status in a step's context. `entry`: null if it has none of this project, or if another account made it up. */
export type StepStatus = MarkedStatus | (FoundStatus & { entry: null })

const readStepStatus = (status: FoundStatus, ports: AgentPorts): StepStatus =>
  readStatus(status, ports) ?? { ...status, entry: null }

/** The step's statuses on a commit, newest first. @param contexts its first ones: see `firstContext` */
export function stepStatuses(commit: string, contexts: readonly string[], ports: AgentPorts) {
  const isOfStep = ({ context }: FoundStatus) => contexts.includes(firstContext(context))
  const reply = ports.github.statuses(ports.run.repository, commit)
  return readAs(reply, (statuses) => statuses.filter(isOfStep).map((status) => readStepStatus(status, ports)))
}

/** The entries of each of a step's requests on a commit, by run. */
export function byRun(statuses: readonly StepStatus[]) {
  const entries = statuses.filter((status) => status.entry !== null)
  return Map.groupBy(entries, ({ entry }) => entry.run)
}

/** How far back to look for entries, in milliseconds. */
export const lookBack = 28 * dayMs
/** A second look lists what changed since this long before the first: GitHub's lists lag, and its times are whole seconds. */
const overlap = 15_000

type List<T> = GitHubReply<Bounded<T>>

/** All comments on a thread. */
async function commentsOn(thread: Thread, { github }: AgentPorts) {
  return [await readAs(github.comments(thread), (items) => ({ items, isCut: false }))]
}

/** The comments in the repository since a time. @param hasReviews whether some may be in a review */
function commentsSince(since: number, hasReviews: boolean, { github, run }: AgentPorts) {
  const kinds = (['issues', 'pulls'] as const).filter((kind) => hasReviews || kind === 'issues')
  return Promise.all(kinds.map((kind) => github.recentComments(run, kind, since)))
}

/**
 * The entries of an earlier look as they are now, and newer ones; null if GitHub does not list all that changed. A
 * comment that someone deleted since then is still among them, which is harmless: its request's end is a newer comment.
 * @param since when the earlier look began
 * @param thread the only thread to look at; null for the whole repository
 */
export async function lookAgain(
  earlier: readonly MarkedComment[],
  since: number,
  thread: Thread | null,
  ports: AgentPorts,
) {
  const hasReviews = earlier.some(({ thread }) => thread.reviewRoot !== null)
  const look = thread ? commentsOn(thread, ports) : commentsSince(since - overlap, hasReviews, ports)
  const entries = new Map(earlier.map((each) => [each.nodeId, each]))
  for (const reply of await look) {
    if (!reply.ok || reply.value.isCut) return null
    const { items } = reply.value
    // Someone may have removed the entry of a comment.
    for (const { nodeId } of items) entries.delete(nodeId)
    for (const each of ofProject(entriesIn(items, ports.sign), ports)) entries.set(each.nodeId, each)
  }
  return [...entries.values()]
}

/** The latest status in each context of a step since a time; may be incomplete. */
function statusesSince(since: number, ports: AgentPorts) {
  return readAs(ports.github.recentStatuses(ports.run.repository, since), ({ items, isCut }) => {
    const recent = items.filter(({ context, createdAt }) => isStepContext(context) && createdAt >= since)
    return { items: recent.map((status) => readStepStatus(status, ports)), isCut }
  })
}

/** The project's entries on a thread, which has no statuses. */
export async function threadLists(thread: Thread, ports: AgentPorts) {
  return projectLists(await commentsOn(thread, ports), replyWith({ items: [], isCut: false }), ports)
}

/** The project's recent entries in the repository. */
export async function recentLists(ports: AgentPorts) {
  const since = ports.clock.date() - lookBack
  const lists = await Promise.all([commentsSince(since, true, ports), statusesSince(since, ports)])
  return projectLists(...lists, ports)
}

/**
 * The project's entries in lists, also those that do not count. `failure`: why some may be missing; null if each list was
 * read.
 */
function projectLists(comments: List<FoundComment>[], statuses: List<StepStatus>, ports: AgentPorts) {
  const replies = [...comments, statuses]
  const itemsOf = <T>(reply: List<T>) => (reply.ok ? reply.value.items : [])
  const entries = entriesIn(comments.flatMap(itemsOf), ports.sign)
  return {
    /** Those of all projects. */
    entries,
    comments: ofProject(entries, ports),
    statuses: itemsOf(statuses),
    isCut: replies.some((reply) => reply.ok && reply.value.isCut),
    failure: replies.find((reply) => !reply.ok)?.failure ?? null,
  }
}
