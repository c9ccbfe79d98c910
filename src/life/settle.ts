/** Mode settle: finds what earlier runs left open, and does what comes next for it, as a run that waits would. */
import type { RunInputs } from '../core/inputs/schema.ts'
import type { Job } from '../core/job/job.ts'
import { isKeyRejected } from '../core/job/response.ts'
import { type AgentResult, agentResult, failsByDefault, isEnd, type Outcome } from '../core/outcome.ts'
import { type Problem, problems } from '../core/problems.ts'
import { globsToCheck } from '../core/pull-changes.ts'
import type { SettledJob, SettleResult } from '../core/settle.ts'
import { pullThread } from '../core/thread.ts'
import { isSameLogin, type PullEvent } from '../core/trigger/event.ts'
import { pollJobs, waitForJob } from '../usecases/jobs.ts'
import type { AgentPorts, Bounded, GitHubReply } from '../usecases/ports.ts'
import { checkChanges } from '../usecases/pull-changes.ts'
import { byRequest, copiesIn, discard } from './comments.ts'
import { CommitPlace, type CommitRequest } from './commit.ts'
import { fold, isOpen, type Known } from './entry.ts'
import { type EntryStatus, type FoundEntry, firstContext, writersOf } from './format.ts'
import { followPulls } from './hold.ts'
import { byRun, entriesOn, ofProject, recentLists, stepStatuses, unlessTooLong } from './lists.ts'
import {
  isSettledContext,
  type JobSeen,
  jobToPoll,
  lagMs,
  next,
  type SettleStep,
  stateAfter,
} from './next.ts'
import { lookAt } from './place.ts'
import { announce } from './pull.ts'
import { ThreadPlace } from './thread.ts'

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
  const search = { inputs, pull, opened: pull?.openedBranch ?? null, since: clock.date(), ports }
  const found = await findOpenWork(search)
  // An error after a cancel was caused by the cancel, not by GitHub.
  if (cancelled.aborted) return stopped('cancelled', null)
  if (!found.ok) return stopped('error', problems.rejected('open-jobs', found.rejection))
  const { requests, entries, isCut } = found.value
  const polled = requests.flatMap(({ known }) => jobToPoll(known) ?? [])
  const reads = await pollJobs(polled, ports)
  const rejected = [...reads.values()].find((read) => !read.ok && isKeyRejected(read.failure))
  if (rejected?.ok === false) return stopped('error', rejected.problem)
  const jobs: SettledJob[] = []
  for (const request of requests) {
    // Lists lag: they must show what this step just wrote on the pull request of the same job.
    const own = request.known.top?.entry.job
    const isSame = ({ job, result }: SettledJob) => job === own && result?.job?.prLink
    if (jobs.some(isSame)) await clock.sleep(lagMs, cancelled)
    if (cancelled.aborted) break
    jobs.push(...(await settleOne({ ...search, ...request, reads })))
  }
  await discard(copiesIn(entries), ports)
  // A pull request that was just opened has no record yet.
  const named = search.opened === null ? entries : []
  const done = { jobs, pulls: await followPulls(named, search), isCut }
  if (cancelled.aborted) return { outcome: 'cancelled', ...done, problem: null }
  const isUnchecked = jobs.some(({ result }) => result?.problem === notChecked)
  if (isUnchecked) return { outcome: 'error', ...done, problem: notChecked }
  return { outcome: 'settled', ...done, problem: null }
}

function stopped(outcome: 'cancelled' | 'error', problem: Problem | null): SettleResult {
  return { outcome, problem, jobs: [], pulls: [], isCut: false }
}

/** A request to settle, and the jobs that were polled. */
interface Settling extends Search, OpenRequest {
  reads: ReadonlyMap<string, JobSeen>
}

/** The job in the record, as just polled. */
function jobIn({ reads }: Settling, known: Known | null): JobSeen {
  return reads.get(known?.top?.entry.job ?? '')
}

/** Does what comes next for a request. Returns its row; none if nothing was open, or if another run handled it. */
async function settleOne(found: Settling): Promise<SettledJob[]> {
  const { ports, opened, place } = found
  const read = jobIn(found, found.known)
  if (opened !== null && !(read?.ok && read.value.ref === opened)) return []
  const looked = await lookAt(place, (known) => nextFor(found, known), ports, found.known)
  const { step, rejection } = looked
  const request = { ...found, known: looked.known ?? found.known }
  if (step === null) return [row(request, rejection === null ? 'pending' : 'unreported')]
  if (step.do === 'wait') return settleAfter(step.job, request)
  if (step.do === 'clear') await place.clear()
  if (step.do === 'report') return report(request, step)
  if (step.do === 'leave' && step.toOther) return [row(request, 'left')]
  return request.known.top?.entry.state === 'job' ? [row(request, 'pending')] : []
}

/** Waits for a job's end, and then does what comes next. */
async function settleAfter(active: Job, request: Settling): Promise<SettledJob[]> {
  const jobId = request.known.top?.entry.job ?? active.id
  const wait = { jobId, job: active, before: null, isRecorded: true, interval: 'auto' } as const
  const { outcome, job } = await waitForJob(wait, request.ports)
  if (!isEnd(outcome) || job === null) return [row(request, 'pending')]
  return settleOne({ ...request, reads: new Map([[jobId, { ok: true, value: job }]]) })
}

type Report = Extract<SettleStep, { do: 'report' }>

/** Reports a result. The entry comes last: if the run is killed before that, the next run repeats all of this. */
async function report(request: Settling, step: Report): Promise<SettledJob[]> {
  const { place, inputs, ports } = request
  const { attempt, since, top } = request.known
  const allowedPaths = globsToCheck(place.request.globs, inputs.allowedPaths) ?? []
  const settings = { ...inputs, allowedPaths }
  const result = await checkChanges(resultOf(request, step), settings, ports)
  const until = top?.entry.until ?? since
  const statement = { ...stateAfter(result), attempt, writer: writersOf(ports.run).writer, since, until }
  await announce(result, place, since, settings, ports)
  const reported = await place.write(statement, place.result(result, true))
  if (reported.ok) await place.clear()
  return [row(request, reported.ok ? 'settled' : 'unreported', result)]
}

function resultOf(request: Settling, { outcome, why }: Report): AgentResult {
  const read = jobIn(request, request.known)
  const jobId = request.known.top?.entry.job ?? null
  const job = read?.ok ? read.value : null
  const sent = jobId === null ? {} : ({ delivery: 'sent', elapsed: null, jobId, job } as const)
  if (why === 'unchecked') return agentResult(outcome, notChecked, sent)
  const gone = read?.ok === false ? read.problem : null
  return agentResult(outcome, why === null ? gone : problems.gaveUp(why, request.inputs.projectId), sent)
}

function nextFor(request: Settling, known: Known | null): SettleStep {
  const { place, inputs, since, opened } = request
  const canCheck = globsToCheck(place.request.globs, inputs.allowedPaths) !== null
  const hasLeftovers = place.leftovers().length > 0
  const job = jobIn(request, known)
  return next.settle({ since, job, isOpened: opened !== null, canCheck, hasLeftovers }, known)
}

function row(
  { known, place: { request } }: OpenRequest,
  state: SettledJob['state'],
  result: AgentResult | null = null,
): SettledJob {
  const link = 'thread' in request ? request.thread : request
  return { job: known.top?.entry.job ?? null, since: known.since, link, state, result }
}

const notChecked = problems.outOfBounds({ kind: 'unchecked', paths: [] })

// What is open

/** A request, and what is known about it. */
interface OpenRequest {
  place: ThreadPlace | CommitPlace
  known: Known
}

/** What a search for open requests needs. */
export interface Search {
  inputs: RunInputs
  /** The event's pull request; null for other events. */
  pull: PullEvent | null
  /** The branch of a pull request that was just opened: only the request behind it is settled. */
  opened: string | null
  /** When GitHub was read, in milliseconds since the epoch. */
  since: number
  ports: AgentPorts
}

/**
 * Finds what earlier runs left open, and all entries in comments. On a pull request's event, finds only what belongs to
 * that pull request. If the agent just opened the pull request, finds all requests, because any of them may be behind it.
 */
async function findOpenWork(
  search: Search,
): Promise<GitHubReply<{ requests: OpenRequest[]; entries: FoundEntry[]; isCut: boolean }>> {
  const { inputs, pull, opened, ports } = search
  if (pull !== null && (opened === null || !isSameLogin(pull.author, inputs.agentLogin))) {
    const found = unlessTooLong(await entriesOn(pullThread(ports.run.repository, pull.number), ports))
    if (!found.ok) return found
    const { items, isCut } = found.value
    const entries = ofProject(items, ports)
    return { ok: true, value: { requests: requestsOnThreads(entries, search), entries, isCut } }
  }
  const { comments, statuses, rejection } = await recentLists(ports)
  if (rejection !== null) return { ok: false, rejection }
  const onCommits = await requestsOnCommits(statuses.items, search)
  if (!onCommits.ok) return onCommits
  const requests = [...requestsOnThreads(comments.items, search), ...onCommits.value.items]
  const isCut = comments.isCut || statuses.isCut || onCommits.value.isCut
  return { ok: true, value: { requests, entries: comments.items, isCut } }
}

/** The requests on threads that need settle. */
function requestsOnThreads(entries: readonly FoundEntry[], { since, ports }: Search): OpenRequest[] {
  const requests = byRequest(entries).flatMap((own) => {
    const known = fold(own, since)
    if (known.top === null) return []
    const { thread, entry } = known.top
    const place = new ThreadPlace({ ...entry, thread }, ports)
    place.entries = own
    return { place, known }
  })
  return requests.filter(needsSettle)
}

function needsSettle({ place, known }: OpenRequest): boolean {
  return isOpen(known) || jobToPoll(known) !== null || place.leftovers().length > 0
}

/**
 * The requests on commits that need settle. A context shows only its latest status. So unless that status shows that
 * nothing can be open, all statuses of the commit are read.
 */
async function requestsOnCommits(
  statuses: readonly EntryStatus[],
  search: Search,
): Promise<GitHubReply<Bounded<OpenRequest>>> {
  const { inputs, since: now, ports } = search
  const { repository } = ports.run
  const project = inputs.projectId
  const failOn: Outcome[] = [...failsByDefault, ...inputs.failOn]
  const mayBeOpen = (status: EntryStatus) =>
    status.state === 'pending' || !isSettledContext(fold([status], now), status.createdAt)
  const steps = new Map(
    statuses.filter(mayBeOpen).map(({ commit, context, targetUrl: runUrl }) => {
      const at = { repository, project, commit, context: firstContext(context), runUrl }
      return [`${commit} ${at.context}`, at]
    }),
  )
  const requests: OpenRequest[] = []
  let isCut = false
  for (const at of steps.values()) {
    const read = unlessTooLong(await stepStatuses(at, [at.context], ports))
    if (!read.ok) return read
    const { items: listed } = read.value
    isCut ||= read.value.isCut
    for (const own of byRun(listed)) {
      const known = fold(own, now)
      if (known.top === null) continue
      const { run, follows, globs } = known.top.entry
      const request: CommitRequest = { ...at, run, follows, globs, failOn }
      const place = new CommitPlace(request, ports)
      place.listed = listed
      requests.push({ place, known })
    }
  }
  return { ok: true, value: { items: requests.filter(needsSettle), isCut } }
}
