/** Chooses the job for a request: the thread's job, or the job behind an open pull request at `open-limit`. */

import type { AgentInputs, RunInputs } from '../core/inputs/schema.ts'
import { type ChosenJob, type JobChoice, newJob } from '../core/job/job.ts'
import { projectName, type StepName, stepName } from '../core/mark.ts'
import { readTail } from '../core/mark-codec.ts'
import { problems, type Rejection } from '../core/problems.ts'
import { pullThread, type Thread } from '../core/thread.ts'
import type { Asked } from '../core/trigger/request.ts'
import { dayMs } from '../core/units.ts'
import { entriesOn, jobToFollow, recentEntries } from '../life/comments.ts'
import { ownRecentStatuses } from '../life/commit.ts'
import { fold, isAtRest } from '../life/entry.ts'
import { type CommentEntry, type FoundEntry, readStatus } from '../life/format.ts'
import { say } from '../say/messages.ts'
import { isAuthoredBy } from './change.ts'
import { type Ended, failed, unread } from './gate.ts'
import { followable, readJob } from './jobs.ts'
import type { AgentPorts, FoundComment, GitHubReply, PullRequest, RunIdentity } from './ports.ts'

/** A request on a thread, and the thread's contents. */
export interface OnThread extends Pick<CommentEntry, 'request' | 'step' | 'project' | 'since'> {
  thread: Thread
  entries: readonly FoundEntry[]
  comments: readonly FoundComment[]
  /** The comment that this run posted; null for a re-run, which looks before it posts. */
  own: number | null
  identity: RunIdentity['step']
  openedBy: Asked['openedBy']
}

/** How long a command waits until an earlier command on its thread has a job, and how often it looks, in milliseconds. */
const maxWait = 90_000
const waitStep = 5_000

/** Chooses the job of the thread, or a new one. */
export async function chooseJob(
  inputs: RunInputs,
  on: OnThread,
  ports: AgentPorts,
): Promise<GitHubReply<ChosenJob>> {
  const fresh = (choice: JobChoice) => ({ ok: true, value: { ...newJob, choice } }) as const
  const settled = await waitForEarlier(on, ports)
  const ofThread = jobToFollow(on, settled.entries)
  const behind = ofThread === null ? await jobBehind(inputs, on, ports) : null
  if (behind?.ok === false) return behind
  const jobId = ofThread ?? behind?.value ?? null
  if (jobId === null) {
    const isUnclear =
      settled.isLate ||
      latestOf(settled.entries, on).some(({ entry }) => ['open', 'unconfirmed'].includes(entry.state))
    return fresh(isUnclear ? 'unclear' : 'own')
  }
  // A command from a report is unrelated to earlier requests on the thread.
  if (hasReport(on)) return fresh('own')
  const found = await followable(jobId, inputs, ports)
  if (!found.takes) return fresh(found.why)
  const { head, link } = found
  return { ok: true, value: { jobId, choice: 'thread', head, link } }
}

/**
 * The job behind the agent's pull request, if the command is on it. A step that timed out left no mark there, so the
 * project's records are searched.
 */
async function jobBehind(
  inputs: RunInputs,
  { thread: { repository, number, isPullRequest }, identity, openedBy }: OnThread,
  ports: AgentPorts,
): Promise<GitHubReply<string | null>> {
  if (!isPullRequest || !isAuthoredBy(inputs.agentLogin)({ author: openedBy }))
    return { ok: true, value: null }
  const pull = { number, url: `${ports.serverUrl}/${repository}/pull/${number}` }
  const job = await jobOfPull(pull, repository, { ...identity, project: inputs.projectId }, ports)
  // A workflow for commands does not need the permission for statuses.
  return job.ok || job.rejection.kind !== 'permission' ? job : { ok: true, value: null }
}

/** Whether visitors reports are posted on the issue. */
function hasReport({ thread, comments }: OnThread): boolean {
  return !thread.isPullRequest && comments.some(({ body }) => readTail('docs-agent-report', body) !== null)
}

/** Waits for a limited time while an earlier request of this step on the thread has no job yet. */
async function waitForEarlier(
  on: OnThread,
  ports: AgentPorts,
): Promise<{ entries: readonly FoundEntry[]; isLate: boolean }> {
  const { clock, cancelled, deadline } = ports
  const until = Math.min(clock.now() + maxWait, deadline)
  let seen = on.entries.filter(({ entry }) => entry.request !== on.request)
  const isWaiting = () => latestOf(seen, on).some((found) => isPending(found, on))
  if (isWaiting()) ports.log(say.earlierCommand(true))
  while (isWaiting() && clock.now() < until && !cancelled.aborted) {
    await clock.sleep(Math.min(waitStep, until - clock.now()), cancelled)
    const again = await entriesOn(on.thread, ports)
    if (again.ok) seen = again.value.filter(({ entry }) => entry.request !== on.request)
  }
  const isLate = isWaiting()
  if (isLate) ports.log(say.earlierCommand(false))
  return { entries: seen, isLate }
}

/** The highest entry of each other request of this step. */
function latestOf(entries: readonly FoundEntry[], { request, step }: OnThread): FoundEntry[] {
  const others = entries.filter(
    ({ entry }) => entry.role === 'request' && entry.step === step && entry.request !== request,
  )
  return [...Map.groupBy(others, ({ entry }) => entry.request).values()].flatMap((own) => {
    const { top } = fold(own)
    return own.find(({ id }) => id === top?.id) ?? []
  })
}

/**
 * Whether an earlier request from the last minutes has no job yet. GitHub numbers comments in order, so exactly one of
 * two requests waits for the other, even if the runners' clocks differ.
 */
function isPending({ id, createdAt, entry }: FoundEntry, on: OnThread): boolean {
  const own = on.entries.find((each) => each.id === on.own)
  const isEarlier = own === undefined || id < own.id
  const age = (own?.createdAt ?? on.since) - Math.max(createdAt, entry.since)
  return ['asked', 'open'].includes(entry.state) && isEarlier && age < maxWait
}

/** Maximum number of jobs to poll for a pull request's link, among those recorded without one. */
const readLimit = 5
/** How far back to read comments that may name the job, in milliseconds. */
const lookBack = 14 * dayMs

/**
 * Below the limit, chooses a new job. At the limit, chooses the job behind the newest pull request that is not held and
 * can get a follow-up. Only pull requests from this action's jobs count, not others by the agent's account, such as
 * those from Mintlify's automations.
 */
export async function findRoom(
  inputs: AgentInputs,
  repository: string,
  step: StepName,
  ports: AgentPorts,
): Promise<ChosenJob | Ended> {
  const { openLimit: limit } = inputs
  if (limit === null) return newJob
  const open = await ports.github.openPulls(repository)
  if (!open.ok) return unread('open-pull-requests', open.rejection)
  let known: ReturnType<typeof recordedJobs> | undefined
  const left = () => {
    known ??= recordedJobs(repository, inputs.projectId, ports)
    return known
  }
  const own: { pull: PullRequest; job: string }[] = []
  const others: string[] = []
  for (const pull of open.value.filter(isAuthoredBy(inputs.agentLogin))) {
    const job = await jobOfPull(pull, repository, step, ports, left)
    if (!job.ok) return unread('open-pull-requests', job.rejection)
    if (job.value === null) others.push(pull.url)
    else own.push({ pull, job: job.value })
  }
  if (others.length > 0) ports.log(say.otherPulls(others))
  if (own.length < limit) return newJob
  for (const { pull, job } of own) {
    const found = await followable(job, inputs, ports)
    if (!found.takes || (await isHeld(pullThread(repository, pull.number), ports))) continue
    return { ...newJob, jobId: job, head: found.head }
  }
  // A green step would hide that changes do not reach the docs until someone acts.
  return failed(
    problems.openLimit(
      limit,
      own.map(({ pull }) => pull.url),
    ),
  )
}

/** Whether one of the agent's pull requests waits for code. One that cannot be read counts as waiting. */
async function isHeld(thread: Thread, ports: AgentPorts): Promise<boolean> {
  const found = await entriesOn(thread, ports)
  if (!found.ok) return true
  return found.value.some(
    ({ entry: { role, code }, isSigned }) =>
      isSigned && role === 'pull' && Boolean(code?.hold) && code?.state !== 'lifted',
  )
}

/**
 * The job behind one of the agent's pull requests, from the comment on it or from the project's records on threads and
 * commits. If a step ended before it knew the link, its record has none, so the jobs in such records are polled.
 */
async function jobOfPull(
  { number, url }: Pick<PullRequest, 'number' | 'url'>,
  repository: string,
  step: StepName,
  ports: AgentPorts,
  readLeft = () => recordedJobs(repository, step.project, ports),
): Promise<GitHubReply<string | null>> {
  const thread = pullThread(repository, number)
  const found = await entriesOn(thread, ports)
  if (!found.ok) return found
  const project = projectName(step.project)
  const known = jobToFollow({ step: stepName(step), project }, found.value)
  if (known !== null) return { ok: true, value: known }
  const { left, rejection } = await readLeft()
  const linked = left.find(({ link }) => link === url)
  if (linked !== undefined) return { ok: true, value: linked.job }
  const unlinked = [...new Set(left.filter(({ mayHavePull }) => mayHavePull).map(({ job }) => job))]
  for (const job of unlinked.slice(0, readLimit)) {
    const read = await readJob(step.project, job, ports)
    if (read.ok && read.value.prLink === url) return { ok: true, value: job }
  }
  return rejection === undefined ? { ok: true, value: null } : { ok: false, rejection }
}

interface RecordedJob {
  job: string
  /** Link to its pull request; null if the step did not know it. */
  link: string | null
  /** Whether the job may have a pull request that is not in its record. */
  mayHavePull: boolean
  createdAt: number
}

/** All recorded jobs, newest first, and why some may be missing. */
async function recordedJobs(
  repository: string,
  projectId: string,
  ports: AgentPorts,
): Promise<{ left: RecordedJob[]; rejection: Rejection | undefined }> {
  const lists = [
    await jobsOnThreads('issue', repository, projectId, ports),
    await jobsOnThreads('review', repository, projectId, ports),
    await jobsOnCommits(repository, projectId, ports),
  ]
  const left = lists.flatMap((list) => (list.ok ? list.value : []))
  const rejected = lists.find((list) => !list.ok)
  return {
    left: left.sort((one, other) => other.createdAt - one.createdAt),
    rejection: rejected?.ok === false ? rejected.rejection : undefined,
  }
}

/** The jobs that are named in replies on threads. */
async function jobsOnThreads(
  kind: 'issue' | 'review',
  repository: string,
  projectId: string,
  ports: AgentPorts,
): Promise<GitHubReply<RecordedJob[]>> {
  const found = await recentEntries(kind, repository, projectId, ports.clock.date() - lookBack, ports)
  if (!found.ok) return found
  if (found.value.isCut) ports.log(say.commentsCut(repository))
  const value = found.value.items.flatMap(({ entry, createdAt }): RecordedJob[] => {
    const { role, job, link, state } = entry
    if (job === null) return []
    const mayHavePull = role === 'request' && state === 'job' && link === null
    return [{ job, link, mayHavePull, createdAt }]
  })
  return { ok: true, value }
}

/** The jobs that are named in the statuses of recent commits. */
async function jobsOnCommits(
  repository: string,
  projectId: string,
  ports: AgentPorts,
): Promise<GitHubReply<RecordedJob[]>> {
  const statuses = await ownRecentStatuses(repository, ports.clock.date() - lookBack, ports)
  if (!statuses.ok) return statuses
  const value = statuses.value.items.flatMap((status): RecordedJob[] => {
    const { context, commit, createdAt } = status
    const found = readStatus(status, { repository, commit, context, project: projectId }, ports.sign)
    if (!found?.isSigned || found.entry.job === null) return []
    const { job, link, state } = found.entry
    return [{ job, link, mayHavePull: !isAtRest(state), createdAt }]
  })
  return { ok: true, value }
}
