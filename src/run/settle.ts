/** Mode settle: finds what earlier runs left open, and does what comes next for it, as a run that waits would. */
import { isKeyRejected } from '../core/http.ts'
import {
  type AgentResult,
  agentResult,
  isJobEnd,
  type SettledJob,
  type SettleResult,
} from '../core/outcome.ts'
import { globsToCheck } from '../core/pull-changes.ts'
import type { AgentPorts } from '../ports.ts'
import { byTopic, discard } from '../record/comments.ts'
import { type EntryComment, writersOf } from '../record/format.ts'
import { type JobPoll, jobToPoll, lagMs, next, type Step, stateAfter } from '../record/next.ts'
import { type Batch, readAhead } from './batch.ts'
import { checkChanges } from './check-changes.ts'
import { followPulls, type Settler } from './hold.ts'
import { findOpenWork, type Lead, type OpenRequest, type OpenWork } from './open-work.ts'
import { writeOnPulls } from './pull.ts'
import { waitForJob } from './wait.ts'

/** Polls of jobs, by id. */
type Polls = Map<string, NonNullable<JobPoll>>

/** Maximum number of places that share a second look. */
const groupSize = 20
/** Number of requests for one result and for the end of the run, so that no result is half reported. */
const reserve = 10

const nothing = { jobs: [], pulls: [], waiting: [], isCut: false, problem: null }

/**
 * Does what comes next for each open request and each of the agent's pull requests. After a killed run, a result is
 * reported once; two runs at the same time may both report it.
 */
export async function settle(options: Omit<Settler, 'since'>): Promise<SettleResult> {
  const { pull, ports } = options
  const { cancelled, clock } = ports
  const settler = { ...options, since: clock.date() }
  const work = await findOpenWork(settler)
  const { comments, statuses, failure: rejection } = work
  // An error after a cancel was caused by the cancel, not by GitHub.
  if (cancelled.aborted) return { ...nothing, outcome: 'cancelled' }
  if (rejection !== null)
    return { ...nothing, outcome: 'error', problem: { kind: 'rejected', need: 'open-jobs', rejection } }
  const polls: Polls = new Map()
  await ports.mintlify.readJobs(
    work.leads.flatMap(({ requests }) => jobsOf(requests)),
    polls,
  )
  for (const poll of polls.values())
    if (!poll.ok && isKeyRejected(poll.failure.why))
      return { ...nothing, outcome: 'error', problem: poll.failure }
  const jobs = await settleAll(work, polls, settler)
  await discardCopies(comments, ports)
  const records = [...comments, ...statuses].filter((each) => each.entry !== null && each.isSigned)
  const links = [...records.map(({ entry }) => entry?.link), ...jobs.map(({ result }) => result?.job?.link)]
  // A pull request that was just opened has no record yet.
  const pulls = pull?.openedBranch ? [] : await followPulls(work, links, settler)
  const result = { jobs, pulls, waiting: pull === null ? pulls : [], isCut: work.isCut, problem: null }
  if (cancelled.aborted) return { ...result, outcome: 'cancelled' }
  const problems = jobs.map((job) => job.result?.problem)
  // No settle step could check the pull request of such a job.
  const problem = problems.find((each) => each?.kind === 'allowed-paths' && each.reason === 'unchecked')
  if (problem) return { ...result, outcome: 'error', problem }
  return { ...result, outcome: 'settled' }
}

/** The rows of requests that need no second look, and the leads that need one, oldest first. */
async function sortOut(leads: readonly Lead[], polls: Polls) {
  const rows: SettledJob[] = []
  const open: Lead[] = []
  for (const lead of leads) {
    const requests = lead.requests.filter((request) => isMeant(request, polls))
    for (const request of requests) await waitIfOpened(request, polls)
    if (lead.mayHideMore || requests.some((request) => stepFor(request, polls).do === 'look')) open.push(lead)
    else rows.push(...requests.flatMap((request) => leftRows(request, stepFor(request, polls))))
  }
  const beginOf = ({ requests }: Lead) => requests[0]?.progress.since ?? 0
  return { rows, open: open.sort((one, other) => beginOf(one) - beginOf(other)) }
}

/** Does what comes next, the oldest request first. */
async function settleAll(work: OpenWork, polls: Polls, { ports, since }: Settler) {
  const { clock, cancelled, deadline } = ports
  const { rows, open } = await sortOut(work.leads, polls)
  for (let start = 0; start < open.length; start += groupSize) {
    const group = open.slice(start, start + groupSize)
    const wait = Math.max(0, since + lagMs - clock.date())
    if (wait > 0 && clock.now() + wait <= deadline) await clock.sleep(wait, cancelled)
    if (cancelled.aborted) break
    // Each of them may need a list of files.
    if (ports.hasRoomFor(reserve + group.length)) rows.push(...(await settleGroup(group, work, polls, ports)))
    else rows.push(...group.flatMap(({ requests }) => requests.map((request) => row(request, 'postponed'))))
  }
  return rows.sort((one, other) => one.since - other.since)
}

/** Does what comes next for requests that share a second look. */
async function settleGroup(group: readonly Lead[], work: OpenWork, polls: Polls, ports: AgentPorts) {
  const { clock, cancelled } = ports
  const rows: SettledJob[] = []
  const found: OpenRequest[] = []
  const topics = await work.lookAgain()
  for (const lead of group) {
    const requests = await lead.look(topics)
    if (requests === null) rows.push(...lead.requests.map((request) => row(request, 'unreported')))
    found.push(...(requests ?? []))
  }
  await ports.mintlify.readJobs(jobsOf(found), polls)
  const requests = found.filter((request) => isMeant(request, polls))
  const ends = requests.filter((request) => stepFor(request, polls).do === 'end')
  const wanted = ends.map((request) => {
    const link = jobOf(pollOf(request, polls))?.link ?? null
    return { link, isChecked: request.place.request.globs !== null }
  })
  const batch = await readAhead(wanted, work, topics, ports)
  for (const request of requests) {
    const id = request.progress.top?.entry.job
    // Lists lag: they must show what this step just wrote on the pull request of the same job.
    const hasWritten = rows.some(({ job, result }) => job === id && result?.job?.link)
    if (hasWritten) {
      batch.entries.clear()
      await clock.sleep(lagMs, cancelled)
    }
    if (cancelled.aborted) break
    if (ports.hasRoomFor(reserve)) rows.push(...(await settleOne(request, polls, batch)))
    else rows.push(row(request, 'postponed'))
  }
  return rows
}

/** Two runs at the same time can both have commented on a pull request. */
function discardCopies(comments: readonly EntryComment[], ports: AgentPorts) {
  const others = byTopic(comments.filter(({ isSigned, entry }) => isSigned && entry.role !== 'request'))
  // The oldest stays.
  const copies = [...others.values()].flatMap((all) =>
    all.toSorted((one, other) => one.id - other.id).slice(1),
  )
  return discard(copies, ports)
}

/** Whether a request can be behind the pull request that the agent just opened, if the event is about one. */
function isMeant(request: OpenRequest, polls: Polls) {
  const branch = request.pull?.openedBranch
  return !branch || jobOf(pollOf(request, polls))?.branch === branch
}

function stepFor(request: OpenRequest, polls: Polls) {
  const { place, inputs, pull, since, progress } = request
  const canCheck = globsToCheck(place.request.globs, inputs.allowedPaths) !== null
  const isOpened = Boolean(pull?.openedBranch)
  const hasLeftovers = place.leftovers.length > 0
  const job = pollOf(request, polls)
  return next.settle({ since, isOpened, canCheck, job, hasLeftovers }, progress)
}

/** Does what comes next for a request. Returns its row; none if nothing was open, or if another run handled it. */
async function settleOne(request: OpenRequest, polls: Polls, batch: Batch): Promise<SettledJob[]> {
  const step = stepFor(request, polls)
  if (step.do === 'end') return [await report(request, step, pollOf(request, polls), batch)]
  if (step.do === 'clear') await request.place.clear()
  return leftRows(request, step)
}

function leftRows(request: OpenRequest, step: ReturnType<typeof stepFor>) {
  if (step.do === 'leave' && step.toOther) return [row(request, 'left')]
  return request.progress.top?.entry.state === 'job' ? [row(request, 'pending')] : []
}

/** Waits for the job whose pull request was just opened. */
async function waitIfOpened(request: OpenRequest, polls: Polls) {
  const step = stepFor(request, polls)
  if (step.do !== 'wait') return
  const { job: jobId } = step
  const before = jobOf(polls.get(jobId))
  const wait = { jobId, job: before, before: null, isRecorded: true, interval: 'auto' } as const
  const { outcome, job } = await waitForJob(wait, request.ports)
  if (isJobEnd(outcome) && job !== null) polls.set(jobId, { ok: true, value: job })
}

const jobsOf = (requests: readonly OpenRequest[]) =>
  requests.flatMap(({ progress }) => jobToPoll(progress) ?? [])

const pollOf = ({ progress }: OpenRequest, polls: Polls) => polls.get(progress.top?.entry.job ?? '')

const jobOf = (poll: JobPoll) => (poll?.ok ? poll.value : null)

/** Reports a result. The entry comes last: if the run is killed before that, the next run repeats all of this. */
async function report(request: OpenRequest, step: Step<'end'>, poll: JobPoll, batch: Batch) {
  const { place, inputs, progress, ports } = request
  const { attempt, since, top } = progress
  const settings = { ...inputs, allowedPaths: globsToCheck(place.request.globs, inputs.allowedPaths) ?? [] }
  const result = await checkChanges(resultOf(request, step, poll), settings, ports, null, batch.changes)
  const { writer } = writersOf(ports.run)
  const statement = { ...stateAfter(result), attempt, writer, since, until: top?.entry.until ?? since }
  await writeOnPulls({ result, place, since, settings, entries: batch.entries }, ports)
  const reply = await place.write(statement, place.result(result, true))
  if (!reply.ok) return row(request, 'unreported', result)
  await place.clear()
  return row(request, 'settled', result)
}

function resultOf({ progress, inputs }: OpenRequest, { outcome, why }: Step<'end'>, poll: JobPoll) {
  const jobId = progress.top?.entry.job ?? null
  const facts = jobId === null ? {} : ({ delivery: 'sent', jobId, job: jobOf(poll) } as const)
  if (why === 'unchecked')
    return agentResult(outcome, { kind: 'allowed-paths', reason: 'unchecked', paths: [] }, facts)
  if (why !== null)
    return agentResult(outcome, { kind: 'gave-up', why, project: inputs.projectId, accounts: null }, facts)
  return agentResult(outcome, poll?.ok === false ? poll.failure : null, facts)
}

function row(
  request: OpenRequest,
  state: SettledJob['state'],
  result: AgentResult | null = null,
): SettledJob {
  const { progress, place, ports } = request
  const { top, since, accounts } = progress
  const { repository } = ports.run
  const link = place.kind === 'thread' ? place.request.thread : { repository, commit: place.request.commit }
  return { job: top?.entry.job ?? null, since, link, state, result, accounts }
}
