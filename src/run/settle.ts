/** Mode settle: finds what earlier runs left open, and does what comes next for it, as a run that waits would. */

import { chunksOf } from '../core/chunks.ts'
import { isKeyRejected, replyWith } from '../core/http.ts'
import { type AgentResult, agentResult, type SettledJob, type SettleResult } from '../core/outcome.ts'
import { globsToCheck, type PullRequestChanges } from '../core/pull-changes.ts'
import { pullOfLink } from '../core/thread.ts'
import type { AgentPorts } from '../ports.ts'
import { byTopic, discard } from '../record/comments.ts'
import { type MarkedComment, writersOf } from '../record/format.ts'
import { jobToPoll, lagMs, next, type Step, stateAfter } from '../record/next.ts'
import { say } from '../say/messages.ts'
import { checkChanges, isOfHead, readAllChanges } from './check-changes.ts'
import { type FoundPull, followPulls, isListed, readViews } from './open-pulls.ts'
import {
  findOpenWork,
  type Lead,
  type OpenRequest,
  type OpenWork,
  type Settler,
  type Threads,
} from './open-work.ts'
import { writeOnPulls } from './pull.ts'
import { waitForJob } from './wait.ts'

/** Maximum number of leads that share a second look. */
const groupSize = 20
/** Maximum number of leads whose pull requests are read in one go: those of five groups. */
const batchSize = 100
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
  const { entries, comments, statuses, failure } = work
  // An error after a cancel was caused by the cancel, not by GitHub.
  if (cancelled.aborted) return { ...nothing, outcome: 'cancelled' }
  if (failure !== null)
    return { ...nothing, outcome: 'error', problem: { kind: 'github-failed', need: 'open-jobs', failure } }
  await ports.mintlify.readJobs(jobsOf(work.leads.flatMap((lead) => lead.requests)), settler.polls)
  for (const poll of settler.polls.values())
    if (!poll.ok && isKeyRejected(poll.failure.why))
      return { ...nothing, outcome: 'error', problem: poll.failure }
  const { jobs, isCut } = await settleAll(work, settler)
  await discardCopies(comments, ports)
  const records = [...comments, ...statuses].filter((each) => each.entry && each.isSigned)
  // What the token's account recorded, also for other projects and with other keys.
  const hasOpen =
    statuses.some(({ state, author, viewer }) => state === 'pending' && author === viewer) ||
    entries.some(({ entry }) => entry.role === 'request' && entry.state === 'job')
  if (hasOpen && records.length + jobs.length === 0) ports.log(say.otherRecords(options.inputs.projectId))
  const links = [...records.map(({ entry }) => entry?.link), ...jobs.map(({ result }) => result?.job?.link)]
  const pulls = await followPulls(work, links, settler)
  const result = { jobs, pulls: pull === null ? pulls : [], isCut, problem: null }
  if (cancelled.aborted) return { ...result, outcome: 'cancelled' }
  const problems = jobs.flatMap(({ problem, result }) => [problem, result?.problem])
  // The next settle would end in the same way, or no settle step could check the pull request.
  const problem = problems.find(
    (each) =>
      (each?.kind === 'github-failed' && each.failure.kind === 'permission') ||
      (each?.kind === 'allowed-paths' && each.reason === 'unchecked'),
  )
  if (problem) return { ...result, outcome: 'error', problem }
  return { ...result, outcome: 'settled' }
}

/** Does what comes next, the oldest request first. */
async function settleAll(work: OpenWork, settler: Settler) {
  const jobs: SettledJob[] = []
  const open: Lead[] = []
  for (const lead of work.leads) {
    for (const request of lead.requests) await waitIfOpened(request)
    if (lead.mayHideMore || lead.requests.some((request) => stepFor(request).do === 'look')) open.push(lead)
    else jobs.push(...lead.requests.flatMap(leftRows))
  }
  // Leads that show no open request come last: each settle looks at them again, so they could use up the limits.
  const beginOf = ({ requests }: Lead) => requests[0]?.progress.since ?? settler.since
  open.sort((one, other) => beginOf(one) - beginOf(other))
  let { isCut } = work
  for await (const settled of settleOpen(open, work, settler)) {
    jobs.push(...settled.jobs)
    isCut ||= settled.isCut
  }
  return { jobs: jobs.sort((one, other) => one.since - other.since), isCut }
}

/** What was read for several leads. What could not be read is missing, so it is read alone. */
interface Cache {
  /** Pull requests, by the names of their threads. */
  views: ReadonlyMap<string, FoundPull>
  /** What they change, by their links. */
  changes: ReadonlyMap<string, PullRequestChanges>
  /** The entries on pull requests, also those that this run wrote, by the names of their threads. */
  entries: Map<string, MarkedComment[]>
}

/** Does what comes next after a second look, while GitHub's limits have room. */
async function* settleOpen(open: readonly Lead[], work: OpenWork, settler: Settler) {
  const entries: Cache['entries'] = new Map()
  for (const batch of chunksOf(open, batchSize)) {
    if (settler.ports.cancelled.aborted) break
    const ahead = await readAhead(batch, settler)
    for (const group of chunksOf(batch, groupSize))
      yield* settleGroup(group, { ...ahead, entries }, work, settler)
  }
}

/** Takes a second look, and does what comes next for the leads that share it. */
async function* settleGroup(group: readonly Lead[], cache: Cache, work: OpenWork, settler: Settler) {
  const { ports, since } = settler
  const { clock, cancelled } = ports
  const secondLook = since + lagMs
  await clock.sleep(secondLook - clock.date(), cancelled)
  if (cancelled.aborted) return
  // Node can end a sleep a millisecond early.
  const at = Math.max(clock.date(), secondLook)
  const threads = ports.room() < reserve ? null : await work.readThreads(at)
  for (const [name, view] of cache.views) {
    if (threads === null || !isListed(view, work, ports)) continue
    const signed = threads.get(name)?.filter(({ isSigned }) => isSigned) ?? []
    // GitHub's lists lag, so what this run wrote stays cache.
    cache.entries.set(name, [...(cache.entries.get(name) ?? []), ...signed])
  }
  for (const lead of group) {
    if (cancelled.aborted) return
    yield settleLead(lead, threads, at, cache, settler)
  }
}

async function settleLead(lead: Lead, threads: Threads, at: number, cache: Cache, { polls, ports }: Settler) {
  if (ports.room() < reserve) return withoutLook(lead, 'postponed')
  const requests = await lead.look(threads, at)
  if (requests === null) return withoutLook(lead, 'unreported')
  await ports.mintlify.readJobs(jobsOf(requests), polls)
  const jobs: SettledJob[] = []
  for (const request of requests) {
    if (ports.cancelled.aborted) break
    jobs.push(...(await settleRequest(request, cache)))
  }
  return { jobs, isCut: false }
}

/** The rows of a lead that was not read. `isCut`: it may hide requests that have no row. */
function withoutLook({ requests, mayHideMore }: Lead, state: SettledJob['state']) {
  return { jobs: requests.map((request) => row(request, state)), isCut: mayHideMore }
}

/** Does what comes next for a request, if GitHub's limits have room for that. */
async function settleRequest(request: OpenRequest, cache: Cache) {
  if (request.ports.room() < reserve) return [row(request, 'postponed')]
  const step = stepFor(request)
  if (step.do === 'end') return [await report(request, step, cache)]
  if (step.do === 'clear') await request.place.clear()
  return leftRows(request)
}

/** Reads ahead for the results that a second look will probably confirm, while GitHub's limits have room for them. */
async function readAhead(leads: readonly Lead[], { inputs, ports }: Settler) {
  const requests = leads.flatMap((lead) => lead.requests)
  // With an early `since`, the first look counts as the second one.
  const ends = requests.filter((request) => stepFor({ ...request, since: 0 }).do === 'end')
  const names = ends.flatMap((request) => pullOfLink(jobOf(request)?.link, ports.serverUrl, ports.run) ?? [])
  const isChecked = inputs.allowedPaths.length > 0
  // About as many as one result takes, including its part of these reads.
  const requestsPerResult = isChecked ? 7 : 5
  const count = Math.max(0, (ports.room() - reserve) / requestsPerResult)
  const views = await readViews(names.slice(0, count), ports)
  const changes = new Map<string, PullRequestChanges>()
  // A hundred files take one request. A larger pull request is read alone, when its result is about to be reported.
  const small = views.values().filter(({ changedFiles }) => changedFiles <= 100)
  for (const [repository, group] of Map.groupBy(small, ({ thread }) => thread.repository)) {
    const replies = await readAllChanges(repository, group, isChecked, ports)
    for (const [index, { url }] of group.entries()) {
      const reply = replies[index]
      if (reply?.ok && (!isChecked || isOfHead(reply.value))) changes.set(url, reply.value)
    }
  }
  return { views, changes }
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
  const hasLeftovers = place.hasLeftovers()
  return next.settle({ since, isOpened, canCheck, poll: pollOf(request), hasLeftovers }, progress)
}

/** The row of a request without a result; none if nothing was open, or if another run handled it. */
function leftRows(request: OpenRequest) {
  const step = stepFor(request)
  if (step.do === 'leave' && step.toOther) return [row(request, 'left')]
  return request.progress.top?.entry.state === 'job' ? [row(request, 'pending')] : []
}

/** Waits for the job whose pull request was just opened. */
async function waitIfOpened(request: OpenRequest) {
  const step = stepFor(request)
  if (step.do !== 'wait') return
  const jobId = step.job
  const wait = { jobId, job: jobOf(request), before: null, isRecorded: true, interval: 'auto' } as const
  const { job } = await waitForJob(wait, request.ports)
  if (job !== null) request.polls.set(jobId, replyWith(job))
}

const jobsOf = (requests: readonly OpenRequest[]) =>
  requests.flatMap(({ progress }) => jobToPoll(progress) ?? [])

const pollOf = ({ progress, polls }: OpenRequest) => polls.get(progress.top?.entry.job ?? '')

function jobOf(request: OpenRequest) {
  const poll = pollOf(request)
  return poll?.ok ? poll.value : null
}

/** Reports a result. The entry comes last: if the run is killed before that, the next run repeats all of this. */
async function report(request: OpenRequest, step: Step<'end'>, cache: Cache) {
  const { place, inputs, progress, ports } = request
  const { attempt, since, top } = progress
  const settings = { ...inputs, allowedPaths: globsToCheck(place.request.globs, inputs.allowedPaths) ?? [] }
  const result = await checkChanges(resultOf(request, step), settings, null, cache.changes, ports)
  const { writer } = writersOf(ports.run)
  const statement = { ...stateAfter(result), attempt, writer, since, until: top?.entry.until ?? since }
  await writeOnPulls({ result, place, since, settings, entries: cache.entries }, ports)
  const reply = await place.write(statement, place.result(result, true))
  if (!reply.ok) {
    const problem = { kind: 'github-failed', need: 'open-jobs', failure: reply.failure } as const
    return { ...row(request, 'unreported', result), problem }
  }
  await place.clear()
  return row(request, 'settled', result)
}

function resultOf(request: OpenRequest, { outcome, why }: Step<'end'>) {
  const poll = pollOf(request)
  const jobId = request.progress.top?.entry.job ?? null
  const facts = jobId === null ? {} : ({ delivery: 'sent', jobId, job: jobOf(request) } as const)
  if (why === 'unchecked')
    return agentResult(outcome, { kind: 'allowed-paths', reason: 'unchecked', paths: [] }, facts)
  if (why !== null)
    return agentResult(
      outcome,
      { kind: 'gave-up', why, project: request.inputs.projectId, accounts: null },
      facts,
    )
  return agentResult(outcome, poll?.ok === false ? poll.failure : null, facts)
}

function row(
  { progress, place, ports }: OpenRequest,
  state: SettledJob['state'],
  result: AgentResult | null = null,
) {
  const { top, since, accounts } = progress
  const { repository } = ports.run
  const link = place.kind === 'thread' ? place.request.thread : { repository, commit: place.request.commit }
  return { job: top?.entry.job ?? null, since, link, state, result, accounts }
}
