/** Mode settle: finds what earlier runs left open, and does what comes next for it, as a run that waits would. */
import { isKeyRejected } from '../core/http.ts'
import type { RunInputs } from '../core/inputs/schema.ts'
import {
  type AgentResult,
  agentResult,
  failsByDefault,
  isEnd,
  type SettledJob,
  type SettleResult,
} from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { globsToCheck } from '../core/pull-changes.ts'
import { isSameName } from '../core/text.ts'
import { pullThread } from '../core/thread.ts'
import type { PullEvent } from '../core/trigger/event.ts'
import type { AgentPorts } from '../ports.ts'
import { byTopic, discard } from '../record/comments.ts'
import { type CommitPlace, commitPlace } from '../record/commit.ts'
import { fold, isOpen, type Progress } from '../record/entry.ts'
import { type EntryStatus, firstContext, writersOf } from '../record/format.ts'
import { byRun, recentLists, stepStatuses, unlessTooLong } from '../record/lists.ts'
import {
  isSettledContext,
  type JobPoll,
  jobToPoll,
  lagMs,
  next,
  type Step,
  stateAfter,
} from '../record/next.ts'
import { lookAt } from '../record/place.ts'
import { type ThreadPlace, threadPlace } from '../record/thread.ts'
import { checkChanges } from './check-changes.ts'
import { followPulls } from './hold.ts'
import { announce } from './pull.ts'
import { waitForJob } from './wait.ts'

/** What a search for open requests needs. */
export interface Search {
  inputs: RunInputs
  /** The event's pull request; null for other events. */
  pull: PullEvent | null
  /** When GitHub was read, in milliseconds since the epoch. */
  since: number
  ports: AgentPorts
}

/** A request that may be open, and what is known about it. */
interface OpenRequest extends Search {
  place: ThreadPlace | CommitPlace
  known: Progress
}

const idOfJob = (known: Progress | null) => known?.top?.entry.job ?? ''

const jobOf = (poll: JobPoll) => (poll?.ok ? poll.value : null)

const none = { jobs: [], pulls: [], isCut: false, problem: null }

/**
 * Does what comes next for each open request and each of the agent's pull requests. After a killed run, a result is
 * reported once; two runs at the same time may both report it.
 */
export async function settle(given: Omit<Search, 'since'>): Promise<SettleResult> {
  const { pull, ports } = given
  const { cancelled, clock } = ports
  const search = { ...given, since: clock.date() }
  const { requests, comments, isCut, failure: rejection } = await findOpenWork(search)
  // An error after a cancel was caused by the cancel, not by GitHub.
  if (cancelled.aborted) return { ...none, outcome: 'cancelled' }
  if (rejection !== null)
    return { ...none, outcome: 'error', problem: { kind: 'rejected', need: 'open-jobs', rejection } }
  const ids = requests.flatMap(({ known }) => jobToPoll(known) ?? [])
  const polled = await ports.mintlify.readJobs(ids)
  const failures = [...polled.values()].flatMap((read) => (read.ok ? [] : read.failure))
  const keyFailure = failures.find(({ why }) => isKeyRejected(why))
  if (keyFailure !== undefined) return { ...none, outcome: 'error', problem: keyFailure }
  const jobs: SettledJob[] = []
  for (const request of requests) {
    const id = idOfJob(request.known)
    // Lists lag: they must show what this step just wrote on the pull request of the same job.
    if (jobs.some(({ job, result }) => job === id && result?.job?.link)) await clock.sleep(lagMs, cancelled)
    if (cancelled.aborted) break
    jobs.push(...(await settleOne(request, polled)))
  }
  // Two runs at the same time can both have commented on a pull request.
  const others = byTopic(comments.filter(({ entry }) => entry.role !== 'request'))
  const copies = others.flatMap((own) => own.toSorted((one, other) => one.id - other.id).slice(1))
  await discard(copies, ports)
  // A pull request that was just opened has no record yet.
  const pulls = await followPulls(pull?.openedBranch ? [] : comments, search)
  const done = { jobs, pulls, isCut, problem: null }
  if (cancelled.aborted) return { ...done, outcome: 'cancelled' }
  if (jobs.some(isUnchecked)) return { ...done, outcome: 'error', problem: notChecked }
  return { ...done, outcome: 'settled' }
}

/** Does what comes next for a request. Returns its row; none if nothing was open, or if another run handled it. */
async function settleOne(found: OpenRequest, polled: ReadonlyMap<string, JobPoll>): Promise<SettledJob[]> {
  const { place, inputs, pull, since, ports } = found
  const jobIn = (known: Progress | null) => polled.get(idOfJob(known))
  const opened = pull?.openedBranch
  const read = jobIn(found.known)
  if (opened && !(read?.ok && read.value.branch === opened)) return []
  const canCheck = globsToCheck(place.request.globs, inputs.allowedPaths) !== null
  const settler = { since, isOpened: Boolean(opened), canCheck }
  const decide = (known: Progress | null) =>
    next.settle({ ...settler, job: jobIn(known), hasLeftovers: place.leftovers.length > 0 }, known)
  const { step, failure, progress: known } = await lookAt(place, decide, ports, found.known)
  const request = { ...found, known: known ?? found.known }
  const unknown = failure === null ? 'pending' : 'unreported'
  if (step === null) return [row(request, unknown)]
  if (step.do === 'wait') {
    const jobId = step.job
    const lastPoll = jobOf(jobIn(known))
    const wait = { jobId, job: lastPoll, before: null, isRecorded: true, interval: 'auto' } as const
    const { outcome, job } = await waitForJob(wait, ports)
    if (isEnd(outcome) && job) return settleOne(request, new Map([[jobId, { ok: true, value: job }]]))
  }
  if (step.do === 'clear') await place.clear()
  if (step.do === 'end') return report(request, step, jobIn(known))
  if (step.do === 'leave' && step.toOther) return [row(request, 'left')]
  return request.known.top?.entry.state === 'job' ? [row(request, 'pending')] : []
}

/** Reports a result. The entry comes last: if the run is killed before that, the next run repeats all of this. */
async function report(request: OpenRequest, step: Step<'end'>, read: JobPoll): Promise<SettledJob[]> {
  const { place, inputs, known, ports } = request
  const { attempt, since, top } = known
  const settings = { ...inputs, allowedPaths: globsToCheck(place.request.globs, inputs.allowedPaths) ?? [] }
  const result = await checkChanges(resultOf(request, step, read), settings, ports)
  const { writer } = writersOf(ports.run)
  const statement = { ...stateAfter(result), attempt, writer, since, until: top?.entry.until ?? since }
  await announce({ result, place, since, settings }, ports)
  const reported = await place.write(statement, place.result(result, true))
  if (reported.ok) await place.clear()
  return [row(request, reported.ok ? 'settled' : 'unreported', result)]
}

function resultOf({ known, inputs }: OpenRequest, { outcome, why }: Step<'end'>, read: JobPoll): AgentResult {
  const jobId = known.top?.entry.job ?? null
  const job = jobOf(read)
  const sent = jobId === null ? {} : ({ delivery: 'sent', elapsed: null, jobId, job } as const)
  if (why === 'unchecked') return agentResult(outcome, notChecked, sent)
  if (why !== null) return agentResult(outcome, { kind: 'gave-up', why, project: inputs.projectId }, sent)
  const gone = read?.ok === false ? read.failure : null
  return agentResult(outcome, gone, sent)
}

const notChecked: Problem = { kind: 'allowed-paths', reason: 'unchecked', paths: [] }

/** Whether no settle step could check a job's pull request. */
function isUnchecked({ result }: SettledJob): boolean {
  const problem = result?.problem
  return problem?.kind === 'allowed-paths' && problem.reason === 'unchecked'
}

function row(request: OpenRequest, state: SettledJob['state'], result: AgentResult | null = null) {
  const { known, place, ports } = request
  const { repository } = ports.run
  const link = place.kind === 'thread' ? place.request.thread : { repository, commit: place.request.commit }
  return { job: known.top?.entry.job ?? null, since: known.since, link, state, result }
}

/** The link of a request's run. The link of an end is its pull request. */
const runOf = (own: readonly EntryStatus[]) => own.find(({ state }) => state === 'pending')?.targetUrl ?? ''

/**
 * Finds what earlier runs left open, and all entries in comments. On a pull request's event, finds only what belongs to
 * that pull request. If the agent just opened the pull request, finds all requests, because any of them may be behind it.
 */
async function findOpenWork(search: Search) {
  const { inputs, pull, since, ports } = search
  const isAll = pull === null || (pull.openedBranch !== null && isSameName(pull.author, inputs.agentLogin))
  const lists = await recentLists(ports, isAll ? null : pullThread(ports.run.repository, pull.number))
  const requests: OpenRequest[] = []
  if (lists.failure !== null) return { ...lists, requests }
  for (const own of byTopic(lists.comments)) {
    const known = fold(own, since)
    if (known.top?.entry.role !== 'request') continue
    const { thread, entry } = known.top
    requests.push({ ...search, place: threadPlace({ ...entry, thread }, ports, own), known })
  }
  const failOn = [...failsByDefault, ...inputs.failOn]
  // A context shows only its latest status. If that does not rule out open requests, all are read.
  const unclear = lists.statuses.filter((status) => !isSettledContext(status, since))
  const steps = new Map(unclear.map((each) => [`${each.commit} ${firstContext(each.context)}`, each]))
  for (const { commit, ...status } of steps.values()) {
    const context = firstContext(status.context)
    const read = unlessTooLong(await stepStatuses(commit, [context], ports))
    if (!read.ok) return { ...lists, requests, failure: read.failure }
    lists.isCut ||= read.value.isCut
    for (const own of byRun(read.value.items).values()) {
      const known = fold(own, since)
      if (known.top === null) continue
      const request = { ...known.top.entry, commit, context, runUrl: runOf(own), failOn }
      requests.push({ ...search, place: commitPlace(request, ports, null, read.value.items), known })
    }
  }
  const isUnsettled = ({ known, place }: OpenRequest) =>
    isOpen(known) || jobToPoll(known) !== null || place.leftovers.length > 0
  return { ...lists, requests: requests.filter(isUnsettled) }
}
