/** Mode settle: finds what earlier runs left open, and does what comes next for it, as a run that waits would. */
import type { RunInputs } from '../core/inputs/schema.ts'
import type { Job } from '../core/job/job.ts'
import { isKeyRejected } from '../core/job/response.ts'
import { type AgentResult, agentResult, failsByDefault, isEnd } from '../core/outcome.ts'
import { type Problem, problems } from '../core/problems.ts'
import { globsToCheck } from '../core/pull-changes.ts'
import type { SettledJob, SettleResult } from '../core/settle.ts'
import { pullThread } from '../core/thread.ts'
import { isSameLogin, type PullEvent } from '../core/trigger/event.ts'
import { pollJobs, waitForJob } from '../usecases/jobs.ts'
import type { AgentPorts, Bounded, GitHubReply } from '../usecases/ports.ts'
import { checkChanges } from '../usecases/pull-changes.ts'
import { bySubject, discard } from './comments.ts'
import { type CommitPlace, commitPlace } from './commit.ts'
import { fold, isOpen, type Known } from './entry.ts'
import { type EntryStatus, type FoundEntry, firstContext, writersOf } from './format.ts'
import { followPulls } from './hold.ts'
import { byRun, entriesOn, ofProject, recentLists, stepStatuses, unlessTooLong } from './lists.ts'
import { isSettledContext, type JobSeen, jobToPoll, lagMs, next, type Step, stateAfter } from './next.ts'
import { lookAt } from './place.ts'
import { announce } from './pull.ts'
import { type ThreadPlace, threadPlace } from './thread.ts'

/** What a search for open requests needs. */
export interface Search {
  inputs: RunInputs
  /** The event's pull request; null for other events. */
  pull: PullEvent | null
  /** When GitHub was read, in milliseconds since the epoch. */
  since: number
  ports: AgentPorts
}

/** A request, and what is known about it. */
interface OpenRequest {
  place: ThreadPlace | CommitPlace
  known: Known
}

/** A request to settle, and the jobs that were polled. */
interface Settling extends Search, OpenRequest {
  polled: ReadonlyMap<string, JobSeen>
}

/**
 * Does what comes next for each open request and each of the agent's pull requests. After a killed run, a result is
 * reported once; two runs at the same time may both report it. On a pull request's event, only what belongs to that
 * pull request is handled.
 * @param pull the event's pull request; null for other events
 */
export async function settle(
  inputs: RunInputs,
  pull: PullEvent | null,
  ports: AgentPorts,
): Promise<SettleResult> {
  const { cancelled, clock } = ports
  const search = { inputs, pull, since: clock.date(), ports }
  const found = await findOpenWork(search)
  // An error after a cancel was caused by the cancel, not by GitHub.
  if (cancelled.aborted) return stopped('cancelled', null)
  if (!found.ok) return stopped('error', problems.rejected('open-jobs', found.rejection))
  const { requests, entries, isCut } = found.value
  const polled = await pollJobs(
    requests.flatMap(({ known }) => jobToPoll(known) ?? []),
    ports,
  )
  const rejected = [...polled.values()].find((read) => !read.ok && isKeyRejected(read.failure))
  if (rejected?.ok === false) return stopped('error', rejected.problem)
  const jobs: SettledJob[] = []
  for (const request of requests) {
    const id = request.known.top?.entry.job
    // Lists lag: they must show what this step just wrote on the pull request of the same job.
    if (jobs.some(({ job, result }) => job === id && result?.job?.prLink)) await clock.sleep(lagMs, cancelled)
    if (cancelled.aborted) break
    jobs.push(...(await settleOne({ ...search, ...request, polled })))
  }
  // Two runs at the same time can both have commented on a pull request.
  const others = bySubject(entries, false).map((own) => own.toSorted((one, other) => one.id - other.id))
  await discard(
    others.flatMap(([, ...copies]) => copies),
    ports,
  )
  // A pull request that was just opened has no record yet.
  const pulls = await followPulls(pull?.openedBranch ? [] : entries, search)
  const done = { jobs, pulls, isCut, problem: null }
  if (cancelled.aborted) return { ...done, outcome: 'cancelled' }
  const isUnchecked = jobs.some(({ result }) => result?.problem === notChecked)
  return isUnchecked ? { ...done, outcome: 'error', problem: notChecked } : { ...done, outcome: 'settled' }
}

function stopped(outcome: 'cancelled' | 'error', problem: Problem | null): SettleResult {
  return { outcome, problem, jobs: [], pulls: [], isCut: false }
}

/** The last job that is known, as just polled. */
function jobIn(polled: Settling['polled'], known: Known | null): JobSeen {
  return polled.get(known?.top?.entry.job ?? '')
}

/** Does what comes next for a request. Returns its row; none if nothing was open, or if another run handled it. */
async function settleOne(found: Settling): Promise<SettledJob[]> {
  const { place, inputs, pull, since, polled, ports } = found
  const opened = pull?.openedBranch ?? null
  const read = jobIn(polled, found.known)
  if (opened !== null && !(read?.ok && read.value.ref === opened)) return []
  const canCheck = globsToCheck(place.request.globs, inputs.allowedPaths) !== null
  const settler = { since, isOpened: opened !== null, canCheck }
  const decide = (known: Known | null) => {
    const hasLeftovers = place.leftovers.length > 0
    return next.settle({ ...settler, job: jobIn(polled, known), hasLeftovers }, known)
  }
  const { step, rejection, known } = await lookAt(place, decide, ports, found.known)
  const request = { ...found, known: known ?? found.known }
  if (step === null) return [row(request, rejection === null ? 'pending' : 'unreported')]
  if (step.do === 'wait') return settleAfter(step.job, request)
  if (step.do === 'clear') await place.clear()
  if (step.do === 'end') return report(request, step)
  if (step.do === 'leave' && step.toOther) return [row(request, 'left')]
  return request.known.top?.entry.state === 'job' ? [row(request, 'pending')] : []
}

/** Waits for a job's end, and then does what comes next. */
async function settleAfter(active: Job, request: Settling): Promise<SettledJob[]> {
  const jobId = request.known.top?.entry.job ?? active.id
  const wait = { jobId, job: active, before: null, isRecorded: true, interval: 'auto' } as const
  const { outcome, job } = await waitForJob(wait, request.ports)
  if (!isEnd(outcome) || job === null) return [row(request, 'pending')]
  return settleOne({ ...request, polled: new Map([[jobId, { ok: true, value: job }]]) })
}

/** Reports a result. The entry comes last: if the run is killed before that, the next run repeats all of this. */
async function report(request: Settling, step: Step<'end'>): Promise<SettledJob[]> {
  const { place, inputs, known, ports } = request
  const { attempt, since, top } = known
  const allowedPaths = globsToCheck(place.request.globs, inputs.allowedPaths) ?? []
  const settings = { ...inputs, allowedPaths }
  const result = await checkChanges(resultOf(request, step), settings, ports)
  const { writer } = writersOf(ports.run)
  const statement = { ...stateAfter(result), attempt, writer, since, until: top?.entry.until ?? since }
  await announce({ result, place, since, settings }, ports)
  const reported = await place.write(statement, place.result(result, true))
  if (reported.ok) await place.clear()
  return [row(request, reported.ok ? 'settled' : 'unreported', result)]
}

function resultOf({ known, polled, inputs }: Settling, { outcome, why }: Step<'end'>): AgentResult {
  const read = jobIn(polled, known)
  const jobId = known.top?.entry.job ?? null
  const job = read?.ok ? read.value : null
  const sent = jobId === null ? {} : ({ delivery: 'sent', elapsed: null, jobId, job } as const)
  if (why === 'unchecked') return agentResult(outcome, notChecked, sent)
  const gone = read?.ok === false ? read.problem : null
  return agentResult(outcome, why === null ? gone : problems.gaveUp(why, inputs.projectId), sent)
}

const notChecked = problems.outOfBounds({ kind: 'unchecked', paths: [] })

function row(
  { known, place, ports }: Settling,
  state: SettledJob['state'],
  result?: AgentResult,
): SettledJob {
  const { repository } = ports.run
  const link = place.kind === 'thread' ? place.request.thread : { repository, commit: place.request.commit }
  return { job: known.top?.entry.job ?? null, since: known.since, link, state, result: result ?? null }
}

// What is open

/**
 * Finds what earlier runs left open, and all entries in comments. On a pull request's event, finds only what belongs to
 * that pull request. If the agent just opened the pull request, finds all requests, because any of them may be behind it.
 */
async function findOpenWork(
  search: Search,
): Promise<GitHubReply<{ requests: OpenRequest[]; entries: FoundEntry[]; isCut: boolean }>> {
  const { inputs, pull, ports } = search
  if (pull !== null && !(pull.openedBranch !== null && isSameLogin(pull.author, inputs.agentLogin))) {
    const found = unlessTooLong(await entriesOn(pullThread(ports.run.repository, pull.number), ports))
    if (!found.ok) return found
    const entries = ofProject(found.value.items, ports)
    const requests = requestsOnThreads(entries, search)
    return { ok: true, value: { requests, entries, isCut: found.value.isCut } }
  }
  const { comments, statuses, isCut, rejection } = await recentLists(ports)
  if (rejection !== null) return { ok: false, rejection }
  const found = await requestsOnCommits(statuses, search)
  if (!found.ok) return found
  const requests = [...requestsOnThreads(comments, search), ...found.value.items]
  return { ok: true, value: { requests, entries: comments, isCut: isCut || found.value.isCut } }
}

function needsSettle({ place, known }: OpenRequest): boolean {
  return isOpen(known) || jobToPoll(known) !== null || place.leftovers.length > 0
}

/** The requests on threads that need settle. */
function requestsOnThreads(entries: readonly FoundEntry[], { since, ports }: Search): OpenRequest[] {
  const requests = bySubject(entries, true).flatMap((own) => {
    const known = fold(own, since)
    if (known.top === null) return []
    const { thread, entry } = known.top
    return { place: threadPlace({ ...entry, thread }, ports, own), known }
  })
  return requests.filter(needsSettle)
}

/**
 * The requests on commits that need settle. A context shows only its latest status. So unless that status shows that
 * nothing can be open, all statuses of the commit are read.
 */
async function requestsOnCommits(
  statuses: readonly EntryStatus[],
  { inputs, since, ports }: Search,
): Promise<GitHubReply<Bounded<OpenRequest>>> {
  const failOn = [...failsByDefault, ...inputs.failOn]
  const unclear = statuses.filter((status) => !isSettledContext(status, since))
  const steps = new Map(unclear.map((each) => [`${each.commit} ${firstContext(each.context)}`, each]))
  const found: Bounded<OpenRequest> = { items: [], isCut: false }
  for (const { commit, targetUrl: runUrl, ...status } of steps.values()) {
    const context = firstContext(status.context)
    const read = unlessTooLong(await stepStatuses(commit, [context], ports))
    if (!read.ok) return read
    found.isCut ||= read.value.isCut
    for (const own of byRun(read.value.items).values()) {
      const known = fold(own, since)
      if (known.top === null) continue
      const request = { ...known.top.entry, commit, context, runUrl, failOn }
      found.items.push({ place: commitPlace(request, ports, null, read.value.items), known })
    }
  }
  return { ok: true, value: { ...found, items: found.items.filter(needsSettle) } }
}
