/**
 * What the action adds to threads: comments, reactions, labels and requests for reviews; and roles (GitHub's REST API
 * docs: "Comments", "Reactions", "Labels", "Review requests", "Collaborators").
 */
import type { Repository, Thread } from '../core/thread.ts'
import type { Account } from '../core/trigger/event.ts'
import { type Api, completeItems, type Data, loginOf, nullIfMissing } from './client.ts'

/** A comment by any account, and the thread that it is on. */
export type FoundComment = ReturnType<typeof commentOf>

/** A reaction that the action uses. */
export type Reaction = 'eyes' | 'rocket' | 'confused'

/** The calls about threads and roles. */
export function commentCalls({ request, query, list, ownLogin }: Api) {
  return {
    /**
     * An account's role; null if it has none (404: not a user, no access). GitHub has no roles for bots. Asks for the
     * type of an account if only its login is known, which says nothing about that.
     */
    async role(repository: string, { login, isBot }: Account) {
      const readType = () => request<{ type: string }>('GET /users/{login}', { login })
      if (isBot ?? (await readType()).type === 'Bot') return 'bot'
      const route = `GET /repos/${repository}/collaborators/{login}/permission`
      const view = await request<Data<'repos', 'getCollaboratorPermissionLevel'>>(route, { login }).catch(
        nullIfMissing,
      )
      if (view === null) return null
      const { permission, role_name: roleName = permission, user } = view
      return { permission, roleName, userId: user?.id ?? null }
    },

    /** The comments on a thread, oldest first. Fails if the thread has over 3,000 comments. */
    async comments(thread: Thread) {
      const { number, reviewRoot } = thread
      const all = await list<CommentView>(`${pathOf(thread)}/${number}/comments`)
      const login = await ownLogin()
      const onThread = completeItems(all).filter((view) => reviewRoot === null || reviewRoot === rootOf(view))
      return onThread.map((view) => commentOf(view, thread, login))
    },

    /** A comment in a review thread; null if it does not exist. */
    reviewComment(repository: string, id: number) {
      return request(`GET /repos/${repository}/pulls/comments/${id}`).catch(nullIfMissing)
    },

    /** Adds a comment, and returns its id. Retried only if GitHub certainly did not carry it out. */
    async reply(thread: Thread, body: string) {
      const { number, reviewRoot } = thread
      const replies = reviewRoot === null ? '' : `/${reviewRoot}/replies`
      const route = `POST ${pathOf(thread)}/${number}/comments${replies}`
      const { id } = await request<CommentView>(route, { body })
      return id
    },

    /** Edits a comment, and returns its id. */
    async edit(thread: Thread, id: number, body: string) {
      await request(`PATCH ${pathOf(thread)}/comments/${id}`, { body })
      return id
    },

    /** Deletes a comment, unless someone else already did. */
    async remove(thread: Thread, id: number) {
      await request(`DELETE ${pathOf(thread)}/comments/${id}`).catch(nullIfMissing)
    },

    /** Reacts to a comment or, if `id` is null, to the issue or pull request. */
    async react(thread: Thread, id: number | null, content: Reaction) {
      const { repository, number } = thread
      const place = id === null ? `/repos/${repository}/issues/${number}` : `${pathOf(thread)}/comments/${id}`
      await request(`POST ${place}/reactions`, { content })
    },

    /** Adds labels, which GitHub creates if they do not exist. Repeating this does no harm. */
    async addLabels(repository: string, number: number, labels: readonly string[]) {
      await request(`POST /repos/${repository}/issues/${number}/labels`, { labels })
    },

    /** Requests a review from a person, or from a team: `owner/slug`. */
    async requestReview(repository: string, number: number, name: string) {
      const [, team] = name.split('/')
      const reviewers = team === undefined ? { reviewers: [name] } : { team_reviewers: [team] }
      await request(`POST /repos/${repository}/pulls/${number}/requested_reviewers`, reviewers)
    },

    /** Hides a comment as outdated (GraphQL `minimizeComment`). */
    async hide(nodeId: string) {
      await query(hideQuery, { id: nodeId })
    },

    /** The comments in a repository since a time, last updated first; may be incomplete. */
    async recentComments(home: Repository, kind: 'issues' | 'pulls', since: number) {
      const order = {
        // GitHub documents times in whole seconds.
        since: `${new Date(since).toISOString().slice(0, 19)}Z`,
        sort: 'updated',
        direction: 'desc',
      }
      const { items, isCut } = await list<CommentView>(`/repos/${home.repository}/${kind}/comments`, order)
      const login = await ownLogin()
      return { items: items.map((view) => commentOf(view, threadOf(home, view), login)), isCut }
    },
  }
}

/** The start of the paths of a thread's comments. GitHub's API separates review comments from all other comments. */
function pathOf({ repository, reviewRoot }: Thread) {
  return `/repos/${repository}/${reviewRoot === null ? 'issues' : 'pulls'}`
}

const hideQuery = `mutation hide($id: ID!) {
  minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`

/** A comment in a response. Only review comments have a `pull_request_url`. */
type CommentView = Data<'issues', 'getComment'> & Partial<Data<'pulls', 'getReviewComment'>>

function commentOf(
  { id, node_id, body = '', user, created_at }: CommentView,
  thread: Thread,
  viewer: string,
) {
  return {
    thread,
    id,
    /** Its id in GraphQL. */
    nodeId: node_id,
    body,
    /** With a bot's `[bot]`, as in REST; null if the account is gone. */
    author: loginOf(user),
    /** The token's account. What other accounts wrote is hostile. */
    viewer,
    /** Milliseconds since the epoch. */
    createdAt: Date.parse(created_at),
  }
}

/** The first comment of a review comment's thread. */
function rootOf({ id, in_reply_to_id = id }: CommentView) {
  return in_reply_to_id
}

/** A comment's thread. GitHub returns it only in URLs: `…/pull/7#…` or `…/issues/7#…`. */
function threadOf({ repository, repositoryId }: Repository, view: CommentView) {
  const [, kind, number] = /\/(pull|issues)\/(\d+)(?:#|$)/.exec(view.html_url) ?? []
  const reviewRoot = view.pull_request_url === undefined ? null : rootOf(view)
  return { repository, repositoryId, number: Number(number), isPullRequest: kind === 'pull', reviewRoot }
}
