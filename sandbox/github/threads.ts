/** The comments in the double's threads, and reactions. */

/** The conversation of an issue or pull request, or one of its review threads. */
export interface CommentThread {
  /** The issue's or pull request's number. */
  number: number
  /** The id of the review thread's first comment; null for the conversation. */
  reviewRoot: number | null
}

/** A comment that exists before the first request. If its `reviewRoot` is its own id, it starts a review thread. */
export interface SeedComment {
  readonly id: number
  readonly thread: Readonly<CommentThread>
  readonly body: string
  /** The author's login; null if the account was deleted. */
  readonly user: string | null
  /** 2026-11-02T10:00:00Z by default. */
  readonly createdAt?: string
  /** `createdAt` by default. */
  readonly updatedAt?: string
  /** The id of the review that a review comment was submitted with; a separate review by default. */
  readonly review?: number
}

export interface SandboxComment extends SeedComment {
  readonly createdAt: string
  readonly updatedAt: string
  /** Why it is hidden (`minimizeComment`); undefined if it is shown. */
  readonly minimizedReason?: string
}

/** GitHub's eight reactions (openapi.json, "reaction"). */
export type ReactionContent = '+1' | '-1' | 'laugh' | 'confused' | 'heart' | 'hooray' | 'rocket' | 'eyes'

export interface SandboxReaction {
  readonly id: number
  /** null for a reaction to an issue or pull request itself. */
  readonly commentId: number | null
  /** The number of that issue or pull request; null for a reaction to a comment. */
  readonly issue: number | null
  readonly content: ReactionContent
  readonly user: string
}

/** Issue comments and review comments have separate endpoints, and each only knows the ids of its own kind. */
export type CommentKind = 'issues' | 'pulls'

const firstId = 9001

export class ThreadBook {
  readonly comments: SandboxComment[]
  readonly reactions: SandboxReaction[] = []
  readonly isPullRequest: (number: number) => boolean
  readonly #now: () => Date
  readonly #lag: () => number
  /** The comments before each change, with the time of the change. */
  readonly #past: { until: number; comments: SandboxComment[] }[] = []
  #lastId: number

  constructor(
    seeds: readonly SeedComment[],
    isPullRequest: (number: number) => boolean,
    now: () => Date,
    lag: () => number,
  ) {
    this.comments = seeds.map(({ createdAt = '2026-11-02T10:00:00Z', updatedAt = createdAt, ...seed }) => {
      return { ...seed, createdAt, updatedAt }
    })
    const reviewed = seeds.flatMap(({ thread }) => (thread.reviewRoot === null ? [] : thread.number))
    this.isPullRequest = (number) => reviewed.includes(number) || isPullRequest(number)
    this.#now = now
    this.#lag = lag
    this.#lastId = Math.max(firstId - 1, ...seeds.map(({ id }) => id))
  }

  find(kind: CommentKind, id: number): SandboxComment | undefined {
    return this.comments.find((comment) => comment.id === id && isOfKind(comment, kind))
  }

  /** The comments of one kind, by id: on one issue or pull request, or on all. The list lags. */
  list(kind: CommentKind, number?: number): SandboxComment[] {
    const time = this.#now().getTime() - this.#lag()
    const { comments } = this.#past.find(({ until }) => until > time) ?? this
    return comments
      .filter((comment) => isOfKind(comment, kind))
      .filter(({ thread }) => number === undefined || thread.number === number)
      .sort((a, b) => a.id - b.id)
  }

  /** Keeps the comments as they are, for lists that lag. */
  #keep(): void {
    this.#past.push({ until: this.#now().getTime(), comments: [...this.comments] })
  }

  add(thread: CommentThread, body: string, user: string): SandboxComment {
    this.#keep()
    const createdAt = this.#now().toISOString()
    const comment = { id: ++this.#lastId, thread, body, user, createdAt, updatedAt: createdAt }
    this.comments.push(comment)
    return comment
  }

  /** Changes a comment, and returns it. */
  change(id: number, change: Partial<SandboxComment>): SandboxComment {
    this.#keep()
    const at = this.#indexOf(id)
    const comment = { ...(this.comments[at] as SandboxComment), ...change }
    this.comments[at] = comment
    return comment
  }

  edit(id: number, body: string): SandboxComment {
    return this.change(id, { body, updatedAt: this.#now().toISOString() })
  }

  remove(id: number): void {
    this.#keep()
    this.comments.splice(this.#indexOf(id), 1)
  }

  /** Adds a reaction, and says whether it is new: an account can add each only once (openapi.json, "Reaction exists"). */
  react({ commentId, issue, content, user }: Omit<SandboxReaction, 'id'>): boolean {
    const isSame = (one: SandboxReaction) =>
      one.commentId === commentId && one.issue === issue && one.content === content && one.user === user
    if (this.reactions.some(isSame)) return false
    this.reactions.push({ id: ++this.#lastId, commentId, issue, content, user })
    return true
  }

  #indexOf(id: number): number {
    const at = this.comments.findIndex((comment) => comment.id === id)
    if (at < 0) throw new Error(`There is no comment ${id}`)
    return at
  }
}

function isOfKind({ thread }: SandboxComment, kind: CommentKind): boolean {
  return (thread.reviewRoot === null) === (kind === 'issues')
}
