/** Mode settle: does what comes next for each request that earlier runs left open, as a run that waits would. */
import { type Job, pullRequestThread } from '../core/job/job.ts'
import { isKeyRejected, isMissing, type Reply } from '../core/job/response.ts'
import { type Mark, projectName, readMark } from '../core/mark.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import { type CodePull, holdContext } from '../core/pull.ts'
import {
  type JobSeen,
  jobToRead,
  type Known,
  minimumAge,
  nextForSettle,
  type SettleStep,
} from '../core/record.ts'
import type { RequestLink, SettledJob, SettleResult } from '../core/settle.ts'
import { holdOf, readStatus } from '../core/status.ts'
import { pullThread, type Thread, threadName } from '../core/thread.ts'
import type { PullEvent } from '../core/trigger/event.ts'
import { type RunSettings, withoutJob } from './carry-out.ts'
import { isAuthoredBy } from './change.ts'
import { listLag, ownComments } from './comments.ts'
import type { SettlePorts } from './final-diff.ts'
import { readJob, type Scope } from './jobs.ts'
import {
  type FoundRequests,
  findRequests,
  lookBack,
  needsSettling,
  type OpenRequest,
  type OwnComment,
  requestsOnThreads,
} from './open-requests.ts'
import type { GitHubReply } from './ports.ts'
import { type AgentPull, agentPulls, followPulls, isFinal } from './pull-life.ts'
import { leaveOut } from './pulls.ts'
import { readOnly } from './read-only.ts'
import { reviewChanges } from './review.ts'
import { waitForJob } from './wait.ts'

/** The workflow's repository, and the pull request that triggered it. */
export interface SettleHome {
  /** `owner/name`. */
  repository: string
  /** The event's pull request; null for other events. */
  pull: PullEvent | null
}

/** Milliseconds before the second poll of a completed job without a link, because the link may appear later. */
const linkGrace = 5_000
/** Maximum number of jobs to poll at the same time. */
const atOnce = 4

function stopped(outcome: 'cancelled' | 'error', problem: Problem | null): SettleResult {
  return { outcome, problem, jobs: [], pulls: [], pullStats: null, isCut: false }
}

/**
 * Does what comes next for each open request and each of the agent's pull requests. After a killed run, a result is
 * reported once; two runs at the same time may both report it. On a pull request's event, only what belongs to that
 * pull request is handled.
 */
export async function settle(
  settings: RunSettings,
  home: SettleHome,
  given: SettlePorts,
): Promise<SettleResult> {
  const github = settings.scope.isDryRun ? readOnly(given.github) : given.github
  const ports = { ...given, github, introduced: new Set<string>(), renewed: new Map<number, Mark>() }
  const { cancelled, clock } = ports
  const { scope } = settings
  const begun = clock.now()
  const isOpening = home.pull?.openedBranch !== null && isAuthoredBy(scope.agentLogin)(home.pull)
  const found = await (home.pull === null || isOpening
    ? findAll(settings, home, ports)
    : findOfPull(home.pull.number, settings, home, ports))
  // An error after a cancel was caused by the cancel, not by GitHub.
  if (cancelled.aborted) return stopped('cancelled', null)
  if (!found.ok) return stopped('error', { type: 'unread', reading: 'open-jobs', refusal: found.refusal })
  const { requests, pulls, isCut } = found.value
  const reads = await readTwice(
    requests.flatMap(({ record }) => jobToRead(record, clock.date()) ?? []),
    scope.projectId,
    ports,
  )
  const rejected = [...reads.values()].find((read) => !read.ok && isKeyRejected(read.failure))
  if (rejected?.ok === false) return stopped('error', problemOf(rejected))
  const openedBranch = home.pull?.openedBranch ?? null
  // Lists lag: another settle may have written something. A dry run does not wait, because it writes nothing.
  const waitForLists = async () => {
    if (!scope.isDryRun) await clock.sleep(Math.max(0, begun + listLag - clock.now()), cancelled)
  }
  const jobs = await settleAll(requests, reads, settings, openedBranch, waitForLists, ports)
  const followed = await followPulls(
    pulls.map((pull) => renewedPull(pull, ports.renewed)),
    settings,
    {
      waitForLists,
      isElsewhere: (pull, code) => documentsMore(pull, code, found.value, settings, home, ports),
      isReported: (thread, request) =>
        jobs.some((job) => isSettled(job, scope) && isRequest(job.link, thread, request)),
    },
    ports,
  )
  const outcome = scope.isDryRun ? 'dry-run' : 'settled'
  return { outcome: cancelled.aborted ? 'cancelled' : outcome, jobs, ...followed, isCut, problem: null }
}

/** Applies a mark that this settle has changed, because the lists were read before the change. */
function renewedPull(pull: AgentPull, renewed: ReadonlyMap<number, Mark>): AgentPull {
  const { comment } = pull
  return { ...pull, comment: { ...comment, mark: renewed.get(comment.comment) ?? comment.mark } }
}

/** Whether this settle reported a job's result, or would have. */
function isSettled({ state, outcome }: SettledJob, { isDryRun }: RunSettings['scope']): boolean {
  return state === 'settled' || (isDryRun && state === 'pending' && outcome !== null)
}

function isRequest(link: RequestLink, thread: Thread, request: string): boolean {
  return link.kind === 'thread' && link.request === request && threadName(link.thread) === threadName(thread)
}

/** What is left to settle. */
interface Found {
  requests: OpenRequest[]
  pulls: AgentPull[]
  isCut: boolean
  /** Everything that the action left in the repository; null if only one thread was read. */
  all: FoundRequests | null
}

async function findAll(
  settings: RunSettings,
  { repository, pull }: SettleHome,
  ports: SettlePorts,
): Promise<GitHubReply<Found>> {
  const found = await findRequests(settings, repository, ports)
  if (!found.ok) return found
  const project = projectName(settings.scope.projectId)
  const beyond: OwnComment[] = []
  for (const other of pull === null ? reposBeyond(found.value.comments, repository, ports) : []) {
    const there = await ports.github.recentComments(other, 'issue', ports.clock.date() - lookBack)
    if (!there.ok) ports.onProgress({ type: 'pulls-unread', repository: other, refusal: there.refusal })
    else beyond.push(...(await ownOf(there.value.items, ports)))
  }
  const listed = agentPulls([...found.value.comments, ...beyond], project, ports)
  const old =
    pull === null ? await oldPulls(listed, settings.scope.agentLogin, project, repository, ports) : []
  const pulls = [...listed, ...old].filter(({ thread }) => pull === null || thread.number === pull.number)
  // Other requests there belong to the settle of that repository.
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
    ports.onProgress({ type: 'pulls-unread', repository, refusal: open.refusal })
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
    found.push(
      ...agentPulls(comments, project, ports).map((each) => ({
        ...each,
        isOld: true as const,
      })),
    )
  }
  return found
}

/** Repositories where the agent's pull requests wait for code in this one. */
function reposBeyond(comments: readonly OwnComment[], home: string, ports: SettlePorts): string[] {
  const repositories = waitingFor(comments, null, ports).map(({ repository }) => repository)
  return [...new Set(repositories)].filter((each) => each.toLowerCase() !== home.toLowerCase())
}

/** The agent's pull requests that wait for code, according to the code's threads. */
function waitingFor(comments: readonly OwnComment[], number: number | null, ports: SettlePorts): Thread[] {
  return comments.flatMap((comment) => {
    const found = readMark(comment, threadName(comment.thread), ports.sign)
    if (!found?.isSigned || !found.isBound || !found.mark.code?.hold || found.mark.role === 'provenance')
      return []
    if (number !== null && found.mark.code.number !== number) return []
    return pullRequestThread(found.mark.prLink, ports.serverUrl) ?? []
  })
}

async function ownOf(comments: readonly OwnComment[], { github }: SettlePorts): Promise<OwnComment[]> {
  const viewer = await github.viewer()
  return viewer.ok ? comments.filter(({ author }) => author === viewer.value) : []
}

/** Finds the requests on one pull request and on those that wait for it, and the agent's pull requests among these. */
async function findOfPull(
  number: number,
  settings: RunSettings,
  { repository }: SettleHome,
  ports: SettlePorts,
): Promise<GitHubReply<Found>> {
  const thread = pullThread(repository, number)
  const own = await ownComments(thread, ports)
  if (!own.ok) return own
  const comments: OwnComment[] = own.value.map((comment) => ({ ...comment, thread }))
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
async function documentsMore(
  { thread, comment }: AgentPull,
  code: CodePull,
  { all }: Found,
  settings: RunSettings,
  { repository: home }: SettleHome,
  ports: SettlePorts,
): Promise<boolean> {
  // Records of other requests may no longer be listed.
  if (comment.createdAt < ports.clock.date() - lookBack) return true
  const { job } = comment.mark
  const codeThread = threadName(pullThread(code.repository, code.number))
  // An active job's record may have no link yet, and a link may have several spellings.
  const isOwn = (other: string | null, link: string | null) => {
    const pull = pullRequestThread(link, ports.serverUrl)
    return other === job || (pull !== null && threadName(pull) === threadName(thread))
  }
  // People ask where the code is and where the docs are, and settle may run in either repository.
  const places = [thread, code].map(({ repository }) => repository.toLowerCase())
  for (const repository of new Set([home.toLowerCase(), ...places])) {
    const isKnown = all !== null && repository === home.toLowerCase()
    const found = isKnown
      ? { ok: true as const, value: all }
      : await findRequests(settings, repository, ports)
    if (!found.ok || found.value.isCut) return true
    const isMentioned = found.value.comments.some((each) => {
      const mark = readMark(each, threadName(each.thread), ports.sign)?.mark
      const place = threadName({ ...each.thread, reviewRoot: null })
      if (mark === undefined || mark.role === 'provenance' || place === codeThread) return false
      // A request on the pull request itself may have been sent although its job is unknown.
      const isAskedHere = place === threadName(thread) && mark.role === 'reply' && mark.state !== 'not-sent'
      return isAskedHere || isOwn(mark.job, mark.prLink)
    })
    // The code's own commits have the statuses of requests about it.
    const isRecorded = found.value.statuses.some((status) => {
      const mark = readStatus(
        status,
        { ...status, repository, project: settings.scope.projectId },
        ports.sign,
      )
      if (mark?.isSigned === true && holdOf(mark.follows) !== null) return false
      return isOwn(mark !== null && 'job' in mark.record ? mark.record.job : null, status.targetUrl)
    })
    if (isMentioned || isRecorded) return true
  }
  return false
}

/** Settles requests; if a pull request was just opened, only the request behind it. */
async function settleAll(
  requests: readonly OpenRequest[],
  reads: ReadonlyMap<string, JobRead>,
  settings: RunSettings,
  openedBranch: string | null,
  waitForLists: () => Promise<void>,
  ports: SettlePorts,
): Promise<SettledJob[]> {
  const jobs: SettledJob[] = []
  const isOpened = openedBranch !== null
  for (const request of requests) {
    if (ports.cancelled.aborted) return jobs
    const read = reads.get(jobOf(request) ?? '')
    const isMeant = !isOpened || (read?.ok === true && read.value.ref === openedBranch)
    if (isMeant) jobs.push(...(await settleOne({ request, read, isOpened }, settings, waitForLists, ports)))
  }
  return jobs
}

function jobOf({ record }: OpenRequest): string | null {
  return 'job' in record ? record.job : null
}

/** A request, and its job as just polled. */
interface Looked {
  request: OpenRequest
  read: JobRead | undefined
  isOpened: boolean
}

/** Does what comes next for a request. Returns its row; none if nothing was open, or if another run handled it. */
async function settleOne(
  { request, read, isOpened }: Looked,
  { scope, pullSettings }: RunSettings,
  waitForLists: () => Promise<void>,
  ports: SettlePorts,
): Promise<SettledJob[]> {
  const seen = await lookAgain(request, read, isOpened, scope, ports)
  const step = nextFor({ kind: 'record', record: request.record }, request, seen, isOpened, ports)
  const isOpenJob = request.record.state === 'job'
  if (step.do === 'abandon') return [row(request, 'abandoned', null)]
  const result = resultOf(step, request, seen)
  if (result === null) {
    if (request.hasLeftovers && !scope.isDryRun && ports.clock.date() > request.record.until + minimumAge)
      await request.reread()
    return isOpenJob ? [row(request, 'pending', null)] : []
  }
  if (scope.isDryRun) {
    // What comes next for the agent's pull request depends on the announcement.
    await request.announce(await reviewChanges(result, pullSettings.allowedPaths, scope, ports))
    return [row(request, 'pending', result)]
  }
  // Time has passed: a run may have continued, or another settle may have reported.
  await waitForLists()
  const known = await request.reread()
  if (known.kind === 'ended') return [row(request, 'unreported', result)]
  const again = nextFor(known, request, seen, isOpened, ports)
  if (again.do !== step.do) return []
  const reviewed = await reviewChanges(result, pullSettings.allowedPaths, scope, ports)
  // The record ends last: if the run is killed before that, the next run repeats all of this.
  await request.announce(reviewed)
  const isReported = await request.end(reviewed)
  return [row(request, isReported ? 'settled' : 'unreported', reviewed)]
}

function nextFor(
  known: Known,
  { place }: OpenRequest,
  job: JobSeen,
  isOpened: boolean,
  { clock }: SettlePorts,
): SettleStep {
  return nextForSettle(known, { now: clock.date(), place, job, isOpened })
}

function row(
  { record, link }: OpenRequest,
  state: SettledJob['state'],
  result: AgentResult | null,
): SettledJob {
  const job = 'job' in record ? record.job : null
  const outcome = result?.outcome ?? null
  return { job, since: record.since, link, state, outcome, prLink: result?.job?.prLink ?? null }
}

/** The result to report for a step; null if there is none. */
function resultOf(step: SettleStep, request: OpenRequest, seen: JobSeen): AgentResult | null {
  if (step.do === 'give-up') return withoutJob('unconfirmed', { type: step.why })
  const jobId = jobOf(request)
  if (step.do !== 'report' || jobId === null) return null
  const job = seen.kind === 'read' ? seen.job : null
  const problem: Problem | null = seen.kind === 'gone' ? seen.problem : null
  const known = { ...withoutJob(step.outcome, problem), delivery: 'sent', elapsed: null } as const
  return { ...known, jobId, job }
}

/** Waits for a job whose pull request just opened: the agent may open it before the job ends. */
async function lookAgain(
  request: OpenRequest,
  read: JobRead | undefined,
  isOpened: boolean,
  { projectId, isDryRun }: Scope,
  ports: SettlePorts,
): Promise<JobSeen> {
  const seen = seenIn(read)
  if (!isOpened || isDryRun || seen.kind !== 'read') return seen
  const jobId = seen.job.id
  const step = nextFor({ kind: 'record', record: request.record }, request, seen, isOpened, ports)
  if (step.do !== 'leave') return seen
  const wait = { projectId, jobId, job: seen.job, before: null, created: false, interval: 'auto' } as const
  const { job } = await waitForJob(wait, ports)
  return job === null ? seen : { kind: 'read', job }
}

type JobRead = Reply<Job>

function problemOf({ failure }: Extract<JobRead, { ok: false }>): Problem {
  return { type: 'platform', operation: 'read', failure }
}

function seenIn(read: JobRead | undefined): JobSeen {
  if (read === undefined) return { kind: 'unread' }
  if (read.ok) return { kind: 'read', job: read.value }
  return isMissing(read.failure) ? { kind: 'gone', problem: problemOf(read) } : { kind: 'unread' }
}

/** Polls jobs. Polls those that completed without a link a second time. */
async function readTwice(
  ids: readonly string[],
  projectId: string,
  ports: SettlePorts,
): Promise<Map<string, JobRead>> {
  const reads = await readJobs([...new Set(ids)], projectId, ports)
  const linkless = [...reads].flatMap(([id, read]) =>
    read.ok && read.value.status === 'completed' && read.value.prLink === null ? [id] : [],
  )
  if (linkless.length === 0) return reads
  await ports.clock.sleep(linkGrace, ports.cancelled)
  const again = await readJobs(linkless, projectId, ports)
  // A job without a link only counts as ended once a second poll confirms it.
  for (const id of linkless) reads.delete(id)
  for (const [id, read] of again) if (read.ok) reads.set(id, read)
  return reads
}

/** Polls jobs, several at a time. */
async function readJobs(
  ids: readonly string[],
  projectId: string,
  ports: SettlePorts,
): Promise<Map<string, JobRead>> {
  const reads = new Map<string, JobRead>()
  const left = [...ids]
  const work = async () => {
    for (let id = left.shift(); id !== undefined && !ports.cancelled.aborted; id = left.shift()) {
      reads.set(id, await readJob(projectId, id, ports))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return reads
}
