/** The limit on the agent's open pull requests, and the job behind each of them. */
import type { AgentInputs } from '../core/inputs/schema.ts'
import { type ChosenJob, newJob } from '../core/job/job.ts'
import { projectName, type StepName, stepName } from '../core/mark.ts'
import type { Rejection } from '../core/problem.ts'
import { pullThread, type Thread } from '../core/thread.ts'
import { dayMs } from '../core/units.ts'
import { entriesOn, jobToFollow, recentEntries } from '../life/comments.ts'
import { ownRecentStatuses } from '../life/commit.ts'
import { isAtRest } from '../life/entry.ts'
import { readStatus } from '../life/format.ts'
import { isAuthoredBy } from './change.ts'
import { type Ended, failed, unread } from './ended.ts'
import { followable, readJob } from './jobs.ts'
import type { AgentPorts, GitHubReply, PullRequest } from './ports.ts'

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
  if (others.length > 0) ports.onProgress({ type: 'other-pulls', links: others })
  if (own.length < limit) return newJob
  for (const { pull, job } of own) {
    const found = await followable(job, inputs, ports)
    if (!found.takes || (await isHeld(pullThread(repository, pull.number), ports))) continue
    return { ...newJob, jobId: job, head: found.head }
  }
  // A green step would hide that changes do not reach the docs until someone acts.
  return failed({ type: 'open-limit', limit, links: own.map(({ pull }) => pull.url) })
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
export async function jobOfPull(
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
  if (found.value.isCut) ports.onProgress({ type: 'comments-cut', repository })
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
