/** Mode `settle`: finds the jobs that earlier runs left open, and does what a waiting step would have done. */
import type { SettleInputs } from '../core/inputs/inputs.ts'
import { isTerminal, type Job, outcomeOfJob } from '../core/job/job.ts'
import { type FoundMark, type Mark, projectName, readMark, type Standing, standingOf } from '../core/mark.ts'
import type { Failable } from '../core/outcome.ts'
import type { PlatformProblem, Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import type { OpenJob, SettledJob, SettleResult } from '../core/settle.ts'
import { isOwnContext, readStatus } from '../core/status.ts'
import { threadName } from '../core/thread.ts'
import { tellAgentsPull } from './command.ts'
import type { CommentPorts } from './comments.ts'
import { type CommitMemoryPorts, createCommitMemory } from './commit-memory.ts'
import { readJob } from './jobs.ts'
import type { Bounded, FoundComment, FoundStatus, GitHubPorts, GitHubReply, PlatformPorts } from './ports.ts'
import { type ProvenanceWords, tellPullRequests } from './provenance.ts'
import { type ReviewPorts, reviewChanges } from './review.ts'
import { ThreadMemory, type ThreadRequestRef, type ThreadWords } from './thread-memory.ts'
import { waitForJob } from './wait.ts'

export interface SettlePorts extends PlatformPorts, CommentPorts, ReviewPorts {
  github: GitHubPorts
  /** What a thread is told about a request on it. */
  wordsFor(ref: ThreadRequestRef): ThreadWords & ProvenanceWords
  words: ProvenanceWords
  statusWords: CommitMemoryPorts['statusWords']
  serverUrl: string
}

/** Where the workflow runs, and what started it. */
export interface SettleHome {
  /** `owner/name`. */
  repository: string
  runUrl: string
  /** The branch of the pull request that was opened; null on every other event. */
  openedBranch: string | null
}

const day = 24 * 60 * 60_000
/** How far back jobs are read, and how much further the older ones are still listed. */
const lookBack = 14 * day
const listBack = 28 * day
/** Jobs that are read at the same time. */
const atOnce = 4
/** Outcomes that turn a commit's status red. */
const redOutcomes: readonly Failable[] = ['failed', 'timed-out']

/** An open request: its job, and how its end is told. */
interface OpenRequest extends OpenJob {
  /** False if GitHub refused. */
  tell(result: AgentResult): Promise<boolean>
}

/** Reads each open job once, and tells the ends. Two runs at once, or one that was killed, never tell twice. */
export async function settle(
  inputs: SettleInputs,
  home: SettleHome,
  ports: SettlePorts,
): Promise<SettleResult> {
  const found = await findOpen(inputs, home, ports)
  if (!found.ok)
    return { outcome: 'error', jobs: [], problem: { type: 'settle-unread', refusal: found.refusal } }
  const oldest = ports.clock.date() - lookBack
  const recent = found.value.filter(({ since }) => since >= oldest)
  const reads = await readJobs([...new Set(recent.map(({ job }) => job))], inputs, ports)
  const refused = [...reads.values()].find((read) => 'failure' in read && isRefused(read))
  if (refused !== undefined && 'failure' in refused) return { outcome: 'error', jobs: [], problem: refused }

  const jobs: SettledJob[] = found.value
    .filter(({ since }) => since < oldest)
    .map((request) => ({ ...openJob(request), state: 'abandoned', outcome: null, prLink: null }))
  for (const request of recent) {
    if (ports.cancelled.aborted) break
    jobs.push(await settleOne(request, reads.get(request.job), inputs, home, ports))
  }
  if (ports.cancelled.aborted) return { outcome: 'cancelled', jobs, problem: null }
  return { outcome: inputs.dryRun ? 'dry-run' : 'settled', jobs, problem: null }
}

async function settleOne(
  request: OpenRequest,
  read: Job | PlatformProblem | undefined,
  inputs: SettleInputs,
  { openedBranch }: SettleHome,
  ports: SettlePorts,
): Promise<SettledJob> {
  const pending: SettledJob = { ...openJob(request), state: 'pending', outcome: null, prLink: null }
  if (read === undefined) return pending
  const isGone = 'failure' in read && read.failure.kind === 'refused' && read.failure.status === 404
  if ('failure' in read && !isGone) return pending
  const job = 'failure' in read ? null : read
  const isEnded = job === null || isTerminal(job.status ?? '')
  // The pull request can open before the job ends, so that one job is waited for.
  const isOpened = job?.ref !== null && job?.ref !== undefined && job.ref === openedBranch
  if (!isEnded && !isOpened) return pending
  const result = await resultOf(request.job, job, 'failure' in read ? read : null, inputs, ports)
  if (result === undefined) return pending
  const reviewed = await reviewChanges(result, inputs, ports)
  const row = { ...openJob(request), outcome: reviewed.outcome, prLink: reviewed.job?.prLink ?? null }
  if (inputs.dryRun) return { ...row, state: 'pending' }
  return { ...row, state: (await request.tell(reviewed)) ? 'settled' : 'untold' }
}

/** What came of a job; undefined if it goes on. */
async function resultOf(
  jobId: string,
  job: Job | null,
  problem: Problem | null,
  { projectId }: SettleInputs,
  ports: SettlePorts,
): Promise<AgentResult | undefined> {
  const base = { jobId, prompt: null, changes: null, delivery: 'sent', elapsed: null } as const
  if (job === null) return { ...base, outcome: 'error', job, problem }
  const outcome = outcomeOfJob(job)
  if (outcome !== undefined && outcome !== 'no-changes') return { ...base, outcome, job, problem: null }
  // An active one is waited for; one without a link gets the second look that a waiting step gives it.
  const wait = { projectId, jobId, job, before: null, created: false, interval: 'auto' } as const
  const waited = await waitForJob(wait, ports)
  const isOpen = ['timed-out', 'cancelled', 'error'].includes(waited.outcome)
  return isOpen ? undefined : { ...base, ...waited }
}

function openJob({ job, since, link }: OpenRequest): OpenJob {
  return { job, since, link }
}

/** A key that is refused for one job is refused for all. */
function isRefused({ failure }: PlatformProblem): boolean {
  return failure.kind === 'refused' && (failure.status === 401 || failure.status === 403)
}

/** Reads jobs, a few at once. */
async function readJobs(
  ids: readonly string[],
  { projectId }: SettleInputs,
  ports: SettlePorts,
): Promise<Map<string, Job | PlatformProblem>> {
  const reads = new Map<string, Job | PlatformProblem>()
  const left = [...ids]
  const work = async () => {
    for (let id = left.shift(); id !== undefined && !ports.cancelled.aborted; id = left.shift()) {
      const read = await readJob(projectId, id, ports)
      const { attempts } = read
      reads.set(
        id,
        read.ok ? read.value : { type: 'platform', operation: 'read', failure: read.failure, attempts },
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return reads
}

/** The open marks of the project: on threads, and on commits. Only those of the token's own account count. */
async function findOpen(
  inputs: SettleInputs,
  home: SettleHome,
  ports: SettlePorts,
): Promise<GitHubReply<OpenRequest[]>> {
  const { github, clock } = ports
  const since = clock.date() - listBack
  const statuses = await github.recentStatuses(home.repository)
  if (!statuses.ok) return statuses
  const issues = await github.recentComments(home.repository, 'issue', since)
  if (!issues.ok) return issues
  const reviews = await github.recentComments(home.repository, 'review', since)
  if (!reviews.ok) return reviews
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const own = ({ author }: { author: string | null }) => author === viewer.value
  const comments = [...issues.value.items, ...reviews.value.items].filter(own)
  const onThreads = await openOnThreads(comments, inputs, home, ports)
  const onCommits = openOnCommits(statuses.value, viewer.value, inputs, home, ports)
  return { ok: true, value: [...onThreads, ...onCommits] }
}

type PlacedComment = FoundComment & { thread: ThreadRequestRef['thread'] }

async function openOnThreads(
  comments: readonly PlacedComment[],
  inputs: SettleInputs,
  { repository }: SettleHome,
  ports: SettlePorts,
): Promise<OpenRequest[]> {
  const threads = new Map(comments.map(({ thread }) => [threadName(thread), thread]))
  const open: OpenRequest[] = []
  for (const [name, thread] of threads) {
    const marks = comments
      .filter((comment) => threadName(comment.thread) === name)
      .sort((one, other) => one.id - other.id)
      .flatMap((comment) => readMark(comment, name, ports.sign) ?? [])
    for (const { mark } of marks.filter((found) => isOpen(found, inputs.projectId))) {
      const standing = standingOf(mark, marks)
      if (standing.result === null) open.push(onThread(thread, mark, standing, repository, ports))
      // A run was killed between its result and the end.
      else if (standing.working !== null && !inputs.dryRun)
        await ports.github.remove(thread, standing.working)
    }
  }
  return open
}

function onThread(
  thread: ThreadRequestRef['thread'],
  { request, step, project, since, by, job }: Mark,
  standing: Standing,
  repository: string,
  ports: SettlePorts,
): OpenRequest {
  const [, comment] = /^comment:(\d+)$/.exec(request) ?? []
  const ref = {
    thread,
    comment: comment === undefined ? null : Number(comment),
    request,
    step,
    project,
    since,
    by,
  }
  const words = ports.wordsFor(ref)
  return {
    ...{ job: job ?? '', since, link: { kind: 'thread', repository, thread, request } },
    async tell(result) {
      const memory = new ThreadMemory(ref, { ...ports, words, save: () => {} })
      await memory.takeOver(standing)
      const isTold = await memory.close(result)
      await tellAgentsPull(result, ref, { ...ports, words })
      return isTold
    },
  }
}

function isOpen({ mark, isSigned, isBound }: FoundMark, project: string): boolean {
  const isTrusted = isSigned && isBound && mark.project === projectName(project)
  return isTrusted && mark.role === 'reply' && mark.state === 'job' && mark.job !== null
}

function openOnCommits(
  { items }: Bounded<FoundStatus & { commit: string }>,
  viewer: string,
  { projectId, failOn }: SettleInputs,
  home: SettleHome,
  ports: SettlePorts,
): OpenRequest[] {
  return items.flatMap((status): OpenRequest[] => {
    const { commit, context, creator, createdAt, targetUrl } = status
    const mark = creator === viewer && isOwnContext(context) ? readStatus(status, projectId) : null
    if (mark === null || mark.job === null || mark.state !== 'job') return []
    const { job, run, hasChange } = mark
    const { repository } = home
    const ref = {
      ...{ repository, commit, run, context, owner: { project: projectId, hasChange } },
      ...{ runUrl: targetUrl, failOn: new Set([...redOutcomes, ...failOn]) },
    }
    return [
      {
        ...{ job, since: createdAt, link: { kind: 'commit', repository, commit } },
        async tell(result) {
          const isTold = await createCommitMemory(ref, ports).close(result)
          const documented = hasChange ? await changeOf(repository, commit, ports) : null
          const provenance: Pick<Mark, 'request' | 'step' | 'project' | 'since'> = {
            ...{ request: `run:${run}`, step: '', project: projectName(projectId), since: createdAt },
          }
          await tellPullRequests(result, documented, provenance, { ...home, ...ports, projectId }, ports)
          return isTold
        },
      },
    ]
  })
}

/** The change that ends in a commit, and the pull request that it came by. */
async function changeOf(repository: string, head: string, { github }: SettlePorts) {
  const pulls = await github.pullsOf(repository, head)
  const all = pulls.ok ? pulls.value : []
  const pull = all.find(({ mergeCommit }) => mergeCommit === head) ?? (all.length === 1 ? all[0] : undefined)
  return { repository, head, number: pull?.number ?? null, author: pull?.author ?? null }
}
