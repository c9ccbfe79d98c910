/** GitHub in memory, for use cases. Its state outlives a step, and a test decides which calls fail and how. */

import type { GitHubFailure, GitHubReply } from '../../src/core/http.ts'
import type { ChangedFile } from '../../src/core/prompt/diff.ts'
import { type Thread, threadName } from '../../src/core/thread.ts'
import type { LineComment } from '../../src/core/trigger/request.ts'
import type { GitHubPorts, PullFacts, Reaction } from '../../src/ports.ts'
import {
  type Args,
  type Lists,
  listed,
  lists,
  missing,
  type Places,
  type StoredComment,
  type StoredPull,
  type StoredStatus,
  shownName,
  viewer,
  viewsOf,
  writes,
} from '../github.ts'

/** What happens to a call: the step is killed before or after its effect, or the call fails. */
export type Mishap = 'killed before' | 'killed after' | (GitHubFailure & { hasEffect?: boolean })

/** A step was killed: its calls no longer return. */
export class Killed extends Error {}

/** GitHub rejects the call. */
export const rejected: Mishap = { kind: 'rejected', status: 403, detail: 'no' }
/** GitHub carries out the call, but the response is lost. */
export const lost: Mishap = {
  kind: 'broken',
  status: 502,
  detail: 'lost',
  isUncertain: true,
  hasEffect: true,
}

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
  async make<T>(name: string, where: string, act: () => T | typeof missing): Promise<GitHubReply<T>> {
    await Promise.resolve()
    if (this.isKilled) throw new Killed()
    const mishap = this.mishapOf(this.made.length, name)
    this.made.push(`${name} ${where}`.trim())
    if (mishap === undefined) {
      const value = act()
      return value === missing ? missing : { ok: true, value: value as T }
    }
    if (typeof mishap === 'object') {
      const { hasEffect = false, ...failure } = mishap
      if (hasEffect) act()
      return { ok: false, failure }
    }
    if (mishap === 'killed after') act()
    this.isKilled = true
    throw new Killed()
  }
}

type Value<Port> = Port extends (...args: never[]) => Promise<GitHubReply<infer Value>> ? Value : never

/** What GitHub returns for calls to other ports than those of its lists and writes. */
type Reads = {
  [Name in keyof GitHubPorts]?: (
    ...args: Parameters<GitHubPorts[Name]>
  ) => Value<GitHubPorts[Name]> | typeof missing
}

export class GitHub implements Places {
  comments: StoredComment[] = []
  statuses: StoredStatus[] = []
  lastId = 5000
  /** Older versions of the lists, and until when GitHub had them. */
  readonly past: (Lists & { until: number })[] = []
  /** Lag of the next list, or of the next edit of a new comment, in milliseconds. */
  lag: () => number = () => 0
  readonly reactions: { comment: number | null; content: Reaction }[] = []
  /** What people saw on each thread: `+ new`, `~ edited`, `- deleted`, each with the comment's first line. */
  readonly seen: Record<string, string[]> = {}
  /** Open pull requests, newest first. */
  pulls: StoredPull[] = []
  /** Pull requests with all details, by number. */
  details: Record<number, StoredPull> = {}
  /** Line comments of reviews, by the number of the pull request. */
  lineComments: Record<number, LineComment[]> = {}
  /** The files of each change. */
  files: ChangedFile[] = []
  /** git's modes of symbolic links and the like, by path; null if the last commit has nothing there. */
  modes: Record<string, number | null> = {}
  /** The pull requests that contain a commit, by commit. */
  pullsBehind: Record<string, StoredPull[]> = {}
  /** `permission` by login; write by default. */
  roles: Record<string, string> = {}
  releases: { tag: string; publishedAt: number }[] = []
  /** The commits that releases and branches contain, by the name of the release or branch. */
  contained: Record<string, string[]> = {}
  /** The commits that `main` does not contain. */
  offMain: string[] = []
  /** Reviewers by pull request. */
  readonly reviewers: Record<number, string[]> = {}
  /** Whether lists are incomplete. */
  isCut = false
  private readonly date: () => number

  constructor(date: () => number) {
    this.date = date
  }

  get now(): number {
    return this.date()
  }

  /** Adds a comment, and returns its id. */
  add(thread: Thread, body: string): number {
    return this.write('reply', [thread, body]) as number
  }

  /** The comments on a thread, oldest first. */
  on(thread: Thread): StoredComment[] {
    return this.comments.filter((comment) => threadName(comment.thread) === threadName(thread))
  }

  /** The first line of each of the action's comments on a thread, except hidden ones. */
  said(thread: Thread): string[] {
    return this.on(thread)
      .filter(({ author, isHidden }) => author === viewer && !isHidden)
      .map(({ body }) => body.split('\n')[0] ?? '')
  }

  /** What people see beside a commit, latest first: the state and the description. */
  told(commit: string): string[] {
    const own = this.statuses.filter((status) => status.commit === commit)
    return own.map(({ state, description }) => `${state}: ${description}`).reverse()
  }

  /** The ports for the calls of a step. */
  ports(calls: Calls): GitHubPorts {
    const names = Object.keys({ ...lists, ...writes, ...this.reads() })
    const port = (name: string) => {
      return (...args: Args) => calls.make(name, aboutOf(args), () => this.carryOut(name, args))
    }
    return Object.fromEntries(names.map((name) => [name, port(name)])) as unknown as GitHubPorts
  }

  private carryOut(name: string, args: Args): unknown {
    const list = lists[name]
    if (list !== undefined) return listed(name, list(this.shown(), args), this.isCut)
    if (name in writes) return this.write(name, args)
    const reads: Record<string, (...args: Args) => unknown> = this.reads()
    return reads[name]?.(...args)
  }

  /** The contents of lists. */
  private shown(): Lists {
    const at = this.now - this.lag()
    return this.past.find(({ until }) => until > at) ?? this
  }

  private write(name: string, args: Args): unknown {
    const [thread, id] = args
    const isMeant = (comment: StoredComment) => comment.id === id
    if (name === 'edit' && !this.shown().comments.some(isMeant)) return missing
    const { value, ...changed } = writes[name]?.(this, args) ?? {}
    const sign = { reply: '+', edit: '~', remove: '-' }[name]
    const text = name === 'remove' ? this.comments.find(isMeant)?.body : args.at(-1)
    if (sign !== undefined && text !== undefined) {
      const name = shownName(thread)
      this.seen[name] = [...(this.seen[name] ?? []), `${sign} ${text.split('\n')[0]}`]
    }
    // Copies, because tests change the lists in place.
    this.past.push({ comments: [...this.comments], statuses: [...this.statuses], until: this.now })
    Object.assign(this, changed)
    return value
  }

  private reads(): Reads {
    return {
      role: (_, { login, isBot }) => {
        if (isBot) return 'bot'
        const permission = this.roles[login] ?? 'write'
        return { permission, roleName: permission, userId: 1 }
      },
      reviewComment: (_, id) => (id === 404 ? null : {}),
      react: (_, comment, content) => void this.reactions.push({ comment, content }),
      render: (_, markdown) => `<p>${markdown}</p>`,
      changedFiles: (_, range) => {
        const isEmpty = range.by === 'compare' && range.base === range.head
        return { files: isEmpty ? [] : this.files, isCut: false }
      },
      changedPaths: () => ({ items: [], isCut: false }),
      attributesFiles: () => [],
      history: () => ({ branch: 'main', commits: [], next: null }),
      pullsOf: (_, commits) => commits.map((sha) => this.pullsBehind[sha] ?? []),
      pullsOn: (_, side, ...branches) => {
        const pulls = Object.values(this.details)
        const branchOf = (pull: PullFacts) => (side === 'headRefName' ? pull.branch : pull.base)
        return branches.flatMap((branch) => pulls.filter((pull) => branchOf(pull) === branch))
      },
      openPulls: () => [...this.pulls],
      pull: ({ number }) => this.details[number] ?? missing,
      addLabels: () => {},
      requestReview: (_, number, name) => {
        const all = [...(this.reviewers[number] ?? []), name.replace(/^.*\//, '')]
        this.reviewers[number] = [...new Set(all)]
      },
      contains: (_, ref, commit) => {
        if (ref === 'HEAD') return !this.offMain.includes(commit)
        return this.contained[ref]?.includes(commit) === true
      },
      pullViews: (_, numbers) => {
        const pulls = numbers.flatMap((number) => this.details[number] ?? [])
        return viewsOf(pulls, this.statuses)
      },
      releases: (_, since) =>
        this.releases.filter(({ publishedAt }) => publishedAt >= since).map(({ tag }) => tag),
      reviewComments: (_, number) => this.lineComments[number] ?? [],
      treeEntries: (_, wanted) => {
        const entryAt = (path: string) => ({ mode: this.modes[path] ?? 0o100644, oid: path })
        const found = wanted.filter(({ path }) => this.modes[path] !== null)
        return new Map(found.map(({ commit, path }) => [`${commit}:${path}`, entryAt(path)]))
      },
    }
  }
}

/** What a call is about: its thread, the state that it sets, or what it asks for. */
function aboutOf([on, what, more]: Args): string {
  if (Object(on).number !== undefined) return shownName(on)
  return more?.state ?? (more === undefined ? '' : `${what}`)
}
