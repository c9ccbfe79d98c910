/** Mode settle: finds what earlier runs left open, and does what comes next for it, as a run that waits would. */
import { isKeyRejected } from '../core/http.ts'
import {
  type AgentResult,
  agentResult,
  failsByDefault,
  isJobEnd,
  type SettledJob,
  type SettleResult,
} from '../core/outcome.ts'
import { globsToCheck } from '../core/pull-changes.ts'
import { isSameName } from '../core/text.ts'
import { pullThread } from '../core/thread.ts'
import type { AgentPorts } from '../ports.ts'
import { byTopic, discard } from '../record/comments.ts'
import { type CommitPlace, commitPlace } from '../record/commit.ts'
import { fold, isOpen, type Progress } from '../record/entry.ts'
import { type EntryComment, firstContext, writersOf } from '../record/format.ts'
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
import { followPulls, type Settler } from './hold.ts'
import { writeOnPulls } from './pull.ts'
import { waitForJob } from './wait.ts'

/** A request that may be open, and how far it is. */
interface OpenRequest extends Settler {
  place: ThreadPlace | CommitPlace
  progress: Progress
}

/** Polls of jobs, by id. */
type Polls = ReadonlyMap<string, JobPoll>

const nothing = { jobs: [], pulls: [], waiting: [], isCut: false, problem: null }

/**
 * Does what comes next for each open request and each of the agent's pull requests. After a killed run, a result is
 * reported once; two runs at the same time may both report it.
 */
export async function settle(options: Omit<Settler, 'since'>): Promise<SettleResult> {
  const { pull, ports } = options
  const { cancelled, clock, mintlify } = ports
  const settler = { ...options, since: clock.date() }
  const { requests, comments, statuses, isCut, failure: rejection } = await findOpenWork(settler)
  // An error after a cancel was caused by the cancel, not by GitHub.
  if (cancelled.aborted) return { ...nothing, outcome: 'cancelled' }
  if (rejection !== null)
    return { ...nothing, outcome: 'error', problem: { kind: 'rejected', need: 'open-jobs', rejection } }
  const ids = requests.flatMap(({ progress }) => jobToPoll(progress) ?? [])
  const polls = await mintlify.readJobs(ids)
  for (const poll of polls.values())
    if (!poll.ok && isKeyRejected(poll.failure.why))
      return { ...nothing, outcome: 'error', problem: poll.failure }
  const jobs = await settleAll(requests, polls)
  await discardCopies(comments, ports)
  const records = [...comments, ...statuses].filter((each) => each.entry !== null && each.isSigned)
  const links = [...records.map(({ entry }) => entry?.link), ...jobs.map(({ result }) => result?.job?.link)]
  // A pull request that was just opened has no record yet.
  const pulls = pull?.openedBranch ? [] : await followPulls(comments, links, settler)
  const result = { jobs, pulls, waiting: pull === null ? pulls : [], isCut, problem: null }
  if (cancelled.aborted) return { ...result, outcome: 'cancelled' }
  const problems = jobs.map((job) => job.result?.problem)
  // No settle step could check the pull request of such a job.
  const problem = problems.find((each) => each?.kind === 'allowed-paths' && each.reason === 'unchecked')
  if (problem) return { ...result, outcome: 'error', problem }
  return { ...result, outcome: 'settled' }
}

async function settleAll(requests: readonly OpenRequest[], polls: Polls) {
  const rows: SettledJob[] = []
  for (const request of requests) {
    const { clock, cancelled } = request.ports
    const id = jobIn(request.progress)
    // Lists lag: they must show what this step just wrote on the pull request of the same job.
    const hasWritten = rows.some(({ job, result }) => job === id && result?.job?.link)
    if (hasWritten) await clock.sleep(lagMs, cancelled)
    if (cancelled.aborted) break
    rows.push(...(await settleOne(request, polls)))
  }
  return rows.sort((one, other) => one.since - other.since)
}

/** Two runs at the same time can both have commented on a pull request. */
function discardCopies(comments: readonly EntryComment[], ports: AgentPorts) {
  const others = byTopic(comments.filter(({ isSigned, entry }) => isSigned && entry.role !== 'request'))
  // The oldest stays.
  const copies = others.flatMap((all) => all.toSorted((one, other) => one.id - other.id).slice(1))
  return discard(copies, ports)
}

/** Does what comes next for a request. Returns its row; none if nothing was open, or if another run handled it. */
async function settleOne(earlier: OpenRequest, polls: Polls): Promise<SettledJob[]> {
  const { place, inputs, pull, since, ports } = earlier
  const branch = pull?.openedBranch
  const firstPoll = polls.get(jobIn(earlier.progress))
  if (branch && jobOf(firstPoll)?.branch !== branch) return []
  const canCheck = globsToCheck(place.request.globs, inputs.allowedPaths) !== null
  const isOpened = Boolean(branch)
  const rule = (progress: Progress | null) => {
    const job = polls.get(jobIn(progress))
    const hasLeftovers = place.leftovers.length > 0
    return next.settle({ since, isOpened, canCheck, job, hasLeftovers }, progress)
  }
  const { step, failure, progress } = await lookAt(place, rule, ports, earlier.progress)
  const request = { ...earlier, progress: progress ?? earlier.progress }
  const poll = polls.get(jobIn(progress))
  if (step === null) return [row(request, failure === null ? 'pending' : 'unreported')]
  if (step.do === 'end') return [await report(request, step, poll)]
  if (step.do === 'wait') return settleLater(request, step.job, poll)
  if (step.do === 'clear') await place.clear()
  if (step.do === 'leave' && step.toOther) return [row(request, 'left')]
  return progress?.top?.entry.state === 'job' ? [row(request, 'pending')] : []
}

/** Waits for the job whose pull request was just opened. */
async function settleLater(request: OpenRequest, jobId: string, poll: JobPoll) {
  const wait = { jobId, job: jobOf(poll), before: null, isRecorded: true, interval: 'auto' } as const
  const { outcome, job } = await waitForJob(wait, request.ports)
  if (!isJobEnd(outcome) || job === null) return [row(request, 'pending')]
  return settleOne(request, new Map([[jobId, { ok: true, value: job }]]))
}

const jobIn = (progress: Progress | null) => progress?.top?.entry.job ?? ''

const jobOf = (poll: JobPoll) => (poll?.ok ? poll.value : null)

/** Reports a result. The entry comes last: if the run is killed before that, the next run repeats all of this. */
async function report(request: OpenRequest, step: Step<'end'>, poll: JobPoll) {
  const { place, inputs, progress, ports } = request
  const { attempt, since, top } = progress
  const settings = { ...inputs, allowedPaths: globsToCheck(place.request.globs, inputs.allowedPaths) ?? [] }
  const result = await checkChanges(resultOf(request, step, poll), settings, ports)
  const { writer } = writersOf(ports.run)
  const statement = { ...stateAfter(result), attempt, writer, since, until: top?.entry.until ?? since }
  await writeOnPulls({ result, place, since, settings }, ports)
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

/**
 * The thread with all that an event's pull request is about; null if anything may be. Any request may be behind a pull
 * request that the agent just opened.
 */
function threadOf({ inputs, pull, ports }: Settler) {
  if (pull === null) return null
  if (pull.openedBranch !== null && isSameName(pull.author, inputs.agentLogin)) return null
  return pullThread(ports.run, pull.number)
}

/** Finds what earlier runs left open, and all entries in comments. */
async function findOpenWork(settler: Settler) {
  const { inputs, since, ports } = settler
  const lists = await recentLists(ports, threadOf(settler))
  const requests: OpenRequest[] = []
  if (lists.failure !== null) return { ...lists, requests }
  for (const entries of byTopic(lists.comments)) {
    const progress = fold(entries, since)
    if (progress.top?.entry.role !== 'request') continue
    const { thread, entry } = progress.top
    requests.push({ ...settler, place: threadPlace({ ...entry, thread }, ports, entries), progress })
  }
  const failOn = [...failsByDefault, ...inputs.failOn]
  // A context shows only its latest status. If that does not rule out open requests, all are read.
  const unclear = lists.statuses.filter((status) => !isSettledContext(status, since))
  const steps = new Map(unclear.map((each) => [`${each.commit} ${firstContext(each.context)}`, each]))
  for (const { commit, ...status } of steps.values()) {
    const context = firstContext(status.context)
    const reply = unlessTooLong(await stepStatuses(commit, [context], ports))
    if (!reply.ok) return { ...lists, requests, failure: reply.failure }
    const { items, isCut } = reply.value
    lists.isCut ||= isCut
    for (const entries of byRun(items).values()) {
      const progress = fold(entries, since)
      if (progress.top === null) continue
      // The link of an end is its pull request.
      const runUrl = entries.find(({ state }) => state === 'pending')?.targetUrl ?? ''
      const request = { ...progress.top.entry, commit, context, runUrl, failOn }
      requests.push({ ...settler, place: commitPlace(request, ports, null, items), progress })
    }
  }
  return { ...lists, requests: requests.filter(isUnsettled) }
}

function isUnsettled({ progress, place }: OpenRequest) {
  return isOpen(progress) || jobToPoll(progress) !== null || place.leftovers.length > 0
}
