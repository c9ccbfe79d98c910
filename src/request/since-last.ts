/** On a schedule or manual run: everything new on the default branch since this step's last job. */
import { replyWith } from '../core/http.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { fail, failToRead, skip } from '../core/outcome.ts'
import type { Accounts } from '../core/problems.ts'
import { addDocs, type PullDocs } from '../core/prompt/context.ts'
import { newChange, subjectLimit, subjectOf } from '../core/trigger/change.ts'
import { dayMs, minuteMs } from '../core/units.ts'
import { isGone, outcomeOfJob } from '../mintlify/jobs.ts'
import type { AgentPorts, HistoryCommit, PullFacts } from '../ports.ts'
import { fold, hasNoResult } from '../record/entry.ts'
import { statusContext } from '../record/format.ts'
import { byRun, entriesIn, lookBack, stepStatuses } from '../record/lists.ts'
import { say } from '../say/messages.ts'
import { readContext } from './change.ts'
import { docsOf, readSources } from './documented.ts'

const firstPeriod = 7 * dayMs
/** Maximum number of pages with a hundred commits to search for the last job. */
const historyPages = 10
/** Number of older jobs to read once a good one is found: if one of them failed, the good one may lack its changes. */
const olderLimit = 20

/** A run knows only failures that were reported this long before it began, in milliseconds. */
const reportMargin = 2 * minuteMs

/** One of this step's jobs on the branch. Times are in milliseconds since the epoch. */
export interface BranchJob {
  commit: string
  job: string
  /** Whether it ended well or is active. */
  isGood: boolean
  begunAt: number
  /** When its end was reported; null if that is unknown. */
  endedAt: number | null
  /** Not null if another account recorded it. */
  accounts: Accounts | null
}

/** The diff since the last job's commit, with a note about what is already documented. */
export async function readSinceLast(inputs: AgentInputs, ports: AgentPorts) {
  const { repository, repositoryId, commit: head } = ports.run
  const search = await findJobs(ports)
  if (!search.ok) return failToRead('history', search.failure)
  const { branch, history, jobs } = search.value
  const accounts = jobs[0]?.accounts ?? null
  // Otherwise, everything would be sent again.
  if (accounts !== null)
    return fail({ kind: 'gave-up', why: 'other-last-job', project: inputs.projectId, accounts })
  const ownJobs = jobs.filter((job) => job.accounts === null)
  const last = lastJob(history, ownJobs)
  const first = history.findLast(({ date }) => date >= ports.clock.date() - firstPeriod)
  const start = last?.commit ?? first?.parent ?? first?.sha ?? head
  const news = commitsSince(history, start, head)
  if (news.length === 0) return skip({ kind: 'nothing-new', branch, since: start })
  ports.log(say.sinceLast({ branch, commit: start, job: last?.job ?? null, commits: news.length }))
  const range = { by: 'compare', base: start, head } as const
  const commits = news.map(({ sha }) => sha)
  const subjects = news
    .slice(0, subjectLimit)
    .map(({ subject }) => subjectOf(subject))
    .reverse()
  const change = newChange({ repository, repositoryId, head, branch, range, commits, subjects })
  const reply = await readSources(change, inputs.agentLogin, ports.github)
  if (!reply.ok) return failToRead('history', reply.failure)
  const sources = reply.value
  const docs = await docsAmong(sources.others, ports)
  if ('kind' in docs) return docs
  if (sources.areFrom([...sources.own, ...docs]))
    return skip({ kind: 'all-documented', branch, since: start })
  const context = await readContext(change, { paths: inputs.contextPaths }, ports)
  if (!('kind' in context)) return addDocs(context, docs, sources.own)
  if (context.kind === 'stop') return context
  return skip(context)
}

/**
 * The newest good job that leaves no gap: each failed job on its commit, or on an older one, had been reported before it
 * began, so it sent those changes again. undefined if there is none.
 * @param history the branch's commits, newest first
 * @param jobs in the order of their commits
 */
export function lastJob(history: readonly HistoryCommit[], jobs: readonly BranchJob[]) {
  const failures = jobs.filter(({ isGood }) => !isGood)
  const knows = ({ begunAt }: BranchJob, { endedAt }: BranchJob) =>
    endedAt !== null && begunAt > endedAt + reportMargin
  return jobs.find(
    (job) =>
      job.isGood &&
      failures.every(
        (failure) => ageOf(failure.commit, history) < ageOf(job.commit, history) || knows(job, failure),
      ),
  )
}

/** How many known commits are newer than a commit; -1 if the commit is not known. */
function ageOf(commit: string, history: readonly HistoryCommit[]) {
  return history.findIndex(({ sha }) => sha === commit)
}

/** The commits after `start`, up to `head`; none if `head` does not follow `start`. */
export function commitsSince(history: readonly HistoryCommit[], start: string, head: string) {
  // The age -1 of an unknown `start` ends the slice before the oldest known commit.
  return history.slice(ageOf(head, history), ageOf(start, history))
}

/**
 * The default branch, and this step's jobs on it, newest first. The history goes back until enough jobs are known, but
 * over at most a thousand commits.
 */
async function findJobs(ports: AgentPorts) {
  const { github, run } = ports
  let branch = ''
  const history: HistoryCommit[] = []
  const jobs: BranchJob[] = []
  // Scheduled and manual runs document the same branch.
  const contexts = ['schedule', 'workflow_dispatch'].map((event) => statusContext(run.step, event))
  let after: string | null = null
  for (let pages = 0; pages < historyPages && !isEnough(jobs); pages++) {
    const page: Awaited<ReturnType<typeof github.history>> = await github.history(
      run.repository,
      contexts,
      after,
    )
    if (!page.ok) return page
    const { commits, next } = page.value
    branch = page.value.branch
    history.push(...commits)
    for (const { sha } of commits.filter(({ isMarked }) => isMarked)) {
      if (isEnough(jobs)) break
      const ownJobs = await jobsOn(sha, contexts, ports)
      if (!ownJobs.ok) return ownJobs
      jobs.push(...ownJobs.value)
    }
    if (next === null) break
    after = next
  }
  return replyWith({ branch, history, jobs })
}

/** Whether no older jobs are needed. @param jobs newest first */
function isEnough(jobs: readonly BranchJob[]) {
  const last = jobs.findIndex(({ isGood }) => isGood)
  return last >= 0 && jobs.length > last + olderLimit
}

/** This step's jobs on a commit, also those that another account recorded. */
async function jobsOn(commit: string, contexts: readonly string[], ports: AgentPorts) {
  const statuses = await stepStatuses(commit, contexts, ports)
  if (!statuses.ok) return statuses
  const jobs: BranchJob[] = []
  for (const entries of byRun(statuses.value).values()) {
    const { top, since, accounts } = fold(entries)
    if (top === null) continue
    const { follows, job, state } = top.entry
    if (follows !== 'branch' || job === null) continue
    const isActive = state === 'job' && accounts === null
    const isGood = isActive ? await isPolledGood(job, ports) : state !== 'error' && !hasNoResult(top.entry)
    jobs.push({ commit, job, isGood, begunAt: since, endedAt: isActive ? null : top.createdAt, accounts })
  }
  return replyWith(jobs)
}

/** Whether a job that its run left has ended well or is still active. One that cannot be polled counts as active. */
async function isPolledGood(job: string, { mintlify }: AgentPorts) {
  const poll = await mintlify.readConfirmedJob(job)
  if (!poll.ok) return !isGone(poll)
  return !hasNoResult({ state: outcomeOfJob(poll.value) ?? 'job', link: poll.value.link })
}

/** The pull requests that are documented, from signed comments on them. */
async function docsAmong(pulls: readonly PullFacts[], ports: AgentPorts) {
  if (pulls.length === 0) return []
  const reply = await ports.github.recentComments(ports.run, 'issues', ports.clock.date() - lookBack)
  if (!reply.ok) return failToRead('pull-requests', reply.failure)
  const entries = entriesIn(reply.value.items, ports.sign)
  const docs: PullDocs[] = []
  for (const pull of pulls) {
    const onThread = entries.filter(({ thread }) => thread.number === pull.number)
    docs.push(...(await docsOf(pull, onThread, ports)))
  }
  return docs
}
