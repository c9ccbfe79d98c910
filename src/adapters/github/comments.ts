/**
 * The action's own comments, reactions to other comments, and roles (GitHub's REST API docs: "Comments", "Reactions",
 * "Collaborators").
 */
import type { Thread } from '../../core/thread.ts'
import type { FoundComment, GitHubPorts, OwnComments } from '../../usecases/ports.ts'
import { type Account, type Ask, loginOf, orNull, parseRepositoryName, readPages } from './client.ts'
import type { Viewer } from './viewer.ts'

/** Maximum number of pages of one thread's comments, with 100 each. */
const threadPages = 30
/** Maximum number of pages of a repository's comments, with 100 each. */
const repositoryPages = 20

/** The calls about comments, reactions and roles. */
export function createComments(ask: Ask, viewer: Viewer): OwnComments & Pick<GitHubPorts, 'role'> {
  return {
    role: (repository, username) =>
      orNull(
        ask(async ({ rest }) => {
          const { data } = await rest.repos.getCollaboratorPermissionLevel({
            ...parseRepositoryName(repository),
            username,
          })
          const { permission, role_name: roleName = permission, user } = data
          return { permission, roleName, userId: user?.id ?? null }
        }),
      ),

    viewer: viewer.read,

    comments: ({ repository, number, reviewRoot }) =>
      ask(async ({ paginate, rest }) => {
        const at = { ...parseRepositoryName(repository), per_page: 100 }
        if (reviewRoot === null) {
          const pages = paginate.iterator(rest.issues.listComments, { ...at, issue_number: number })
          return readPages(pages, threadPages, (page) => page.map(commentOf))
        }
        const pages = paginate.iterator(rest.pulls.listReviewComments, { ...at, pull_number: number })
        return readPages(pages, threadPages, (page) =>
          page.filter((view) => (view.in_reply_to_id ?? view.id) === reviewRoot).map(commentOf),
        )
      }),

    reply: ({ repository, number, reviewRoot }, body) =>
      ask(async ({ rest }) => {
        const at = { ...parseRepositoryName(repository), body }
        const { data } =
          reviewRoot === null
            ? await rest.issues.createComment({ ...at, issue_number: number })
            : await rest.pulls.createReplyForReviewComment({
                ...at,
                pull_number: number,
                comment_id: reviewRoot,
              })
        // The comment's author is the token's account, so no extra call is needed.
        const login = data.user?.login
        if (typeof login === 'string') viewer.know(login)
        return data.id
      }),

    edit: ({ repository, reviewRoot }, id, body) =>
      ask(async ({ rest }) => {
        const at = { ...parseRepositoryName(repository), comment_id: id, body }
        await (reviewRoot === null ? rest.issues.updateComment(at) : rest.pulls.updateReviewComment(at))
      }),

    remove: async ({ repository, reviewRoot }, id) => {
      const reply = await ask(async ({ rest }) => {
        const at = { ...parseRepositoryName(repository), comment_id: id }
        await (reviewRoot === null ? rest.issues.deleteComment(at) : rest.pulls.deleteReviewComment(at))
        return 'deleted' as const
      })
      if (reply.ok || reply.rejection.status !== 404) return reply
      return { ok: true, value: reply.rejection.isUncertain === true ? 'deleted' : 'gone' }
    },

    react: ({ repository, number, reviewRoot }, id, content) =>
      ask(async ({ rest }) => {
        const at = { ...parseRepositoryName(repository), content }
        if (id === null) await rest.reactions.createForIssue({ ...at, issue_number: number })
        else if (reviewRoot === null) await rest.reactions.createForIssueComment({ ...at, comment_id: id })
        else await rest.reactions.createForPullRequestReviewComment({ ...at, comment_id: id })
      }),

    hide: (nodeId) =>
      ask(async ({ graphql }) => {
        await graphql(hideQuery, { id: nodeId })
      }),

    recentComments: (repository, kind, since) =>
      ask(async ({ paginate, rest }) => {
        const order = { sort: 'updated', direction: 'desc' } as const
        // GitHub documents times in whole seconds.
        const from = `${new Date(since).toISOString().slice(0, 19)}Z`
        const at = { ...parseRepositoryName(repository), since: from, ...order, per_page: 100 }
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
      }),
  }
}

const hideQuery = `mutation hide($id: ID!) {
  minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`

/** The fields that both kinds of comments have in common. */
interface CommentView {
  id: number
  node_id: string
  body?: string | null
  user: Account | null
  created_at: string
}

function commentOf({ id, node_id, body, user, created_at }: CommentView): FoundComment {
  return {
    id,
    nodeId: node_id,
    body: body ?? '',
    author: loginOf(user),
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
