/** Finds what earlier runs left open: requests on threads and commits, and the agent's pull requests. */

import type { RunInputs } from '../core/inputs/schema.ts'
import { failsByDefault, type Outcome } from '../core/outcome.ts'
import type { Origin } from '../core/pull.ts'
import { pullThread } from '../core/thread.ts'
import type { PullEvent } from '../core/trigger/event.ts'
import { isAuthoredBy, pullAt } from '../usecases/change.ts'
import type { AgentPorts, GitHubReply } from '../usecases/ports.ts'
import { byRequest } from './comments.ts'
import { CommitPlace, type CommitRequest } from './commit.ts'
import { fold, isOpen, type Known } from './entry.ts'
import { type FoundEntry, firstContext, holdOf } from './format.ts'
import { byRun, entriesOn, ofProject, type RecentStatus, recentLists, stepStatuses } from './lists.ts'
import { isSettledContext, jobToPoll } from './next.ts'
import { ThreadPlace } from './thread.ts'

/** A place that keeps entries. */
export type KeptPlace = ThreadPlace | CommitPlace

/** A request, and what is known about it. */
export interface OpenRequest {
  place: KeptPlace
  known: Known
}

/** What earlier runs left open. */
interface OpenWork {
  requests: OpenRequest[]
  /** All entries in comments. */
  entries: FoundEntry[]
  /** Whether a list on GitHub was too long to read completely. */
  isCut: boolean
}

/** What a search for open requests needs. */
export interface Search {
  inputs: RunInputs
  /** The event's pull request; null for other events. */
  pull: PullEvent | null
  /** When GitHub was read, in milliseconds since the epoch. */
  since: number
  ports: AgentPorts
}

/**
 * Finds what earlier runs left open. On a pull request's event, finds only what belongs to that pull request. If the
 * agent just opened the pull request, finds all requests, because any of them may be behind it.
 */
export async function findOpenWork(search: Search): Promise<GitHubReply<OpenWork>> {
  const { inputs, pull, ports } = search
  if (pull !== null && (pull.openedBranch === null || !isAuthoredBy(inputs.agentLogin)(pull))) {
    const found = await entriesOn(pullThread(ports.run.repository, pull.number), ports)
    if (!found.ok) return found
    const entries = ofProject(found.value, ports)
    return { ok: true, value: { requests: requestsOnThreads(entries, search), entries, isCut: false } }
  }
  const { comments, statuses, rejection } = await recentLists(ports)
  if (rejection !== null) return { ok: false, rejection }
  const onCommits = await requestsOnCommits(statuses.items, search)
  if (!onCommits.ok) return onCommits
  const requests = [...requestsOnThreads(comments.items, search), ...onCommits.value]
  const isCut = comments.isCut || statuses.isCut
  return { ok: true, value: { requests, entries: comments.items, isCut } }
}

/** The requests on threads that need settle. */
function requestsOnThreads(entries: readonly FoundEntry[], { since, ports }: Search): OpenRequest[] {
  return byRequest(entries)
    .map((own) => {
      const known = fold(own, since)
      const { thread, entry } = (known.top ?? own[0]) as FoundEntry
      const place = new ThreadPlace({ ...entry, thread }, ports)
      place.entries = own
      return { place, known }
    })
    .filter(needsSettle)
}

function needsSettle({ place, known }: OpenRequest): boolean {
  return isOpen(known) || jobToPoll(known) !== null || place.leftovers().length > 0
}

/**
 * The requests on commits that need settle. A context shows only its latest status. So unless that status shows that
 * nothing can be open, all statuses of the commit are read.
 */
async function requestsOnCommits(
  statuses: readonly RecentStatus[],
  search: Search,
): Promise<GitHubReply<OpenRequest[]>> {
  const { inputs, since: now, ports } = search
  const { repository } = ports.run
  const project = inputs.projectId
  const failOn: Outcome[] = [...failsByDefault, ...inputs.failOn]
  const mayBeOpen = (status: RecentStatus) =>
    status.state === 'pending' || !isSettledContext(fold([status], now), status.createdAt)
  const steps = new Map(
    statuses.filter(mayBeOpen).map(({ commit, context, targetUrl: runUrl }) => {
      const at = { repository, project, commit, context: firstContext(context), runUrl }
      return [`${commit} ${at.context}`, at]
    }),
  )
  const requests: OpenRequest[] = []
  for (const at of steps.values()) {
    const read = await stepStatuses(at, [at.context], ports)
    if (!read.ok) return read
    for (const own of byRun(read.value)) {
      const known = fold(own, now)
      if (known.top === null) continue
      const { run, follows, globs } = known.top.entry
      const request: CommitRequest = { ...at, run, follows, globs, failOn }
      const place = new CommitPlace(request, ports, () => originOfCommit(request, ports))
      place.listed = read.value
      requests.push({ place, known })
    }
  }
  return { ok: true, value: requests.filter(needsSettle) }
}

/**
 * What a request on a commit is about: the change whose last commit this is, with its pull request. For new commits on a
 * branch, no pull request is named, because they can come from several.
 */
async function originOfCommit(
  { repository, commit: head, follows }: CommitRequest,
  { github }: AgentPorts,
): Promise<Origin> {
  const isChange = follows !== 'nothing' && follows !== 'branch'
  const read = isChange ? await github.pullsOf(repository, head) : null
  const all = read?.ok ? read.value : []
  const pull = all.find(({ mergeCommit }) => mergeCommit === head) ?? pullAt(all, repository, head)
  const [number, requester] = [pull?.number ?? null, pull?.author ?? null]
  const change = follows === 'nothing' ? null : { repository, head, number, author: requester }
  const hold = holdOf(follows)
  const code = hold === null || number === null ? null : { repository, number, head, hold }
  return { repository, thread: null, change, requester, code }
}
