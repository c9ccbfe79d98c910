/** Finds what earlier runs left open: requests and the agent's pull requests. */
import { pullRequestThread } from '../core/job/job.ts'
import { projectName, readMark } from '../core/mark.ts'
import { type CodePull, holdContext } from '../core/pull.ts'
import { holdOf, readStatus } from '../core/status.ts'
import { pullThread, type Thread, threadName } from '../core/thread.ts'
import type { PullEvent } from '../core/trigger/event.ts'
import type { RunSettings } from './carry-out.ts'
import { isAuthoredBy } from './change.ts'
import { ownComments, ownRecentComments } from './comments.ts'
import type { SettlePorts } from './final-diff.ts'
import {
  type FoundRequests,
  findRequests,
  lookBack,
  needsSettling,
  type OpenRequest,
  requestsOnThreads,
} from './open-requests.ts'
import type { GitHubReply, PlacedComment } from './ports.ts'
import { type AgentPull, agentPulls, isFinal } from './pull-life.ts'
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
  /** Everything that the action left in the repository; null if only one thread was read. */
  all: FoundRequests | null
}

/**
 * Finds what earlier runs left open. On a pull request's event, finds only what belongs to that pull request. If the
 * agent just opened the pull request, finds all requests, because any of them may be behind it.
 */
export function findOpenWork(
  settings: RunSettings,
  home: SettleHome,
  ports: SettlePorts,
): Promise<GitHubReply<OpenWork>> {
  const { pull } = home
  if (pull === null) return findAll(settings, home, ports)
  const isOpening = pull.openedBranch !== null && isAuthoredBy(settings.scope.agentLogin)(pull)
  if (isOpening) return findAll(settings, home, ports)
  return findOfPull(pull.number, settings, home, ports)
}

async function findAll(
  settings: RunSettings,
  { repository, pull }: SettleHome,
  ports: SettlePorts,
): Promise<GitHubReply<OpenWork>> {
  const found = await findRequests(settings, repository, ports)
  if (!found.ok) return found
  const project = projectName(settings.scope.projectId)
  const beyond: PlacedComment[] = []
  for (const other of pull === null ? reposBeyond(found.value.comments, repository, ports) : []) {
    const there = await ownRecentComments('issue', other, ports.clock.date() - lookBack, ports)
    if (!there.ok) ports.onProgress({ type: 'pulls-unread', repository: other, rejection: there.rejection })
    else beyond.push(...there.value.items)
  }
  const listed = agentPulls([...found.value.comments, ...beyond], project, ports)
  const old =
    pull === null ? await oldPulls(listed, settings.scope.agentLogin, project, repository, ports) : []
  const pulls = [...listed, ...old].filter(({ thread }) => pull === null || thread.number === pull.number)
  // Other requests in those repositories are left to the repositories' own settle runs.
  const finals = requestsOnThreads(beyond, settings, repository, ports).filter(
    ({ link }) => link.kind === 'thread' && isFinal(link.request),
  )
  const requests = [...found.value.requests, ...finals].filter(needsSettling)
  return { ok: true, value: { requests, pulls, isCut: found.value.isCut, all: found.value } }
}

/** Maximum number of old pull requests to look up in a run. */
const maxOld = 3

/**
 * The agent's pull requests that have waited so long that the comments on them are no longer listed. Settle edits these
 * comments, so that they are listed again.
 */
async function oldPulls(
  known: readonly AgentPull[],
  agentLogin: string,
  project: string,
  repository: string,
  ports: SettlePorts,
): Promise<AgentPull[]> {
  const open = await ports.github.openPulls(repository)
  if (!open.ok) {
    ports.onProgress({ type: 'pulls-unread', repository, rejection: open.rejection })
    return []
  }
  const isKnown = new Set(known.map(({ thread }) => threadName(thread)))
  const threads = open.value.filter(isAuthoredBy(agentLogin)).flatMap(({ number }) => {
    const thread = pullThread(repository, number)
    return isKnown.has(threadName(thread)) ? [] : [thread]
  })
  if (threads.length === 0) return []
  const views = await ports.github.pullViews(
    repository,
    threads.map(({ number }) => number),
  )
  const viewer = await ports.github.viewer()
  if (!views.ok) ports.onProgress({ type: 'pulls-unread', repository, rejection: views.rejection })
  if (!views.ok || !viewer.ok) return []
  const held = views.value.pulls.filter(({ statuses }) =>
    statuses.some(
      ({ context, state, creator }) =>
        context === holdContext && state === 'pending' && creator === viewer.value,
    ),
  )
  const found: AgentPull[] = []
  for (const { number } of held.slice(0, maxOld)) {
    const thread = pullThread(repository, number)
    const own = await ownComments(thread, ports)
    const comments = own.ok ? own.value.map((comment) => ({ ...comment, thread })) : []
    found.push(...agentPulls(comments, project, ports).map((each) => ({ ...each, isOld: true as const })))
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
  settings: RunSettings,
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
  const requests = requestsOnThreads(comments, settings, repository, ports).filter(needsSettling)
  const pulls = agentPulls(comments, projectName(settings.scope.projectId), ports)
  return { ok: true, value: { requests, pulls, isCut: false, all: null } }
}

/** Whether one of the agent's pull requests documents anything besides the code. Fails closed. */
export async function documentsMore(
  pull: AgentPull,
  code: CodePull,
  { all }: OpenWork,
  settings: RunSettings,
  { repository: home }: SettleHome,
  ports: SettlePorts,
): Promise<boolean> {
  // Records of other requests may no longer be listed.
  if (pull.comment.createdAt < ports.clock.date() - lookBack) return true
  // People can ask in the code's and in the docs' repository, and settle may run in either one.
  const places = [home, pull.thread.repository, code.repository].map((each) => each.toLowerCase())
  for (const repository of new Set(places)) {
    const isKnown = all !== null && repository === home.toLowerCase()
    const found = isKnown
      ? { ok: true as const, value: all }
      : await findRequests(settings, repository, ports)
    if (!found.ok || found.value.isCut) return true
    const place = { repository, project: settings.scope.projectId }
    if (hasOtherRequest(pull, code, found.value, place, ports)) return true
  }
  return false
}

/** Whether a request that is not about the code went to a pull request or to its job. */
function hasOtherRequest(
  { thread, comment: { mark: own } }: AgentPull,
  code: CodePull,
  { comments, statuses }: FoundRequests,
  place: { repository: string; project: string },
  { serverUrl, sign }: SettlePorts,
): boolean {
  // An active job's record may have no link yet, and a link may have several spellings.
  const isSame = (job: string | null, link: string | null) => {
    const linked = pullRequestThread(link, serverUrl)
    return job === own.job || (linked !== null && threadName(linked) === threadName(thread))
  }
  const codeThread = threadName(pullThread(code.repository, code.number))
  const isMentioned = comments.some((comment) => {
    const mark = readMark(comment, threadName(comment.thread), sign)?.mark
    const where = threadName({ ...comment.thread, reviewRoot: null })
    if (mark === undefined || mark.role === 'provenance' || where === codeThread) return false
    // A request on the pull request itself may have been sent even if its job is unknown.
    const isAskedHere = where === threadName(thread) && mark.role === 'reply' && mark.state !== 'not-sent'
    return isAskedHere || isSame(mark.job, mark.prLink)
  })
  const isRecorded = statuses.some((status) => {
    const mark = readStatus(status, { ...status, ...place }, sign)
    // The code's own commits have the statuses of requests about the code.
    if (mark?.isSigned === true && holdOf(mark.follows) !== null) return false
    return isSame(mark !== null && 'job' in mark.record ? mark.record.job : null, status.targetUrl)
  })
  return isMentioned || isRecorded
}
