/** The handlers of the operations on accounts and threads in openapi.json. */
import { Rejection } from '../contract.ts'
import type { Reply } from '../wire.ts'
import { authorizeWrite, roleOf, type Write } from './access.ts'
import { found, invalid } from './errors.ts'
import { repositoryHandlers } from './repository-handlers.ts'
import type { CommentKind, SandboxComment, SandboxReaction } from './threads.ts'
import { account, commentView } from './views.ts'
import { type GitHubCall, type Handler, paged, type World } from './world.ts'

/** Maximum length in characters. Not documented: GitHub rejects a longer body with 422 (danger/danger#424). */
const maxBodyLength = 65_536

export const handlers = {
  'users/get-by-username': ({ path }) => {
    const login = String(path.username)
    // GitHub has no page for this bot (anthropics/claude-code-action#1284).
    return { status: 200, body: account(found(login === 'Copilot' ? undefined : login)) }
  },

  'repos/get-collaborator-permission-level': ({ path }, world) => {
    const login = String(path.username)
    const role = found(roleOf(login, world.roles), `${login} is not a user`)
    return { status: 200, body: { ...role, user: account(login) } }
  },

  'issues/list-comments': list('issues'),
  'issues/list-comments-for-repo': list('issues'),
  'issues/create-comment': ({ path, body }, world) =>
    create({ number: Number(path.issue_number), reviewRoot: null }, body.body, world),
  'issues/update-comment': on('issues', update),
  'issues/delete-comment': on('issues', remove),

  'issues/add-labels': ({ path, body, repository }, world) => {
    authorizeWrite('comment on pull', world.permissions)
    const pull = found(repository.pull(Number(path.issue_number)))
    const labels = [...new Set([...pull.labels, ...(body.labels ?? [])])]
    repository.changePull(pull.number, { labels })
    return { status: 200, body: labels.map((name) => ({ name })) }
  },

  'reactions/create-for-issue': (call, world) => {
    const issue = Number(call.path.issue_number)
    return react({ commentId: null, issue }, { number: issue, reviewRoot: null }, call, world)
  },
  'reactions/create-for-issue-comment': on('issues', reactToComment),
  'reactions/create-for-pull-request-review-comment': on('pulls', reactToComment),

  'pulls/list-review-comments': list('pulls'),
  'pulls/list-review-comments-for-repo': list('pulls'),
  'pulls/create-reply-for-review-comment': on('pulls', (root, call, world) => {
    // openapi.json: "This must be the ID of a top-level review comment, not a reply to that comment."
    const isRoot = root.thread.reviewRoot === root.id && root.thread.number === Number(call.path.pull_number)
    return create(found(isRoot ? root.thread : undefined), call.body.body, world)
  }),
  'pulls/get-review-comment': on('pulls', (comment, _, world) => {
    return { status: 200, body: commentView(comment, world) }
  }),
  'pulls/update-review-comment': on('pulls', update),
  'pulls/delete-review-comment': on('pulls', remove),

  ...repositoryHandlers,
} satisfies Record<string, Handler>

/** The operations in openapi.json, by their `operationId`. */
export type OperationName = keyof typeof handlers

/** A call's operation: one in openapi.json, or a GraphQL operation by the name in its document. */
export type CallName = OperationName | `graphql/${string}`

/**
 * Lists the comments of one kind: those of the thread in the path, or all. GitHub's docs, "List issue comments for a
 * repository": sorted by id without `sort`.
 */
function list(kind: CommentKind): Handler {
  return (call, world) => {
    const { path, query } = call
    const thread = path.issue_number ?? path.pull_number
    if (path.pull_number !== undefined) found(world.book.isPullRequest(Number(thread)) || undefined)
    const since = query.since === undefined ? 0 : Date.parse(String(query.since))
    const comments = world.book
      .list(kind, thread === undefined ? undefined : Number(thread))
      .filter(({ updatedAt }) => Date.parse(updatedAt) >= since)
    const { shown, headers } = paged(sorted(comments, query), call)
    return { status: 200, body: shown.map((comment) => commentView(comment, world)), headers }
  }
}

function sorted(comments: SandboxComment[], { sort, direction }: GitHubCall['query']): SandboxComment[] {
  if (sort === undefined) return comments
  if (sort !== 'updated' || direction !== 'desc')
    throw new Error('The GitHub mock sorts comments by their last change only, newest first')
  return comments.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt) || b.id - a.id)
}

/** An operation on the comment in the path. */
function on(
  kind: CommentKind,
  act: (comment: SandboxComment, call: GitHubCall, world: World) => Reply,
): Handler {
  return (call, world) => act(found(world.book.find(kind, Number(call.path.comment_id))), call, world)
}

function create(thread: SandboxComment['thread'], body: string, world: World): Reply {
  authorizeOn(thread, 'comment', world)
  checkBody(body)
  return { status: 201, body: commentView(world.book.add(thread, body, world.viewer), world) }
}

function update(comment: SandboxComment, { body }: GitHubCall, world: World): Reply {
  authorizeOn(comment.thread, 'comment', world)
  checkBody(body.body)
  return { status: 200, body: commentView(world.book.edit(comment, body.body), world) }
}

function remove(comment: SandboxComment, _: GitHubCall, world: World): Reply {
  authorizeOn(comment.thread, 'comment', world)
  world.book.remove(comment)
  return { status: 204 }
}

function reactToComment({ id, thread }: SandboxComment, call: GitHubCall, world: World): Reply {
  return react({ commentId: id, issue: null }, thread, call, world)
}

function react(
  to: Pick<SandboxReaction, 'commentId' | 'issue'>,
  thread: SandboxComment['thread'],
  { body }: GitHubCall,
  world: World,
): Reply {
  authorizeOn(thread, 'reaction', world)
  const isNew = world.book.react({ ...to, content: body.content, user: world.viewer })
  return { status: isNew ? 201 : 200, body: {} }
}

function checkBody(body: string): void {
  const rejected = (code: string, message: string) => new Rejection(invalid({ field: 'body', code, message }))
  if (body.trim() === '') throw rejected('missing_field', "body can't be blank")
  if ([...body].length > maxBodyLength)
    throw rejected('custom', `body is too long (maximum is ${maxBodyLength} characters)`)
}

function authorizeOn(thread: SandboxComment['thread'], what: 'comment' | 'reaction', world: World): void {
  authorizeWrite(writeTo(what, thread, world), world.permissions)
}

/** What a write to a thread is, by its kind and its place. */
export function writeTo(
  what: 'comment' | 'reaction',
  { number, reviewRoot }: SandboxComment['thread'],
  { book }: World,
): Write {
  if (reviewRoot !== null) return 'review'
  return `${what} on ${book.isPullRequest(number) ? 'pull' : 'issue'}`
}
