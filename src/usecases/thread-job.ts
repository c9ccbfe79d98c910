/** Chooses the job for a command or label on a thread. */
import type { RunInputs } from '../core/inputs/schema.ts'
import { type ChosenJob, type JobChoice, newJob } from '../core/job/job.ts'
import { readTail } from '../core/mark.ts'
import type { Thread } from '../core/thread.ts'
import type { Asked } from '../core/trigger/request.ts'
import { jobToFollow } from '../life/comments.ts'
import { fold } from '../life/entry.ts'
import type { CommentEntry, FoundEntry } from '../life/format.ts'
import { nextCommand } from '../life/next.ts'
import type { ThreadPlace } from '../life/thread.ts'
import { isAuthoredBy } from './change.ts'
import { followable } from './jobs.ts'
import type { AgentPorts, GitHubReply, RunIdentity } from './ports.ts'
import { jobOfPull } from './rolling.ts'

/** A request on a thread, and the thread's contents. */
export interface OnThread extends Pick<CommentEntry, 'request' | 'step' | 'project' | 'since'> {
  thread: Thread
  /** Where this run has just looked. */
  place: ThreadPlace
  identity: RunIdentity['step']
  openedBy: Asked['openedBy']
}

/** Chooses the job of the thread, or a new one. */
export async function chooseJob(
  inputs: RunInputs,
  on: OnThread,
  ports: AgentPorts,
): Promise<GitHubReply<ChosenJob>> {
  const fresh = (choice: JobChoice) => ({ ok: true, value: { ...newJob, choice } }) as const
  const isLate = await waitForEarlier(on, ports)
  const others = on.place.entries.filter(({ entry }) => entry.request !== on.request)
  const ofThread = jobToFollow(on, others)
  const behind = ofThread === null ? await jobBehind(inputs, on, ports) : null
  if (behind?.ok === false) return behind
  const jobId = ofThread ?? behind?.value ?? null
  if (jobId === null) {
    const isUnclear =
      isLate || latestOf(on).some(({ entry }) => ['open', 'unconfirmed'].includes(entry.state))
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
function hasReport({ thread, place: { comments } }: OnThread): boolean {
  return !thread.isPullRequest && comments.some(({ body }) => readTail('docs-agent-report', body) !== null)
}

/** Waits for a limited time while an earlier request of this step on the thread has no job yet; true if it still has none. */
async function waitForEarlier(on: OnThread, ports: AgentPorts): Promise<boolean> {
  const { clock, cancelled, deadline, onProgress } = ports
  const { place, since } = on
  for (let isWaiting = false; ; isWaiting = true) {
    const own = place.entries.find(({ id }) => id === place.comment) ?? null
    const step = nextCommand(own, since, latestOf(on), clock.date())
    if (step.do === 'choose' || clock.now() >= deadline || cancelled.aborted) {
      const isLate = step.do === 'look' || step.isLate
      if (isLate) onProgress({ type: 'earlier-command', state: 'unclear' })
      return isLate
    }
    if (!isWaiting) onProgress({ type: 'earlier-command', state: 'waiting' })
    await clock.sleep(Math.min(step.at - clock.date(), deadline - clock.now()), cancelled)
    await place.list()
  }
}

/** The highest entry of each other request of this step. */
function latestOf({ place, request, step }: OnThread): FoundEntry[] {
  const others = place.entries.filter(
    ({ entry }) => entry.role === 'request' && entry.step === step && entry.request !== request,
  )
  return [...Map.groupBy(others, ({ entry }) => entry.request).values()].flatMap((own) => {
    const { top } = fold(own)
    return own.find(({ id }) => id === top?.id) ?? []
  })
}
