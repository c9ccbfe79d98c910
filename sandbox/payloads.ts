/**
 * Payloads of GitHub's events, according to its documented schema ("Webhook events and payloads"), with only the fields
 * that the action uses.
 */
import type { WorkflowEvent } from '../src/core/trigger/event.ts'
import { type Commit, commitsBetween, historyOf } from './github/commits.ts'
import { accountId, idFrom } from './github/views.ts'

interface User {
  login: string
  type: 'User' | 'Bot'
}

export interface CommentOptions {
  body?: string | null
  author?: string | null
  type?: User['type']
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

const account = (login: string, type: User['type'] = 'User') => ({
  login,
  id: accountId(login),
  type,
  site_admin: false,
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
  type,
  association,
  number = 7,
  isPullRequest = false,
}: CommentOptions) {
  const page = `https://github.com/acme/docs/${isPullRequest ? 'pull' : 'issues'}/${number}`
  return {
    id,
    node_id: 'IC_1',
    html_url: `${page}#issuecomment-${id}`,
    body,
    user: author === null ? null : account(author, type),
    author_association: association ?? 'MEMBER',
    created_at: '2026-11-02T10:00:00Z',
    updated_at: '2026-11-02T10:00:00Z',
  }
}

/** `issue_comment`, on an issue or on a pull request's conversation. */
export function issueComment(options: CommentOptions = {}): WorkflowEvent {
  const { number = 7, isPullRequest = false } = options
  const pullRequest = { url: `https://api.github.com/repos/acme/docs/pulls/${number}` }
  const { title = 'The install page', text = 'It is wrong.' } = options
  const issue = {
    number,
    title,
    body: text,
    user: account('mona'),
    ...(isPullRequest && { pull_request: pullRequest }),
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
    side: 'RIGHT',
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
  const { body = '/docs fix the install page', author = 'mona', type, id = 1001, fork } = options
  const { submittedAt = '2026-11-02T10:00:00Z', association = 'MEMBER' } = options
  const pullRequest = reviewedPull(options, fork)
  const review = {
    id,
    node_id: 'PRR_1',
    html_url: `https://github.com/acme/docs/pull/${pullRequest.number}#pullrequestreview-${id}`,
    body,
    state: 'commented',
    user: author === null ? null : account(author, type),
    author_association: association,
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
      user: accountOf(user),
      state: 'open',
      author_association: 'NONE',
      html_url: `https://github.com/${repository}/issues/${number}`,
      labels: action === 'labeled' ? [labelOf(label)] : [],
    },
    ...(action !== 'opened' && { label: labelOf(label) }),
    repository: repositoryOf(repository),
    sender: accountOf(sender),
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

/** `push` of a branch or tag, in the form that a workflow gets: the commits do not list their changed files. */
export function pushed(options: PushOptions = {}): WorkflowEvent {
  const { ref = 'refs/heads/main', before = null, after = null, repository = 'acme/app' } = options
  const { pusher = 'mona', sender = pusher, commits = commitsOf(before, after) } = options
  const page = `https://github.com/${repository}`
  const told = ref.startsWith('refs/tags/') ? [] : commits.slice(0, mostPushed)
  const [from, to] = [before?.sha ?? noCommit, after?.sha ?? noCommit]
  const payload = {
    ref,
    before: from,
    after: to,
    base_ref: null,
    created: before === null,
    deleted: after === null,
    forced: before !== null && after !== null && !historyOf(after).has(before.sha),
    compare: `${page}/compare/${from.slice(0, 12)}...${to.slice(0, 12)}`,
    commits: told.map((commit) => pushedCommit(commit, page)),
    head_commit: after && pushedCommit(after, page),
    pusher: { name: pusher, email: `${pusher}@users.noreply.github.com` },
    repository: repositoryOf(repository),
    sender: accountOf(sender),
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
  const page = `https://github.com/${repository}/pull/${number}`
  const headSha = head.sha ?? 'b'.repeat(40)
  const from = head.repository === undefined ? repository : head.repository
  const [owner = ''] = repository.split('/')
  const pull = {
    url: `https://api.github.com/repos/${repository}/pulls/${number}`,
    id: 1,
    number,
    html_url: page,
    diff_url: `${page}.diff`,
    locked: false,
    title: 'Add a flag',
    user: accountOf(user),
    body: null,
    labels: action === 'labeled' ? [labelOf('docs')] : [],
    created_at: '2026-11-02T10:00:00Z',
    updated_at: '2026-11-02T11:00:00Z',
    ...endOf(action, merged, sender),
    draft: false,
    head: sideOf(from, (from ?? user).split('/')[0] ?? '', head.branch ?? 'topic', headSha, repository),
    base: sideOf(repository, owner, 'main', 'a'.repeat(40), repository),
    author_association: 'MEMBER',
  }
  const moved = { before: 'd'.repeat(40), after: headSha }
  const payload = {
    action,
    number,
    ...(action === 'synchronize' && moved),
    ...(action === 'labeled' && { label: labelOf('docs') }),
    pull_request: pull,
    repository: repositoryOf(repository),
    sender: accountOf(sender),
  }
  return { name: 'pull_request', actor: sender, payload }
}

/** `merge_commit_sha` is null when a pull request is opened. Until the merge, it is the SHA of a test merge. */
function endOf(action: string, merged: { sha: string } | undefined, sender: string) {
  const end = '2026-11-02T11:00:00Z'
  const isClosed = action === 'closed'
  const tried = action === 'opened' ? null : 'c'.repeat(40)
  return {
    state: isClosed ? 'closed' : 'open',
    closed_at: isClosed ? end : null,
    merged: merged !== undefined,
    merged_at: merged ? end : null,
    merged_by: merged ? accountOf(sender) : null,
    merge_commit_sha: merged?.sha ?? tried,
  }
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
  const release = {
    id: 1,
    url: `https://api.github.com/repos/${repository}/releases/1`,
    html_url: `https://github.com/${repository}/releases/tag/${tag}`,
    tag_name: tag,
    target_commitish: 'main',
    name: tag,
    body,
    draft: false,
    prerelease: false,
    author: accountOf(author),
    created_at: '2026-11-02T10:00:00Z',
    published_at: '2026-11-02T10:00:00Z',
    assets: [],
  }
  const repositoryPart = { repository: repositoryOf(repository), sender: accountOf(author) }
  return { name: 'release', actor: author, payload: { action: 'published', release, ...repositoryPart } }
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
  const workflow = '.github/workflows/docs.yml'
  const payload = { schedule: '0 6 * * 1', workflow, repository: repositoryOf(repository) }
  return { name: 'schedule', actor: 'mona', payload }
}

/** `workflow_dispatch`, a manual run. */
export function dispatched(options: DispatchOptions = {}): WorkflowEvent {
  const { inputs = null, ref = 'refs/heads/main', sender = 'mona', repository = 'acme/app' } = options
  const workflow = '.github/workflows/docs.yml'
  const repositoryPart = { repository: repositoryOf(repository), sender: accountOf(sender) }
  return { name: 'workflow_dispatch', actor: sender, payload: { inputs, ref, workflow, ...repositoryPart } }
}

function commitsOf(before: Commit | null, after: Commit | null): readonly Commit[] {
  if (after === null) return []
  return before === null ? [after] : commitsBetween(before, after)
}

/** A commit, without `added`, `removed` and `modified`: webhooks get these, but workflows do not (GitHub's docs, "push"). */
function pushedCommit({ sha, treeSha, message, author, date }: Commit, page: string) {
  const email = `${author ?? 'nobody'}@users.noreply.github.com`
  const person = { name: author ?? 'Nobody Known', email, ...(author && { username: author }) }
  return {
    id: sha,
    tree_id: treeSha,
    distinct: true,
    message,
    timestamp: date,
    url: `${page}/commit/${sha}`,
    author: person,
    committer: person,
  }
}

function sideOf(name: string | null, owner: string, branch: string, sha: string, base: string) {
  const repo = name === null ? null : { ...repositoryOf(name), fork: name !== base }
  return { label: `${owner}:${branch}`, ref: branch, sha, user: accountOf(owner), repo }
}

function labelOf(name: string) {
  return { id: idFrom(name), name, color: 'ededed', default: false, description: null }
}

function accountOf(login: string) {
  return account(login, login.endsWith('[bot]') ? 'Bot' : 'User')
}

function repositoryOf(fullName: string) {
  const [owner = '', name = ''] = fullName.split('/')
  return {
    id: idFrom(fullName),
    name,
    full_name: fullName,
    private: true,
    owner: account(owner),
    html_url: `https://github.com/${fullName}`,
    fork: false,
    default_branch: 'main',
  }
}
