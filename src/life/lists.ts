/** What GitHub lists of the action's own work, and the entries in it. Only the token's own account counts. */
import { fingerprint } from '../core/mark.ts'
import type { Rejection } from '../core/problems.ts'
import type { Thread } from '../core/thread.ts'
import { dayMs } from '../core/units.ts'
import type { AgentPorts, Bounded, FoundComment, FoundStatus, GitHubReply } from '../usecases/ports.ts'
import {
  type EntryStatus,
  type FoundEntry,
  firstContext,
  readComment,
  readStatus,
  type StatusPlace,
} from './format.ts'

/** The items of a list by the token's own account, each as `read` reads it. */
async function ownIn<T extends { author: string | null }, U>(
  list: Promise<GitHubReply<Bounded<T>>>,
  { github }: AgentPorts,
  read: (item: T) => readonly U[],
): Promise<GitHubReply<Bounded<U>>> {
  const listed = await list
  if (!listed.ok) return listed
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const own = listed.value.items.filter(({ author }) => author === viewer.value)
  return { ok: true, value: { ...listed.value, items: own.flatMap(read) } }
}

/** The items of a list that must be complete. @param all what has too many of them */
function whole<T>(listed: GitHubReply<Bounded<T>>, all: string): GitHubReply<T[]> {
  if (!listed.ok) return listed
  if (!listed.value.isCut) return { ok: true, value: listed.value.items }
  return { ok: false, rejection: { status: 200, kind: 'too-long', message: `${all} than the action reads` } }
}

/** A list without items instead of one that is too long: it must not stop work on others. */
export function unlessTooLong<T>(read: GitHubReply<T[]>): GitHubReply<Bounded<T>> {
  if (read.ok) return { ok: true, value: { items: read.value, isCut: false } }
  return read.rejection.kind === 'too-long' ? { ok: true, value: { items: [], isCut: true } } : read
}

/** A thread's comments, oldest first. */
export async function ownComments(thread: Thread, ports: AgentPorts): Promise<GitHubReply<FoundComment[]>> {
  const own = ownIn(ports.github.comments(thread), ports, (comment) => [comment])
  return whole(await own, 'The thread has more comments')
}

/** The entries in comments. */
export function entriesIn(
  comments: readonly FoundComment[],
  { sign }: Pick<AgentPorts, 'sign'>,
): FoundEntry[] {
  return comments.flatMap((comment) => readComment(comment, sign) ?? [])
}

/** The signed entries on a thread, oldest first. */
export async function entriesOn(thread: Thread, ports: AgentPorts): Promise<GitHubReply<FoundEntry[]>> {
  const comments = await ownComments(thread, ports)
  if (!comments.ok) return comments
  return { ok: true, value: entriesIn(comments.value, ports).filter(({ isSigned }) => isSigned) }
}

/** The signed entries of the step's project. */
export function ofProject(found: readonly FoundEntry[], { run }: AgentPorts): FoundEntry[] {
  const project = fingerprint(run.step.project)
  return found.filter(({ isSigned, entry }) => isSigned && entry.project === project)
}

/** A status of a step. `entry`: null if it has none of this project. */
export type StepStatus = EntryStatus | (FoundStatus & { entry: null })

/**
 * A step's statuses on a commit, newest first.
 * @param first the first contexts of the step; its further ones belong to them
 */
export async function stepStatuses(
  { repository, commit, project }: Omit<StatusPlace, 'context'>,
  first: readonly string[],
  ports: AgentPorts,
): Promise<GitHubReply<StepStatus[]>> {
  const statuses = ports.github.statuses(repository, commit)
  const own = ownIn(statuses, ports, (status): StepStatus[] => {
    const { context } = status
    if (!first.includes(firstContext(context))) return []
    const at = { repository, commit, context, project }
    return [readStatus(status, at, ports.sign) ?? { ...status, entry: null }]
  })
  return whole(await own, 'The commit has more statuses')
}

/** The entries of each of a step's requests on a commit, by run. */
export function byRun(statuses: readonly StepStatus[]): EntryStatus[][] {
  const found = statuses.filter((status) => status.entry !== null)
  return [...Map.groupBy(found, ({ entry }) => entry.run).values()]
}

/** How far back to look for entries, in milliseconds. */
const lookBack = 28 * dayMs

/** The project's signed entries in the whole repository, newest first; may be incomplete. */
export function recentEntries(
  kind: 'issues' | 'pulls',
  ports: AgentPorts,
): Promise<GitHubReply<Bounded<FoundEntry>>> {
  const { github, clock, run } = ports
  const comments = github.recentComments(run.repository, kind, clock.date() - lookBack)
  return ownIn(comments, ports, (comment) => ofProject(entriesIn([comment], ports), ports))
}

/** The latest signed entry in each of the action's contexts on recent commits; may be incomplete. */
function recentStatuses(ports: AgentPorts): Promise<GitHubReply<Bounded<EntryStatus>>> {
  const { github, clock, sign } = ports
  const { repository, step } = ports.run
  const since = clock.date() - lookBack
  return ownIn(github.recentStatuses(repository, since), ports, (status) => {
    if (status.createdAt < since) return []
    const found = readStatus(status, { ...status, repository, project: step.project }, sign)
    return found?.isSigned ? [found] : []
  })
}

/** The project's recent entries in comments, and the repository's recent statuses. `rejection`: why some may be missing. */
export async function recentLists(
  ports: AgentPorts,
): Promise<{ comments: Bounded<FoundEntry>; statuses: Bounded<EntryStatus>; rejection: Rejection | null }> {
  const comments = [await recentEntries('issues', ports), await recentEntries('pulls', ports)]
  const statuses = [await recentStatuses(ports)]
  const rejections = [...comments, ...statuses].flatMap((read) => (read.ok ? [] : read.rejection))
  return { comments: joined(comments), statuses: joined(statuses), rejection: rejections[0] ?? null }
}

function joined<T>(reads: readonly GitHubReply<Bounded<T>>[]): Bounded<T> {
  const lists = reads.flatMap((read) => (read.ok ? read.value : []))
  return { items: lists.flatMap(({ items }) => items), isCut: lists.some(({ isCut }) => isCut) }
}
