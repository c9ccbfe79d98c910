/** Events with GitHub's own example payloads (@octokit/webhooks-examples), changed for this project's repositories. */
import webhooks from '@octokit/webhooks-examples' with { type: 'json' }
import type { RawEvent } from '../src/core/trigger/event.ts'
import { type Commit, commitsBetween } from './github/commits.ts'
import { repositoryId } from './github/repository.ts'
import { account } from './github/views.ts'

type Json = Readonly<Record<string, unknown>>

const examples = new Map(
  (webhooks as unknown as { name: string; examples: Json[] }[]).map((each) => [each.name, each.examples]),
)

/** An event with an example's payload, preferably one with the action, and these changes to it. */
function eventOf(name: string, sender: string, repository: string, changes: Json): RawEvent {
  const all = examples.get(name) ?? []
  const example = all.find(({ action }) => action === changes.action) ?? all[0] ?? {}
  const shared = { repository: repositoryOf(repository), sender: account(sender) }
  return { name, actor: sender, payload: merged(example, { ...shared, ...changes }) }
}

/** The example with the changes. Only objects are merged. */
function merged(example: unknown, changes: Json): Json {
  const changed = Object.entries(changes).map(([name, value]) => {
    const old = isObject(example) ? example[name] : undefined
    return [name, isObject(value) ? merged(old, value) : value]
  })
  return { ...(isObject(example) && example), ...Object.fromEntries(changed) }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function repositoryOf(fullName: string, isPrivate = true) {
  return { id: repositoryId(fullName), full_name: fullName, private: isPrivate, default_branch: 'main' }
}

/** What an event can set. */
export interface EventOptions {
  action?: string
  repository?: string
  /** The account that triggered the event; by default, the one that wrote something, pushed, or opened the thread. */
  sender?: string
  /** The number, title and text of the issue or pull request, and the account that opened it. */
  number?: number
  title?: string
  text?: string | null
  user?: string
  isPullRequest?: boolean
  /** What was written: its id, its text, and its author, which is null if the account was deleted. */
  id?: number
  body?: string | null
  author?: string | null
  /** GitHub's `author_association`. Strangers can get one, such as `CONTRIBUTOR`, so nothing must depend on it. */
  association?: string
  label?: string
}

/** An event about something that a person wrote, in a repository that anyone can read. */
function written(name: string, action: string, options: EventOptions, changes: Json): RawEvent {
  const { repository = 'acme/docs', author = 'mona', sender = author ?? 'ghost' } = options
  const shared = { action: options.action ?? action, repository: repositoryOf(repository, false) }
  return eventOf(name, sender, repository, { ...shared, ...changes })
}

/** What the person wrote. `place` is the end of its address, without the id. */
function textOf(options: EventOptions, place: string) {
  const { id = 1001, body = '/docs fix the install page', author = 'mona', association = 'MEMBER' } = options
  const html_url = `https://github.com/acme/docs/${place}${id}`
  return { id, html_url, body, user: author && account(author), author_association: association }
}

/** `issue_comment`, on an issue or on a pull request's conversation. */
export function issueComment(options: EventOptions = {}): RawEvent {
  const { number = 7, isPullRequest = false, title = 'The install page', text = 'It is wrong.' } = options
  const page = `${isPullRequest ? 'pull' : 'issues'}/${number}`
  const user = account('mona')
  return written('issue_comment', 'created', options, {
    issue: { number, title, body: text, user, ...(isPullRequest && { pull_request: {} }) },
    comment: textOf(options, `${page}#issuecomment-`),
  })
}

/** `pull_request_review_comment`, on a line of a change. */
export function reviewComment(options: EventOptions = {}, changes: Json = {}): RawEvent {
  const pull = reviewedPull(options)
  const comment = textOf(options, `pull/${pull.number}#discussion_r`)
  const where = { path: 'docs/install.md', line: 12, diff_hunk: '@@ -10,3 +10,3 @@\n-old\n+new' }
  return written('pull_request_review_comment', 'created', options, {
    comment: { ...comment, ...where, commit_id: pull.head.sha, in_reply_to_id: undefined, ...changes },
    pull_request: pull,
  })
}

/** `pull_request_review`, submitted. */
export function reviewSubmitted(options: EventOptions & ReviewedOptions = {}): RawEvent {
  const pull = reviewedPull(options)
  const review = textOf(options, `pull/${pull.number}#pullrequestreview-`)
  return written('pull_request_review', 'submitted', options, {
    review: { ...review, commit_id: pull.head.sha, submitted_at: '2026-11-02T10:00:00Z' },
    pull_request: pull,
  })
}

/** The pull request's last commit, and the repository of its head. */
interface ReviewedOptions {
  head?: string
  fork?: string
}

/** The pull request in a review's payload. */
function reviewedPull(options: EventOptions & ReviewedOptions) {
  const { number = 7, repository = 'acme/docs', head: sha = 'b'.repeat(40), fork = repository } = options
  const { title = 'Install globally', text: body = 'The command is global now.' } = options
  const sides = { head: { sha, repo: repositoryOf(fork) }, base: { repo: repositoryOf(repository) } }
  return { number, title, body, user: account('mona'), ...sides }
}

/** `issues`, labeled by default. */
export function issue(options: EventOptions = {}): RawEvent {
  const { action = 'labeled', number = 7, user = 'mona', sender = user, repository = 'acme/docs' } = options
  const { title = 'The install page', text: body = 'It is wrong.', label = 'docs' } = options
  const html_url = `https://github.com/${repository}/issues/${number}`
  return eventOf('issues', sender, repository, {
    action,
    issue: { number, title, body, user: account(user), html_url },
    ...(action !== 'opened' && { label: { name: label } }),
  })
}

/** The `before` of a new ref, and the `after` of a deleted one. */
const noCommit = '0'.repeat(40)

export interface PushOptions extends EventOptions {
  /** `refs/heads/main` by default. */
  ref?: string
  /** null for a new ref. */
  before?: Commit | null
  /** null for a deleted ref. */
  after?: Commit | null
  /** The listed commits; by default, those from `before` to `after`, or only the last commit of a new ref. */
  commits?: readonly Commit[]
  pusher?: string
}

/** `push` of a branch or tag. A payload lists at most 2,048 commits, and none for a tag (GitHub's docs). */
export function pushed(options: PushOptions = {}): RawEvent {
  const { ref = 'refs/heads/main', before = null, after = null, repository = 'acme/app' } = options
  const { pusher = 'mona', sender = pusher, commits = commitsOf(before, after) } = options
  const listed = ref.startsWith('refs/tags/') ? [] : commits.slice(0, 2048)
  return eventOf('push', sender, repository, {
    ref,
    before: before?.sha ?? noCommit,
    after: after?.sha ?? noCommit,
    deleted: after === null,
    commits: listed.map(({ sha, message }) => ({ id: sha, message })),
    head_commit: after && { id: after.sha, message: after.message },
    pusher: { name: pusher },
  })
}

function commitsOf(before: Commit | null, after: Commit | null): readonly Commit[] {
  if (after === null) return []
  return before === null ? [after] : commitsBetween(before, after)
}

export interface PullRequestEventOptions extends EventOptions {
  /** `repository` is the base's by default, and null if the fork was deleted. */
  head?: { branch?: string; sha?: string; repository?: string | null }
  /** The base branch; `main` by default. */
  base?: string
  /** The commit that the merge created on the base branch. */
  merged?: { sha: string }
  isDraft?: boolean
}

/** `pull_request`, from the same repository or from a fork. */
export function pullRequest(options: PullRequestEventOptions = {}): RawEvent {
  const { action = 'opened', number = 12, user = 'mona', sender = user, repository = 'acme/app' } = options
  const { head: { branch = 'topic', sha = 'b'.repeat(40), repository: from = repository } = {} } = options
  // null when a pull request is opened. Until the merge, it is the SHA of a test merge.
  const tested = action === 'opened' ? null : 'c'.repeat(40)
  return eventOf('pull_request', sender, repository, {
    action,
    number,
    ...(action === 'labeled' && { label: { name: 'docs' } }),
    pull_request: {
      number,
      html_url: `https://github.com/${repository}/pull/${number}`,
      draft: options.isDraft ?? false,
      title: 'Add a flag',
      user: account(user),
      body: null,
      merged: options.merged !== undefined,
      merge_commit_sha: options.merged?.sha ?? tested,
      head: { ref: branch, sha, repo: from && repositoryOf(from) },
      base: { ref: options.base ?? 'main', sha: 'a'.repeat(40), repo: repositoryOf(repository) },
    },
  })
}

/** `release`, published. */
export function releasePublished(options: EventOptions = {}): RawEvent {
  const { body = null, repository = 'acme/app', sender = 'mona' } = options
  const tag = 'v1.2.0'
  const release = { tag_name: tag, name: tag, body, prerelease: false, author: account(sender) }
  return eventOf('release', sender, repository, { action: 'published', release })
}

/** `schedule`, which has no sender. The actor is the person who last changed the workflow's schedule. */
export function scheduled(repository = 'acme/app'): RawEvent {
  return { name: 'schedule', actor: 'mona', payload: { repository: repositoryOf(repository) } }
}

/** `workflow_dispatch`, a manual run. `inputs`: the values as entered; null if the workflow has no inputs. */
export function dispatched(options: EventOptions & { inputs?: Json | null; ref?: string } = {}): RawEvent {
  const { inputs = null, ref = 'refs/heads/main', sender = 'mona', repository = 'acme/app' } = options
  return eventOf('workflow_dispatch', sender, repository, { inputs, ref })
}
