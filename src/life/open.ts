/** Finds what earlier runs left open: requests on threads and commits, and the agent's pull requests. */

import type { RunInputs } from '../core/inputs/schema.ts'
import { type AgentResult, failsByDefault, type Outcome } from '../core/outcome.ts'
import type { Rejection } from '../core/problems.ts'
import type { Origin } from '../core/pull.ts'
import { globsToCheck } from '../core/review.ts'
import type { RequestLink } from '../core/settle.ts'
import { pullThread } from '../core/thread.ts'
import type { PullEvent } from '../core/trigger/event.ts'
import { isAuthoredBy, pullAt } from '../usecases/change.ts'
import type { AgentPorts, Bounded, GitHubReply, PlacedStatus } from '../usecases/ports.ts'
import { byRequest, copiesIn, entriesOn, lookBack, ofProject, recentEntries } from './comments.ts'
import {
  byRun,
  CommitPlace,
  type CommitRequest,
  ownRecentStatuses,
  requestOf,
  stepStatuses,
} from './commit.ts'
import { fold, isOpen, type Known } from './entry.ts'
import { type FoundEntry, firstContext, holdOf, readStatus } from './format.ts'
import { writersOf } from './live.ts'
import { isSettledContext, jobToPoll } from './next.ts'
import type { Place } from './place.ts'
import { announce, type RequestRef } from './pull.ts'
import { ThreadPlace, type ThreadRequest } from './thread.ts'

/** A request, and what is known about it. */
export interface OpenRequest {
  place: Place
  known: Known
  link: RequestLink
  /** The globs with which to check the result; null if this step cannot check it: see `globsToCheck`. */
  globs: readonly string[] | null
  announce(result: AgentResult): Promise<void>
}

/** What earlier runs left open. */
export interface OpenWork {
  requests: OpenRequest[]
  /** The entries that may name the agent's pull requests. */
  entries: FoundEntry[]
  copies: FoundEntry[]
  /** Whether a list on GitHub was too long to read completely. */
  isCut: boolean
}

/** What a search for open requests needs. */
interface Search {
  inputs: RunInputs
  /** When GitHub was read, in milliseconds since the epoch. */
  now: number
  ports: AgentPorts
}

/**
 * Finds what earlier runs left open. On a pull request's event, finds only what belongs to that pull request. If the
 * agent just opened the pull request, finds all requests, because any of them may be behind it.
 * @param pull the event's pull request; null for other events
 */
export async function findOpenWork(
  inputs: RunInputs,
  pull: PullEvent | null,
  now: number,
  ports: AgentPorts,
): Promise<GitHubReply<OpenWork>> {
  const search = { inputs, now, ports }
  const { repository } = ports.run
  if (pull === null || (pull.openedBranch !== null && isAuthoredBy(inputs.agentLogin)(pull))) {
    const { comments, statuses, rejection } = await recentLists(ports)
    if (rejection !== null) return { ok: false, rejection }
    const onCommits = await requestsOnCommits(statuses.items, search)
    if (!onCommits.ok) return onCommits
    const work = workIn(comments.items, onCommits.value, search)
    // A pull request that was just opened has no record yet.
    const entries = pull === null ? work.entries : []
    return { ok: true, value: { ...work, entries, isCut: comments.isCut || statuses.isCut } }
  }
  const found = await entriesOn(pullThread(repository, pull.number), ports)
  return found.ok ? { ok: true, value: workIn(ofProject(found.value, ports), [], search) } : found
}

/** What is open on threads and commits. */
function workIn(entries: FoundEntry[], onCommits: OpenRequest[], search: Search): OpenWork {
  const requests = [...requestsOnThreads(entries, search), ...onCommits]
  return { requests, entries, copies: copiesIn(entries), isCut: false }
}

/** The project's recent entries in comments, and the repository's recent statuses. `rejection`: why some may be missing. */
export async function recentLists(
  ports: AgentPorts,
): Promise<{ comments: Bounded<FoundEntry>; statuses: Bounded<PlacedStatus>; rejection: Rejection | null }> {
  const issues = await recentEntries('issue', ports)
  const reviews = await recentEntries('review', ports)
  const statuses = await ownRecentStatuses(ports)
  const all = [issues, reviews, statuses]
  const none = { items: [], isCut: false }
  const comments = [issues, reviews].map((read) => (read.ok ? read.value : none))
  return {
    comments: {
      items: comments.flatMap(({ items }) => items),
      isCut: comments.some(({ isCut }) => isCut),
    },
    statuses: statuses.ok ? statuses.value : none,
    rejection: all.flatMap((read) => (read.ok ? [] : read.rejection))[0] ?? null,
  }
}

/** The requests on threads that need settle. */
function requestsOnThreads(entries: readonly FoundEntry[], search: Search): OpenRequest[] {
  const { now, ports } = search
  const { repository } = ports.run
  const { writer } = writersOf(ports.run)
  return byRequest(entries).flatMap((own) => {
    const known = fold(own, now)
    const { thread, entry } = (known.top ?? own[0]) as FoundEntry
    const { request, step, project, by, code, globs } = entry
    const whose = { request, step, project }
    const asking: ThreadRequest = { ...whose, thread, by, code, globs }
    const place = new ThreadPlace(asking, ports)
    place.entries = own
    const origin: Origin = { repository, thread, change: null, requester: by, code }
    const ref: RequestRef = { ...whose, writer, since: known.since }
    const found = { place, known, link: { kind: 'thread', thread, request } } as const
    return toSettle(found, globs, ref, async () => origin, search)
  })
}

/** A request, if it needs settle. @param asked see `recordedGlobs` @param originOf reads what a result is about */
function toSettle(
  found: Pick<OpenRequest, 'place' | 'known' | 'link'>,
  asked: string | null,
  ref: RequestRef,
  originOf: () => Promise<Origin>,
  { inputs, ports }: Search,
): OpenRequest[] {
  const { known, place } = found
  if (!isOpen(known) && jobToPoll(known) === null && !place.hasLeftovers()) return []
  const globs = globsToCheck(asked, inputs.allowedPaths)
  const checked = { ...inputs, allowedPaths: globs ?? [] }
  const report = async (result: AgentResult) => announce(result, await originOf(), ref, checked, ports)
  return [{ ...found, globs, announce: report }]
}

/**
 * The requests on commits that need settle. A context shows only its latest status. So unless that status shows that
 * nothing can be open, all statuses of the commit are read.
 */
async function requestsOnCommits(
  statuses: readonly PlacedStatus[],
  search: Search,
): Promise<GitHubReply<OpenRequest[]>> {
  const { inputs, now, ports } = search
  const { repository } = ports.run
  const { writer } = writersOf(ports.run)
  const project = inputs.projectId
  const failOn: Outcome[] = [...failsByDefault, ...inputs.failOn]
  const mayBeOpen = (status: PlacedStatus) => {
    if (status.createdAt < now - lookBack) return false
    const found = readStatus(status, { ...status, repository, project }, ports.sign)
    return (
      found?.isSigned === true &&
      (status.state === 'pending' || !isSettledContext(fold([found], now), status.createdAt))
    )
  }
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
    for (const own of byRun(read.value.flatMap(({ found }) => found ?? [])).values()) {
      const known = fold(own, now)
      if (known.top === null) continue
      const { run, follows, globs } = known.top.entry
      const request: CommitRequest = { ...at, run, follows, globs, isOptional: false, failOn }
      const place = new CommitPlace(request, ports)
      place.listed = read.value
      const ref = requestOf(request, writer, known.since)
      const link = { kind: 'commit', repository, commit: at.commit } as const
      const originOf = () => originOfCommit(request, ports)
      requests.push(...toSettle({ place, known, link }, globs, ref, originOf, search))
    }
  }
  return { ok: true, value: requests }
}

async function originOfCommit(request: CommitRequest, ports: AgentPorts): Promise<Origin> {
  const { repository, commit, follows } = request
  const hold = holdOf(follows)
  const change = await changeOf(request, ports)
  const number = change?.number ?? null
  const code = hold === null || number === null ? null : { repository, number, head: commit, hold }
  return { repository, thread: null, change, requester: change?.author ?? null, code }
}

/**
 * The change whose last commit this is, with its pull request. For new commits on a branch, no pull request is named,
 * because they can come from several.
 */
async function changeOf({ repository, commit: head, follows }: CommitRequest, { github }: AgentPorts) {
  if (follows === 'nothing') return null
  if (follows === 'branch') return { repository, head, number: null, author: null }
  const pulls = await github.pullsOf(repository, head)
  const all = pulls.ok ? pulls.value : []
  const pull = all.find(({ mergeCommit }) => mergeCommit === head) ?? pullAt(all, repository, head)
  return { repository, head, number: pull?.number ?? null, author: pull?.author ?? null }
}
