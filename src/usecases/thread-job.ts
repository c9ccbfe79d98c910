/** Chooses the job for a command or label on a thread. */
import type { RunInputs } from '../core/inputs/schema.ts'
import { type ChosenJob, type JobChoice, newJob } from '../core/job/job.ts'
import { readTail } from '../core/mark-codec.ts'
import type { Thread } from '../core/thread.ts'
import type { Asked } from '../core/trigger/request.ts'
import { entriesOn, jobToFollow } from '../life/comments.ts'
import { fold } from '../life/entry.ts'
import type { CommentEntry, FoundEntry } from '../life/format.ts'
import { isAuthoredBy } from './change.ts'
import { followable } from './jobs.ts'
import type { AgentPorts, FoundComment, GitHubReply, RunIdentity } from './ports.ts'
import { jobOfPull } from './rolling.ts'

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
  if (isWaiting()) ports.onProgress({ type: 'earlier-command', state: 'waiting' })
  while (isWaiting() && clock.now() < until && !cancelled.aborted) {
    await clock.sleep(Math.min(waitStep, until - clock.now()), cancelled)
    const again = await entriesOn(on.thread, ports)
    if (again.ok) seen = again.value.filter(({ entry }) => entry.request !== on.request)
  }
  const isLate = isWaiting()
  if (isLate) ports.onProgress({ type: 'earlier-command', state: 'unclear' })
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
