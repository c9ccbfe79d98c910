/** Chooses the job for a request: the thread's job, or the job behind an open pull request at `open-limit`. */
import { isJobRejected, isMissing, replyWith } from '../core/http.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { type ChosenJob, type Job, type JobChoice, newJob } from '../core/job.ts'
import { readMark, stepName } from '../core/mark.ts'
import { fail, failToRead, type Stop } from '../core/outcome.ts'
import { isSameName } from '../core/text.ts'
import { pageUrl, pullOfLink, pullThread, type Thread } from '../core/thread.ts'
import type { ThreadTrigger } from '../core/trigger/request.ts'
import type { Called } from '../mintlify/client.ts'
import { takesFollowUp } from '../mintlify/jobs.ts'
import type { AgentPorts } from '../ports.ts'
import { byTopic, inOrder } from '../record/comments.ts'
import { fold, isAtRest } from '../record/entry.ts'
import type { MarkedComment } from '../record/format.ts'
import { entriesOn, ofProject, recentLists } from '../record/lists.ts'
import { earlierStepMs, mayGetJob } from '../record/next.ts'
import type { ThreadPlace } from '../record/thread.ts'
import { say } from '../say/messages.ts'

/** For a command or label: the job of the thread, or a new one. */
export async function chooseJobOnThread(
  inputs: AgentInputs,
  { thread, openedBy }: ThreadTrigger,
  place: ThreadPlace,
  ports: AgentPorts,
): Promise<ChosenJob | Stop> {
  if (inputs.jobId !== null) return chooseGiven(inputs.jobId, ports)
  const list = await place.list()
  if (!list.ok) return failToRead('thread', list.failure)
  // A command from a report is unrelated to earlier requests on the thread.
  const hasReport = place.comments.some(
    ({ author, viewer, body }) =>
      author === viewer && readMark('docs-agent-report', body, '', ports.sign) !== null,
  )
  if (!thread.isPullRequest && hasReport) return newJob
  const isUnclear = await waitForEarlier(place, ports)
  const knownJob = jobToFollow(othersOn(place), ports)
  const isAgents = thread.isPullRequest && isSameName(openedBy, inputs.agentLogin)
  // A step that timed out left no mark on the pull request, so the project's records are searched.
  const candidates = knownJob === undefined && isAgents ? [thread] : []
  const pulls = await findPullsOfJobs(candidates, ports)
  // A workflow for commands does not need the permission for statuses.
  if (!pulls.ok && pulls.failure.kind !== 'permission') return failToRead('thread', pulls.failure)
  const [pull] = pulls.ok ? pulls.value : []
  const jobId = knownJob ?? pull?.job
  if (jobId === undefined) return { ...newJob, choice: isUnclear ? 'unclear' : 'own' }
  const job = await followUp(jobId, ports)
  if (job !== null) return job
  ports.log(say.jobOver(jobId))
  return { ...newJob, choice: 'replaced' }
}

/**
 * The job that this step's next request on a thread continues: the latest one that is named there, if any. Logs a job that
 * only another account recorded.
 */
function jobToFollow(entries: readonly MarkedComment[], ports: AgentPorts) {
  const step = stepName(ports.run.step)
  const entriesWithJob = ofProject(entries, ports).filter(
    ({ entry }) => entry.job !== null && (entry.role === 'pull' || entry.step === step),
  )
  const own = inOrder(entriesWithJob.filter(({ isSigned }) => isSigned)).at(-1)
  const other = entriesWithJob.find(({ accounts }) => accounts !== null)
  if (own === undefined && other?.accounts) ports.log(say.otherAccount(other.thread, other.accounts))
  return own?.entry.job ?? undefined
}

/** Waits while an earlier request of this step on the thread may get a job. Returns whether one may have an unknown job. */
async function waitForEarlier(place: ThreadPlace, ports: AgentPorts) {
  const { clock, cancelled, deadline, log } = ports
  for (let isWaiting = false; ; isWaiting = true) {
    const requests = othersOn(place).filter(
      ({ isSigned, entry: { role, step } }) => isSigned && role === 'request' && step === place.request.step,
    )
    const latest = [...byTopic(requests).values()].flatMap((topic) => fold(topic).top ?? [])
    const isPending = latest.some((each) => mayGetJob(each, place.comment, clock.date()))
    if (!isPending || clock.now() >= deadline || cancelled.aborted)
      return latest.some(({ entry }) => ['open', 'unconfirmed'].includes(entry.state))
    if (!isWaiting) log(say.waitingForEarlier())
    await clock.sleep(earlierStepMs, cancelled)
    await place.list()
  }
}

/** The entries of other requests on the thread. */
function othersOn({ entries, request }: ThreadPlace) {
  return entries.filter(({ entry }) => entry.request !== request.request)
}

/**
 * For an event: below the limit, a new job; at the limit, the job behind the newest pull request that is not held and
 * can get a follow-up. Only pull requests from this action's jobs count, not others by the agent's account, such as
 * those from Mintlify's automations.
 */
export async function chooseJobForEvent(inputs: AgentInputs, ports: AgentPorts): Promise<ChosenJob | Stop> {
  const { jobId, openLimit: limit, agentLogin } = inputs
  if (jobId !== null) return chooseGiven(jobId, ports)
  if (limit === null) return newJob
  const open = await ports.github.openPulls(ports.run.repository)
  if (!open.ok) return failToRead('open-pull-requests', open.failure)
  const ownPulls = open.value.filter(({ author }) => isSameName(author, agentLogin))
  const pulls = await findPullsOfJobs(ownPulls, ports)
  if (!pulls.ok) return failToRead('open-pull-requests', pulls.failure)
  if (pulls.value.length < limit) return newJob
  for (const { job: id, isHeld } of pulls.value) {
    if (isHeld) continue
    const job = await followUp(id, ports)
    if (job !== null) return { ...job, choice: 'own' }
  }
  // A green step would hide that changes do not reach the docs until someone acts.
  return fail({ kind: 'open-limit', limit, links: pulls.value.map(({ link }) => link) })
}

/**
 * Those of some pull requests that this action's jobs opened, from the comments on them or from the project's records on
 * threads and commits. `isHeld`: whether it waits for code.
 */
async function findPullsOfJobs(candidates: readonly { number: number }[], ports: AgentPorts) {
  const pulls: { link: string; job: string; isHeld: boolean }[] = []
  let records: Records | undefined
  for (const { number } of candidates) {
    const thread = pullThread(ports.run, number)
    const link = pageUrl(thread, ports.serverUrl)
    const comments = await entriesOn(thread, ports)
    if (!comments.ok) return comments
    let job = jobToFollow(comments.value, ports)
    if (job === undefined) {
      records ??= await readRecords(ports)
      const found = await jobOfPull(thread, records, ports)
      if (!found.ok) return found
      job = found.value
    }
    const isHeld = comments.value.some(
      ({ entry: { role, code } }) => role === 'pull' && code !== null && code.state !== 'lifted',
    )
    if (job !== undefined) pulls.push({ link, job, isHeld })
  }
  return replyWith(pulls)
}

/** The entries of all recent requests, newest first, and why some may be missing. */
async function readRecords(ports: AgentPorts) {
  const { comments, statuses, failure } = await recentLists(ports)
  const all = [...comments, ...statuses].sort((one, other) => other.createdAt - one.createdAt)
  return { entries: all.flatMap((each) => (each.entry !== null && each.isSigned ? each.entry : [])), failure }
}

type Records = Awaited<ReturnType<typeof readRecords>>

/** Maximum number of jobs to poll for a pull request's link, among those recorded without one. */
const readLimit = 5

/**
 * The job that opened a pull request of this repository; undefined if no record names it. If a step ended before it knew
 * the link, its record has none, so the jobs in such records are polled.
 */
async function jobOfPull({ number, repositoryId }: Thread, records: Records, ports: AgentPorts) {
  let { failure } = records
  /** Whether a link leads to the pull request, also under an earlier name of the repository. */
  async function isLink(link: string | null) {
    const name = pullOfLink(link, ports.serverUrl, ports.run)
    if (name?.number !== number) return false
    if (name.repositoryId !== null) return true
    const pull = await ports.github.pull(name)
    if (!pull.ok && !isMissing(pull.failure)) failure = pull.failure
    return pull.ok && pull.value.repositoryId === repositoryId
  }
  for (const { job, link } of records.entries) if (job !== null && (await isLink(link))) return replyWith(job)
  const openEntries = records.entries.filter(({ link, state }) => !link && !isAtRest(state))
  const jobs = new Set(openEntries.flatMap(({ job }) => job ?? []))
  for (const id of [...jobs].slice(0, readLimit)) {
    const poll = await ports.mintlify.readJob(id)
    if (poll.ok && (await isLink(poll.value.link))) return replyWith(id)
  }
  if (failure !== null) return { ok: false as const, failure }
  return replyWith(undefined)
}

/** A follow-up to a job, with its open pull request; null if the job takes none, or its pull request is not open. */
async function followUp(jobId: string, ports: AgentPorts) {
  const poll = await ports.mintlify.readConfirmedJob(jobId)
  const choice = toChoice(jobId, 'thread', poll)
  if (!poll.ok) return isJobRejected(poll.failure.why) ? null : choice
  const { status, link: jobLink } = poll.value
  if (status !== null && !takesFollowUp(status)) return null
  const pull = await readLinkedPull(jobLink, ports)
  if (pull === null) return choice
  const { state, head, url: link } = pull
  return state === 'open' ? { ...choice, head, link } : null
}

/** The pull request that a link names; null if it is on another server, or cannot be read. */
export async function readLinkedPull(link: string | null, { github, run, serverUrl }: AgentPorts) {
  const name = pullOfLink(link, serverUrl, run)
  const pull = name && (await github.pull(name))
  return pull?.ok ? pull.value : null
}

/** The job in `job-id`. */
async function chooseGiven(jobId: string, ports: AgentPorts) {
  // Nothing will be sent.
  if (ports.cancelled.aborted) return { ...newJob, jobId }
  return toChoice(jobId, 'own', await ports.mintlify.readJob(jobId))
}

/** The choice of a job that was just polled. */
function toChoice(jobId: string, choice: JobChoice, poll: Called<Job>) {
  const result = poll.ok ? { before: poll.value } : { problem: poll.failure }
  return { ...newJob, jobId, choice, ...result }
}
