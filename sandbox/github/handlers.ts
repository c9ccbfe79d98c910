/** The handlers of the operations in openapi.json. */

import type { Reply } from '../wire.ts'
import { rejectWrite, roleOf, type Write } from './access.ts'
import { cutPage, pageIn } from './pages.ts'
import { invalid, problem } from './reply.ts'
import { repositoryHandlers } from './repository-handlers.ts'
import { labelView } from './repository-views.ts'
import type { CommentKind, ReactionContent, SandboxComment, SandboxReaction } from './threads.ts'
import { issueCommentView, permissionView, reactionView, reviewCommentView } from './views.ts'
import type { Handler, ValidRequest, World } from './world.ts'

/** Maximum length in characters. Not documented: GitHub rejects a longer body with 422 (danger/danger#424). */
const maxBodyLength = 65_536

export const handlers = {
  'repos/get-collaborator-permission-level': ({ path }, world) => {
    const login = String(path.username)
    const role = roleOf(login, world.roles)
    if (role === undefined) return problem(404, `${login} is not a user`)
    return { status: 200, body: permissionView(login, role, world.place) }
  },

  'issues/list-comments': (request, world) => {
    return list('issues', Number(request.path.issue_number), request, world)
  },

  'issues/create-comment': ({ path, body }, world) => {
    const number = Number(path.issue_number)
    const where = world.book.isPullRequest(number) ? 'pull' : 'issue'
    return create({ number, reviewRoot: null }, body.body, where, world)
  },

  'issues/update-comment': (request, world) => update('issues', request, world),

  'issues/delete-comment': (request, world) => remove('issues', request, world),

  'issues/list-comments-for-repo': (request, world) => listAll('issues', request, world),

  'issues/add-labels': ({ path, body: { labels = [] }, repository }, world) => {
    const rejected = rejectWrite({ what: 'comment', where: 'pull' }, world.lacks)
    if (rejected) return rejected
    const pull = repository.pull(Number(path.issue_number))
    if (pull === undefined) return problem(404)
    const all = [...new Set([...pull.labels, ...labels])]
    repository.changePull(pull.number, { labels: all })
    return { status: 200, body: all.map((name) => labelView(name, world.place)) }
  },

  'reactions/create-for-issue': ({ path, body: { content } }, world) => {
    const issue = Number(path.issue_number)
    const where = world.book.isPullRequest(issue) ? 'pull' : 'issue'
    return addReaction({ commentId: null, issue }, where, content, world)
  },

  'reactions/create-for-issue-comment': (request, world) => react('issues', request, world),

  'pulls/list-review-comments': (request, world) => {
    const number = Number(request.path.pull_number)
    return world.book.isPullRequest(number) ? list('pulls', number, request, world) : problem(404)
  },

  'pulls/create-reply-for-review-comment': ({ path, body }, world) => {
    const root = world.book.find('pulls', Number(path.comment_id))
    // openapi.json: "This must be the ID of a top-level review comment, not a reply to that comment."
    if (root === undefined || root.thread.reviewRoot !== root.id) return problem(404)
    if (root.thread.number !== Number(path.pull_number)) return problem(404)
    return create(root.thread, body.body, 'review', world)
  },

  'pulls/update-review-comment': (request, world) => update('pulls', request, world),

  'pulls/delete-review-comment': (request, world) => remove('pulls', request, world),

  'pulls/list-review-comments-for-repo': (request, world) => listAll('pulls', request, world),

  'reactions/create-for-pull-request-review-comment': (request, world) => react('pulls', request, world),

  ...repositoryHandlers,
} satisfies Record<string, Handler>

/** The operations in openapi.json, by their `operationId`. */
export type OperationName = keyof typeof handlers

/** A call's operation: one in openapi.json, or a GraphQL operation by the name in its document. */
export type CallName = OperationName | `graphql/${string}`

function list(kind: CommentKind, number: number, { query }: ValidRequest, world: World): Reply {
  const unknown = ['sort', 'direction'].filter((name) => query[name] !== undefined)
  // The request is valid, but the double does not support it: fail loudly instead of sending a wrong list.
  if (unknown.length > 0) throw new Error(`The GitHub double doesn't know how to list by ${unknown}`)
  const url = `${world.place.api}/repos/${world.place.repository}/${kind}/${number}/comments`
  return commentPage(world.book.list(kind, number), url, query, world)
}

/** GitHub's docs, "List issue comments for a repository": sorted by id without `sort`; with `sort`, ascending by default. */
function listAll(kind: CommentKind, { query }: ValidRequest, world: World): Reply {
  const { sort, direction } = query
  const key = (comment: SandboxComment) =>
    Date.parse(sort === 'updated' ? comment.updatedAt : comment.createdAt)
  const ascending = world.book.listAll(kind)
  if (sort !== undefined) ascending.sort((a, b) => key(a) - key(b) || a.id - b.id)
  const isDescending = sort !== undefined && direction === 'desc'
  const url = `${world.place.api}/repos/${world.place.repository}/${kind}/comments`
  return commentPage(isDescending ? ascending.toReversed() : ascending, url, query, world)
}

function commentPage(
  comments: readonly SandboxComment[],
  url: string,
  query: ValidRequest['query'],
  world: World,
): Reply {
  const { per_page: _, page: __, ...others } = query
  const since = others.since === undefined ? 0 : Date.parse(String(others.since))
  const found = comments.filter(({ updatedAt }) => Date.parse(updatedAt) >= since)
  const named = Object.entries(others).filter(([, value]) => value !== undefined)
  const filters = Object.fromEntries(named.map(([name, value]) => [name, String(value)]))
  const { shown, headers } = cutPage(found, { url, filters, ...pageIn(query) })
  return { status: 200, body: shown.map((comment) => viewOf(comment, world)), headers }
}

function remove(kind: CommentKind, { path }: ValidRequest, world: World): Reply {
  const comment = world.book.find(kind, Number(path.comment_id))
  if (comment === undefined) return problem(404)
  const rejected = rejectWrite({ what: 'comment', where: whereOf(comment, world) }, world.lacks)
  if (rejected) return rejected
  world.book.remove(comment.id)
  return { status: 204 }
}

function create(
  thread: SandboxComment['thread'],
  body: string | undefined,
  where: Write['where'],
  world: World,
): Reply {
  const rejected = rejectWrite({ what: 'comment', where }, world.lacks) ?? rejectBody(body, where)
  if (rejected) return rejected
  const view = viewOf(world.book.add(thread, String(body), world.viewer), world)
  return { status: 201, body: view, headers: { location: view.url } }
}

function update(kind: CommentKind, { path, body: { body = '' } }: ValidRequest, world: World): Reply {
  const comment = world.book.find(kind, Number(path.comment_id))
  if (comment === undefined) return problem(404)
  const where = whereOf(comment, world)
  const rejected = rejectWrite({ what: 'comment', where }, world.lacks) ?? rejectBody(body, where)
  if (rejected) return rejected
  world.book.edit(comment.id, body)
  return { status: 200, body: viewOf(comment, world) }
}

function react(kind: CommentKind, { path, body: { content } }: ValidRequest, world: World): Reply {
  const comment = world.book.find(kind, Number(path.comment_id))
  if (comment === undefined) return problem(404)
  return addReaction({ commentId: comment.id, issue: null }, whereOf(comment, world), content, world)
}

function addReaction(
  to: Pick<SandboxReaction, 'commentId' | 'issue'>,
  where: Write['where'],
  content: ReactionContent | undefined,
  world: World,
): Reply {
  if (content === undefined) return problem(404)
  const rejected = rejectWrite({ what: 'reaction', where }, world.lacks)
  if (rejected) return rejected
  const { reaction, isNew } = world.book.react(to, content, world.viewer)
  return { status: isNew ? 201 : 200, body: reactionView(reaction, world.place) }
}

function rejectBody(body = '', where: Write['where']): Reply | undefined {
  const resource = where === 'review' ? 'PullRequestReviewComment' : 'IssueComment'
  const rejection = (code: string, message: string) => invalid([{ resource, field: 'body', code, message }])
  if (body.trim() === '') return rejection('missing_field', "body can't be blank")
  if ([...body].length <= maxBodyLength) return undefined
  return rejection('custom', `body is too long (maximum is ${maxBodyLength} characters)`)
}

function viewOf(comment: SandboxComment, { book, place }: World) {
  const reactions = book.reactionsTo(comment.id)
  return comment.thread.reviewRoot === null
    ? issueCommentView(comment, reactions, book.isPullRequest(comment.thread.number), place)
    : reviewCommentView(comment, reactions, place)
}

function whereOf({ thread }: SandboxComment, { book }: World): Write['where'] {
  if (thread.reviewRoot !== null) return 'review'
  return book.isPullRequest(thread.number) ? 'pull' : 'issue'
}
