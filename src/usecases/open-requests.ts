/** Which jobs earlier runs left open, on threads and on commits, and how the end of each is told. */
import type { SettleInputs } from '../core/inputs/inputs.ts'
import { type FoundMark, type Mark, projectName, readMark, standingOf } from '../core/mark.ts'
import { failsByDefault } from '../core/outcome.ts'
import type { AgentResult } from '../core/progress.ts'
import type { OpenJob } from '../core/settle.ts'
import { isOwnContext, readStatus, stepOfContext } from '../core/status.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { tellAgentsPull } from './command.ts'
import { type CommentPorts, findMarks, warnOnRefusal } from './comments.ts'
import { type CommitMemoryPorts, createCommitMemory, findStatuses } from './commit-memory.ts'
import type { FoundComment, FoundStatus, GitHubPorts, GitHubReply } from './ports.ts'
import { type ProvenanceWords, tellPullRequests } from './provenance.ts'
import { ThreadMemory, type ThreadRequestRef, type ThreadWords } from './thread-memory.ts'

export interface OpenRequestPorts extends CommentPorts {
  github: GitHubPorts
  /** What a thread is told about a request on it. */
  wordsFor(ref: ThreadRequestRef): ThreadWords & ProvenanceWords
  words: ProvenanceWords
  statusWords: CommitMemoryPorts['statusWords']
  /** `GITHUB_SERVER_URL`. */
  serverUrl: string
}

const minute = 60_000
/** How far back open marks are looked for. */
const lookBack = 28 * 24 * 60 * minute
/** What is younger may belong to a run that is at work. */
const youth = 10 * minute

/** How the end of a job was told. `elsewhere`: another run told it. */
export type Told = 'settled' | 'untold' | 'elsewhere'

/** An open request: its job, and how its end is told. */
export interface OpenRequest extends OpenJob {
  tell(result: AgentResult): Promise<Told>
}

export interface FoundRequests {
  requests: OpenRequest[]
  /** Whether a list at GitHub was too long to be read to its end. */
  isCut: boolean
}

/** The open marks of the project: on threads, and on commits. Only those of the token's own account count. */
export async function findOpen(
  inputs: SettleInputs,
  repository: string,
  ports: OpenRequestPorts,
): Promise<GitHubReply<FoundRequests>> {
  const { github, clock } = ports
  const since = clock.date() - lookBack
  // It tells the viewer, too.
  const statuses = await github.recentStatuses(repository)
  if (!statuses.ok) return statuses
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const issues = await github.recentComments(repository, 'issue', since)
  if (!issues.ok) return issues
  const reviews = await github.recentComments(repository, 'review', since)
  if (!reviews.ok) return reviews
  const comments = [...issues.value.items, ...reviews.value.items].filter(
    ({ author }) => author === viewer.value,
  )
  const onThreads = await openOnThreads(comments, inputs, repository, ports)
  const onCommits = statuses.value.items
    .filter(({ creator, createdAt }) => creator === viewer.value && createdAt >= since)
    .flatMap((status) => onCommit(status, inputs, repository, ports) ?? [])
  return {
    ok: true,
    value: {
      requests: [...onThreads, ...onCommits],
      isCut: issues.value.isCut || reviews.value.isCut || statuses.value.isCut,
    },
  }
}

async function openOnThreads(
  comments: readonly (FoundComment & { thread: Thread })[],
  { projectId, dryRun }: SettleInputs,
  repository: string,
  ports: OpenRequestPorts,
): Promise<OpenRequest[]> {
  const open: OpenRequest[] = []
  const replies = comments
    .toSorted((one, other) => one.id - other.id)
    .flatMap(({ thread, ...comment }) => {
      const found = readMark(comment, threadName(thread), ports.sign)
      return found?.isSigned && isReply(found.mark, projectId) ? [{ thread, ...found }] : []
    })
  const requests = Map.groupBy(replies, ({ thread, mark: { request, step } }) =>
    [threadName(thread), request, step].join(' '),
  )
  for (const [first, ...others] of requests.values()) {
    if (first === undefined) continue
    const { thread } = first
    const marks = [first, ...others]
    const standing = standingOf(first.mark, marks)
    const working = marks.find(({ comment }) => comment === standing.working)
    if (standing.kind !== 'job' || standing.job === null) continue
    if (working !== undefined) open.push(onThread(thread, working.mark, standing.job, repository, ports))
    else if (standing.result !== null && !dryRun)
      await removeOld(
        thread,
        marks.filter(({ comment }) => standing.spare.includes(comment)),
        ports,
      )
  }
  return open
}

function isReply({ role, project }: Mark, projectId: string): boolean {
  return role === 'reply' && project === projectName(projectId)
}

/** A run that was killed, while another one told the result, left comments behind that the result replaces. */
async function removeOld(
  thread: Thread,
  spare: readonly FoundMark[],
  ports: OpenRequestPorts,
): Promise<void> {
  const tell = warnOnRefusal(thread, ports)
  for (const { comment, createdAt } of spare)
    if (ports.clock.date() - createdAt > youth) await tell('delete', ports.github.remove(thread, comment))
}

function onThread(
  thread: Thread,
  { request, step, project, since, by }: Mark,
  job: string,
  repository: string,
  ports: OpenRequestPorts,
): OpenRequest {
  const [, comment] = /^comment:(\d+)$/.exec(request) ?? []
  const ref: ThreadRequestRef = {
    thread,
    comment: comment === undefined ? null : Number(comment),
    request,
    step,
    project,
    since,
    by,
  }
  return {
    job,
    since,
    link: { kind: 'thread', repository, thread, request },
    async tell(result) {
      // Time has passed since the list was read.
      const marks = await warnOnRefusal(thread, ports)('read', findMarks(thread, ports))
      if (marks === undefined) return 'untold'
      const standing = standingOf(ref, marks)
      if (standing.job !== job || standing.working === null) return 'elsewhere'
      const words = ports.wordsFor(ref)
      const memory = new ThreadMemory(ref, { ...ports, words, save: () => {} })
      // A result that is told already is corrected, also if it shows a failure.
      await memory.takeOver({ ...standing, isSpent: false })
      // The mark is closed last, so that a run that is killed leaves all of this to the next one.
      await tellAgentsPull(result, ref, { ...ports, words, isShared: true })
      return (await memory.close(result)) ? 'settled' : 'untold'
    },
  }
}

/** The request of a status; null if it is not open. */
function onCommit(
  status: FoundStatus & { commit: string },
  { projectId, failOn }: SettleInputs,
  repository: string,
  ports: OpenRequestPorts,
): OpenRequest | null {
  const { commit, context, createdAt: since, targetUrl } = status
  const mark = isOwnContext(context) ? readStatus(status, projectId) : null
  if (mark === null || mark.job === null || mark.state !== 'job') return null
  const { job, run, hasChange } = mark
  const ref = {
    repository,
    commit,
    run,
    context,
    owner: { project: projectId, hasChange },
    runUrl: targetUrl,
    failOn: new Set([...failsByDefault, ...failOn]),
  }
  return {
    job,
    since,
    link: { kind: 'commit', repository, commit },
    async tell(result) {
      // Time has passed since the list was read, and a later run may be at work on the commit.
      const now = await findStatuses(ref, ports)
      if (!now.ok) {
        ports.onProgress({ type: 'status-failed', commit, refusal: now.refusal })
        return 'untold'
      }
      const [latest] = now.value
      if (latest?.state !== 'job' || latest.job !== job || latest.run !== run) return 'elsewhere'
      const documented = hasChange ? await changeOf(repository, commit, ports) : null
      const provenance = {
        request: `run:${run}`,
        step: stepOfContext(context, projectId),
        project: projectName(projectId),
        since,
      }
      // The mark is closed last, so that a run that is killed leaves all of this to the next one.
      await tellPullRequests(
        result,
        documented,
        provenance,
        { ...ports, repository, projectId },
        {
          ...ports,
          isShared: true,
        },
      )
      return (await createCommitMemory(ref, ports).close(result)) ? 'settled' : 'untold'
    },
  }
}

/** The change that ends in a commit, and the pull request that it came by. */
async function changeOf(repository: string, head: string, { github }: OpenRequestPorts) {
  const pulls = await github.pullsOf(repository, head)
  const all = pulls.ok ? pulls.value : []
  const pull = all.find(({ mergeCommit }) => mergeCommit === head) ?? (all.length === 1 ? all[0] : undefined)
  return { repository, head, number: pull?.number ?? null, author: pull?.author ?? null }
}
