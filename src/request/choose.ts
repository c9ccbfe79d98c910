/** Chooses the job for a request: the thread's job, or the job behind an open pull request at `open-limit`. */
import { isJobRejected } from '../core/http.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { type ChosenJob, type Job, type JobChoice, newJob } from '../core/job.ts'
import { fingerprint, readMark, stepName } from '../core/mark.ts'
import { type Ended, failed, unread } from '../core/outcome.ts'
import type { GitHubReply } from '../core/reply.ts'
import { isSameName } from '../core/text.ts'
import { pullRequestThread, pullThread } from '../core/thread.ts'
import type { ThreadTrigger } from '../core/trigger/request.ts'
import type { Called } from '../mintlify/client.ts'
import { takesFollowUp } from '../mintlify/job.ts'
import type { AgentPorts, FoundComment } from '../ports.ts'
import { byTopic, inOrder } from '../record/comments.ts'
import { fold, isAtRest } from '../record/entry.ts'
import type { EntryComment } from '../record/format.ts'
import { entriesOn, recentLists } from '../record/lists.ts'
import { nextCommand } from '../record/next.ts'
import type { ThreadPlace } from '../record/thread.ts'
import { linkOf } from '../run/pull.ts'
import { say } from '../say/messages.ts'

/** For a command or label: the job of the thread, which was just read, or a new one. */
export async function chooseJob(
  inputs: AgentInputs,
  { thread, openedBy }: ThreadTrigger,
  place: ThreadPlace,
  ports: AgentPorts,
): Promise<ChosenJob | Ended> {
  const { number, isPullRequest } = thread
  const isLate = await isLateForEarlier(place, ports)
  const { others, latest } = othersOn(place)
  let jobId = jobToFollow(others, ports)
  if (jobId === null && isPullRequest && isSameName(openedBy, inputs.agentLogin)) {
    // A step that timed out left no mark on the pull request, so the project's records are searched.
    const found = await jobBehind(number, ports)
    // A workflow for commands does not need the permission for statuses.
    if (!found.ok && found.failure.kind !== 'permission') return unread('thread', found.failure)
    jobId = found.ok ? found.value.job : null
  }
  if (jobId === null) {
    const isUnclear = latest.some(({ entry }) => ['open', 'unconfirmed'].includes(entry.state))
    return { ...newJob, choice: isLate || isUnclear ? 'unclear' : 'own' }
  }
  // A command from a report is unrelated to earlier requests on the thread.
  const isReport = ({ body }: FoundComment) => readMark('docs-agent-report', body, '', ports.sign) !== null
  if (!isPullRequest && place.comments.some(isReport)) return newJob
  const chosen = await followUp(jobId, ports)
  if (typeof chosen !== 'string') return chosen
  ports.log(say.jobOver(jobId, chosen))
  return { ...newJob, choice: 'replaced' }
}

/** The job that this step's next request on a thread continues: the latest one that is named there; null if none is. */
function jobToFollow(found: readonly EntryComment[], { run }: AgentPorts): string | null {
  const [step, project] = [stepName(run.step), fingerprint(run.step.project)]
  const named = found.filter(({ entry, isSigned }) => {
    const isOurs = entry.role === 'pull' ? entry.project === project : entry.step === step
    return isSigned && isOurs && entry.job !== null
  })
  return inOrder(named).at(-1)?.entry.job ?? null
}

/** Waits while an earlier request of this step on the thread has no job; true if it still has none. */
async function isLateForEarlier(place: ThreadPlace, ports: AgentPorts): Promise<boolean> {
  const { clock, cancelled, deadline, log } = ports
  const since = clock.date()
  for (let isWaiting = false; ; isWaiting = true) {
    const step = nextCommand(place.comment, since, othersOn(place).latest, clock.date())
    if (step.do === 'choose' || clock.now() >= deadline || cancelled.aborted) {
      const isLate = step.do === 'look' || step.isLate
      if (isLate) log(say.earlierHasNoJob())
      return isLate
    }
    if (!isWaiting) log(say.waitingForEarlier())
    await clock.sleep(Math.min(step.at - clock.date(), deadline - clock.now()), cancelled)
    await place.list()
  }
}

/** The entries of other requests on the thread, and the highest one of each that is this step's. */
function othersOn({ entries, request: { request, step } }: ThreadPlace) {
  const others = entries.filter(({ entry }) => entry.request !== request)
  const own = byTopic(others.filter(({ entry }) => entry.role === 'request' && entry.step === step))
  return { others, latest: own.flatMap((each) => fold(each).top ?? []) }
}

/** Maximum number of jobs to poll for a pull request's link, among those recorded without one. */
const readLimit = 5

/**
 * For an event: below the limit, a new job; at the limit, the job behind the newest pull request that is not held and
 * can get a follow-up. Only pull requests from this action's jobs count, not others by the agent's account, such as
 * those from Mintlify's automations.
 */
export async function findRoom(inputs: AgentInputs, ports: AgentPorts): Promise<ChosenJob | Ended> {
  const { openLimit: limit, agentLogin } = inputs
  if (limit === null) return newJob
  const open = await ports.github.openPulls(ports.run.repository)
  if (!open.ok) return unread('open-pull-requests', open.failure)
  let records: ReturnType<typeof readRecords> | undefined
  const readOnce = () => {
    records ??= readRecords(ports)
    return records
  }
  const own: { url: string; job: string; isHeld: boolean }[] = []
  for (const { number, url } of open.value.filter(({ author }) => isSameName(author, agentLogin))) {
    const found = await jobBehind(number, ports, readOnce)
    if (!found.ok) return unread('open-pull-requests', found.failure)
    const { job, isHeld } = found.value
    if (job !== null) own.push({ url, job, isHeld })
  }
  if (own.length < limit) return newJob
  for (const { job } of own.filter(({ isHeld }) => !isHeld)) {
    const chosen = await followUp(job, ports)
    if (typeof chosen !== 'string') return { ...chosen, choice: 'own' }
  }
  // A green step would hide that changes do not reach the docs until someone acts.
  const links = own.map(({ url }) => url)
  return failed({ kind: 'open-limit', limit, links })
}

/**
 * The job behind one of the agent's pull requests, from the comment on it or from the project's records on threads and
 * commits; and whether the pull request waits for code. If a step ended before it knew the link, its record has none, so
 * the jobs in such records are polled.
 */
async function jobBehind(
  number: number,
  ports: AgentPorts,
  read = () => readRecords(ports),
): Promise<GitHubReply<{ job: string | null; isHeld: boolean }>> {
  const pull = pullThread(ports.run.repository, number)
  const url = linkOf(pull, ports)
  const found = await entriesOn(pull, ports)
  if (!found.ok) return found
  const holds = found.value.flatMap(({ entry: { role, code } }) => (role === 'pull' && code) || [])
  const isHeld = holds.some(({ state }) => state !== 'lifted')
  const is = (job: string | null) => ({ ok: true, value: { job, isHeld } }) as const
  const known = jobToFollow(found.value, ports)
  if (known !== null) return is(known)
  const { records, failure } = await read()
  const linked = records.find(({ job, link }) => job !== null && link === url)
  if (linked !== undefined) return is(linked.job)
  const unlinked = records.flatMap(({ job, link, state }) => (link || isAtRest(state) ? [] : (job ?? [])))
  for (const job of [...new Set(unlinked)].slice(0, readLimit)) {
    const polled = await ports.mintlify.readJob(job)
    if (polled.ok && polled.value.link === url) return is(job)
  }
  return failure === null ? is(null) : { ok: false, failure }
}

/** The entries of all recent requests, newest first, and why some may be missing. */
async function readRecords(ports: AgentPorts) {
  const { comments, statuses, hasMoreComments, failure } = await recentLists(ports)
  if (hasMoreComments) ports.log(say.commentsCut(ports.run.repository))
  const found = [...comments, ...statuses]
  const newestFirst = found.sort((one, other) => other.createdAt - one.createdAt)
  return { records: newestFirst.map(({ entry }) => entry), failure }
}

/**
 * A follow-up to a job, with its open pull request; or why the job takes none: the state of the job, or of its pull
 * request.
 */
async function followUp(jobId: string, ports: AgentPorts): Promise<ChosenJob | string> {
  const read = await ports.mintlify.readConfirmedJob(jobId)
  const chosen = asPolled(jobId, 'thread', read)
  if (!read.ok) return isJobRejected(read.failure.why) ? 'gone' : chosen
  const { status, link: jobLink } = read.value
  if (status !== null && !takesFollowUp(status)) return status
  const thread = pullRequestThread(jobLink, ports.serverUrl)
  const pull = thread && (await ports.github.pull(thread.repository, thread.number))
  if (!pull?.ok) return chosen
  const { isOpen, isMerged, headCommit: head, url: link } = pull.value
  if (isOpen) return { ...chosen, head, link }
  return isMerged ? 'merged' : 'closed'
}

/** The job in `job-id`. */
export async function chooseGiven(jobId: string, ports: AgentPorts): Promise<ChosenJob> {
  if (ports.cancelled.aborted) return { ...newJob, jobId }
  return asPolled(jobId, 'own', await ports.mintlify.readJob(jobId))
}

function asPolled(jobId: string, choice: JobChoice, read: Called<Job>): ChosenJob {
  const polled = read.ok ? { before: read.value } : { problem: read.failure }
  return { ...newJob, jobId, choice, ...polled }
}
