/** What the action leaves on the pull requests concerned: which job is behind one, and where a change is documented. */
import { pullRequestThread } from '../core/job/job.ts'
import { type DocumentedChange, type Mark, stateFields } from '../core/mark.ts'
import type { AgentResult } from '../core/progress.ts'
import { isSameRepository, type Thread, threadName } from '../core/thread.ts'
import { bodyOf, type CommentPorts, findMarks, type MarkedText, putMarked } from './comments.ts'
import type { GitHubReply } from './ports.ts'

export interface PullWords {
  /** On the agent's pull request: which change it documents, if there is one. */
  provenance(result: AgentResult, change: DocumentedChange | null): string
  /** On the pull request of a change: where its documentation is. */
  documentation(prLink: string, changes: AgentResult['changes']): string
}

export interface PullPorts extends CommentPorts {
  words: PullWords
  /** The jobs whose pull requests this step has introduced: GitHub's lists might not show that yet. */
  introduced?: Set<string>
  /** `GITHUB_SERVER_URL`. */
  serverUrl: string
}

/** The request that a comment belongs to. */
export type RequestRef = Pick<Mark, 'request' | 'step' | 'project' | 'since'>

/** The source and subject of a request. */
export interface Origin {
  /** `owner/name` of the repository that the workflow runs in. */
  repository: string
  /** The thread that the result is reported on; null for a commit. */
  thread: Thread | null
  change: DocumentedChange | null
}

/**
 * Comments on the pull requests concerned: on the agent's own, which job and change are behind it, so that a command there goes to
 * the job; on the change's, where its documentation is. A rejected comment costs a line in the log.
 */
export async function announce(
  result: AgentResult,
  { repository, thread, change }: Origin,
  ref: RequestRef,
  ports: PullPorts,
): Promise<void> {
  const prLink = result.job?.prLink ?? null
  if (prLink === null || result.delivery !== 'sent') return
  const pull = pullRequestThread(prLink, ports.serverUrl)
  const isOwnThread = thread !== null && pull !== null && threadName(thread) === threadName(pull)
  // In another repository, a workflow's token has no access.
  if (pull !== null && !isOwnThread && isSameRepository(pull, { ...pull, repository }))
    await introduce(pull, result, change, ref, ports)
  if (change !== null && change.number !== null)
    await linkDocumentation(change.repository, change.number, prLink, result, ref, ports)
}

/** Posts the one comment on the agent's pull request. It is never rewritten: people get one mail. */
async function introduce(
  thread: Thread,
  result: AgentResult,
  change: DocumentedChange | null,
  ref: RequestRef,
  ports: PullPorts,
): Promise<void> {
  const { jobId, job } = result
  if (jobId === null || ports.introduced?.has(jobId)) return
  const marks = await findMarks(thread, ports)
  // If the thread cannot be read, the comment may be there already.
  if (!marks.ok) return leaveOut(thread, marks, ports)
  const own = marks.value.filter(
    ({ mark, isSigned }) =>
      isSigned && mark.role === 'provenance' && mark.job === jobId && mark.project === ref.project,
  )
  if (own.some(({ isBound }) => isBound)) return
  const mark = {
    ...ref,
    ...stateFields({ state: 'job', job: jobId, isLeft: true }),
    role: 'provenance' as const,
    prLink: job?.prLink ?? null,
    by: null,
    changes: change === null ? [] : [change],
  }
  const marked: MarkedText = { text: ports.words.provenance(result, change), mark }
  const lost = own.find(({ body }) => body === bodyOf(thread, 0, marked, ports))
  leaveOut(thread, await putMarked(thread, lost?.comment ?? null, marked, ports), ports)
  ports.introduced?.add(jobId)
}

/** Keeps one comment on a change's pull request: where its documentation is. */
async function linkDocumentation(
  repository: string,
  number: number,
  prLink: string,
  { changes }: AgentResult,
  ref: RequestRef,
  ports: PullPorts,
): Promise<void> {
  const thread = { repository, number, isPullRequest: true, reviewRoot: null }
  const marks = await findMarks(thread, ports)
  if (!marks.ok) return leaveOut(thread, marks, ports)
  const own = marks.value.find(
    ({ mark, isSigned, isBound }) => isSigned && isBound && mark.role === 'link' && mark.step === ref.step,
  )
  const mark = {
    ...ref,
    ...stateFields({ state: 'ended', outcome: 'pull-request', job: null, prLink }),
    role: 'link' as const,
    by: null,
  }
  const marked: MarkedText = { text: ports.words.documentation(prLink, changes), mark }
  leaveOut(thread, await putMarked(thread, own?.comment ?? null, marked, ports), ports)
}

/** A comment that GitHub rejects is left out. */
function leaveOut(thread: Thread, reply: GitHubReply<unknown>, { onProgress }: PullPorts): void {
  if (!reply.ok) onProgress({ type: 'unannounced', thread, refusal: reply.refusal })
}
