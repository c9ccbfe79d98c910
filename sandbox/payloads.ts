/** Payloads of GitHub's events, written after its documented schema ("Webhook events and payloads"), cut to what tells them apart. */
import type { WorkflowEvent } from '../src/core/trigger/event.ts'
import { type Commit, commitsBetween, historyOf } from './github/commits.ts'
import type { Repository } from './github/repository.ts'
import { accountId } from './github/views.ts'

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
  /** GitHub's word on the author, which anybody can earn and which decides nothing here. */
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
  const [owner = '', name = ''] = repository.split('/')
  return {
    action,
    repository: { id: 1, name, full_name: repository, private: false, owner: account(owner) },
    sender: account(sender),
  }
}

function comment({
  id = 1001,
  body = '/docs fix the install page',
  author = 'mona',
  type,
  association,
}: CommentOptions) {
  return {
    id,
    node_id: 'IC_1',
    html_url: `https://github.com/acme/docs/issues/7#issuecomment-${id}`,
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
  const issue = {
    number,
    title: 'The install page',
    user: account('mona'),
    ...(isPullRequest && { pull_request: pullRequest }),
  }
  const payload = { ...shared(options), issue, comment: comment(options) }
  return { name: 'issue_comment', actor: payload.sender.login, payload }
}

/** `pull_request_review_comment`, on a line of a change. */
export function reviewComment(options: CommentOptions & { replyTo?: number } = {}): WorkflowEvent {
  const { number = 7, replyTo } = options
  const line = {
    path: 'docs/install.md',
    line: 12,
    side: 'RIGHT',
    diff_hunk: '@@ -10,3 +10,3 @@\n-old\n+new',
  }
  const pullRequest = {
    number,
    head: { repo: { full_name: 'acme/docs' } },
    base: { repo: { full_name: 'acme/docs' } },
  }
  const said = { ...comment(options), ...line, ...(replyTo && { in_reply_to_id: replyTo }) }
  const payload = { ...shared(options), comment: said, pull_request: pullRequest }
  return { name: 'pull_request_review_comment', actor: payload.sender.login, payload }
}

/** What `before` is for a ref that is new, and `after` for one that is gone. */
export const noCommit = '0'.repeat(40)

export interface PushOptions {
  /** Of the ref; `refs/heads/main` if left out. */
  ref?: string
  /** null for a ref that is new. */
  before?: Commit | null
  /** null for a ref that is gone. */
  after?: Commit | null
  /** The commits that the payload tells of; those from `before` to `after` if left out, of a new ref the last one. */
  commits?: readonly Commit[]
  pusher?: string
  sender?: string
  repository?: string
}

/** At most so many commits are in a push's payload (GitHub's docs, "Webhook events and payloads"). */
const mostPushed = 2048

/** `push` of a branch, a tag or what is gone, as a workflow gets it: its commits don't tell which files they changed. */
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

/** The branch that a merge queue tries a pull request on: it fires `push` like any other. */
export function mergeQueued({
  number,
  ...options
}: PushOptions & { number: number; after: Commit }): WorkflowEvent {
  const base = options.after.parents[0]?.sha ?? noCommit
  const ref = `refs/heads/gh-readonly-queue/main/pr-${number}-${base}`
  return pushed({ pusher: 'github-merge-queue[bot]', ...options, ref, before: null })
}

export interface PullRequestEventOptions {
  action?: 'opened' | 'reopened' | 'synchronize' | 'ready_for_review' | 'closed'
  number?: number
  /** Who opened it. */
  user?: string
  /** Who did what the event tells of; the one who opened it if left out. */
  sender?: string
  title?: string
  body?: string | null
  isDraft?: boolean
  labels?: readonly string[]
  /** The repository is its base's if left out, and null where the fork was deleted. */
  head?: { branch?: string; sha?: string; repository?: string | null }
  base?: { branch?: string; sha?: string }
  /** The commit that the merge left on the base branch. */
  merged?: { sha: string }
  /** Of a `synchronize`: where the branch was. */
  before?: string
  repository?: string
}

/** `pull_request`, of the same repository or of a fork. */
export function pullRequest(options: PullRequestEventOptions = {}): WorkflowEvent {
  const { action = 'opened', number = 12, user = 'mona', sender = user, repository = 'acme/app' } = options
  const { head = {}, base = {}, merged, title = 'Add a flag', body = null, labels = [] } = options
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
    title,
    user: accountOf(user),
    body,
    labels: labels.map((name) => ({ id: 1, name, color: 'ededed', default: false, description: null })),
    created_at: '2026-11-02T10:00:00Z',
    updated_at: '2026-11-02T11:00:00Z',
    ...endOf(action, merged, sender),
    draft: options.isDraft ?? false,
    head: sideOf(from, (from ?? user).split('/')[0] ?? '', head.branch ?? 'topic', headSha, repository),
    base: sideOf(repository, owner, base.branch ?? 'main', base.sha ?? 'a'.repeat(40), repository),
    author_association: 'MEMBER',
  }
  const moved = { before: options.before ?? 'd'.repeat(40), after: headSha }
  const payload = {
    action,
    number,
    ...(action === 'synchronize' && moved),
    pull_request: pull,
    repository: repositoryOf(repository),
    sender: accountOf(sender),
  }
  return { name: 'pull_request', actor: sender, payload }
}

/** `merge_commit_sha` is not yet there when it is opened, and before the merge that of a commit that GitHub made to try it. */
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

/** `pull_request` of one that a repository of the double has. */
export function pullRequestOf(
  repository: Repository,
  number: number,
  options: PullRequestEventOptions = {},
): WorkflowEvent {
  const pull = repository.pull(number)
  if (pull === undefined) throw new Error(`${repository.name} has no pull request ${number}`)
  const { head, base, user, title, body, isDraft, labels, merged } = pull
  return pullRequest({
    ...{ number, user, title, body, isDraft, labels, repository: repository.name },
    head: { branch: head.branch, sha: head.commit.sha, repository: head.repository },
    base: { branch: base.branch, sha: base.commit.sha },
    ...(merged && { merged: merged.commit, sender: merged.by }),
    ...(pull.state === 'closed' && { action: 'closed' }),
    ...options,
  })
}

export interface ReleaseOptions {
  tag?: string
  name?: string | null
  body?: string | null
  /** The branch or the SHA that the tag was made from. */
  target?: string
  isPrerelease?: boolean
  author?: string
  repository?: string
}

/** `release`, published. */
export function releasePublished(options: ReleaseOptions = {}): WorkflowEvent {
  const { tag = 'v1.2.0', name = tag, body = null, target = 'main', repository = 'acme/app' } = options
  const { author = 'mona', isPrerelease = false } = options
  const release = {
    id: 1,
    url: `https://api.github.com/repos/${repository}/releases/1`,
    html_url: `https://github.com/${repository}/releases/tag/${tag}`,
    tag_name: tag,
    target_commitish: target,
    name,
    body,
    draft: false,
    prerelease: isPrerelease,
    author: accountOf(author),
    created_at: '2026-11-02T10:00:00Z',
    published_at: '2026-11-02T10:00:00Z',
    assets: [],
  }
  const repositoryPart = { repository: repositoryOf(repository), sender: accountOf(author) }
  return { name: 'release', actor: author, payload: { action: 'published', release, ...repositoryPart } }
}

export interface DispatchOptions {
  /** As they were typed; null where the workflow has none. */
  inputs?: Readonly<Record<string, string>> | null
  ref?: string
  sender?: string
  repository?: string
}

/** `workflow_dispatch` */
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

/** Without `added`, `removed` and `modified`, which a webhook has and a workflow has not (GitHub's docs, "push"). */
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

function accountOf(login: string) {
  return account(login, login.endsWith('[bot]') ? 'Bot' : 'User')
}

function repositoryOf(fullName: string) {
  const [owner = '', name = ''] = fullName.split('/')
  return {
    id: 1,
    name,
    full_name: fullName,
    private: true,
    owner: account(owner),
    html_url: `https://github.com/${fullName}`,
    fork: false,
    default_branch: 'main',
  }
}
