/** On a schedule or manual run: everything new on the default branch since this step's last job. */
import type { AgentInputs } from '../core/inputs/schema.ts'
import { type Ended, skip, unread } from '../core/outcome.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import type { GitHubReply } from '../core/reply.ts'
import {
  type BranchJob,
  commitAt,
  commitsSince,
  type HistoryCommit,
  lastCovered,
  leavingAlone,
  type MergedPull,
  newsIn,
  pullsIn,
} from '../core/since-last.ts'
import { isSameName } from '../core/text.ts'
import { newChange } from '../core/trigger/change.ts'
import { dayMs } from '../core/units.ts'
import { outcomeOfJob } from '../mintlify/job.ts'
import { isGone } from '../mintlify/jobs.ts'
import type { AgentPorts } from '../ports.ts'
import { fold, hasNoResult } from '../record/entry.ts'
import { statusContext } from '../record/format.ts'
import { byRun, recentEntries, stepStatuses } from '../record/lists.ts'
import { say } from '../say/messages.ts'
import { readContext } from './change.ts'
import { type Documented, documentedOf } from './documented.ts'

const firstPeriod = 7 * dayMs
/** Maximum number of pages with a hundred commits to search for the last job. */
const historyPages = 10
/** Maximum number of commits whose statuses are read, and how many of these are older than the last job that did not fail. */
const readLimit = 200
const olderLimit = 20

/** The diff since the last job's commit, with a note about what is already documented. */
export async function readSinceLast(
  branch: string,
  inputs: AgentInputs,
  ports: AgentPorts,
): Promise<ChangeContext | null | Ended> {
  const { repository, commit: head } = ports.run
  const found = await findJobs(ports)
  if (!found.ok) return unread('history', found.failure)
  const { history, jobs } = found.value
  const { last, failed } = lastCovered(history, jobs)
  const start = last?.commit ?? commitAt(history, head, ports.clock.date() - firstPeriod)
  const commits = commitsSince(history, start, head)
  if (commits.length === 0) return skip({ kind: 'nothing-new', branch, since: start })
  const job = last?.job ?? null
  ports.log(say.sinceLast({ branch, commit: start, job, failed, commits: commits.length }))
  const isOwn = ({ author }: MergedPull) => isSameName(author, inputs.agentLogin)
  const others = pullsIn(commits).filter((pull) => !isOwn(pull))
  const documented = await documentedAmong(others, ports)
  if ('kind' in documented) return documented
  const { subjects, own, isDone } = newsIn(commits, isOwn, new Set(documented.map(({ number }) => number)))
  if (isDone) return skip({ kind: 'all-documented', branch, since: start })
  const range = { by: 'compare', base: start, head } as const
  const context = await readContext(
    newChange({ repository, head, branch, range, subjects }),
    { paths: inputs.contextPaths },
    ports,
  )
  if ('kind' in context) return context.kind === 'ended' ? context : skip(context.reason)
  return leavingAlone(documented, own, context)
}

/**
 * This step's jobs on the branch. The history, newest first, goes back at least to the newest commit up to which each of
 * them has ended well or is still active.
 */
async function findJobs(
  ports: AgentPorts,
): Promise<GitHubReply<{ history: HistoryCommit[]; jobs: BranchJob[] }>> {
  const history: HistoryCommit[] = []
  const jobs: BranchJob[] = []
  // Scheduled and manual runs document the same branch.
  const contexts = ['schedule', 'workflow_dispatch'].map((event) => statusContext(ports.run.step, event))
  let left = readLimit
  for await (const read of historyOf(contexts, ports)) {
    if (!read.ok) return read
    history.push(read.value)
    if (!read.value.isMarked) continue
    const found = await jobsOn(read.value.sha, contexts, ports)
    if (!found.ok) return found
    jobs.push(...found.value)
    left = Math.min(left - 1, jobs.some((job) => job.isGood) ? olderLimit : readLimit)
    if (left === 0) break
  }
  return { ok: true, value: { history, jobs } }
}

/** The commits of the default branch, newest first. */
async function* historyOf(
  contexts: readonly string[],
  { github, run: { repository } }: AgentPorts,
): AsyncGenerator<GitHubReply<HistoryCommit>> {
  let after: string | null = null
  for (let page = 0; page < historyPages; page++) {
    const read: Awaited<ReturnType<typeof github.history>> = await github.history(repository, contexts, after)
    if (!read.ok) return yield read
    for (const value of read.value.commits) yield { ok: true, value }
    after = read.value.next
    if (after === null) return
  }
}

/** This step's jobs on a commit. */
async function jobsOn(
  commit: string,
  contexts: readonly string[],
  ports: AgentPorts,
): Promise<GitHubReply<BranchJob[]>> {
  const statuses = await stepStatuses(commit, contexts, ports)
  if (!statuses.ok) return statuses
  const jobs: BranchJob[] = []
  for (const own of byRun(statuses.value).values()) {
    const { top, since } = fold(own)
    if (top === null || top.entry.follows !== 'branch' || top.entry.job === null) continue
    const { job, state } = top.entry
    const isGood = await hasEndedWell({ ...top.entry, job }, ports)
    jobs.push({ commit, job, isGood, begunAt: since, endedAt: state === 'job' ? null : top.createdAt })
  }
  return { ok: true, value: jobs }
}

/** Whether a job has ended well or is still active. One that its run left and that cannot be polled counts as active. */
async function hasEndedWell(
  { state, job, link }: { state: string; job: string; link: string | null },
  ports: AgentPorts,
): Promise<boolean> {
  if (state !== 'job') return state !== 'error' && !hasNoResult({ state, link })
  const read = await ports.mintlify.readConfirmedJob(job)
  if (!read.ok) return !isGone(read)
  const outcome = outcomeOfJob(read.value)
  return outcome === undefined || !hasNoResult({ state: outcome, link: read.value.link })
}

/** The pull requests that are documented, from signed comments on them. */
async function documentedAmong(
  pulls: readonly MergedPull[],
  ports: AgentPorts,
): Promise<Documented[] | Ended> {
  if (pulls.length === 0) return []
  const read = await recentEntries('issues', ports)
  if (!read.ok) return unread('pull-requests', read.failure)
  if (read.value.isCut) ports.log(say.commentsCut(ports.run.repository))
  const threads = Map.groupBy(read.value.items, ({ thread }) => thread.number)
  const found: Documented[] = []
  for (const pull of pulls) {
    const documented = await documentedOf(pull, threads.get(pull.number) ?? [], ports)
    if (documented !== null) found.push(documented)
  }
  return found
}
