/**
 * Payloads of GitHub's events, according to its documented schema ("Webhook events and payloads"), with only the fields
 * that the action uses.
 */
import type { WorkflowEvent } from '../src/core/trigger/event.ts'
import { type Commit, commitsBetween } from './github/commits.ts'
import { accountId } from './github/views.ts'

export interface CommentOptions {
  body?: string | null
  author?: string | null
  sender?: string
  action?: 'created' | 'edited' | 'deleted'
  id?: number
  number?: number
  isPullRequest?: boolean
  repository?: string
  /** The pull request's last commit. */
  head?: string
  /** The title and text of the issue or pull request. */
  title?: string
  text?: string | null
  /** GitHub's `author_association`. Strangers can get one, such as `CONTRIBUTOR`, so nothing must depend on it. */
  association?: string
}

const account = (login: string) => ({
  login,
  id: accountId(login),
  type: login.endsWith('[bot]') ? 'Bot' : 'User',
})

function shared(options: CommentOptions) {
  const {
    action = 'created',
    repository = 'acme/docs',
    author = 'mona',
    sender = author ?? 'ghost',
  } = options
  return { action, repository: { ...repositoryOf(repository), private: false }, sender: account(sender) }
}

function comment({
  id = 1001,
  body = '/docs fix the install page',
  author = 'mona',
  association = 'MEMBER',
  number = 7,
  isPullRequest = false,
}: CommentOptions) {
  const page = `https://github.com/acme/docs/${isPullRequest ? 'pull' : 'issues'}/${number}`
  return {
    id,
    html_url: `${page}#issuecomment-${id}`,
    body,
    user: author && account(author),
    author_association: association,
  }
}

/** `issue_comment`, on an issue or on a pull request's conversation. */
export function issueComment(options: CommentOptions = {}): WorkflowEvent {
  const { number = 7, isPullRequest = false } = options
  const { title = 'The install page', text = 'It is wrong.' } = options
  const issue = {
    number,
    title,
    body: text,
    user: account('mona'),
    ...(isPullRequest && { pull_request: {} }),
  }
  const payload = { ...shared(options), issue, comment: comment(options) }
  return { name: 'issue_comment', actor: payload.sender.login, payload }
}

/** `pull_request_review_comment`, on a line of a change. */
export function reviewComment(
  options: CommentOptions & { replyTo?: number; path?: string; line?: number; hunk?: string } = {},
): WorkflowEvent {
  const { replyTo, path = 'docs/install.md', line = 12, hunk = '@@ -10,3 +10,3 @@\n-old\n+new' } = options
  const pullRequest = reviewedPull(options)
  const said = {
    ...comment({ ...options, isPullRequest: true }),
    html_url: `https://github.com/acme/docs/pull/${pullRequest.number}#discussion_r${options.id ?? 1001}`,
    path,
    line,
    diff_hunk: hunk,
    commit_id: pullRequest.head.sha,
    ...(replyTo && { in_reply_to_id: replyTo }),
  }
  const payload = { ...shared(options), comment: said, pull_request: pullRequest }
  return { name: 'pull_request_review_comment', actor: payload.sender.login, payload }
}

/** `pull_request_review`, submitted. */
export function reviewSubmitted(
  options: CommentOptions & { fork?: string; submittedAt?: string } = {},
): WorkflowEvent {
  const { body = '/docs fix the install page', author = 'mona', id = 1001, fork } = options
  const { submittedAt = '2026-11-02T10:00:00Z' } = options
  const pullRequest = reviewedPull(options, fork)
  const review = {
    id,
    html_url: `https://github.com/acme/docs/pull/${pullRequest.number}#pullrequestreview-${id}`,
    body,
    user: author && account(author),
    commit_id: pullRequest.head.sha,
    submitted_at: submittedAt,
  }
  const { action = 'submitted', ...payload } = { ...shared(options), action: options.action }
  return {
    name: 'pull_request_review',
    actor: payload.sender.login,
    payload: { action, ...payload, review, pull_request: pullRequest },
  }
}

/** The pull request in a review's payload. */
function reviewedPull(
  { number = 7, repository = 'acme/docs', head = 'b'.repeat(40), ...options }: CommentOptions,
  from = repository,
) {
  const { title = 'Install globally', text = 'The command is global now.' } = options
  return {
    number,
    title,
    body: text,
    user: account('mona'),
    head: { sha: head, repo: { full_name: from } },
    base: { repo: { full_name: repository } },
  }
}

export interface IssueOptions {
  action?: 'opened' | 'labeled' | 'unlabeled'
  number?: number
  title?: string
  body?: string | null
  /** The account that opened it. */
  user?: string
  /** The account that triggered the event. */
  sender?: string
  /** The label that was added or removed. */
  label?: string
  repository?: string
}

/** `issues`, labeled by default. */
export function issue(options: IssueOptions = {}): WorkflowEvent {
  const { action = 'labeled', number = 7, user = 'mona', sender = user, repository = 'acme/docs' } = options
  const { title = 'The install page', body = 'It is wrong.', label = 'docs' } = options
  const payload = {
    action,
    issue: {
      number,
      title,
      body,
      user: account(user),
      html_url: `https://github.com/${repository}/issues/${number}`,
    },
    ...(action !== 'opened' && { label: { name: label } }),
    repository: repositoryOf(repository),
    sender: account(sender),
  }
  return { name: 'issues', actor: sender, payload }
}

/** The `before` of a new ref, and the `after` of a deleted one. */
const noCommit = '0'.repeat(40)

export interface PushOptions {
  /** `refs/heads/main` by default. */
  ref?: string
  /** null for a new ref. */
  before?: Commit | null
  /** null for a deleted ref. */
  after?: Commit | null
  /** The listed commits; by default, those from `before` to `after`, or only the last commit of a new ref. */
  commits?: readonly Commit[]
  pusher?: string
  sender?: string
  repository?: string
}

/** Maximum number of commits in a push's payload (GitHub's docs, "Webhook events and payloads"). */
const mostPushed = 2048

/** `push` of a branch or tag. */
export function pushed(options: PushOptions = {}): WorkflowEvent {
  const { ref = 'refs/heads/main', before = null, after = null, repository = 'acme/app' } = options
  const { pusher = 'mona', sender = pusher, commits = commitsOf(before, after) } = options
  const listed = ref.startsWith('refs/tags/') ? [] : commits.slice(0, mostPushed)
  const payload = {
    ref,
    before: before?.sha ?? noCommit,
    after: after?.sha ?? noCommit,
    deleted: after === null,
    commits: listed.map(({ sha, message }) => ({ id: sha, message })),
    pusher: { name: pusher },
    repository: repositoryOf(repository),
    sender: account(sender),
  }
  return { name: 'push', actor: sender, payload }
}

export function tagPushed({ tag, ...options }: PushOptions & { tag: string; after: Commit }): WorkflowEvent {
  return pushed({ ...options, ref: `refs/tags/${tag}` })
}

export function branchDeleted({
  branch,
  ...options
}: PushOptions & { branch: string; before: Commit }): WorkflowEvent {
  return pushed({ ...options, ref: `refs/heads/${branch}`, after: null })
}

/** A push to a merge queue's branch, which fires `push` like a push to any other branch. */
export function mergeQueued({
  number,
  ...options
}: PushOptions & { number: number; after: Commit }): WorkflowEvent {
  const base = options.after.parents[0]?.sha ?? noCommit
  const ref = `refs/heads/gh-readonly-queue/main/pr-${number}-${base}`
  return pushed({ pusher: 'github-merge-queue[bot]', ...options, ref, before: null })
}

export interface PullRequestEventOptions {
  action?: 'opened' | 'synchronize' | 'closed' | 'labeled'
  number?: number
  /** The account that opened it. */
  user?: string
  /** The account that triggered the event; `user` by default. */
  sender?: string
  /** `repository` is the base's by default, and null if the fork was deleted. */
  head?: { branch?: string; sha?: string; repository?: string | null }
  /** The commit that the merge created on the base branch. */
  merged?: { sha: string }
  repository?: string
}

/** `pull_request`, from the same repository or from a fork. */
export function pullRequest(options: PullRequestEventOptions = {}): WorkflowEvent {
  const { action = 'opened', number = 12, user = 'mona', sender = user, repository = 'acme/app' } = options
  const { head = {}, merged } = options
  const from = head.repository === undefined ? repository : head.repository
  // null when a pull request is opened. Until the merge, it is the SHA of a test merge.
  const tested = action === 'opened' ? null : 'c'.repeat(40)
  const payload = {
    action,
    number,
    ...(action === 'labeled' && { label: { name: 'docs' } }),
    pull_request: {
      number,
      html_url: `https://github.com/${repository}/pull/${number}`,
      title: 'Add a flag',
      user: account(user),
      body: null,
      merged: merged !== undefined,
      merge_commit_sha: merged?.sha ?? tested,
      head: {
        ref: head.branch ?? 'topic',
        sha: head.sha ?? 'b'.repeat(40),
        repo: from && repositoryOf(from),
      },
      base: { ref: 'main', sha: 'a'.repeat(40), repo: repositoryOf(repository) },
    },
    repository: repositoryOf(repository),
    sender: account(sender),
  }
  return { name: 'pull_request', actor: sender, payload }
}

export interface ReleaseOptions {
  body?: string | null
  author?: string
  repository?: string
}

/** `release`, published. */
export function releasePublished(options: ReleaseOptions = {}): WorkflowEvent {
  const { body = null, repository = 'acme/app', author = 'mona' } = options
  const tag = 'v1.2.0'
  const payload = {
    action: 'published',
    release: { tag_name: tag, name: tag, body, prerelease: false },
    repository: repositoryOf(repository),
    sender: account(author),
  }
  return { name: 'release', actor: author, payload }
}

export interface DispatchOptions {
  /** The values as entered; null if the workflow has no inputs. */
  inputs?: Readonly<Record<string, unknown>> | null
  ref?: string
  sender?: string
  repository?: string
}

/** `schedule`, which has no sender. The actor is the person who last changed the workflow's schedule. */
export function scheduled(repository = 'acme/app'): WorkflowEvent {
  return { name: 'schedule', actor: 'mona', payload: { repository: repositoryOf(repository) } }
}

/** `workflow_dispatch`, a manual run. */
export function dispatched(options: DispatchOptions = {}): WorkflowEvent {
  const { inputs = null, ref = 'refs/heads/main', sender = 'mona', repository = 'acme/app' } = options
  const payload = { inputs, ref, repository: repositoryOf(repository), sender: account(sender) }
  return { name: 'workflow_dispatch', actor: sender, payload }
}

function commitsOf(before: Commit | null, after: Commit | null): readonly Commit[] {
  if (after === null) return []
  return before === null ? [after] : commitsBetween(before, after)
}

function repositoryOf(fullName: string) {
  return { full_name: fullName, private: true, default_branch: 'main' }
}
