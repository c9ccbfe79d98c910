/** The limit on the agent's open pull requests, and the job behind each of them. */
import type { AgentInputs } from '../core/inputs/inputs.ts'
import { jobToFollow, projectName, type StepName, stepName } from '../core/mark.ts'
import { readStatus, statusContext } from '../core/status.ts'
import { type ChangeEnded, isBy, skipped, unread } from './change.ts'
import { type CommentPorts, findMarks } from './comments.ts'
import { readJob, takesMore } from './jobs.ts'
import type { FoundStatus, GitHubPorts, GitHubReply, PlatformPorts, PullRequest } from './ports.ts'

export interface RollingPorts extends PlatformPorts, CommentPorts {
  github: GitHubPorts
}

/** Jobs without a known pull request that are read to find the one behind an open one. */
const readLimit = 5

/** Room for one more pull request: a job to go on with, or (empty) a new one. */
export type Room = ChangeEnded | { kind: 'room'; jobId: string }

/** At the limit, the job behind one of the open pull requests, the newest first. */
export async function findRoom(
  inputs: AgentInputs,
  repository: string,
  step: StepName,
  ports: RollingPorts,
): Promise<Room> {
  const { openLimit: limit } = inputs
  // A job that the input names goes on, however many pull requests are open.
  if (limit === null || inputs.jobId !== '') return { kind: 'room', jobId: inputs.jobId }
  const open = await ports.github.openPulls(repository)
  if (!open.ok) return unread('open-pull-requests', open.refusal)
  const own = open.value.filter(isBy(inputs.agentLogin))
  if (own.length < limit) return { kind: 'room', jobId: '' }
  const full = { type: 'open-limit', limit, links: own.map(({ url }) => url) } as const
  if (inputs.onOpenLimit === 'skip') return skipped({ ...full, jobless: false })
  for (const pull of own) {
    const jobId = await jobOfPull(pull, repository, inputs, step, ports)
    if (!jobId.ok) return unread('open-pull-requests', jobId.refusal)
    if (jobId.value !== null && (await takesMore(jobId.value, inputs, ports)))
      return { kind: 'room', jobId: jobId.value }
  }
  // Green would hide that no change reaches the docs until someone acts.
  return { kind: 'ended', outcome: 'error', problem: { ...full, jobless: true } }
}

/**
 * The job behind a pull request of the agent: from the comment of provenance on it, else from the statuses of the
 * commits it documents. A step that ended before it knew the link left a job without one, so those are read.
 */
export async function jobOfPull(
  { number, url }: Pick<PullRequest, 'number' | 'url'>,
  repository: string,
  inputs: AgentInputs,
  step: StepName,
  ports: RollingPorts,
): Promise<GitHubReply<string | null>> {
  const thread = { repository, number, isPullRequest: true, reviewRoot: null }
  const marks = await findMarks(thread, ports)
  if (!marks.ok) return marks
  const known = jobToFollow({ step: stepName(step), project: projectName(step.project) }, marks.value)
  if (known !== null) return { ok: true, value: known }
  const left = await jobsLeft(repository, step, ports)
  if (!left.ok) return left
  const linked = left.value.find(({ targetUrl }) => targetUrl === url)
  if (linked !== undefined) return { ok: true, value: linked.job }
  const unlinked = [...new Set(left.value.filter(({ isOpen }) => isOpen).map(({ job }) => job))]
  for (const job of unlinked.slice(0, readLimit)) {
    const read = await readJob(inputs.projectId, job, ports)
    if (read.ok && read.value.prLink === url) return { ok: true, value: job }
  }
  return { ok: true, value: null }
}

interface JobLeft {
  job: string
  targetUrl: string
  isOpen: boolean
}

/** Jobs that the statuses of recent commits name, newest first. */
async function jobsLeft(
  repository: string,
  step: StepName,
  { github }: RollingPorts,
): Promise<GitHubReply<JobLeft[]>> {
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const statuses = await github.recentStatuses(repository)
  if (!statuses.ok) return statuses
  const context = statusContext(step)
  const own = statuses.value.items.filter(
    (status) => status.creator === viewer.value && status.context === context,
  )
  return { ok: true, value: own.flatMap((status) => jobLeft(status, step.project)) }
}

function jobLeft(status: FoundStatus, project: string): JobLeft[] {
  const mark = readStatus(status, project)
  if (mark === null || mark.job === null) return []
  return [{ job: mark.job, targetUrl: status.targetUrl, isOpen: mark.state === 'job' }]
}
