/** On a schedule or manual run: everything new on the default branch since this step's last job. */
import type { AgentInputs, RunInputs } from '../core/inputs/schema.ts'
import { outcomeOfJob } from '../core/job/job.ts'
import { isMissing } from '../core/job/response.ts'
import { type ChangeContext, joinContexts } from '../core/prompt/prompt.ts'
import { hasNoResult, type RequestRecord } from '../core/record.ts'
import {
  commitAt,
  commitsSince,
  type HistoryCommit,
  hasProcessedPrompt,
  leaveAloneNote,
  type MergedPull,
  newsIn,
  pullsIn,
} from '../core/since-last.ts'
import { stateOfRun } from '../core/status.ts'
import { newChange } from '../core/trigger/change.ts'
import { dayMs } from '../core/units.ts'
import { isAuthoredBy, readContext } from './change.ts'
import { recentMarks } from './comments.ts'
import { type CommitRequestRef, findStatuses } from './commit-store.ts'
import { type Documented, documentedOf } from './documented.ts'
import { type Ended, noChange, unread } from './ended.ts'
import { readJob } from './jobs.ts'
import type { AgentPorts, GitHubPorts, GitHubReply } from './ports.ts'

const firstPeriod = 7 * dayMs
/** Maximum number of pages with a hundred commits to search for the last job. */
const historyPages = 10
/** Maximum number of commits whose statuses are read. If a step also runs on pushes, many commits have its statuses. */
const readLimit = 200
/** How far back to read comments about existing docs, in milliseconds. */
const lookBack = 28 * dayMs

/** The diff since the last job's commit, with a note about what is already documented. */
export async function readSinceLast(
  branch: string,
  ref: CommitRequestRef,
  inputs: AgentInputs,
  ports: AgentPorts,
): Promise<ChangeContext | Ended> {
  const { repository, commit: head } = ref
  const found = await findLast(inputs, ref, ports)
  if (!found.ok) return unread('history', found.rejection)
  const { history, last } = found.value
  const start = last?.commit ?? commitAt(history, head, ports.clock.date() - firstPeriod)
  const commits = commitsSince(history, start, head)
  const place = `${branch} since ${start.slice(0, 10)}`
  if (commits.length === 0) return noChange(`nothing is new on ${place}`)
  const job = last?.job ?? null
  ports.onProgress({ type: 'since-last', branch, commit: start, job, commits: commits.length })
  const isOwn = isAuthoredBy(inputs.agentLogin)
  const others = pullsIn(commits).filter((pull) => !isOwn(pull))
  const documented = await documentedAmong(others, repository, inputs, ports)
  if ('kind' in documented) return documented
  const { subjects, own, isDone } = newsIn(commits, isOwn, new Set(documented.map(({ number }) => number)))
  if (isDone) return noChange(`everything new on ${place} is documented`)
  const range = { by: 'compare', base: start, head } as const
  const context = await readContext(
    newChange({ repository, head, branch, range, subjects }),
    { paths: inputs.contextPaths },
    ports,
  )
  if ('kind' in context) return context.kind === 'ended' ? context : noChange(context.reason)
  if (documented.length + own.length === 0) return context
  return joinContexts(leaveAloneNote(documented, own), context)
}

/**
 * Searches the branch for the newest commit with a job of this step that has not failed. @returns the history, newest
 * first, at least back to that commit
 */
async function findLast(
  inputs: RunInputs,
  ref: CommitRequestRef,
  ports: AgentPorts,
): Promise<GitHubReply<{ history: HistoryCommit[]; last: { commit: string; job: string } | null }>> {
  const history: HistoryCommit[] = []
  let reads = 0
  for await (const read of historyOf(ref, ports.github)) {
    if (!read.ok) return read
    history.push(read.value)
    const commit = read.value.sha
    // A commit with one of the step's other contexts also has its first context, so `isMarked` is enough.
    if (!read.value.isMarked || ++reads > readLimit) continue
    const job = await jobOn({ ...ref, commit }, inputs, ports)
    if (!job.ok) return job
    if (job.value !== null) return { ok: true, value: { history, last: { commit, job: job.value } } }
  }
  return { ok: true, value: { history, last: null } }
}

/** The commits of the default branch, newest first. */
async function* historyOf(
  { repository, context }: CommitRequestRef,
  github: GitHubPorts,
): AsyncGenerator<GitHubReply<HistoryCommit>> {
  let after: string | null = null
  for (let page = 0; page < historyPages; page++) {
    const read: Awaited<ReturnType<GitHubPorts['history']>> = await github.history(repository, context, after)
    if (!read.ok) return yield read
    for (const commit of read.value.commits) yield { ok: true, value: commit }
    after = read.value.next
    if (after === null) return
  }
}

/**
 * This step's job on a commit, if it processed the commit's changes; otherwise null.
 */
async function jobOn(
  ref: CommitRequestRef,
  inputs: RunInputs,
  ports: AgentPorts,
): Promise<GitHubReply<string | null>> {
  const statuses = await findStatuses(ref, ports)
  if (!statuses.ok) return statuses
  const marks = statuses.value
    .flatMap(({ mark }) => mark ?? [])
    .filter(({ isSigned, follows }) => isSigned && follows === 'branch')
  for (const run of new Set(marks.map((mark) => mark.run))) {
    const known = stateOfRun(run, marks)
    if (known.kind !== 'record' || !hasProcessedPrompt(known.record)) continue
    const job = 'job' in known.record ? known.record.job : null
    if (job !== null && !(await hasFailedSince(known.record, job, inputs, ports)))
      return { ok: true, value: job }
  }
  return { ok: true, value: null }
}

/** Whether a job has failed since its run left it. If it cannot be polled, it counts as active. */
async function hasFailedSince(
  { state }: RequestRecord,
  job: string,
  { projectId }: RunInputs,
  ports: AgentPorts,
): Promise<boolean> {
  if (state !== 'job') return false
  const read = await readJob(projectId, job, ports)
  if (!read.ok) return isMissing(read.failure)
  const outcome = outcomeOfJob(read.value)
  return outcome !== undefined && hasNoResult({ outcome, prLink: read.value.prLink })
}

/** The pull requests that are documented, from signed comments on them. */
async function documentedAmong(
  pulls: readonly MergedPull[],
  repository: string,
  inputs: RunInputs,
  ports: AgentPorts,
): Promise<Documented[] | Ended> {
  if (pulls.length === 0) return []
  const marks = await recentMarks('issue', repository, inputs.projectId, ports.clock.date() - lookBack, ports)
  if (!marks.ok) return unread('pull-requests', marks.rejection)
  if (marks.value.isCut) ports.onProgress({ type: 'comments-cut', repository })
  const oldestFirst = marks.value.items.toSorted((one, other) => one.comment - other.comment)
  const threads = Map.groupBy(oldestFirst, ({ thread }) => thread.number)
  const found: Documented[] = []
  for (const pull of pulls) {
    const documented = await documentedOf(pull, threads.get(pull.number) ?? [], inputs, ports)
    if (documented !== null) found.push(documented)
  }
  return found
}
