/** What an event says about a change, and who caused it. The payload is outside text. */
import type { CodePull } from '../hold.ts'
import type { SkipReason, ThinPayload } from '../problems.ts'
import { isSameName, oneLine } from '../text.ts'
import type { Repository, Thread } from '../thread.ts'
import { isFork, type Payload, payloadWith, type WorkflowEvent } from './event.ts'

/** How to ask GitHub for the files of a change. */
export type Range =
  | { by: 'compare'; base: string; head: string }
  /** For a first push, which has no commit to compare with, and for the last commit of an upstream run. */
  | { by: 'commit'; sha: string }
  | { by: 'pull'; number: number }

/** The change of an event. */
export interface Change extends Repository {
  /** Its last commit; for a merged pull request, the merge commit. */
  head: string
  /** The branch of the push or upstream run, or the base branch of the pull request. */
  branch: string
  range: Range
  /** The commits of a push, the last one of an upstream run, or the merge commit; empty for an open pull request. */
  commits: string[]
  /** First lines of the commits' messages, or the pull request's title. */
  subjects: string[]
  author: string | null
  /** Whether the author is a bot. */
  isByBot: boolean
  /** The pull request of the event, or the one that brought a push; null if none is known. */
  number: number | null
  /** Whether it is an unmerged pull request. The commit of a merged one can still be its last one: a fast-forward. */
  isOpen: boolean
  /** Empty unless the event is a pull request's. */
  defaultBranch: string
  /** Whether it is a tag, which does not change files. */
  isTag: boolean
  /** The run that a `workflow_run` follows; null for all other events. */
  upstreamRun: number | null
}

/** A change that one of the agent's pull requests documents. */
export type DocumentedChange = Pick<Change, keyof Repository | 'head' | 'number' | 'author'>

/** The source and the subject of a request. */
export interface Origin {
  /** The thread that gets the result; null for a commit. */
  thread: Thread | null
  change: DocumentedChange | null
  /** Login of the requester; null if there is none. */
  requester: string | null
  /** Whether the requester is a bot, which cannot review. */
  isBot: boolean
  /** The code's pull request, and what the agent's pull request waits for. */
  code: CodePull | null
}

/** Makes a change from its known fields. The others are null or empty. */
export function newChange(
  known: Pick<Change, keyof Repository | 'head' | 'branch' | 'range'> & Partial<Change>,
) {
  return {
    commits: [],
    subjects: [],
    author: null,
    isByBot: false,
    number: null,
    isOpen: false,
    defaultBranch: '',
    isTag: false,
    upstreamRun: null,
    ...known,
  }
}

/** The branch of a schedule or a manual run. */
export interface Branch {
  name: string
  isDefault: boolean
}

/** A change, or why there is none. */
export type ChangeOrReason = Change | SkipReason | ThinPayload

/** Maximum number of subjects in the prompt. */
export const subjectLimit = 50

/** Reads the change of a `push` event. */
export function readPush(event: WorkflowEvent): ChangeOrReason {
  const payload = payloadWith(event, 'repository', 'ref', 'before', 'after')
  if ('kind' in payload) return payload
  const { ref, before, after, commits = [] } = payload
  const branch = branchOf(ref)
  if (payload.deleted) return { kind: 'branch-deleted', branch }
  if (ref.startsWith('refs/heads/gh-readonly-queue/')) return { kind: 'merge-queue' }
  return newChange({
    ...event.home,
    head: after,
    branch,
    range: pushRange(before, after, branch, payload.repository.default_branch),
    commits: commits.map(({ id }) => id),
    subjects: commits.slice(0, subjectLimit).map(({ message }) => subjectOf(message)),
    author: payload.sender?.login ?? payload.pusher?.name ?? null,
    isByBot: payload.sender?.type === 'Bot',
    isTag: ref.startsWith('refs/tags/'),
  })
}

/** Reads the change of a `pull_request` event. */
export function readPullRequest(event: WorkflowEvent): ChangeOrReason {
  const payload = payloadWith(event, 'action', 'repository', 'pull_request')
  if ('kind' in payload) return payload
  const { action, pull_request: pull } = payload
  // A private repository may pass its secrets to a run for a fork's pull request.
  if (isFork(event)) return { kind: 'fork', subject: 'pull-request' }
  const { number, merged } = pull
  if (action === 'closed' && merged !== true) return { kind: 'unmerged' }
  // Until the merge, GitHub's field has the commit of a test merge.
  const mergeCommit = (merged === true && pull.merge_commit_sha) || null
  return newChange({
    ...event.home,
    head: mergeCommit ?? pull.head.sha,
    commits: mergeCommit === null ? [] : [mergeCommit],
    branch: pull.base.ref,
    defaultBranch: payload.repository.default_branch ?? 'the default branch',
    range: { by: 'pull', number },
    subjects: [subjectOf(pull.title)],
    author: pull.user?.login ?? null,
    isByBot: pull.user?.type === 'Bot',
    number,
    isOpen: merged !== true,
  })
}

/**
 * Reads the change that the upstream run of a `workflow_run` event was about. This event gets secrets even if a fork
 * started the upstream run. So the upstream run must have succeeded, and a push or a pull request of this repository
 * must have started it.
 */
export function readWorkflowRun(event: WorkflowEvent): ChangeOrReason {
  const payload = payloadWith(event, 'repository', 'workflow_run')
  if ('kind' in payload) return payload
  const { repository, workflow_run: run } = payload
  if (run.event !== 'push' && run.event !== 'pull_request')
    return { kind: 'upstream-event', event: run.event }
  if (!run.head_repository || run.head_repository.id !== repository.id)
    return { kind: 'fork', subject: 'upstream-run' }
  if (run.conclusion !== 'success') return { kind: 'upstream-failed' }
  const { head_sha: head, head_commit: commit } = run
  return newChange({
    ...event.home,
    head,
    branch: run.head_branch ?? '',
    range: { by: 'commit', sha: head },
    commits: [head],
    subjects: commit ? [subjectOf(commit.message)] : [],
    author: run.actor?.login ?? null,
    isByBot: run.actor?.type === 'Bot',
    upstreamRun: run.id,
  })
}

/** Reads the branch of a schedule or manual run. A schedule has no ref: it runs on the default branch (GitHub's docs). */
export function readBranch({ ref, repository }: Payload) {
  const defaultBranch = repository?.default_branch
  if (!ref) return { name: defaultBranch ?? 'the default branch', isDefault: true }
  return { name: branchOf(ref), isDefault: ref === `refs/heads/${defaultBranch}` }
}

/** Whether GitHub itself names an account as the cause of an event: as sender, pusher, author of the pull request, or actor. */
export function isCausedBy({ payload }: WorkflowEvent, login: string) {
  const accounts = [
    payload.sender?.login,
    payload.pusher?.name,
    payload.pull_request?.user?.login,
    payload.workflow_run?.actor?.login,
  ]
  return accounts.some((account) => isSameName(account, login))
}

/** A range of commits, as people write it. */
export function rangeText({ range, head }: Change) {
  switch (range.by) {
    case 'compare':
      return `${shortSha(range.base)}…${shortSha(range.head)}`
    case 'commit':
      return `commit ${shortSha(range.sha)}`
    case 'pull':
      return `pull request #${range.number}, at ${shortSha(head)}`
  }
}

function shortSha(sha: string) {
  if (/^[0-9a-f]{40,64}$/.test(sha)) return sha.slice(0, 10)
  return oneLine(sha, 100)
}

/** A new branch is compared with the default branch; a first push cannot be compared (GitHub's docs). */
function pushRange(before: string, after: string, branch: string, defaultBranch?: string): Range {
  if (!/^0+$/.test(before)) return { by: 'compare', base: before, head: after }
  if (defaultBranch === undefined || branch === defaultBranch) return { by: 'commit', sha: after }
  return { by: 'compare', base: defaultBranch, head: after }
}

function branchOf(ref: string) {
  return ref.replace(/^refs\/(heads|tags)\//, '')
}

/** The first line of a message or title. */
export function subjectOf(message: string) {
  const [firstLine = ''] = message.split(/\r?\n/, 1)
  return oneLine(firstLine, 200)
}
