/** Finds what earlier runs left open: requests and the agent's pull requests. */
import type { RunInputs } from '../core/inputs/schema.ts'
import { pullRequestThread } from '../core/job/job.ts'
import { projectName, readMark } from '../core/mark.ts'
import type { Rejection } from '../core/problem.ts'
import { minimumAge } from '../core/record.ts'
import { pullThread, type Thread, threadName } from '../core/thread.ts'
import type { PullEvent } from '../core/trigger/event.ts'
import { isAuthoredBy } from './change.ts'
import { marksIn, ownComments, ownRecentComments } from './comments.ts'
import {
  findRequests,
  lookBack,
  needsSettling,
  type OpenRequest,
  requestsOnThreads,
  type SettlePorts,
} from './open-requests.ts'
import type { GitHubReply, PlacedComment } from './ports.ts'
import { type AgentPull, agentPulls, shownHold } from './pull-life.ts'
import { leaveOut } from './pulls.ts'

/** The workflow's repository, and the pull request that triggered the workflow. */
export interface SettleHome {
  /** `owner/name`. */
  repository: string
  /** The event's pull request; null for other events. */
  pull: PullEvent | null
}

/** What earlier runs left open. */
export interface OpenWork {
  requests: OpenRequest[]
  pulls: AgentPull[]
  /** Whether a list on GitHub was too long to read completely. */
  isCut: boolean
}

/**
 * Finds what earlier runs left open. On a pull request's event, finds only what belongs to that pull request. If the
 * agent just opened the pull request, finds all requests, because any of them may be behind it.
 */
export function findOpenWork(
  inputs: RunInputs,
  home: SettleHome,
  ports: SettlePorts,
): Promise<GitHubReply<OpenWork>> {
  const { pull } = home
  if (pull === null) return findAll(inputs, home, ports)
  const isOpening = pull.openedBranch !== null && isAuthoredBy(inputs.agentLogin)(pull)
  if (isOpening) return findAll(inputs, home, ports)
  return findOfPull(pull.number, inputs, home, ports)
}

async function findAll(
  inputs: RunInputs,
  { repository, pull }: SettleHome,
  ports: SettlePorts,
): Promise<GitHubReply<OpenWork>> {
  const found = await findRequests(inputs, repository, ports)
  if (!found.ok) return found
  const { requests, comments, isCut } = found.value
  const project = projectName(inputs.projectId)
  const beyond = pull === null ? reposBeyond(comments, repository, ports) : []
  const listed = [...comments]
  for (const other of beyond) {
    const there = await ownRecentComments('issue', other, ports.clock.date() - lookBack, ports)
    if (!there.ok) ports.onProgress({ type: 'pulls-unread', repository: other, rejection: there.rejection })
    else listed.push(...there.value.items)
  }
  const pulls = agentPulls(listed, project, ports)
  if (pull === null)
    for (const each of [repository, ...beyond])
      pulls.push(...(await unlistedPulls(each, pulls, inputs.agentLogin, project, ports)))
  const wanted = pulls.filter(({ thread }) => pull === null || thread.number === pull.number)
  return { ok: true, value: { requests: requests.filter(needsSettling), pulls: wanted, isCut } }
}

/**
 * The agent's pull requests with a hold whose record is not listed: nobody has changed the comment for a long time, or a
 * person deleted it.
 */
async function unlistedPulls(
  repository: string,
  listed: readonly AgentPull[],
  agentLogin: string,
  project: string,
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
    const records = agentPulls(
      own.value.map((comment) => ({ ...comment, thread })),
      project,
      ports,
    )
    // Another project's record counts, and so does one signed with an earlier key. GitHub might not list a new one yet.
    const isGone = !marksIn(own.value, thread, ports).some(({ mark }) => mark.role === 'provenance')
    const isOld = ports.clock.date() - hold.createdAt > minimumAge
    found.push(...records, ...(isGone && isOld ? [{ thread, comment: null }] : []))
  }
  return found
}

/** Repositories where the agent's pull requests wait for code in this one. */
function reposBeyond(comments: readonly PlacedComment[], home: string, ports: SettlePorts): string[] {
  const repositories = waitingFor(comments, null, ports).map(({ repository }) => repository)
  return [...new Set(repositories)].filter((each) => each.toLowerCase() !== home.toLowerCase())
}

/** The agent's pull requests that wait for code, according to the code's threads. */
function waitingFor(comments: readonly PlacedComment[], number: number | null, ports: SettlePorts): Thread[] {
  return comments.flatMap((comment) => {
    const found = readMark(comment, threadName(comment.thread), ports.sign)
    if (!found?.isSigned || !found.isBound || !found.mark.code?.hold || found.mark.role === 'provenance')
      return []
    if (number !== null && found.mark.code.number !== number) return []
    return pullRequestThread(found.mark.prLink, ports.serverUrl) ?? []
  })
}

/**
 * Reads the thread of a pull request, and the threads of the agent's pull requests that wait for it. Finds the requests
 * and the agent's pull requests there.
 */
async function findOfPull(
  number: number,
  inputs: RunInputs,
  { repository }: SettleHome,
  ports: SettlePorts,
): Promise<GitHubReply<OpenWork>> {
  const thread = pullThread(repository, number)
  const own = await ownComments(thread, ports)
  if (!own.ok) return own
  const comments: PlacedComment[] = own.value.map((comment) => ({ ...comment, thread }))
  const waiting = new Map(waitingFor(comments, number, ports).map((each) => [threadName(each), each]))
  for (const other of waiting.values()) {
    const there = await ownComments(other, ports)
    leaveOut(other, there, ports)
    if (there.ok) comments.push(...there.value.map((comment) => ({ ...comment, thread: other })))
  }
  const requests = requestsOnThreads(comments, inputs, repository, ports).filter(needsSettling)
  const pulls = agentPulls(comments, projectName(inputs.projectId), ports)
  return { ok: true, value: { requests, pulls, isCut: false } }
}
