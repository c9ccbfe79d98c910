/** The comments in the mock's threads, and reactions. */

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

export type ThreadBook = ReturnType<typeof createThreads>

export function createThreads(
  seeds: readonly SeedComment[],
  isKnownPull: (number: number) => boolean,
  now: () => Date,
) {
  const comments = seeds.map((seed): SandboxComment => {
    const { createdAt = '2026-11-02T10:00:00Z', updatedAt = createdAt } = seed
    return { ...seed, createdAt, updatedAt }
  })
  const reactions: SandboxReaction[] = []
  let lastId = Math.max(firstId - 1, ...seeds.map(({ id }) => id))
  const reviewed = seeds.flatMap(({ thread }) => (thread.reviewRoot === null ? [] : thread.number))

  /** Replaces a comment, or removes it; a new one is added. */
  function put(id: number, ...replacement: SandboxComment[]): void {
    const at = comments.findIndex((comment) => comment.id === id)
    comments.splice(at < 0 ? comments.length : at, 1, ...replacement)
  }

  /** Changes a comment, and returns it. */
  function change(comment: SandboxComment, changes: Partial<SandboxComment>): SandboxComment {
    const changed = { ...comment, ...changes }
    put(comment.id, changed)
    return changed
  }

  return {
    comments,
    reactions,
    change,
    isPullRequest: (number: number) => reviewed.includes(number) || isKnownPull(number),

    find: (kind: CommentKind, id: number) =>
      comments.find((comment) => comment.id === id && isOfKind(comment, kind)),

    /** The comments of one kind, by id: on one issue or pull request, or on all. */
    list(kind: CommentKind, number?: number): SandboxComment[] {
      return comments
        .filter((comment) => isOfKind(comment, kind))
        .filter(({ thread }) => number === undefined || thread.number === number)
        .sort((a, b) => a.id - b.id)
    },

    add(thread: CommentThread, body: string, user: string): SandboxComment {
      const createdAt = now().toISOString()
      const comment = { id: ++lastId, thread, body, user, createdAt, updatedAt: createdAt }
      put(comment.id, comment)
      return comment
    },

    edit: (comment: SandboxComment, body: string) =>
      change(comment, { body, updatedAt: now().toISOString() }),

    remove: ({ id }: SandboxComment) => put(id),

    /** Adds a reaction, and says whether it is new: an account can add each only once (openapi.json, "Reaction exists"). */
    react({ commentId, issue, content, user }: Omit<SandboxReaction, 'id'>): boolean {
      const isSame = (one: SandboxReaction) =>
        one.commentId === commentId && one.issue === issue && one.content === content && one.user === user
      if (reactions.some(isSame)) return false
      reactions.push({ id: ++lastId, commentId, issue, content, user })
      return true
    },
  }
}

function isOfKind({ thread }: SandboxComment, kind: CommentKind): boolean {
  return (thread.reviewRoot === null) === (kind === 'issues')
}
