/**
 * A repository of the mock: branches and pull requests based on commits (commits.ts). Tests can change it while
 * the server runs.
 */
import { type Commit, commitsBetween, historyOf, mergeBaseOf, sha1 } from './commits.ts'
import { changesBetween, type FileChange, treeWithoutFiles } from './diff.ts'

export interface RepositoryOptions {
  /** `owner/name` */
  name: string
  /** By default, one that depends on the name. */
  id?: number
  /** The last commit of each branch, by the branch's name. */
  branches?: Readonly<Record<string, Commit>>
  pulls?: readonly PullRequestOptions[]
  /** Oldest first. */
  releases?: readonly ReleaseOptions[]
}

export interface ReleaseOptions {
  tag: string
  publishedAt: string
  isPrerelease?: boolean
}

export interface PullRequestOptions {
  number: number
  head: {
    branch: string
    commit: Commit
    /** `owner/name` of the fork; null if the fork was deleted; the repository itself by default. */
    repository?: string | null
  }
  /**
   * By default, the default branch as it is now. If the pull request is merged, `commit` is the merge's first parent by
   * default, so set it for a rebase of several commits.
   */
  base?: { branch?: string; commit?: Commit }
  /** `mona` by default. */
  user?: string
  title?: string
  /** `open` by default, and `closed` once it is merged. */
  state?: 'open' | 'closed'
  /** The commit that the merge created on the base branch: a merge commit, a squashed commit, or the last rebased one. */
  merged?: { commit: Commit }
  labels?: readonly string[]
  /** The logins of the requested reviewers, and `team/` with the slug for a team. */
  reviewers?: readonly string[]
  createdAt?: string
  /** When it last changed. If it is merged or closed, this is also the time of the merge or the closing. */
  updatedAt?: string
}

export interface PullRequest extends Required<Omit<PullRequestOptions, 'head' | 'base' | 'merged'>> {
  head: { branch: string; commit: Commit; repository: string | null }
  base: { branch: string; commit: Commit }
  merged: { commit: Commit } | undefined
}

export const defaultBranch = 'main'

/** The ID of a repository that had this name first: the same in every run. */
export function repositoryId(name: string): number {
  return Number.parseInt(sha1(name.toLowerCase()).slice(0, 7), 16)
}

export class Repository {
  name: string
  /** Stays the same when the repository is renamed. */
  readonly id: number
  /** Names that redirect to this repository until another one takes them. */
  readonly formerNames: string[] = []
  readonly #branches: Map<string, Commit>
  readonly #pulls = new Map<number, PullRequestOptions>()
  readonly releases: ReleaseOptions[]

  constructor(options: RepositoryOptions) {
    this.name = options.name
    this.id = options.id ?? repositoryId(options.name)
    this.#branches = new Map(Object.entries(options.branches ?? {}))
    this.releases = [...(options.releases ?? [])]
    for (const pull of options.pulls ?? []) this.setPull(pull)
  }

  /** Moves or creates a branch. Commits that only the old branch contained disappear. */
  setBranch(name: string, commit: Commit): void {
    this.#branches.set(name, commit)
  }

  /** Opens a pull request, or replaces the one with its number. */
  setPull(pull: PullRequestOptions): void {
    this.#pulls.set(pull.number, pull)
  }

  changePull(number: number, change: Partial<PullRequestOptions>): void {
    const pull = this.#pulls.get(number)
    if (pull === undefined) throw new Error(`${this.name} has no pull request ${number}`)
    this.setPull({ ...pull, ...change })
  }

  get pulls(): PullRequest[] {
    return [...this.#pulls.values()].map((pull) => this.#complete(pull))
  }

  pull(number: number): PullRequest | undefined {
    const pull = this.#pulls.get(number)
    return pull && this.#complete(pull)
  }

  /** All existing commits, by SHA. */
  get commits(): Map<string, Commit> {
    const merged = this.pulls.flatMap(({ head, base, merged }) => {
      return [head.commit, base.commit, ...(merged ? [merged.commit] : [])]
    })
    return historyOf(...this.#branches.values(), ...merged)
  }

  /** The commit of a branch, `HEAD` or a SHA. */
  find(name: string): Commit | undefined {
    return this.#branches.get(name === 'HEAD' ? defaultBranch : name) ?? this.commits.get(name)
  }

  /** The merged pull requests that contain a commit. If the commit is not on the default branch, also the open ones. */
  pullsWith(commit: Commit): PullRequest[] {
    const main = this.#branches.get(defaultBranch)
    const isOnMain = main !== undefined && historyOf(main).has(commit.sha)
    return this.pulls.filter((pull) => {
      const own = commitsBetween(pull.base.commit, pull.merged?.commit ?? pull.head.commit)
      const proposed = isOnMain ? own : [...own, ...commitsBetween(pull.base.commit, pull.head.commit)]
      const isIn = proposed.some(({ sha }) => sha === commit.sha)
      return isIn && (pull.merged !== undefined || (!isOnMain && pull.state === 'open'))
    })
  }

  #complete(pull: PullRequestOptions): PullRequest {
    const { number, head, base: { branch = defaultBranch } = {}, merged } = pull
    const base = pull.base?.commit ?? merged?.commit.parents[0] ?? this.#branches.get(branch)
    if (base === undefined) throw new Error(`Pull request ${number} of ${this.name} has no base: give one`)
    return {
      user: 'mona',
      title: head.commit.message.replace(/\n.*/s, ''),
      state: merged ? 'closed' : 'open',
      labels: [],
      reviewers: [],
      createdAt: '2026-11-02T10:00:00Z',
      updatedAt: '2026-11-02T11:00:00Z',
      ...pull,
      head: { ...head, repository: head.repository === undefined ? this.name : head.repository },
      base: { branch, commit: base },
      merged,
    }
  }
}

/** The changes of a pull request since its merge base. */
export function changesOf({ head, base }: PullRequest): readonly FileChange[] {
  return changesBetween(mergeBaseOf(base.commit, head.commit)?.tree ?? treeWithoutFiles, head.commit.tree)
}

/** The changes of a commit; for a merge, relative to its first parent. */
export function changesIn({ parents, tree }: Commit): readonly FileChange[] {
  return changesBetween(parents[0]?.tree ?? treeWithoutFiles, tree)
}

/** Names of accounts and repositories are not case-sensitive. */
export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
