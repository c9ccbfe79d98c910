/** What a push or a pull request's event says about a change, and who caused it. Its payload is outside text. */
import * as z from 'zod/mini'
import { cut, oneLine } from '../text.ts'
import type { WorkflowEvent } from './event.ts'

/** How a change's files are asked for at GitHub. */
export type Range =
  | { by: 'compare'; base: string; head: string }
  /** A first push has nothing before it to compare with. */
  | { by: 'commit'; sha: string }
  | { by: 'pull'; number: number }

export interface Change {
  /** `owner/name`. */
  repository: string
  /** The commit that it ends in. */
  head: string
  /** The branch that it is on, or (a pull request) goes to. */
  branch: string
  range: Range
  /** The commits that a push brought, the last of them; empty for a pull request. */
  commits: string[]
  /** First lines of its commits' messages, or the pull request's title. */
  subjects: string[]
  author: string | null
  /** The pull request of the event; null for a push. */
  number: number | null
  /** Why it has no files to read; null where it may have. */
  without: string | null
}

export type ChangeReading =
  /** Not an event of a change: by hand, on a schedule, a release. */
  { kind: 'none' } | { kind: 'nothing'; reason: string } | { kind: 'change'; change: Change }

const account = z.nullish(z.object({ login: z.string() }))
const repository = z.object({ full_name: z.string(), default_branch: z.optional(z.string()) })
const commit = z.object({
  id: z.optional(z.string()),
  message: z.string(),
  author: z.nullish(z.object({ username: z.optional(z.string()) })),
})
const push = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  deleted: z.boolean(),
  repository,
  sender: account,
  pusher: z.nullish(z.object({ name: z.string() })),
  commits: z.optional(z.array(commit)),
})
const pullRequest = z.object({
  action: z.string(),
  number: z.int(),
  repository,
  sender: account,
  pull_request: z.object({
    title: z.string(),
    user: account,
    merged: z.nullish(z.boolean()),
    merge_commit_sha: z.nullish(z.string()),
    head: z.object({ sha: z.string() }),
    base: z.object({ ref: z.string() }),
  }),
})
const anyEvent = z.object({ sender: account })

/** Most subjects that are told; a push may have thousands. */
const subjectLimit = 50

/** Most commits of a push that are looked at one by one. */
const commitLimit = 20

/** Reads the change out of an event. */
export function readChange({ name, payload }: WorkflowEvent): ChangeReading {
  if (name === 'push') {
    const event = push.safeParse(payload)
    return event.success ? fromPush(event.data) : { kind: 'none' }
  }
  if (!isPullRequestEvent(name)) return { kind: 'none' }
  const event = pullRequest.safeParse(payload)
  return event.success ? { kind: 'change', change: fromPullRequest(event.data) } : { kind: 'none' }
}

/**
 * Whether an account caused an event, as far as its payload tells: as the sender, the pusher, the author of the pull
 * request, or of all commits that were pushed (a squash or rebase merge keeps the author, whoever merged it).
 */
export function isCausedBy({ name, payload }: WorkflowEvent, login: string): boolean {
  const isIt = (other: string | undefined) => other?.toLowerCase() === login.toLowerCase()
  const sender = anyEvent.safeParse(payload)
  if (sender.success && isIt(sender.data.sender?.login)) return true
  if (isPullRequestEvent(name)) {
    const event = pullRequest.safeParse(payload)
    return event.success && isIt(event.data.pull_request.user?.login)
  }
  const event = name === 'push' ? push.safeParse(payload) : undefined
  if (!event?.success) return false
  const { pusher, commits = [] } = event.data
  return isIt(pusher?.name) || (commits.length > 0 && commits.every(({ author }) => isIt(author?.username)))
}

/** How a person names a range of commits. */
export function rangeText({ range, head }: Change): string {
  switch (range.by) {
    case 'compare':
      return `${shortSha(range.base)}…${shortSha(range.head)}`
    case 'commit':
      return `commit ${shortSha(range.sha)}`
    case 'pull':
      return `pull request #${range.number}, at ${shortSha(head)}`
  }
}

function shortSha(sha: string): string {
  return /^[0-9a-f]{40,64}$/.test(sha) ? sha.slice(0, 10) : oneLine(sha, 100)
}

function isPullRequestEvent(name: string): boolean {
  return name === 'pull_request' || name === 'pull_request_target'
}

function fromPush(event: z.infer<typeof push>): ChangeReading {
  const { ref, before, after, repository, sender, pusher, commits = [] } = event
  if (event.deleted) return { kind: 'nothing', reason: `${branchOf(ref)} was deleted` }
  if (ref.startsWith('refs/heads/gh-readonly-queue/'))
    return { kind: 'nothing', reason: 'the merge queue tries a change out; the push to the branch follows' }
  return {
    kind: 'change',
    change: {
      repository: repository.full_name,
      head: after,
      branch: branchOf(ref),
      range: pushRange(before, after, branchOf(ref), repository.default_branch),
      commits: commits.slice(-commitLimit).flatMap(({ id }) => id ?? []),
      subjects: commits.slice(0, subjectLimit).map(({ message }) => subjectOf(message)),
      author: sender?.login ?? pusher?.name ?? null,
      number: null,
      without: ref.startsWith('refs/tags/') ? 'a tag changes no file' : null,
    },
  }
}

/** A new branch is compared with the default one; the first push of all has nothing to be compared with (GitHub's docs). */
function pushRange(before: string, after: string, branch: string, defaultBranch?: string): Range {
  if (!/^0+$/.test(before)) return { by: 'compare', base: before, head: after }
  return defaultBranch === undefined || branch === defaultBranch
    ? { by: 'commit', sha: after }
    : { by: 'compare', base: defaultBranch, head: after }
}

function fromPullRequest(event: z.infer<typeof pullRequest>): Change {
  const { action, number, repository, pull_request } = event
  const { title, user, merged, merge_commit_sha: mergeCommit, head, base } = pull_request
  return {
    repository: repository.full_name,
    head: merged === true && mergeCommit ? mergeCommit : head.sha,
    branch: base.ref,
    range: { by: 'pull', number },
    commits: [],
    subjects: [subjectOf(title)],
    author: user?.login ?? null,
    number,
    without: action === 'closed' && merged !== true ? 'it was closed without being merged' : null,
  }
}

function branchOf(ref: string): string {
  return ref.replace(/^refs\/(heads|tags)\//, '')
}

function subjectOf(message: string): string {
  return cut(oneLine(message.split('\n', 1)[0] ?? ''), 200)
}
