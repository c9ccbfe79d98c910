/** What GitHub lists of the token's own account, and the entries in it. */
import { fingerprint, type Sign } from '../core/mark.ts'
import type { Bounded, GitHubReply } from '../core/reply.ts'
import type { Thread } from '../core/thread.ts'
import { dayMs } from '../core/units.ts'
import type { AgentPorts, FoundComment, FoundStatus } from '../ports.ts'
import { type EntryStatus, type FoundEntry, firstContext, readComment, readStatus } from './format.ts'

/** A reply with what `read` makes of its value. */
async function readAs<T, U>(asked: Promise<GitHubReply<T>>, read: (value: T) => U): Promise<GitHubReply<U>> {
  const reply = await asked
  return reply.ok ? { ok: true, value: read(reply.value) } : reply
}

/** A list without items instead of one that is too long: it must not stop work on others. */
export function unlessTooLong<T>(read: GitHubReply<T[]>): GitHubReply<Bounded<T>> {
  if (read.ok) return { ok: true, value: { items: read.value, isCut: false } }
  return read.failure.kind === 'too-long' ? { ok: true, value: { items: [], isCut: true } } : read
}

/** The entries in comments. */
export function entriesIn(comments: readonly FoundComment[], sign: Sign): FoundEntry[] {
  return comments.flatMap((comment) => readComment(comment, sign) ?? [])
}

/** The signed entries on a thread, oldest first. */
export function entriesOn(thread: Thread, { github, sign }: AgentPorts) {
  return readAs(github.comments(thread), (all) => entriesIn(all, sign).filter(({ isSigned }) => isSigned))
}

/** The signed entries of the step's project. */
export function ofProject(found: readonly FoundEntry[], { run }: AgentPorts): FoundEntry[] {
  const project = fingerprint(run.step.project)
  return found.filter(({ isSigned, entry }) => isSigned && entry.project === project)
}

/** A status of a step. `entry`: null if it has none of this project. */
export type StepStatus = EntryStatus | (FoundStatus & { entry: null })

/** The step's statuses on a commit, newest first. @param first its contexts; their further ones belong to them */
export function stepStatuses(commit: string, first: readonly string[], ports: AgentPorts) {
  return readAs(ports.github.statuses(ports.run.repository, commit), (all): StepStatus[] =>
    all
      .filter(({ context }) => first.includes(firstContext(context)))
      .map((each) => readStatus(each, ports) ?? { ...each, entry: null }),
  )
}

/** The entries of each of a step's requests on a commit, by run. */
export function byRun(statuses: readonly StepStatus[]): Map<string, EntryStatus[]> {
  const found = statuses.filter((status) => status.entry !== null)
  return Map.groupBy(found, ({ entry }) => entry.run)
}

/** How far back to look for entries, in milliseconds. */
const lookBack = 28 * dayMs

/** The project's signed entries in the whole repository, newest first; may be incomplete. */
export function recentEntries(kind: 'issues' | 'pulls', ports: AgentPorts) {
  const { github, clock, run, sign } = ports
  const comments = github.recentComments(run.repository, kind, clock.date() - lookBack)
  return readAs(comments, ({ items, isCut }) => ({ items: ofProject(entriesIn(items, sign), ports), isCut }))
}

/** The latest signed entry in each of the project's contexts on recent commits; may be incomplete. */
function recentStatuses(ports: AgentPorts) {
  const since = ports.clock.date() - lookBack
  return readAs(ports.github.recentStatuses(ports.run.repository, since), ({ items, isCut }) => {
    const found = items.flatMap((each) => readStatus(each, ports) ?? [])
    return { items: found.filter(({ isSigned, createdAt }) => isSigned && createdAt >= since), isCut }
  })
}

/** The project's recent entries, or those on a thread. `failure`: why some may be missing; null if none are. */
export async function recentLists(ports: AgentPorts, thread: Thread | null = null) {
  const reads =
    thread === null
      ? [await recentEntries('issues', ports), await recentEntries('pulls', ports)]
      : [unlessTooLong(await readAs(entriesOn(thread, ports), (found) => ofProject(found, ports)))]
  const statuses = thread === null ? [await recentStatuses(ports)] : []
  const all = [...reads, ...statuses]
  return {
    comments: reads.flatMap((read) => (read.ok ? read.value.items : [])),
    statuses: statuses.flatMap((read) => (read.ok ? read.value.items : [])),
    hasMoreComments: reads.some((read) => read.ok && read.value.isCut),
    isCut: all.some((read) => read.ok && read.value.isCut),
    failure: all.flatMap((read) => (read.ok ? [] : read.failure))[0] ?? null,
  }
}
