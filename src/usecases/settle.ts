/** Mode `settle`: finds the jobs that earlier runs left open, and does what a waiting step would have done. */
import type { SettleInputs } from '../core/inputs/inputs.ts'
import { type Job, outcomeOfJob } from '../core/job/job.ts'
import { goesOn } from '../core/outcome.ts'
import type { PlatformProblem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import type { SettledJob, SettleResult } from '../core/settle.ts'
import type { Called } from './call.ts'
import { readJob } from './jobs.ts'
import { findOpen, type OpenRequest, type OpenRequestPorts } from './open-requests.ts'
import type { GitHubPorts, PlatformPorts } from './ports.ts'
import { type ReviewPorts, reviewChanges } from './review.ts'
import { waitForJob } from './wait.ts'

export interface SettlePorts extends PlatformPorts, OpenRequestPorts, ReviewPorts {
  github: GitHubPorts
}

/** Where the workflow runs, and what started it. */
export interface SettleHome {
  /** `owner/name`. */
  repository: string
  /** The branch of the pull request that was opened; null on every other event. */
  openedBranch: string | null
}

const minute = 60_000
/** How far back jobs are read; older ones are only listed. */
const lookBack = 14 * 24 * 60 * minute
/**
 * A younger request is left alone: its job may be missing because replicas lag, or still show the end of its work before
 * a follow-up.
 */
const youth = 10 * minute
/** Milliseconds until the second read of a job that completed without a link, which may come a moment later. */
const linkGrace = 5_000
/** Jobs that are read at the same time. */
const atOnce = 4

/** Reads each open job once, and tells the ends. Two runs at once, or one that was killed, never tell twice. */
export async function settle(
  inputs: SettleInputs,
  home: SettleHome,
  ports: SettlePorts,
): Promise<SettleResult> {
  const { cancelled, clock } = ports
  const found = await findOpen(inputs, home.repository, ports)
  const none = { jobs: [], isCut: false }
  // GitHub is not to blame for what a cancel interrupted.
  if (cancelled.aborted) return { ...none, outcome: 'cancelled', problem: null }
  if (!found.ok)
    return { ...none, outcome: 'error', problem: { type: 'settle-unread', refusal: found.refusal } }
  const { requests, isCut } = found.value
  const oldest = clock.date() - lookBack
  const recent = requests.filter(({ since }) => since >= oldest)
  const reads = await readTwice([...new Set(recent.map(({ job }) => job))], inputs, ports)
  const refused = [...reads.values()].find((read) => !read.ok && isKeyRefused(read.problem))
  if (refused?.ok === false) return { ...none, outcome: 'error', problem: refused.problem }
  const told = await tellEnds(recent, reads, inputs, home, ports)
  const abandoned = requests.filter((request) => !recent.includes(request))
  const jobs = [...told, ...abandoned.map((request) => row(request, 'abandoned', null))]
  const outcome = inputs.dryRun ? 'dry-run' : 'settled'
  return { outcome: cancelled.aborted ? 'cancelled' : outcome, jobs, isCut, problem: null }
}

/** Tells the ends of the jobs that have ended. That of the pull request that was opened may be waited for, so it is last. */
async function tellEnds(
  requests: readonly OpenRequest[],
  reads: ReadonlyMap<string, JobRead>,
  inputs: SettleInputs,
  { openedBranch }: SettleHome,
  ports: SettlePorts,
): Promise<SettledJob[]> {
  const isOpened = ({ job }: OpenRequest) => isOfBranch(reads.get(job), openedBranch)
  const results = new Map<string, AgentResult | null>()
  const jobs: SettledJob[] = []
  for (const request of requests.toSorted((a, b) => Number(isOpened(a)) - Number(isOpened(b)))) {
    if (ports.cancelled.aborted) return jobs
    const { job, since } = request
    // A pull request that opens is the job's new work.
    const isDue = isOpened(request) || ports.clock.date() - since >= youth
    if (isDue && !results.has(job))
      results.set(job, await resultOf(job, reads.get(job), isOpened(request), inputs, ports))
    jobs.push(...(await tellEnd(request, isDue ? (results.get(job) ?? null) : null, inputs)))
  }
  return jobs
}

/** The request's row; none if another run told its end. */
async function tellEnd(
  request: OpenRequest,
  result: AgentResult | null,
  { dryRun }: SettleInputs,
): Promise<SettledJob[]> {
  const told = result === null || dryRun ? 'pending' : await request.tell(result)
  return told === 'elsewhere' ? [] : [row(request, told, result)]
}

function row(
  { job, since, link }: OpenRequest,
  state: SettledJob['state'],
  result: AgentResult | null,
): SettledJob {
  return { job, since, link, state, outcome: result?.outcome ?? null, prLink: result?.job?.prLink ?? null }
}

type JobRead = { ok: true; job: Job } | { ok: false; problem: PlatformProblem }

/** What came of a job; null if it goes on, or that is not known. */
async function resultOf(
  jobId: string,
  read: JobRead | undefined,
  isOpened: boolean,
  inputs: SettleInputs,
  ports: SettlePorts,
): Promise<AgentResult | null> {
  const base = { jobId, prompt: null, changes: null, delivery: 'sent', elapsed: null } as const
  if (read === undefined) return null
  if (!read.ok)
    return isMissing(read.problem) ? { ...base, outcome: 'error', job: null, problem: read.problem } : null
  const { job } = read
  const outcome = outcomeOfJob(job)
  if (outcome !== undefined) return reviewChanges({ ...base, outcome, job, problem: null }, inputs, ports)
  // The agent's pull request can open before its job ends.
  if (!isOpened || inputs.dryRun) return null
  const wait = { projectId: inputs.projectId, jobId, job, before: null, created: false } as const
  const waited = await waitForJob({ ...wait, interval: 'auto' }, ports)
  return goesOn(waited.outcome) ? null : reviewChanges({ ...base, ...waited }, inputs, ports)
}

function isOfBranch(read: JobRead | undefined, branch: string | null): boolean {
  return read?.ok === true && branch !== null && read.job.ref === branch
}

function isMissing({ failure }: PlatformProblem): boolean {
  return failure.kind === 'refused' && failure.status === 404
}

/** A key that is refused for one job is refused for all. */
function isKeyRefused({ failure }: PlatformProblem): boolean {
  return failure.kind === 'refused' && (failure.status === 401 || failure.status === 403)
}

/** Reads jobs, and those that completed without a link once more. */
async function readTwice(
  ids: readonly string[],
  inputs: SettleInputs,
  ports: SettlePorts,
): Promise<Map<string, JobRead>> {
  const reads = await readJobs(ids, inputs, ports)
  const linkless = [...reads].flatMap(([id, read]) =>
    read.ok && outcomeOfJob(read.job) === 'no-changes' ? [id] : [],
  )
  if (linkless.length === 0) return reads
  await ports.clock.sleep(linkGrace, ports.cancelled)
  const again = await readJobs(linkless, inputs, ports)
  // Without its second read, a job without a link has not ended.
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
