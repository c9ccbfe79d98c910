/** Mode settle: does what comes next for each request that earlier runs left open, as a run that waits would. */
import type { RunInputs } from '../core/inputs/schema.ts'
import type { Job } from '../core/job/job.ts'
import { isKeyRejected } from '../core/job/response.ts'
import type { AgentResult } from '../core/outcome.ts'
import { type Problem, problems } from '../core/problems.ts'
import { globsToCheck } from '../core/review.ts'
import type { SettledJob, SettleResult } from '../core/settle.ts'
import type { PullEvent } from '../core/trigger/event.ts'
import { pollJobs, waitForJob } from '../usecases/jobs.ts'
import type { AgentPorts } from '../usecases/ports.ts'
import { reviewChanges } from '../usecases/review.ts'
import { copiesIn, discard } from './comments.ts'
import type { Known } from './entry.ts'
import { writersOf } from './format.ts'
import { followPulls } from './hold.ts'
import { withoutJob } from './live.ts'
import { type JobSeen, jobToPoll, lagMs, next, type SettleStep, stateAfter } from './next.ts'
import { findOpenWork, type KeptPlace, type OpenRequest, type Search } from './open.ts'
import { lookAt } from './place.ts'
import { announce } from './pull.ts'

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
  const since = clock.date()
  const search = { inputs, pull, since, ports }
  const found = await findOpenWork(search)
  // An error after a cancel was caused by the cancel, not by GitHub.
  if (cancelled.aborted) return stopped('cancelled', null)
  if (!found.ok) return stopped('error', problems.rejected('open-jobs', found.rejection))
  const { requests, entries, isCut } = found.value
  const polled = requests.flatMap(({ known }) => jobToPoll(known) ?? [])
  const reads = await pollJobs(polled, ports)
  const rejected = [...reads.values()].find((read) => !read.ok && isKeyRejected(read.failure))
  if (rejected?.ok === false) return stopped('error', rejected.problem)
  const opened = pull?.openedBranch ?? null
  const jobs: SettledJob[] = []
  for (const request of requests) {
    // Lists lag: they must show what this step just wrote on the pull request of the same job.
    const isSame = ({ job, prLink }: SettledJob) => prLink !== null && job === request.known.top?.entry.job
    if (jobs.some(isSame)) await clock.sleep(lagMs, cancelled)
    if (cancelled.aborted) break
    jobs.push(...(await settleOne(request, { ...search, reads, opened })))
  }
  await discard(copiesIn(entries), ports)
  // A pull request that was just opened has no record yet.
  const named = opened === null ? entries : []
  const done = { jobs, pulls: await followPulls(named, search), isCut }
  if (cancelled.aborted) return { outcome: 'cancelled', ...done, problem: null }
  if (jobs.some(({ isUnchecked }) => isUnchecked)) return { outcome: 'error', ...done, problem: notChecked }
  return { outcome: 'settled', ...done, problem: null }
}

function stopped(outcome: 'cancelled' | 'error', problem: Problem | null): SettleResult {
  return { outcome, problem, jobs: [], pulls: [], isCut: false }
}

/** What settling one request needs. */
interface Settling extends Search {
  reads: ReadonlyMap<string, JobSeen>
  /** The branch of a pull request that was just opened: only the request behind it is settled. */
  opened: string | null
}

/** Does what comes next for a request. Returns its row; none if nothing was open, or if another run handled it. */
async function settleOne(request: OpenRequest, settling: Settling): Promise<SettledJob[]> {
  const { ports, reads, opened } = settling
  const { place, known: first } = request
  const read = reads.get(first.top?.entry.job ?? '')
  if (opened !== null && !(read?.ok && read.value.ref === opened)) return []
  const polled = await waitForOpened(request, read, settling)
  /** The job in the record, which may have changed since it was polled. */
  const jobIn = (known: Known | null) => (known?.top?.entry.job === first.top?.entry.job ? polled : undefined)
  const looked = await lookAt(place, (known) => nextFor(place, known, jobIn(known), settling), ports, first)
  if (looked.step === null) return [row(request, looked.rejection === null ? 'pending' : 'unreported', null)]
  const { step } = looked
  const known = looked.known ?? first
  if (step.do === 'clear') await place.clear()
  if (step.do === 'report') return report(request, step, known, jobIn(known), settling)
  if (step.do === 'leave' && step.toOther) return [row(request, 'left', null)]
  return known.top?.entry.state === 'job' ? [row(request, 'pending', null)] : []
}

type Report = Extract<SettleStep, { do: 'report' }>

/** Reports a result. The entry comes last: if the run is killed before that, the next run repeats all of this. */
async function report(
  request: OpenRequest,
  step: Report,
  known: Known,
  seen: JobSeen,
  { inputs, ports }: Settling,
): Promise<SettledJob[]> {
  const { place } = request
  const { attempt, since, top } = known
  const globs = globsToCheck(place.request.globs, inputs.allowedPaths) ?? []
  const ended = resultOf(step, top?.entry.job ?? null, seen, inputs.projectId)
  const result = await reviewChanges(ended, globs, inputs, ports)
  const until = top?.entry.until ?? since
  const statement = { ...stateAfter(result), attempt, writer: writersOf(ports.run).writer, since, until }
  await announce(result, place, since, { ...inputs, allowedPaths: globs }, ports)
  const reported = await place.report(statement, place.result(result, false))
  if (reported.ok) await place.clear()
  return [row(request, reported.ok ? 'settled' : 'unreported', result)]
}

function resultOf(
  { outcome, why }: Report,
  jobId: string | null,
  seen: JobSeen,
  projectId: string,
): AgentResult {
  const gone = seen?.ok === false ? seen.problem : null
  const unchecked = why === 'unchecked' ? notChecked : gone
  const problem = why === null || why === 'unchecked' ? unchecked : problems.gaveUp(why, projectId)
  if (jobId === null) return withoutJob(outcome, problem)
  const job = seen?.ok ? seen.value : null
  return withoutJob(outcome, problem, { delivery: 'sent', elapsed: null, jobId, job })
}

function nextFor(place: KeptPlace, known: Known | null, job: JobSeen, settling: Settling): SettleStep {
  const { inputs, since, opened } = settling
  const canCheck = globsToCheck(place.request.globs, inputs.allowedPaths) !== null
  const isOpened = opened !== null
  return next.settle({ since, job, isOpened, canCheck, hasLeftovers: place.leftovers().length > 0 }, known)
}

function row(
  { known, place: { request } }: OpenRequest,
  state: SettledJob['state'],
  result: AgentResult | null,
): SettledJob {
  const link = 'thread' in request ? request.thread : request
  const [outcome, prLink] = [result?.outcome ?? null, result?.job?.prLink ?? null]
  const isUnchecked = result?.problem === notChecked
  return { job: known.top?.entry.job ?? null, since: known.since, link, state, outcome, prLink, isUnchecked }
}

const notChecked = problems.outOfBounds({ kind: 'unchecked', paths: [] })

/**
 * If a job's pull request was just opened, waits for the job to end, unless the job's own run is still waiting. The agent
 * may open the pull request before the job ends.
 */
async function waitForOpened(
  { place, known }: OpenRequest,
  seen: JobSeen,
  settling: Settling,
): Promise<JobSeen> {
  const { ports, opened } = settling
  if (opened === null || !seen?.ok) return seen
  const { value } = seen
  const ended = { ...value, status: 'completed', prLink: value.prLink ?? ports.serverUrl }
  const isLeft = (job: Job) => nextFor(place, known, { ok: true, value: job }, settling).do === 'leave'
  if (isLeft(ended) || !isLeft(value)) return seen
  const job = { jobId: value.id, job: value, before: null, isRecorded: true }
  const waited = await waitForJob({ ...job, interval: 'auto' }, ports)
  return waited.job === null ? seen : { ok: true, value: waited.job }
}
