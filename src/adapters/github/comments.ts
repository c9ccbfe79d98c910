/**
 * The action's own comments, reactions to other comments, and roles (GitHub's REST API docs: "Comments", "Reactions",
 * "Collaborators").
 */
import type { Thread } from '../../core/thread.ts'
import type { AccountRole } from '../../core/trigger/permission.ts'
import { type Account, loginOf, named, type Octokit, orNull, readPages, rejectionOf } from './client.ts'

/** Maximum number of pages of one thread's comments, with 100 each. */
const threadPages = 30
/** Maximum number of pages of a repository's comments, with 100 each. */
const repositoryPages = 20

/** A comment that was found on a thread. */
export type FoundComment = ReturnType<typeof commentOf>

/** A comment, and the thread that it is on. */
export type PlacedComment = FoundComment & { thread: Thread }

/** A reaction that the action uses. */
export type Reaction = 'eyes' | 'rocket' | 'confused'

/** The calls about comments, reactions and roles. */
export const commentCalls = {
  /** An account's role; null if it has none (404: not a user, no access). */
  role: orNull(async ({ rest }, repository: string, username: string): Promise<AccountRole> => {
    const { data } = await rest.repos.getCollaboratorPermissionLevel({ ...named(repository), username })
    const { permission, role_name: roleName = permission, user } = data
    return { permission, roleName, userId: user?.id ?? null }
  }),

  /** The login of the token's account (GraphQL `viewer`), with a bot's `[bot]`. Requested once in a step. */
  async viewer(octokit: Octokit) {
    const query = 'query viewer { viewer { login } }'
    octokit.login ??= (await octokit.graphql<{ viewer: { login: string } }>(query)).viewer.login
    return octokit.login
  },

  /** A thread's comments, oldest first, at most 3,000. */
  async comments({ paginate, rest }: Octokit, { repository, number, reviewRoot }: Thread) {
    const at = { ...named(repository), per_page: 100 }
    if (reviewRoot === null) {
      const pages = paginate.iterator(rest.issues.listComments, { ...at, issue_number: number })
      return readPages(pages, threadPages, (page) => page.map(commentOf))
    }
    const pages = paginate.iterator(rest.pulls.listReviewComments, { ...at, pull_number: number })
    return readPages(pages, threadPages, (page) =>
      page.filter((view) => (view.in_reply_to_id ?? view.id) === reviewRoot).map(commentOf),
    )
  },

  /** Adds a comment, and returns its id. Retried only if GitHub certainly did not carry it out. */
  async reply(octokit: Octokit, { repository, number, reviewRoot }: Thread, body: string) {
    const { issues, pulls } = octokit.rest
    const at = { ...named(repository), body }
    const { data } =
      reviewRoot === null
        ? await issues.createComment({ ...at, issue_number: number })
        : await pulls.createReplyForReviewComment({ ...at, pull_number: number, comment_id: reviewRoot })
    // The comment's author is the token's account, so no extra call is needed.
    if (data.user) octokit.login = data.user.login
    return data.id
  },

  async edit({ rest }: Octokit, { repository, reviewRoot }: Thread, id: number, body: string) {
    const at = { ...named(repository), comment_id: id, body }
    await (reviewRoot === null ? rest.issues.updateComment(at) : rest.pulls.updateReviewComment(at))
  },

  /** Deletes a comment. `gone`: someone else already did. Only one of several callers gets `deleted`. */
  async remove({ rest }: Octokit, { repository, reviewRoot }: Thread, id: number) {
    const at = { ...named(repository), comment_id: id }
    try {
      await (reviewRoot === null ? rest.issues.deleteComment(at) : rest.pulls.deleteReviewComment(at))
      return 'deleted'
    } catch (error) {
      const { status, isUncertain } = rejectionOf(error)
      if (status !== 404) throw error
      return isUncertain ? 'deleted' : 'gone'
    }
  },

  /** Reacts to a comment or, if `id` is null, to the issue or pull request. */
  async react(
    { rest: { reactions } }: Octokit,
    { repository, number, reviewRoot }: Thread,
    id: number | null,
    content: Reaction,
  ) {
    const at = { ...named(repository), content }
    if (id === null) await reactions.createForIssue({ ...at, issue_number: number })
    else if (reviewRoot === null) await reactions.createForIssueComment({ ...at, comment_id: id })
    else await reactions.createForPullRequestReviewComment({ ...at, comment_id: id })
  },

  /** Hides a comment as outdated (GraphQL `minimizeComment`). */
  async hide({ graphql }: Octokit, nodeId: string) {
    await graphql(hideQuery, { id: nodeId })
  },

  /** A repository's comments that were updated since a time, newest first; may be incomplete. */
  async recentComments(
    { paginate, rest }: Octokit,
    repository: string,
    kind: 'issue' | 'review',
    since: number,
  ) {
    const order = { sort: 'updated', direction: 'desc' } as const
    // GitHub documents times in whole seconds.
    const from = `${new Date(since).toISOString().slice(0, 19)}Z`
    const at = { ...named(repository), since: from, ...order, per_page: 100 }
    if (kind === 'issue') {
      const pages = paginate.iterator(rest.issues.listCommentsForRepo, at)
      return readPages(pages, repositoryPages, (page) =>
        page.map((view) => ({ ...commentOf(view), thread: conversationOf(repository, view) })),
      )
    }
    const pages = paginate.iterator(rest.pulls.listReviewCommentsForRepo, at)
    return readPages(pages, repositoryPages, (page) =>
      page.map((view) => ({ ...commentOf(view), thread: reviewThreadOf(repository, view) })),
    )
  },
}

const hideQuery = `mutation hide($id: ID!) {
  minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`

/** The fields that both kinds of comments have in common. */
interface CommentView {
  id: number
  node_id: string
  body?: string
  user: Account | null
  created_at: string
}

function commentOf({ id, node_id, body = '', user, created_at }: CommentView) {
  return {
    id,
    /** Its id in GraphQL. */
    nodeId: node_id,
    body,
    /** With a bot's `[bot]`, as in REST; null if the account is gone. */
    author: loginOf(user),
    /** Milliseconds since the epoch. */
    createdAt: Date.parse(created_at),
  }
}

/**
 * A comment's thread. GitHub returns it only in URLs: `…/issues/7` in `issue_url`, and `…/pull/7#…` or `…/issues/7#…`
 * in `html_url`.
 */
function conversationOf(repository: string, view: { issue_url: string; html_url: string }): Thread {
  const isPullRequest = /\/pull\/\d+(#|$)/.test(view.html_url)
  return { repository, number: lastNumber(view.issue_url), isPullRequest, reviewRoot: null }
}

function reviewThreadOf(
  repository: string,
  { id, in_reply_to_id, pull_request_url }: { id: number; in_reply_to_id?: number; pull_request_url: string },
): Thread {
  const reviewRoot = in_reply_to_id ?? id
  return { repository, number: lastNumber(pull_request_url), isPullRequest: true, reviewRoot }
}

function lastNumber(address: string): number {
  return Number(/\/(\d+)$/.exec(address)?.[1])
}
