/** Mode settle: does what comes next for each request that earlier runs left open, as a run that waits would. */
import type { RunInputs } from '../core/inputs/schema.ts'
import type { Job } from '../core/job/job.ts'
import { isKeyRejected, isMissing, type Reply } from '../core/job/response.ts'
import type { Mark } from '../core/mark.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import {
  isHeld,
  type JobSeen,
  jobToRead,
  type Known,
  minimumAge,
  nextForSettle,
  type SettleStep,
} from '../core/record.ts'
import type { SettledJob, SettleResult } from '../core/settle.ts'
import { dayMs } from '../core/units.ts'
import { withoutJob } from './carry-out.ts'
import { listLag } from './comments.ts'
import { pollJobs } from './jobs.ts'
import type { OpenRequest, SettlePorts } from './open-requests.ts'
import { findOpenWork, type SettleHome } from './open-work.ts'
import { type AgentPull, followPulls } from './pull-life.ts'
import { reviewChanges } from './review.ts'
import { waitForJob } from './wait.ts'

function stopped(outcome: 'cancelled' | 'error', problem: Problem | null): SettleResult {
  return { outcome, problem, jobs: [], pulls: [], isCut: false }
}

/**
 * Does what comes next for each open request and each of the agent's pull requests. After a killed run, a result is
 * reported once; two runs at the same time may both report it. On a pull request's event, only what belongs to that
 * pull request is handled.
 */
export async function settle(inputs: RunInputs, home: SettleHome, given: SettlePorts): Promise<SettleResult> {
  const ports = { ...given, introduced: new Set<string>(), renewed: new Map<number, Mark>() }
  const { cancelled, clock } = ports
  const begun = clock.now()
  const found = await findOpenWork(inputs, home, ports)
  // An error after a cancel was caused by the cancel, not by GitHub.
  if (cancelled.aborted) return stopped('cancelled', null)
  if (!found.ok) return stopped('error', { type: 'unread', reading: 'open-jobs', rejection: found.rejection })
  const { requests, pulls, isCut } = found.value
  const reads = await pollJobs(
    requests.flatMap(({ record }) => jobToRead(record, clock.date()) ?? []),
    inputs.projectId,
    ports,
  )
  const rejected = [...reads.values()].find((read) => !read.ok && isKeyRejected(read.failure))
  if (rejected?.ok === false) return stopped('error', problemOf(rejected))
  const openedBranch = home.pull?.openedBranch ?? null
  // Lists lag: another settle may have written something.
  const waitForLists = () => clock.sleep(Math.max(0, begun + listLag - clock.now()), cancelled)
  const jobs = await settleAll(requests, reads, inputs, openedBranch, waitForLists, ports)
  const renewed = pulls.map((pull) => renewedPull(pull, ports.renewed))
  const followed = await followPulls(renewed, inputs, waitForLists, ports)
  const done = { jobs, pulls: followed, isCut }
  if (cancelled.aborted) return { outcome: 'cancelled', ...done, problem: null }
  if (jobs.some(({ isUnchecked }) => isUnchecked)) return { outcome: 'error', ...done, problem: notChecked }
  return { outcome: 'settled', ...done, problem: null }
}

/** Applies a mark that this settle has changed, because the lists were read before the change. */
function renewedPull(pull: AgentPull, renewed: ReadonlyMap<number, Mark>): AgentPull {
  const { comment } = pull
  const mark = comment === null ? undefined : renewed.get(comment.comment)
  return mark === undefined || comment === null ? pull : { ...pull, comment: { ...comment, mark } }
}

/** Settles requests; if a pull request was just opened, only the request behind it. */
async function settleAll(
  requests: readonly OpenRequest[],
  reads: ReadonlyMap<string, Reply<Job>>,
  inputs: RunInputs,
  openedBranch: string | null,
  waitForLists: () => Promise<void>,
  ports: SettlePorts,
): Promise<SettledJob[]> {
  const jobs: SettledJob[] = []
  const isOpened = openedBranch !== null
  for (const request of requests) {
    if (ports.cancelled.aborted) return jobs
    const read = reads.get(jobOf(request) ?? '')
    const isMeant = !isOpened || (read?.ok === true && read.value.ref === openedBranch)
    if (isMeant) jobs.push(...(await settleOne({ request, read, isOpened }, inputs, waitForLists, ports)))
  }
  return jobs
}

function jobOf({ record }: OpenRequest): string | null {
  return 'job' in record ? record.job : null
}

/** A request, and its job as just polled. */
interface Looked {
  request: OpenRequest
  read: Reply<Job> | undefined
  isOpened: boolean
}

/** Does what comes next for a request. Returns its row; none if nothing was open, or if another run handled it. */
async function settleOne(
  { request, read, isOpened }: Looked,
  inputs: RunInputs,
  waitForLists: () => Promise<void>,
  ports: SettlePorts,
): Promise<SettledJob[]> {
  const seen = await lookAgain(request, read, isOpened, inputs, ports)
  const step = nextFor({ kind: 'record', record: request.record }, request, seen, isOpened, ports)
  const isOpenJob = request.record.state === 'job'
  if (step.do === 'abandon') return [row(request, 'abandoned', null)]
  const result = resultOf(step, request, seen)
  if (result?.problem === notChecked && isLeft(request, ports)) return [row(request, 'left', null)]
  if (result === null) {
    if (request.hasLeftovers && ports.clock.date() > request.record.until + minimumAge) await request.reread()
    return isOpenJob ? [row(request, 'pending', null)] : []
  }
  // Time has passed: a run may have continued, or another settle may have reported.
  await waitForLists()
  const known = await request.reread()
  if (known.kind === 'ended') return [row(request, 'unreported', result)]
  const again = nextFor(known, request, seen, isOpened, ports)
  if (again.do !== step.do) return []
  const reviewed = await reviewChanges(result, request.globs ?? [], inputs, ports)
  // The record ends last: if the run is killed before that, the next run repeats all of this.
  await request.announce(reviewed)
  const isReported = await request.end(reviewed)
  return [row(request, isReported ? 'settled' : 'unreported', reviewed)]
}

/** How long a result is left to a settle step with the `allowed-paths` of the step that asked. */
const checkGrace = dayMs

/** Whether another settle step must report the pull request of a request, because this one cannot check it. */
function isLeft({ globs, record }: OpenRequest, { clock }: SettlePorts): boolean {
  return globs === null && clock.date() - record.since < checkGrace
}

const notChecked: Problem = { type: 'out-of-bounds', files: { kind: 'unchecked' } }

function nextFor(
  known: Known,
  { place }: OpenRequest,
  job: JobSeen,
  isOpened: boolean,
  { clock }: SettlePorts,
): SettleStep {
  return nextForSettle(known, { now: clock.date(), place, job, isOpened })
}

function row(request: OpenRequest, state: SettledJob['state'], result: AgentResult | null): SettledJob {
  const { record, link } = request
  const [outcome, prLink] = [result?.outcome ?? null, result?.job?.prLink ?? null]
  const isUnchecked = result?.problem === notChecked
  return { job: jobOf(request), since: record.since, link, state, outcome, prLink, isUnchecked }
}

function resultOf(step: SettleStep, request: OpenRequest, seen: JobSeen): AgentResult | null {
  if (step.do === 'give-up') return withoutJob('unconfirmed', { type: step.why })
  const jobId = jobOf(request)
  if (step.do !== 'report' || jobId === null) return null
  const job = seen.kind === 'read' ? seen.job : null
  const problem: Problem | null = seen.kind === 'gone' ? seen.problem : null
  const isUnchecked = step.outcome === 'pull-request' && request.globs === null
  const ended = isUnchecked ? withoutJob('error', notChecked) : withoutJob(step.outcome, problem)
  const known = { ...ended, delivery: 'sent', elapsed: null } as const
  return { ...known, jobId, job }
}

/**
 * If a job's pull request was just opened, waits for the job to end, unless the job's own run is still waiting. The agent
 * may open the pull request before the job ends.
 */
async function lookAgain(
  request: OpenRequest,
  read: Reply<Job> | undefined,
  isOpened: boolean,
  { projectId }: RunInputs,
  ports: SettlePorts,
): Promise<JobSeen> {
  const seen = seenIn(read)
  const isOthers = isHeld(request.record, ports.clock.date())
  if (!isOpened || isOthers || isLeft(request, ports) || seen.kind !== 'read') return seen
  const jobId = seen.job.id
  const step = nextFor({ kind: 'record', record: request.record }, request, seen, isOpened, ports)
  if (step.do !== 'leave') return seen
  const wait = { projectId, jobId, job: seen.job, before: null, created: false, interval: 'auto' } as const
  const { job } = await waitForJob(wait, ports)
  return job === null ? seen : { kind: 'read', job }
}

function problemOf({ failure }: Extract<Reply<Job>, { ok: false }>): Problem {
  return { type: 'platform', operation: 'read', failure }
}

function seenIn(read: Reply<Job> | undefined): JobSeen {
  if (read === undefined) return { kind: 'unread' }
  if (read.ok) return { kind: 'read', job: read.value }
  return isMissing(read.failure) ? { kind: 'gone', problem: problemOf(read) } : { kind: 'unread' }
}
