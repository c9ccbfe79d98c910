/** Chooses the job for a request: the thread's job, or the job behind an open pull request at `open-limit`. */

import type { AgentInputs } from '../core/inputs/schema.ts'
import { type ChosenJob, isTerminal, newJob, pullRequestThread } from '../core/job/job.ts'
import { projectName, readTail, stepName } from '../core/mark.ts'
import { type Ended, failed } from '../core/outcome.ts'
import { problems } from '../core/problems.ts'
import { pullThread } from '../core/thread.ts'
import type { Asked } from '../core/trigger/request.ts'
import { byRequest, discard, jobToFollow } from '../life/comments.ts'
import { type Found, fold, isAtRest, replaced } from '../life/entry.ts'
import { type CommentEntry, type FoundEntry, readStatus } from '../life/format.ts'
import { entriesOn, recentLists } from '../life/lists.ts'
import { nextCommand } from '../life/next.ts'
import type { ThreadPlace } from '../life/thread.ts'
import { say } from '../say/messages.ts'
import { isAuthoredBy } from './change.ts'
import { unread } from './gate.ts'
import { isGone, readConfirmed, readJob } from './jobs.ts'
import type { AgentPorts, GitHubReply, PullRequest } from './ports.ts'

/** For a command or label: the job of the thread, which was just read, or a new one. */
export async function chooseJob(
  inputs: AgentInputs,
  { thread, openedBy }: Asked,
  place: ThreadPlace,
  ports: AgentPorts,
): Promise<ChosenJob | Ended> {
  const { repository, number, isPullRequest } = thread
  // An earlier run may have been killed before it removed what its result replaced.
  for (const own of requestsIn(place))
    await discard(
      replaced(own).filter(({ isIntact }) => isIntact),
      ports,
    )
  const isLate = await isLateForEarlier(place, ports)
  let jobId = jobToFollow(place.request, othersIn(place))
  if (jobId === null && isPullRequest && isAuthoredBy(inputs.agentLogin)({ author: openedBy })) {
    const pull = { number, url: `${ports.serverUrl}/${repository}/pull/${number}` }
    // A step that timed out left no mark on the pull request, so the project's records are searched.
    const found = await jobBehind(pull, ports)
    // A workflow for commands does not need the permission for statuses.
    if (!found.ok && found.rejection.kind !== 'permission') return unread('thread', found.rejection)
    jobId = found.ok ? found.value.job : null
  }
  if (jobId === null) {
    const isUnclear = latestIn(place).some(({ entry }) => ['open', 'unconfirmed'].includes(entry.state))
    return { ...newJob, choice: isLate || isUnclear ? 'unclear' : 'own' }
  }
  // A command from a report is unrelated to earlier requests on the thread.
  if (!isPullRequest && place.comments.some(({ body }) => readTail('docs-agent-report', body) !== null))
    return newJob
  return followUp(jobId, ports)
}

/** Waits while an earlier request of this step on the thread has no job; true if it still has none. */
async function isLateForEarlier(place: ThreadPlace, ports: AgentPorts): Promise<boolean> {
  const { clock, cancelled, deadline, log } = ports
  const since = clock.date()
  for (let isWaiting = false; ; isWaiting = true) {
    const step = nextCommand(place.comment, since, latestIn(place), clock.date())
    if (step.do === 'choose' || clock.now() >= deadline || cancelled.aborted) {
      const isLate = step.do === 'look' || step.isLate
      if (isLate) log(say.earlierCommand(false))
      return isLate
    }
    if (!isWaiting) log(say.earlierCommand(true))
    await clock.sleep(Math.min(step.at - clock.date(), deadline - clock.now()), cancelled)
    await place.list()
  }
}

/** The entries of other requests on the thread. */
function othersIn({ entries, request }: ThreadPlace): FoundEntry[] {
  return entries.filter(({ entry }) => entry.request !== request.request)
}

/** The entries of each other request of this step. */
function requestsIn(place: ThreadPlace): FoundEntry[][] {
  return byRequest(othersIn(place).filter(({ entry }) => entry.step === place.request.step))
}

/** The highest entry of each other request of this step. */
function latestIn(place: ThreadPlace): Found<CommentEntry>[] {
  return requestsIn(place).flatMap((own) => fold<CommentEntry>(own).top ?? [])
}

/** Maximum number of jobs to poll for a pull request's link, among those recorded without one. */
const readLimit = 5

/**
 * For an event: below the limit, a new job; at the limit, the job behind the newest pull request that is not held and
 * can get a follow-up. Only pull requests from this action's jobs count, not others by the agent's account, such as
 * those from Mintlify's automations.
 */
export async function findRoom(inputs: AgentInputs, ports: AgentPorts): Promise<ChosenJob | Ended> {
  const { openLimit: limit } = inputs
  if (limit === null) return newJob
  const open = await ports.github.openPulls(ports.run.repository)
  if (!open.ok) return unread('open-pull-requests', open.rejection)
  let recorded: ReturnType<typeof recordedJobs> | undefined
  const readRecords = () => {
    recorded ??= recordedJobs(ports)
    return recorded
  }
  const own: { url: string; job: string; isHeld: boolean }[] = []
  for (const { number, url } of open.value.filter(isAuthoredBy(inputs.agentLogin))) {
    const found = await jobBehind({ number, url }, ports, readRecords)
    if (!found.ok) return unread('open-pull-requests', found.rejection)
    const { job, isHeld } = found.value
    if (job !== null) own.push({ url, job, isHeld })
  }
  if (own.length < limit) return newJob
  for (const { job, isHeld } of own) {
    const chosen = await followUp(job, ports)
    if (chosen.jobId !== null && !isHeld) return { ...chosen, choice: 'own' }
  }
  // A green step would hide that changes do not reach the docs until someone acts.
  const links = own.map(({ url }) => url)
  return failed(problems.openLimit(limit, links))
}

/**
 * The job behind one of the agent's pull requests, from the comment on it or from the project's records on threads and
 * commits; and whether the pull request waits for code. If a step ended before it knew the link, its record has none, so
 * the jobs in such records are polled.
 */
async function jobBehind(
  { number, url }: Pick<PullRequest, 'number' | 'url'>,
  ports: AgentPorts,
  readRecords = () => recordedJobs(ports),
): Promise<GitHubReply<{ job: string | null; isHeld: boolean }>> {
  const { repository, step } = ports.run
  const found = await entriesOn(pullThread(repository, number), ports)
  if (!found.ok) return found
  const isHeld = found.value.some(
    ({ entry: { role, code } }) => role === 'pull' && Boolean(code?.hold) && code?.state !== 'lifted',
  )
  const is = (job: string | null) => ({ ok: true, value: { job, isHeld } }) as const
  const known = jobToFollow({ step: stepName(step), project: projectName(step.project) }, found.value)
  if (known !== null) return is(known)
  const { jobs, rejection } = await readRecords()
  const linked = jobs.find(({ link }) => link === url)
  if (linked !== undefined) return is(linked.job)
  const unlinked = new Set(jobs.flatMap(({ job, link, state }) => (link || isAtRest(state) ? [] : job)))
  for (const job of [...unlinked].slice(0, readLimit)) {
    const read = await readJob(job, ports)
    if (read.ok && read.value.prLink === url) return is(job)
  }
  return rejection === null ? is(null) : { ok: false, rejection }
}

/** All recorded jobs, newest first, and why some may be missing. */
async function recordedJobs(ports: AgentPorts) {
  const { repository, step } = ports.run
  const { comments, statuses, rejection } = await recentLists(ports)
  if (comments.isCut) ports.log(say.commentsCut(repository))
  const onCommits = statuses.items.flatMap((status) => {
    const found = readStatus(status, { ...status, repository, project: step.project }, ports.sign)
    return found?.isSigned ? [{ entry: found.entry, createdAt: status.createdAt }] : []
  })
  const jobs = [...comments.items, ...onCommits].flatMap(({ entry: { job, link, state }, createdAt }) =>
    job === null ? [] : [{ job, link, state, createdAt }],
  )
  return { jobs: jobs.sort((one, other) => other.createdAt - one.createdAt), rejection }
}

/**
 * Chooses a job for a follow-up, with its open pull request. It gets a new job instead if it failed, was archived or is
 * gone (`replaced`), or if its pull request is merged or closed (`finished`). A job that cannot be polled counts as
 * taking one: the follow-up will show what is wrong.
 */
async function followUp(jobId: string, ports: AgentPorts): Promise<ChosenJob> {
  const { github, serverUrl, log } = ports
  const read = await readConfirmed(jobId, ports)
  const job = read.ok ? read.value : null
  const status = isGone(read) ? 'gone' : (job?.status ?? null)
  if (status === 'gone' || (status !== null && status !== 'completed' && isTerminal(status))) {
    log(say.jobOver(jobId, status))
    return { ...newJob, choice: 'replaced' }
  }
  const chosen = { jobId, choice: 'thread', head: null, link: null } as const
  const thread = pullRequestThread(job?.prLink ?? null, serverUrl)
  const pull = thread && (await github.pull(thread.repository, thread.number))
  if (!pull?.ok || pull.value === null) return chosen
  const { isOpen, isMerged, headCommit: head, url: link } = pull.value
  if (isOpen) return { ...chosen, head, link }
  log(say.jobOver(jobId, isMerged ? 'merged' : 'closed'))
  return { ...newJob, choice: 'finished' }
}
