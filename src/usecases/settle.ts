/** Mode `settle`: takes each request that earlier runs left open one step further, as a run that waits would. */
import type { SettleInputs } from '../core/inputs/inputs.ts'
import type { Job } from '../core/job/job.ts'
import type { PlatformProblem, Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import { type JobSeen, jobToRead, type Known, next, type SettleStep, youth } from '../core/record.ts'
import type { SettledJob, SettleResult } from '../core/settle.ts'
import type { Called } from './call.ts'
import { withoutJob } from './carry-out.ts'
import { listLag } from './comments.ts'
import { readJob } from './jobs.ts'
import { concerns, findRequests, type OpenRequest, type OpenRequestPorts } from './open-requests.ts'
import type { GitHubPorts, PlatformPorts } from './ports.ts'
import { type ReviewPorts, reviewChanges } from './review.ts'
import { waitForJob } from './wait.ts'

export interface SettlePorts extends PlatformPorts, OpenRequestPorts, ReviewPorts {
  github: GitHubPorts
}

/** The repository in which the workflow runs, and its trigger. */
export interface SettleHome {
  /** `owner/name`. */
  repository: string
  /** The branch of the pull request that was opened; null on every other event. */
  openedBranch: string | null
}

/** Milliseconds until the second look at a job that completed without a link, which may come a moment later. */
const linkGrace = 5_000
/** Jobs that are read at the same time. */
const atOnce = 4

/** Looks at each open request, and reports the results. Two runs at once, or one that was killed, report one result. */
export async function settle(
  inputs: SettleInputs,
  home: SettleHome,
  ports: SettlePorts,
): Promise<SettleResult> {
  const { cancelled, clock } = ports
  const begun = clock.now()
  const found = await findRequests(inputs, home.repository, { ...ports, introduced: new Set() })
  const none = { jobs: [], isCut: false }
  // GitHub is not to blame for what a cancel interrupted.
  if (cancelled.aborted) return { ...none, outcome: 'cancelled', problem: null }
  if (!found.ok)
    return { ...none, outcome: 'error', problem: { type: 'settle-unread', refusal: found.refusal } }
  const requests = found.value.requests.filter(concerns)
  const reads = await readTwice(
    requests.flatMap(({ record }) => jobToRead(record, clock.date()) ?? []),
    inputs,
    ports,
  )
  const rejected = [...reads.values()].find((read) => !read.ok && isKeyRejected(read.problem))
  if (rejected?.ok === false) return { ...none, outcome: 'error', problem: rejected.problem }
  const jobs = await settleAll(requests, reads, inputs, { ...home, begun }, ports)
  const outcome = inputs.dryRun ? 'dry-run' : 'settled'
  return { outcome: cancelled.aborted ? 'cancelled' : outcome, jobs, isCut: found.value.isCut, problem: null }
}

/** Settles the requests. The pull request that was opened may be waited for, so its request is last. */
async function settleAll(
  requests: readonly OpenRequest[],
  reads: ReadonlyMap<string, JobRead>,
  inputs: SettleInputs,
  { openedBranch, begun }: SettleHome & { begun: number },
  ports: SettlePorts,
): Promise<SettledJob[]> {
  const isOpened = (request: OpenRequest) => isOfBranch(reads.get(jobOf(request) ?? ''), openedBranch)
  const jobs: SettledJob[] = []
  for (const request of requests.toSorted((a, b) => Number(isOpened(a)) - Number(isOpened(b)))) {
    if (ports.cancelled.aborted) return jobs
    const found = { request, read: reads.get(jobOf(request) ?? ''), isOpened: isOpened(request), begun }
    jobs.push(...(await settleOne(found, inputs, ports)))
  }
  return jobs
}

function jobOf({ record }: OpenRequest): string | null {
  return 'job' in record ? record.job : null
}

/** A request, and its job as it was read. */
interface Looked {
  request: OpenRequest
  read: JobRead | undefined
  isOpened: boolean
  /** When this settle began, on the clock's `now`. */
  begun: number
}

/** Takes one request a step further. Returns its row; none if another run did, or if nothing was open. */
async function settleOne(
  { request, read, isOpened, begun }: Looked,
  inputs: SettleInputs,
  ports: SettlePorts,
): Promise<SettledJob[]> {
  const seen = await lookAgain(request, read, isOpened, inputs, ports)
  const step = nextFor({ kind: 'record', record: request.record }, request, seen, isOpened, ports)
  const isOpenJob = request.record.state === 'job'
  if (step.do === 'abandon') return [row(request, 'abandoned', null)]
  const result = resultOf(step, request, seen)
  if (result === null) {
    if (request.hasLeftovers && !inputs.dryRun && ports.clock.date() > request.record.until + youth)
      await request.reread()
    return isOpenJob ? [row(request, 'pending', null)] : []
  }
  if (inputs.dryRun) return [row(request, 'pending', result)]
  // Lists lag, and time passes: a run may have continued, or another settle may have reported.
  await ports.clock.sleep(Math.max(0, begun + listLag - ports.clock.now()), ports.cancelled)
  const known = await request.reread()
  if (known === null) return [row(request, 'unreported', result)]
  const again = nextFor(known, request, seen, isOpened, ports)
  if (again.do !== step.do) return []
  const reviewed = await reviewChanges(result, inputs, ports)
  // The record ends last, so that a run that is killed leaves all of this to the next one.
  await request.announce(reviewed)
  const isReported = await request.end(reviewed)
  return [row(request, isReported ? 'settled' : 'unreported', reviewed)]
}

function nextFor(
  known: Known,
  { place }: OpenRequest,
  job: JobSeen,
  isOpened: boolean,
  { clock }: SettlePorts,
): SettleStep {
  return next(known, { by: 'settle', now: clock.date(), place, job, isOpened })
}

function row(
  { record, link }: OpenRequest,
  state: SettledJob['state'],
  result: AgentResult | null,
): SettledJob {
  const job = 'job' in record ? record.job : null
  const outcome = result?.outcome ?? null
  return { job, since: record.since, link, state, outcome, prLink: result?.job?.prLink ?? null }
}

/** What is reported for a step; null for nothing. */
function resultOf(step: SettleStep, request: OpenRequest, seen: JobSeen): AgentResult | null {
  if (step.do === 'give-up') return withoutJob('unconfirmed', { type: step.why })
  const jobId = jobOf(request)
  if (step.do !== 'report' || jobId === null) return null
  const job = seen.kind === 'read' ? seen.job : null
  const problem: Problem | null = seen.kind === 'gone' ? seen.problem : null
  const known = { ...withoutJob(step.outcome, problem), delivery: 'sent', elapsed: null } as const
  return { ...known, jobId, job }
}

/** The agent's pull request can open before its job ends: then the job is waited for. */
async function lookAgain(
  request: OpenRequest,
  read: JobRead | undefined,
  isOpened: boolean,
  { projectId, dryRun }: SettleInputs,
  ports: SettlePorts,
): Promise<JobSeen> {
  const seen = seenIn(read)
  if (!isOpened || dryRun || seen.kind !== 'read') return seen
  const jobId = seen.job.id
  const step = nextFor({ kind: 'record', record: request.record }, request, seen, isOpened, ports)
  if (step.do !== 'leave') return seen
  const wait = { projectId, jobId, job: seen.job, before: null, created: false, interval: 'auto' } as const
  const { job } = await waitForJob(wait, ports)
  return job === null ? seen : { kind: 'read', job }
}

type JobRead = { ok: true; job: Job } | { ok: false; problem: PlatformProblem }

function seenIn(read: JobRead | undefined): JobSeen {
  if (read === undefined) return { kind: 'unread' }
  if (read.ok) return { kind: 'read', job: read.job }
  return isMissing(read.problem) ? { kind: 'gone', problem: read.problem } : { kind: 'unread' }
}

function isOfBranch(read: JobRead | undefined, branch: string | null): boolean {
  return read?.ok === true && branch !== null && read.job.ref === branch
}

function isMissing({ failure }: PlatformProblem): boolean {
  return failure.kind === 'refused' && failure.status === 404
}

/** A key that is rejected for one job is rejected for all. */
function isKeyRejected({ failure }: PlatformProblem): boolean {
  return failure.kind === 'refused' && (failure.status === 401 || failure.status === 403)
}

/** Reads jobs, and those that completed without a link once more. */
async function readTwice(
  ids: readonly string[],
  inputs: SettleInputs,
  ports: SettlePorts,
): Promise<Map<string, JobRead>> {
  const reads = await readJobs([...new Set(ids)], inputs, ports)
  const linkless = [...reads].flatMap(([id, read]) =>
    read.ok && read.job.status === 'completed' && read.job.prLink === null ? [id] : [],
  )
  if (linkless.length === 0) return reads
  await ports.clock.sleep(linkGrace, ports.cancelled)
  const again = await readJobs(linkless, inputs, ports)
  // Without its second look, a job without a link has not ended.
  for (const id of linkless) reads.delete(id)
  for (const [id, read] of again) if (read.ok) reads.set(id, read)
  return reads
}

/** Reads jobs, a few at once. */
async function readJobs(
  ids: readonly string[],
  { projectId }: SettleInputs,
  ports: SettlePorts,
): Promise<Map<string, JobRead>> {
  const reads = new Map<string, JobRead>()
  const left = [...ids]
  const work = async () => {
    for (let id = left.shift(); id !== undefined && !ports.cancelled.aborted; id = left.shift()) {
      reads.set(id, toRead(await readJob(projectId, id, ports)))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return reads
}

function toRead(read: Called<Job>): JobRead {
  if (read.ok) return { ok: true, job: read.value }
  const { failure, attempts } = read
  return { ok: false, problem: { type: 'platform', operation: 'read', failure, attempts } }
}
