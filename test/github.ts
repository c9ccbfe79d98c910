/**
 * GitHub in memory, at the level of the ports: what its lists show, and what a write changes. Everything is plain data
 * that never changes in place, so that the explorer can branch; tests of use cases keep one state and count its calls.
 */
import { type PullName, type Thread, threadName } from '../src/core/thread.ts'
import type { CommitStatus, FoundComment, FoundStatus, PullRequest, PullView } from '../src/ports.ts'

/** A thread's name, as people read it. */
export function shownName({ repository, number, reviewRoot = null }: PullName & Partial<Thread>) {
  return `${repository}#${number}${reviewRoot === null ? '' : `/${reviewRoot}`}`
}

/** The account of the action's token. */
export const viewer = 'github-actions[bot]'

export interface StoredComment extends Omit<FoundComment, 'viewer'> {
  updatedAt: number
  /** Whether it is hidden as outdated. */
  isHidden: boolean
  /** Whether someone copied it from another comment. */
  isCopy?: true
}

export type StoredStatus = Omit<FoundStatus, 'viewer'>

export interface Lists {
  comments: readonly StoredComment[]
  statuses: readonly StoredStatus[]
}

/** GitHub at a time, in milliseconds since the epoch. */
export interface Places extends Lists {
  now: number
  lastId: number
}

/** The arguments of a call: those of the port with its name. */
// biome-ignore lint/suspicious/noExplicitAny: a table of ports with different arguments
export type Args = readonly any[]

/** What lists show. */
export const lists: Record<string, (from: Lists, args: Args) => unknown[]> = {
  comments: ({ comments }, [on]) =>
    comments.filter(({ thread }) => threadName(thread) === threadName(on)).map(shownComment),
  recentComments: ({ comments }, [home, kind, since]) =>
    comments
      .filter(({ thread, updatedAt }) => thread.repositoryId === home.repositoryId && updatedAt >= since)
      .filter(({ thread }) => (thread.reviewRoot === null) === (kind === 'issues'))
      .map(shownComment)
      .reverse(),
  statuses: ({ statuses }, [, commit]) =>
    statuses
      .filter((each) => each.commit === commit)
      .map(shownStatus)
      .reverse(),
  recentStatuses: ({ statuses }) => latest(statuses).map(shownStatus),
}

/** The value of a list's port. */
export function listed(name: string, items: unknown[], isCut = false): unknown {
  return name.startsWith('recent') ? { items, isCut } : items
}

function shownComment({ thread, id, nodeId, body, author, createdAt }: StoredComment): FoundComment {
  return { thread, id, nodeId, body, author, createdAt, viewer }
}

const shownStatus = (status: StoredStatus): FoundStatus => ({ ...status, viewer })

/** The latest status of each context, newest first. */
export function latest(statuses: readonly StoredStatus[]): StoredStatus[] {
  const contexts = new Map(statuses.map((status) => [`${status.commit} ${status.context}`, status]))
  return [...contexts.values()].reverse()
}

/** A pull request. */
export type StoredPull = PullRequest & Pick<PullView, 'openedAt' | 'closedAt'>

/** Pull requests, as a query for many of them shows them. */
export function viewsOf(pulls: readonly StoredPull[], statuses: readonly StoredStatus[]): PullView[] {
  const shown = latest(statuses)
    .filter(({ author }) => author === viewer)
    .map(shownStatus)
  return pulls.map((pull) => ({ ...pull, statuses: shown.filter(({ commit }) => commit === pull.head) }))
}

/** The response about something that does not exist. */
export const missing = { ok: false, failure: { kind: 'rejected', status: 404, detail: 'Not Found' } } as const

/** What each write changes, and the value in GitHub's response; or `missing`. */
export const writes: Record<string, (github: Places, args: Args) => Partial<Places> & { value?: unknown }> = {
  reply: (github, [thread, body]) => addComment(github, thread, body),
  edit: ({ comments, now }, [, id, body]) => ({
    value: id,
    ...change(comments, (each) => each.id === id, { body, updatedAt: now }),
  }),
  hide: ({ comments }, [node]) => change(comments, ({ nodeId }) => nodeId === node, { isHidden: true }),
  remove: ({ comments }, [, id]) => ({ comments: comments.filter((each) => each.id !== id) }),
  setStatus: (github, [, commit, status]) => addStatus(github, commit, status),
}

/** A comment, by the token's account unless `more` says otherwise. */
export function addComment(
  { comments, lastId, now }: Places,
  thread: Thread,
  body: string,
  more: Partial<StoredComment> = {},
) {
  const id = lastId + 1
  const usual = { id, nodeId: `n${id}`, author: viewer, createdAt: now, updatedAt: now, isHidden: false }
  return { comments: [...comments, { ...usual, thread, body, ...more }], lastId: id, value: id }
}

export function addStatus({ statuses, lastId, now }: Places, commit: string, status: CommitStatus) {
  const id = lastId + 1
  if (status.description.length > 140) throw new Error(`too long: ${status.description}`)
  const added = { ...status, id, commit, author: viewer, createdAt: now }
  return { statuses: [...statuses, added], lastId: id, value: id }
}

function change(
  comments: readonly StoredComment[],
  isMeant: (comment: StoredComment) => boolean,
  to: Partial<StoredComment>,
) {
  if (!comments.some(isMeant)) return { value: missing }
  return { comments: comments.map((each) => (isMeant(each) ? { ...each, ...to } : each)) }
}
