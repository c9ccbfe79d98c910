/** Finds what earlier runs left open: requests on threads and commits, and the agent's pull requests. */
import { globsToCheck } from '../core/guard.ts'
import type { RunInputs } from '../core/inputs/schema.ts'
import { pullRequestThread } from '../core/job/job.ts'
import { type Failable, failsByDefault } from '../core/outcome.ts'
import type { Rejection } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import type { Origin } from '../core/pull.ts'
import type { RequestLink } from '../core/settle.ts'
import { pullThread, type Thread, threadName } from '../core/thread.ts'
import type { PullEvent } from '../core/trigger/event.ts'
import { dayMs, minuteMs } from '../core/units.ts'
import { isAuthoredBy, pullAt } from '../usecases/change.ts'
import type { GitHubReply, PlacedComment, PlacedStatus } from '../usecases/ports.ts'
import {
  copiesIn,
  entriesIn,
  ownComments,
  ownRecentComments,
  type PlacedEntry,
  placedEntries,
} from './comments.ts'
import {
  byRun,
  CommitPlace,
  type CommitRequest,
  ownRecentStatuses,
  requestOf,
  stepStatuses,
} from './commit.ts'
import { fold, isAtRest, type Known } from './entry.ts'
import { firstContext, holdOf, readStatus } from './format.ts'
import { type AgentPull, agentPulls, shownHold } from './hold.ts'
import { isSettledContext, jobToPoll } from './next.ts'
import type { Place } from './place.ts'
import { announce, leaveOut, type PullPorts, type RequestRef } from './pull.ts'
import { ThreadPlace, type ThreadRequest, type ThreadWords } from './thread.ts'

/** What mode settle needs from outside. */
export interface SettlePorts extends PullPorts {
  /** The texts on a thread about a request. */
  wordsFor(request: ThreadRequest): ThreadWords
}

/** The workflow's repository, and the pull request that triggered the workflow. */
export interface SettleHome {
  /** `owner/name`. */
  repository: string
  /** The event's pull request; null for other events. */
  pull: PullEvent | null
  /** See `writerName`. */
  writer: string
}

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
  pulls: AgentPull[]
  copies: PlacedEntry[]
  /** Whether a list on GitHub was too long to read completely. */
  isCut: boolean
}

/** How far back to look for entries, in milliseconds. */
const lookBack = 28 * dayMs
/** How long a hold's status may be without a listed entry, in milliseconds. */
const unlistedGrace = 10 * minuteMs

/**
 * Finds what earlier runs left open. On a pull request's event, finds only what belongs to that pull request. If the
 * agent just opened the pull request, finds all requests, because any of them may be behind it.
 */
export function findOpenWork(
  inputs: RunInputs,
  home: SettleHome,
  now: number,
  ports: SettlePorts,
): Promise<GitHubReply<OpenWork>> {
  const { pull } = home
  if (pull === null) return findAll(inputs, home, now, ports)
  const isOpening = pull.openedBranch !== null && isAuthoredBy(inputs.agentLogin)(pull)
  if (isOpening) return findAll(inputs, home, now, ports)
  return findOfPull(pull.number, inputs, home, now, ports)
}

async function findAll(
  inputs: RunInputs,
  home: SettleHome,
  now: number,
  ports: SettlePorts,
): Promise<GitHubReply<OpenWork>> {
  const { repository, pull } = home
  const since = now - lookBack
  // The statuses are read first, because their response also names the token's account.
  const statuses = await ownRecentStatuses(repository, since, ports)
  if (!statuses.ok) return statuses
  const issues = await ownRecentComments('issue', repository, since, ports)
  if (!issues.ok) return issues
  const reviews = await ownRecentComments('review', repository, since, ports)
  if (!reviews.ok) return reviews
  const comments = [...issues.value.items, ...reviews.value.items]
  const recent = statuses.value.items.filter(({ createdAt }) => createdAt >= since)
  const onCommits = await requestsOnCommits(recent, inputs, home, now, ports)
  if (!onCommits.ok) return onCommits
  const requests = [...requestsOnThreads(comments, inputs, home, now, ports), ...onCommits.value]
  const isCut = issues.value.isCut || reviews.value.isCut || statuses.value.isCut
  const pulls = await findPulls(comments, inputs, home, ports)
  const wanted = pulls.filter(({ thread }) => pull === null || thread.number === pull.number)
  const copies = copiesIn(placedEntries(comments, inputs.projectId, ports))
  return { ok: true, value: { requests, pulls: wanted, copies, isCut } }
}

/** The agent's pull requests, in this repository and in those where they wait for code in this one. */
async function findPulls(
  comments: readonly PlacedComment[],
  { projectId, agentLogin }: RunInputs,
  { repository, pull }: SettleHome,
  ports: SettlePorts,
): Promise<AgentPull[]> {
  if (pull !== null) return agentPulls(comments, projectId, ports)
  const beyond = reposBeyond(comments, repository, projectId, ports)
  const listed = [...comments]
  for (const other of beyond) {
    const there = await ownRecentComments('issue', other, ports.clock.date() - lookBack, ports)
    if (!there.ok) ports.onProgress({ type: 'pulls-unread', repository: other, rejection: there.rejection })
    else listed.push(...there.value.items)
  }
  const pulls = agentPulls(listed, projectId, ports)
  for (const each of [repository, ...beyond])
    pulls.push(...(await unlistedPulls(each, pulls, agentLogin, projectId, ports)))
  return pulls
}

/**
 * The agent's pull requests with a hold whose entry is not listed: nobody has changed the comment for a long time, or a
 * person deleted it.
 */
async function unlistedPulls(
  repository: string,
  listed: readonly AgentPull[],
  agentLogin: string,
  projectId: string,
  ports: SettlePorts,
): Promise<AgentPull[]> {
  const unread = (rejection: Rejection) => {
    ports.onProgress({ type: 'pulls-unread', repository, rejection })
    return []
  }
  const open = await ports.github.openPulls(repository)
  if (!open.ok) return unread(open.rejection)
  const isListed = new Set(listed.map(({ thread }) => threadName(thread)))
  const numbers = open.value
    .filter(isAuthoredBy(agentLogin))
    .map(({ number }) => number)
    .filter((number) => !isListed.has(threadName(pullThread(repository, number))))
  if (numbers.length === 0) return []
  const views = await ports.github.pullViews(repository, numbers)
  if (!views.ok) return unread(views.rejection)
  const viewer = await ports.github.viewer()
  if (!viewer.ok) return unread(viewer.rejection)
  const found: AgentPull[] = []
  for (const view of views.value) {
    const hold = shownHold(view, viewer.value)
    if (hold === undefined || hold.state === 'success' || hold.state === 'error') continue
    const thread = pullThread(repository, view.number)
    const own = await ownComments(thread, ports)
    if (!own.ok) return unread(own.rejection)
    const placed = own.value.map((comment) => ({ ...comment, thread }))
    // Another project's entry counts, and so does one signed with an earlier key. GitHub might not list a new one yet.
    const isGone = !entriesIn(own.value, thread, ports).some(({ entry }) => entry.role === 'pull')
    const isOld = ports.clock.date() - hold.createdAt > unlistedGrace
    const gone = isGone && isOld ? [{ thread, comment: null }] : []
    found.push(...agentPulls(placed, projectId, ports), ...gone)
  }
  return found
}

/** Repositories where the agent's pull requests wait for code in this one. */
function reposBeyond(
  comments: readonly PlacedComment[],
  home: string,
  projectId: string,
  ports: SettlePorts,
): string[] {
  const repositories = waitingFor(comments, null, projectId, ports).map(({ repository }) => repository)
  return [...new Set(repositories)].filter((each) => each.toLowerCase() !== home.toLowerCase())
}

/** The agent's pull requests that wait for code, according to the code's threads. */
function waitingFor(
  comments: readonly PlacedComment[],
  number: number | null,
  projectId: string,
  ports: SettlePorts,
): Thread[] {
  return placedEntries(comments, projectId, ports).flatMap(({ entry: { role, code, link } }) => {
    if (role === 'pull' || !code?.hold || (number !== null && code.number !== number)) return []
    return pullRequestThread(link, ports.serverUrl) ?? []
  })
}

/**
 * Reads the thread of a pull request, and the threads of the agent's pull requests that wait for it. Finds the requests
 * and the agent's pull requests there.
 */
async function findOfPull(
  number: number,
  inputs: RunInputs,
  home: SettleHome,
  now: number,
  ports: SettlePorts,
): Promise<GitHubReply<OpenWork>> {
  const thread = pullThread(home.repository, number)
  const own = await ownComments(thread, ports)
  if (!own.ok) return own
  const { projectId } = inputs
  const comments: PlacedComment[] = own.value.map((comment) => ({ ...comment, thread }))
  const waiting = waitingFor(comments, number, projectId, ports).map(
    (each) => [threadName(each), each] as const,
  )
  for (const other of new Map(waiting).values()) {
    const there = await ownComments(other, ports)
    leaveOut(other, there, ports)
    if (there.ok) comments.push(...there.value.map((comment) => ({ ...comment, thread: other })))
  }
  const requests = requestsOnThreads(comments, inputs, home, now, ports)
  const pulls = agentPulls(comments, projectId, ports)
  const copies = copiesIn(placedEntries(comments, projectId, ports))
  return { ok: true, value: { requests, pulls, copies, isCut: false } }
}

/** The requests on threads that need settle, from the comments there. */
function requestsOnThreads(
  comments: readonly PlacedComment[],
  inputs: RunInputs,
  { repository, writer }: SettleHome,
  now: number,
  ports: SettlePorts,
): OpenRequest[] {
  const entries = placedEntries(comments, inputs.projectId, ports).filter(
    ({ entry }) => entry.role === 'request',
  )
  const name = ({ thread, entry: { request, step } }: PlacedEntry) =>
    [threadName(thread), request, step].join(' ')
  return [...Map.groupBy(entries, name).values()].flatMap((own) => {
    const known = fold(own, now)
    const { thread } = own[0] as PlacedEntry
    const { entry } = (known.top ?? own[0]) as PlacedEntry
    const { request, step, project, by, code, globs } = entry
    const asking: ThreadRequest = { thread, request, step, project, by, code, globs }
    const place = new ThreadPlace(asking, { ...ports, words: ports.wordsFor(asking) })
    place.entries = own
    const origin: Origin = { repository, thread, change: null, requester: by, code }
    const ref: RequestRef = { request, step, project, writer, since: known.since }
    const found = { place, known, link: { kind: 'thread', thread, request } } as const
    return toSettle(found, globs, inputs, ref, async () => origin, ports)
  })
}

/** A request, if it needs settle. @param asked see `recordedGlobs` @param originOf reads what a result is about */
function toSettle(
  found: Pick<OpenRequest, 'place' | 'known' | 'link'>,
  asked: string | null,
  inputs: RunInputs,
  ref: RequestRef,
  originOf: () => Promise<Origin>,
  ports: SettlePorts,
): OpenRequest[] {
  const { known, place } = found
  const isOpen = known.top !== null && !isAtRest(known.top.entry.state)
  if (!isOpen && jobToPoll(known) === null && !place.hasLeftovers()) return []
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
  inputs: RunInputs,
  { repository, writer }: SettleHome,
  now: number,
  ports: SettlePorts,
): Promise<GitHubReply<OpenRequest[]>> {
  const project = inputs.projectId
  const failOn: Failable[] = [...failsByDefault, ...inputs.failOn]
  const mayBeOpen = (status: PlacedStatus) => {
    const { context, commit, createdAt } = status
    const found = readStatus(status, { repository, commit, context, project }, ports.sign)
    return (
      found?.isSigned === true &&
      (status.state === 'pending' || !isSettledContext(fold([found], now), createdAt))
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
      requests.push(...toSettle({ place, known, link }, globs, inputs, ref, originOf, ports))
    }
  }
  return { ok: true, value: requests }
}

async function originOfCommit(request: CommitRequest, ports: SettlePorts): Promise<Origin> {
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
async function changeOf({ repository, commit: head, follows }: CommitRequest, { github }: SettlePorts) {
  if (follows === 'nothing') return null
  if (follows === 'branch') return { repository, head, number: null, author: null }
  const pulls = await github.pullsOf(repository, head)
  const all = pulls.ok ? pulls.value : []
  const pull = all.find(({ mergeCommit }) => mergeCommit === head) ?? pullAt(all, repository, head)
  return { repository, head, number: pull?.number ?? null, author: pull?.author ?? null }
}
