/** GitHub in memory, for use cases. Its state outlives a step, and a test decides which calls fail and how. */

import type { Rejection } from '../../src/core/problems.ts'
import type { ChangedFile } from '../../src/core/prompt/diff.ts'
import type { SeenPull } from '../../src/core/pull.ts'
import type { Thread } from '../../src/core/thread.ts'
import { threadName } from '../../src/core/thread.ts'
import type { LineComment } from '../../src/core/trigger/request.ts'
import type {
  CommitStatus,
  FoundComment,
  FoundStatus,
  GitHubPorts,
  GitHubReply,
  PublishedRelease,
  PullRequest,
  PullRequestDetails,
  PullView,
  Reaction,
} from '../../src/usecases/ports.ts'

/** The account of the action's token. */
export const viewer = 'github-actions[bot]'

/** What happens to a call: the step is killed before or after its effect, or GitHub rejects it. */
export type Mishap = 'killed before' | 'killed after' | (Rejection & { hasEffect?: boolean })

/** A step was killed: its calls no longer return. */
export class Killed extends Error {}

/** GitHub rejects the call. */
export const rejected: Mishap = { status: 403, message: 'no' }
/** GitHub carries out the call, but the response is lost. */
export const lost: Mishap = { status: 502, message: 'lost', isUncertain: true, hasEffect: true }

/** The calls of one step, each of which may have a mishap. */
export class Calls {
  /** The calls as `name thread`, in order. */
  readonly made: string[] = []
  private readonly mishapOf: (number: number, name: string) => Mishap | undefined
  private isKilled = false

  /** @param mishapOf gets the call's number, from 0, and its name */
  constructor(mishapOf: (number: number, name: string) => Mishap | undefined = () => undefined) {
    this.mishapOf = mishapOf
  }

  /** Calls that meet mishaps. Each name has a list: its first call meets the first mishap, its second call the second. */
  static meeting(mishaps: Readonly<Record<string, readonly (Mishap | undefined)[]>>): Calls {
    const met: Record<string, number> = {}
    return new Calls((_, name) => {
      const at = met[name] ?? 0
      met[name] = at + 1
      return mishaps[name]?.[at]
    })
  }

  /** Calls in which every call with one of these names has the mishap. */
  static where(mishap: Mishap, ...names: string[]): Calls {
    return new Calls((_, name) => (names.includes(name) ? mishap : undefined))
  }

  /** Makes a call after other pending work, so that the calls of two steps can alternate. */
  async make<T>(name: string, where: string, act: () => T): Promise<GitHubReply<T>> {
    await Promise.resolve()
    if (this.isKilled) throw new Killed()
    const mishap = this.mishapOf(this.made.length, name)
    this.made.push(`${name} ${where}`.trim())
    if (mishap === undefined) return { ok: true, value: act() }
    if (typeof mishap === 'object') {
      const { hasEffect = false, ...rejection } = mishap
      if (hasEffect) act()
      return { ok: false, rejection }
    }
    if (mishap === 'killed after') act()
    this.isKilled = true
    throw new Killed()
  }
}

export interface StoredComment extends FoundComment {
  thread: Thread
  /** Milliseconds since the epoch. */
  updatedAt: number
  /** Whether it is hidden as outdated. */
  isHidden?: boolean
}

export interface StoredStatus extends FoundStatus {
  repository: string
  commit: string
}

/** The contents of GitHub's lists at a given time. The lists lag behind writes. */
interface Snapshot {
  at: number
  comments: StoredComment[]
  statuses: StoredStatus[]
}

export class GitHub {
  comments: StoredComment[] = []
  readonly statuses: StoredStatus[] = []
  /** Lag of the next list, or of the next edit of a new comment, in milliseconds. */
  lag: () => number = () => 0
  private readonly snapshots: Snapshot[] = []
  readonly reactions: { comment: number | null; content: Reaction }[] = []
  /** What people saw on each thread: `+ new`, `~ edited`, `- deleted`, each with the comment's first line. */
  readonly seen: Record<string, string[]> = {}
  /** Open pull requests, newest first. */
  pulls: PullRequest[] = []
  /** Pull requests with all details, by number. */
  details: Record<number, PullRequestDetails> = {}
  /** Line comments of reviews, by the number of the pull request. */
  lineComments: Record<number, LineComment[]> = {}
  /** The files of each change. */
  files: ChangedFile[] = []
  /** The paths of symbolic links and submodules. */
  linked: string[] = []
  /** The pull requests that contain a commit, by commit. */
  pullsBehind: Record<string, PullRequest[]> = {}
  /** `permission` by login; write by default. */
  roles: Record<string, string> = {}
  /** Pull requests as a query for many of them returns them, by thread name. */
  readonly views: Record<string, SeenPull> = {}
  releases: PublishedRelease[] = []
  /** The commits that releases and branches contain, by the name of the release or branch. */
  contained: Record<string, string[]> = {}
  /** Labels and reviewers by pull request, and the reviewers that GitHub rejects. */
  readonly labels: Record<number, string[]> = {}
  readonly reviewers: Record<number, string[]> = {}
  strangers: string[] = []
  /** Whether lists are incomplete. */
  isCut = false
  private readonly date: () => number
  private lastId = 5000

  constructor(date: () => number) {
    this.date = date
  }

  /** Adds a comment by any account, and returns its id. */
  add(thread: Thread, body: string, author: string = viewer): number {
    const id = ++this.lastId
    const [createdAt, updatedAt] = [this.date(), this.date()]
    this.comments.push({ id, thread, body, author, nodeId: `n${id}`, createdAt, updatedAt })
    this.note('+', thread, body)
    this.keep()
    return id
  }

  private note(sign: '+' | '~' | '-', thread: Thread, body: string): void {
    const name = threadName(thread)
    this.seen[name] = [...(this.seen[name] ?? []), `${sign} ${body.split('\n')[0]}`]
  }

  /** The comments on a thread, oldest first. */
  on(thread: Thread): StoredComment[] {
    return this.comments.filter((comment) => threadName(comment.thread) === threadName(thread))
  }

  /** The first line of each of the action's comments on a thread, except hidden ones. */
  said(thread: Thread): string[] {
    return this.on(thread)
      .filter(({ author, isHidden }) => author === viewer && isHidden !== true)
      .map(({ body }) => body.split('\n')[0] ?? '')
  }

  /** What people see beside a commit, latest first: the state and the description. */
  told(commit: string): string[] {
    return this.statusesOf(commit).map(({ state, description }) => `${state}: ${description}`)
  }

  private statusesOf(commit: string, from = this.statuses): StoredStatus[] {
    return from.filter((status) => status.commit === commit).reverse()
  }

  private setStatus(repository: string, commit: string, status: CommitStatus): number {
    if (status.description.length > 140) throw new Error(`description too long: ${status.description}`)
    this.statuses.push({
      ...status,
      repository,
      commit,
      creator: viewer,
      createdAt: this.date(),
      id: this.statuses.length + 1,
    })
    this.keep()
    return this.statuses.length
  }

  private latest(from = this.statuses): StoredStatus[] {
    const byContext = new Map(from.map((status) => [`${status.commit} ${status.context}`, status]))
    return [...byContext.values()].reverse()
  }

  /** Adds a pull request, or changes one. */
  changeView(repository: string, number: number, change: Partial<SeenPull>): void {
    const name = `${repository}#${number}`
    const fresh = {
      number,
      state: 'open',
      head: `head of ${number}`,
      mergeCommit: null,
      closedAt: null,
    } as const
    this.views[name] = { ...fresh, ...this.views[name], ...change }
  }

  private view(repository: string, number: number): PullView[] {
    const seen = this.views[`${repository}#${number}`]
    if (seen === undefined) return []
    return [{ ...seen, statuses: this.latest().filter(({ commit }) => commit === seen.head) }]
  }

  /** The contents of a list: without a lag, the current ones. */
  private shown(): Pick<Snapshot, 'comments' | 'statuses'> {
    const lag = this.lag()
    if (lag === 0) return this
    return this.snapshots.findLast(({ at }) => at <= this.date() - lag) ?? { comments: [], statuses: [] }
  }

  /** Replaces a comment instead of changing it, because older snapshots of the lists may contain the same object. */
  private change(comment: StoredComment, change: Partial<StoredComment>): void {
    this.comments[this.comments.indexOf(comment)] = { ...comment, ...change }
    this.keep()
  }

  /** Records the current contents, for lists that lag. */
  private keep(): void {
    this.snapshots.push({ at: this.date(), comments: [...this.comments], statuses: [...this.statuses] })
  }

  /** The ports for the calls of a step. */
  ports(calls: Calls): GitHubPorts {
    const at = (thread: Thread) => threadName(thread)
    const find = (id: number) => this.comments.find((comment) => comment.id === id)
    const list = <T>(items: T[]) => ({ items: items.map((item) => ({ ...item })), isCut: this.isCut })
    const missing = { ok: false, rejection: { status: 404, message: 'Not Found' } } as const
    return {
      viewer: () => calls.make('viewer', '', () => viewer),
      role: (_, login) =>
        calls.make('role', login, () => {
          const permission = this.roles[login] ?? 'write'
          return { permission, roleName: permission, userId: 1 }
        }),
      comments: (thread) =>
        calls.make('comments', at(thread), () =>
          list(this.shown().comments.filter((comment) => threadName(comment.thread) === threadName(thread))),
        ),
      reply: (thread, body) => calls.make('reply', at(thread), () => this.add(thread, body)),
      edit: async (thread, id, body) => {
        const done = await calls.make('edit', at(thread), () => {
          const comment = find(id)
          if (comment === undefined || comment.createdAt > this.date() - this.lag()) return undefined
          this.note('~', thread, body)
          this.change(comment, { body, updatedAt: this.date() })
          return comment
        })
        if (!done.ok) return done
        return done.value === undefined ? missing : { ok: true, value: undefined }
      },
      remove: (thread, id) =>
        calls.make('remove', at(thread), () => {
          const comment = find(id)
          if (comment === undefined) return
          this.note('-', thread, comment.body)
          this.comments.splice(this.comments.indexOf(comment), 1)
          this.keep()
        }),
      react: (_, comment, content) =>
        calls.make('react', content, () => void this.reactions.push({ comment, content })),
      hide: (node) =>
        calls.make('hide', '', () => {
          const comment = this.comments.find(({ nodeId }) => nodeId === node)
          if (comment !== undefined) this.change(comment, { isHidden: true })
        }),
      recentComments: (repository, kind, since) =>
        calls.make('recentComments', kind, () =>
          list(
            this.shown().comments.filter(
              ({ thread, updatedAt }) =>
                thread.repository === repository &&
                updatedAt >= since &&
                (thread.reviewRoot === null) === (kind === 'issue'),
            ),
          ),
        ),
      statuses: (_, commit) =>
        calls.make('statuses', '', () => list(this.statusesOf(commit, this.shown().statuses))),
      setStatus: (repository, commit, status) =>
        calls.make('setStatus', status.state, () => this.setStatus(repository, commit, status)),
      recentStatuses: () => calls.make('recentStatuses', '', () => list(this.latest(this.shown().statuses))),
      render: (_, markdown) => calls.make('render', '', () => `<p>${markdown}</p>`),
      changedFiles: () => calls.make('changedFiles', '', () => ({ files: this.files, isCut: false })),
      file: () => calls.make('file', '', () => null),
      history: () => calls.make('history', '', () => ({ commits: [], next: null })),
      pullsOf: (_, commit) => calls.make('pullsOf', '', () => this.pullsBehind[commit] ?? []),
      openPulls: () => calls.make('openPulls', '', () => [...this.pulls]),
      pull: (_, number) => calls.make('pull', '', () => this.details[number] ?? null),
      addLabels: (_, number, labels) =>
        calls.make('addLabels', String(number), () => {
          this.labels[number] = [...new Set([...(this.labels[number] ?? []), ...labels])]
        }),
      requestReviews: async (_, number, { logins, teams }) => {
        const names = [...logins, ...teams]
        const isUnknown = names.some((name) => this.strangers.includes(name))
        const asked = await calls.make('requestReviews', String(number), () => {
          const all = new Set([...(this.reviewers[number] ?? []), ...names])
          if (!isUnknown) this.reviewers[number] = [...all]
        })
        return asked.ok && isUnknown ? { ok: false, rejection: { status: 422, message: 'no' } } : asked
      },
      contains: (_, ref, commit) =>
        calls.make('contains', ref, () => this.contained[ref]?.includes(commit) === true),
      pullViews: (repository, numbers) =>
        calls.make('pullViews', String(numbers.length), () =>
          numbers.flatMap((number) => this.view(repository, number)),
        ),
      releases: (_, since) =>
        calls.make('releases', '', () =>
          this.releases
            .filter(({ publishedAt }) => publishedAt >= since)
            .toSorted((one, other) => one.publishedAt - other.publishedAt),
        ),
      reviewComments: (_, number) =>
        calls.make('reviewComments', '', () => list(this.lineComments[number] ?? [])),
      links: (_, commit, paths) =>
        calls.make('links', commit, () => paths.filter((path) => this.linked.includes(path))),
      changedPaths: () => calls.make('changedPaths', '', () => ({ items: [], isCut: false })),
    }
  }
}
