/** Mode settle: finds what earlier runs left open, and does what comes next for it, as a run that waits would. */
import { isKeyRejected } from '../core/http.ts'
import { type AgentResult, agentResult, type SettledJob, type SettleResult } from '../core/outcome.ts'
import { globsToCheck, type PullRequestChanges } from '../core/pull-changes.ts'
import { pageUrl, pullOfLink } from '../core/thread.ts'
import type { AgentPorts } from '../ports.ts'
import { byTopic, discard } from '../record/comments.ts'
import { type MarkedComment, writersOf } from '../record/format.ts'
import { jobToPoll, lagMs, next, type Step, stateAfter } from '../record/next.ts'
import { checkChanges, isOfHead, readFiles } from './check-changes.ts'
import { followPulls, isListed, type Link, type Listed, readViews, type Settler } from './hold.ts'
import { findOpenWork, type Lead, type OpenRequest, type OpenWork, type Threads } from './open-work.ts'
import { writeOnPulls } from './pull.ts'
import { waitForJob } from './wait.ts'

/** Maximum number of leads that share a second look. */
const groupSize = 20
/** Number of requests for one result and for the end of the run, so that no result is half reported. */
const reserve = 10

const nothing = { jobs: [], pulls: [], isCut: false, problem: null }

/**
 * Does what comes next for each open request and each of the agent's pull requests. After a killed run, a result is
 * reported once; two runs at the same time may both report it.
 */
export async function settle(options: Omit<Settler, 'since' | 'polls'>): Promise<SettleResult> {
  const { pull, ports } = options
  const { cancelled, clock } = ports
  const settler: Settler = { ...options, since: clock.date(), polls: new Map() }
  const work = await findOpenWork(settler)
  const { comments, statuses, failure: rejection } = work
  // An error after a cancel was caused by the cancel, not by GitHub.
  if (cancelled.aborted) return { ...nothing, outcome: 'cancelled' }
  if (rejection !== null)
    return { ...nothing, outcome: 'error', problem: { kind: 'rejected', need: 'open-jobs', rejection } }
  const requests = work.leads.flatMap((lead) => lead.requests)
  await ports.mintlify.readJobs(jobsOf(requests), settler.polls)
  for (const poll of settler.polls.values())
    if (!poll.ok && isKeyRejected(poll.failure.why))
      return { ...nothing, outcome: 'error', problem: poll.failure }
  const jobs = await settleAll(work, settler)
  await discardCopies(comments, ports)
  const records = [...comments, ...statuses].filter((each) => each.entry !== null && each.isSigned)
  const links = [...records.map(({ entry }) => entry?.link), ...jobs.map(({ result }) => result?.job?.link)]
  const pulls = await followPulls(work, links, settler)
  const result = { jobs, pulls: pull === null ? pulls : [], isCut: work.isCut, problem: null }
  if (cancelled.aborted) return { ...result, outcome: 'cancelled' }
  const problems = jobs.map((job) => job.result?.problem)
  // No settle step could check the pull request of such a job.
  const problem = problems.find((each) => each?.kind === 'allowed-paths' && each.reason === 'unchecked')
  if (problem) return { ...result, outcome: 'error', problem }
  return { ...result, outcome: 'settled' }
}

/** Does what comes next, the oldest request first. */
async function settleAll(work: OpenWork, settler: Settler) {
  const { ports, since } = settler
  const { clock, cancelled } = ports
  const rows: SettledJob[] = []
  const open: Lead[] = []
  for (const lead of work.leads) {
    for (const request of lead.requests) await waitIfOpened(request)
    if (lead.mayHideMore || lead.requests.some((request) => stepFor(request).do === 'look')) open.push(lead)
    else rows.push(...lead.requests.flatMap((request) => leftRows(request, stepFor(request))))
  }
  const beginOf = ({ requests }: Lead) => requests[0]?.progress.since ?? 0
  open.sort((one, other) => beginOf(one) - beginOf(other))
  for (let start = 0; start < open.length; start += groupSize) {
    const group = open.slice(start, start + groupSize)
    await clock.sleep(Math.max(0, since + lagMs - clock.date()), cancelled)
    if (cancelled.aborted) break
    // Each of them may need a list of files.
    if (ports.hasRoomFor(reserve + group.length)) rows.push(...(await settleGroup(group, work, settler)))
    else rows.push(...rowsOf(group, 'postponed'))
  }
  return rows.sort((one, other) => one.since - other.since)
}

/** Does what comes next for requests that share a second look. */
async function settleGroup(group: readonly Lead[], work: OpenWork, settler: Settler) {
  const { polls, ports } = settler
  const rows: SettledJob[] = []
  const requests: OpenRequest[] = []
  const threads = await work.readThreads()
  for (const lead of group) {
    const found = await lead.look(threads)
    requests.push(...(found ?? []))
    if (found !== null) continue
    rows.push(...rowsOf([lead], 'unreported'))
    work.isCut ||= lead.mayHideMore
  }
  await ports.mintlify.readJobs(jobsOf(requests), polls)
  const ends = requests.filter((request) => stepFor(request).do === 'end')
  const links = ends.map((request) => jobOf(request)?.link)
  const batch = await readAhead(links, work, threads, settler)
  for (const request of requests) {
    if (ports.cancelled.aborted) break
    const step = stepFor(request)
    const hasRoom = ports.hasRoomFor(reserve)
    if (step.do === 'clear' && hasRoom) await request.place.clear()
    if (!hasRoom) rows.push(row(request, 'postponed'))
    else if (step.do === 'end') rows.push(await report(request, step, batch))
    else rows.push(...leftRows(request, step))
  }
  return rows
}

/** What was read for a group of results. What GitHub rejects is missing, so it is read alone. */
interface Batch {
  /** What pull requests change, by their links. */
  changes: Map<string, PullRequestChanges>
  /** All entries on pull requests, by the names of their threads. */
  entries: Map<string, MarkedComment[]>
}

/** Reads in one go what several results need. @param links to their pull requests */
async function readAhead(
  links: readonly Link[],
  listed: Listed,
  threads: Threads,
  { inputs, ports }: Settler,
) {
  const batch: Batch = { changes: new Map(), entries: new Map() }
  const isChecked = inputs.allowedPaths.length > 0
  const names = links.flatMap((link) => pullOfLink(link, ports.serverUrl, ports.run) ?? [])
  const views = await readViews(names, ports)
  for (const [name, view] of views) {
    const entries = threads?.get(name)?.filter(({ isSigned }) => isSigned) ?? []
    // If GitHub rejects the second look, these entries are unknown.
    if (threads !== null && isListed(view, listed, ports)) batch.entries.set(name, entries)
  }
  for (const [repository, group] of Map.groupBy(views.values(), ({ thread }) => thread.repository)) {
    const pulls = group.map((view) => ({ ...view, url: pageUrl(view.thread, ports.serverUrl) }))
    const replies = await readFiles(repository, pulls, isChecked, ports)
    for (const [index, { url }] of pulls.entries()) {
      const reply = replies[index]
      if (reply?.ok && (!isChecked || isOfHead(reply.value))) batch.changes.set(url, reply.value)
    }
  }
  return batch
}

/** Two runs at the same time can both have commented on a pull request. */
function discardCopies(comments: readonly MarkedComment[], ports: AgentPorts) {
  const others = byTopic(comments.filter(({ isSigned, entry }) => isSigned && entry.role !== 'request'))
  // The oldest stays.
  const copies = [...others.values()].flatMap((all) =>
    all.toSorted((one, other) => one.id - other.id).slice(1),
  )
  return discard(copies, ports)
}

function stepFor(request: OpenRequest) {
  const { place, inputs, pull, since, progress } = request
  const canCheck = globsToCheck(place.request.globs, inputs.allowedPaths) !== null
  const branch = pull?.openedBranch
  const isOpened = Boolean(branch) && jobOf(request)?.branch === branch
  const hasLeftovers = place.leftovers.length > 0
  return next.settle({ since, isOpened, canCheck, job: pollOf(request), hasLeftovers }, progress)
}

/** The row of a request without a result; none if nothing was open, or if another run handled it. */
function leftRows(request: OpenRequest, step: ReturnType<typeof stepFor>) {
  if (step.do === 'leave' && step.toOther) return [row(request, 'left')]
  return request.progress.top?.entry.state === 'job' ? [row(request, 'pending')] : []
}

/** Waits for the job whose pull request was just opened. */
async function waitIfOpened(request: OpenRequest) {
  const step = stepFor(request)
  if (step.do !== 'wait') return
  const { job: jobId } = step
  const wait = { jobId, job: jobOf(request), before: null, isRecorded: true, interval: 'auto' } as const
  const { job } = await waitForJob(wait, request.ports)
  if (job !== null) request.polls.set(jobId, { ok: true, value: job })
}

const jobsOf = (requests: readonly OpenRequest[]) =>
  requests.flatMap(({ progress }) => jobToPoll(progress) ?? [])

const pollOf = ({ progress, polls }: OpenRequest) => polls.get(progress.top?.entry.job ?? '')

function jobOf(request: OpenRequest) {
  const poll = pollOf(request)
  return poll?.ok ? poll.value : null
}

/** Reports a result. The entry comes last: if the run is killed before that, the next run repeats all of this. */
async function report(request: OpenRequest, step: Step<'end'>, batch: Batch) {
  const { place, inputs, progress, ports } = request
  const { attempt, since, top } = progress
  const settings = { ...inputs, allowedPaths: globsToCheck(place.request.globs, inputs.allowedPaths) ?? [] }
  const result = await checkChanges(resultOf(request, step), settings, ports, null, batch.changes)
  const { writer } = writersOf(ports.run)
  const statement = { ...stateAfter(result), attempt, writer, since, until: top?.entry.until ?? since }
  await writeOnPulls({ result, place, since, settings, entries: batch.entries }, ports)
  const reply = await place.write(statement, place.result(result, true))
  if (!reply.ok) return row(request, 'unreported', result)
  await place.clear()
  return row(request, 'settled', result)
}

function resultOf(request: OpenRequest, { outcome, why }: Step<'end'>) {
  const { progress, inputs } = request
  const poll = pollOf(request)
  const jobId = progress.top?.entry.job ?? null
  const facts = jobId === null ? {} : ({ delivery: 'sent', jobId, job: jobOf(request) } as const)
  if (why === 'unchecked')
    return agentResult(outcome, { kind: 'allowed-paths', reason: 'unchecked', paths: [] }, facts)
  if (why !== null)
    return agentResult(outcome, { kind: 'gave-up', why, project: inputs.projectId, accounts: null }, facts)
  return agentResult(outcome, poll?.ok === false ? poll.failure : null, facts)
}

const rowsOf = (leads: readonly Lead[], state: SettledJob['state']) =>
  leads.flatMap(({ requests }) => requests.map((request) => row(request, state)))

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
