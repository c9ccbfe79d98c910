/** Mode settle: does what comes next for each request that earlier runs left open, as a run that waits would. */

import type { RunInputs } from '../core/inputs/schema.ts'
import type { Job } from '../core/job/job.ts'
import { isKeyRejected, isMissing } from '../core/job/response.ts'
import type { AgentResult } from '../core/outcome.ts'
import { type Problem, problems } from '../core/problems.ts'
import type { SettledJob, SettleResult } from '../core/settle.ts'
import { type Called, pollJobs } from '../usecases/jobs.ts'
import type { AgentPorts } from '../usecases/ports.ts'
import { reviewChanges } from '../usecases/review.ts'
import { waitForJob } from '../usecases/wait.ts'
import { discard } from './comments.ts'
import { fold, type Known, type Statement } from './entry.ts'
import { followPulls } from './hold.ts'
import { withoutJob } from './live.ts'
import { type JobSeen, jobToPoll, lagMs, next, type SettleStep, stateAfter } from './next.ts'
import { findOpenWork, type OpenRequest, type SettleHome } from './open.ts'

/**
 * Does what comes next for each open request and each of the agent's pull requests. After a killed run, a result is
 * reported once; two runs at the same time may both report it. On a pull request's event, only what belongs to that
 * pull request is handled.
 */
export async function settle(inputs: RunInputs, home: SettleHome, ports: AgentPorts): Promise<SettleResult> {
  const { cancelled, clock } = ports
  const begun = clock.now()
  const found = await findOpenWork(inputs, home, ports)
  // An error after a cancel was caused by the cancel, not by GitHub.
  if (cancelled.aborted) return stopped('cancelled', null)
  if (!found.ok) return stopped('error', problems.unread('open-jobs', found.rejection))
  const { requests, comments, copies, isCut } = found.value
  const jobIds = requests.flatMap(({ known }) => jobToPoll(known, clock.date()) ?? [])
  const reads = await pollJobs(jobIds, inputs.projectId, ports)
  const rejected = [...reads.values()].find((read) => !read.ok && isKeyRejected(read.failure))
  if (rejected?.ok === false) return stopped('error', rejected.problem)
  const settling: Settling = {
    inputs,
    ports,
    reads,
    writer: home.writer,
    openedBranch: home.pull?.openedBranch ?? null,
    // Lists lag: another settle may have written something.
    waitForLists: async () => {
      const wait = begun + lagMs - clock.now()
      if (wait > 0) await clock.sleep(wait, cancelled)
    },
  }
  const jobs: SettledJob[] = []
  for (const request of requests) {
    if (cancelled.aborted) break
    jobs.push(...(await settleOne(request, settling)))
  }
  for (const copy of copies) await discard(copy.thread, [copy], ports)
  const pulls = await followPulls(comments, inputs, home, settling.waitForLists, ports)
  const done = { jobs, pulls, isCut }
  if (cancelled.aborted) return { outcome: 'cancelled', ...done, problem: null }
  if (jobs.some(({ isUnchecked }) => isUnchecked)) return { outcome: 'error', ...done, problem: notChecked }
  return { outcome: 'settled', ...done, problem: null }
}

function stopped(outcome: 'cancelled' | 'error', problem: Problem | null): SettleResult {
  return { outcome, problem, jobs: [], pulls: [], isCut: false }
}

/** What settling one request needs. */
interface Settling {
  inputs: RunInputs
  ports: AgentPorts
  reads: ReadonlyMap<string, Called<Job>>
  writer: string
  /** The branch of a pull request that was just opened: only the request behind it is settled. */
  openedBranch: string | null
  waitForLists(): Promise<void>
}

/** Does what comes next for a request. Returns its row; none if nothing was open, or if another run handled it. */
async function settleOne(request: OpenRequest, settling: Settling): Promise<SettledJob[]> {
  const { inputs, ports, openedBranch, reads } = settling
  const { known } = request
  const read = reads.get(known.top?.entry.job ?? '')
  if (openedBranch !== null && !(read?.ok === true && read.value.ref === openedBranch)) return []
  const seen = await lookAgain(request, seenIn(read), settling)
  const step = nextFor(request, known, seen, settling)
  if (step.do === 'leave') return leave(request, step.toOther === true, settling)
  const result = resultOf(step, known, seen, inputs.projectId)
  const review = () => reviewChanges(result, request.globs ?? [], inputs, ports)
  return report(request, { step, seen, result, review }, settling)
}

/** Leaves a request to others, but removes what its end has replaced. */
async function leave(
  request: OpenRequest,
  toOther: boolean,
  { waitForLists }: Settling,
): Promise<SettledJob[]> {
  const { place, known } = request
  if (toOther) return [row(request, 'left', null)]
  if (place.hasLeftovers()) {
    await waitForLists()
    if ((await place.list()).ok) await place.clear()
  }
  return known.top?.entry.state === 'job' ? [row(request, 'pending', null)] : []
}

interface Reporting {
  step: Exclude<SettleStep, { do: 'leave' }>
  seen: JobSeen
  result: AgentResult
  review(): Promise<AgentResult>
}

/** Reports a result if a second look says the same: a run may have continued, or another settle may have reported. */
async function report(
  request: OpenRequest,
  { step, seen, result, review }: Reporting,
  settling: Settling,
): Promise<SettledJob[]> {
  const { place, known } = request
  await settling.waitForLists()
  const again = await place.list()
  if (!again.ok) return [row(request, 'unreported', result)]
  const current = fold<Statement>(again.value)
  const confirmed = nextFor(request, current, seen, settling)
  if (confirmed.do !== step.do || current.top?.entry.job !== known.top?.entry.job) return []
  const reviewed = await review()
  // The entry comes last: if the run is killed before that, the next run repeats all of this.
  await request.announce(reviewed)
  const { attempt, since, top } = current
  const until = top?.entry.until ?? since
  const statement = { ...stateAfter(reviewed), attempt, writer: settling.writer, since, until }
  const reported = await place.report(statement, place.result(reviewed, false))
  if (reported.ok) await place.clear()
  return [row(request, reported.ok ? 'settled' : 'unreported', reviewed)]
}

function nextFor({ globs }: OpenRequest, known: Known, job: JobSeen, settling: Settling): SettleStep {
  const { openedBranch, ports } = settling
  const actor = { kind: 'settle', job, isOpened: openedBranch !== null, canCheck: globs !== null } as const
  return next(actor, known, ports.clock.date())
}

function row(
  { known, link }: OpenRequest,
  state: SettledJob['state'],
  result: AgentResult | null,
): SettledJob {
  const [outcome, prLink] = [result?.outcome ?? null, result?.job?.prLink ?? null]
  const isUnchecked = result?.problem === notChecked
  return { job: known.top?.entry.job ?? null, since: known.since, link, state, outcome, prLink, isUnchecked }
}

const notChecked = problems.outOfBounds({ kind: 'unchecked' })

function resultOf(
  step: Exclude<SettleStep, { do: 'leave' }>,
  { top }: Known,
  seen: JobSeen,
  project: string,
): AgentResult {
  const gaveUp = step.do === 'give-up' ? problems.gaveUp(step.why, project) : null
  if (gaveUp?.id === 'unfinished-run') return withoutJob('unconfirmed', gaveUp)
  if (gaveUp?.id === 'unstarted-run') return withoutJob('error', gaveUp)
  const jobId = top?.entry.job ?? null
  const job = seen.kind === 'read' ? seen.job : null
  const known = { delivery: 'sent', elapsed: null, jobId, job } as const
  if (step.do === 'give-up') return { ...withoutJob('error', gaveUp), ...known }
  const gone = seen.kind === 'gone' ? seen.problem : null
  return { ...withoutJob(step.outcome, step.isUnchecked ? notChecked : gone), ...known }
}

/**
 * If a job's pull request was just opened, waits for the job to end, unless the job's own run is still waiting. The agent
 * may open the pull request before the job ends.
 */
async function lookAgain(request: OpenRequest, seen: JobSeen, settling: Settling): Promise<JobSeen> {
  const { inputs, ports, openedBranch } = settling
  const { projectId } = inputs
  if (openedBranch === null || seen.kind !== 'read') return seen
  const ended = { ...seen.job, status: 'completed', prLink: seen.job.prLink ?? ports.serverUrl }
  const atEnd = nextFor(request, request.known, { kind: 'read', job: ended }, settling)
  if (atEnd.do === 'leave' || nextFor(request, request.known, seen, settling).do !== 'leave') return seen
  const job = { projectId, jobId: seen.job.id, job: seen.job, before: null, isRecorded: true }
  const waited = await waitForJob({ ...job, interval: 'auto' }, ports)
  return waited.job === null ? seen : { kind: 'read', job: waited.job }
}

function seenIn(read: Called<Job> | undefined): JobSeen {
  if (read === undefined) return { kind: 'unread' }
  if (read.ok) return { kind: 'read', job: read.value }
  return isMissing(read.failure) ? { kind: 'gone', problem: read.problem } : { kind: 'unread' }
}
