/** GitHub's GraphQL API, reduced to schema.graphql. Queries and responses are checked against it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, GraphQLError, graphql } from 'graphql'
import { Rejection } from '../contract.ts'
import type { Reply, WireRequest } from '../wire.ts'
import { authenticate, canWrite, type LackedPermission } from './access.ts'
import { type Commit, commitsBetween, historyOf } from './commits.ts'
import { writeTo } from './handlers.ts'
import { defaultBranch, type PullRequest, type Repository } from './repository.ts'
import type { SandboxStatus } from './statuses.ts'
import type { SandboxComment } from './threads.ts'
import { nodeId, seconds } from './views.ts'
import { findRepository, type World } from './world.ts'

let schema: ReturnType<typeof buildSchema> | undefined

/** GitHub's docs, "Rate limits and query limits for the GraphQL API": `first` or `last` is required, from 1 to 100. */
const mostNodes = 100

/** Carries out a query or a mutation. As on GitHub, errors also have status 200. */
export async function carryOutGraphql(request: WireRequest, world: World): Promise<Reply> {
  try {
    authenticate(request)
  } catch (error) {
    if (error instanceof Rejection) return error.reply
    throw error
  }
  schema ??= buildSchema(readFileSync(join(import.meta.dirname, 'schema.graphql'), 'utf8'))
  const { query, variables } = JSON.parse(request.body ?? '{}') as {
    query: string
    variables?: Record<string, unknown>
  }
  const result = await graphql({
    schema,
    source: query,
    rootValue: rootOf(world),
    ...(variables && { variableValues: variables }),
  })
  const errors = result.errors?.map(({ message, path, locations, extensions }) => {
    const { type } = extensions as { type?: string }
    return { ...(type && { type }), ...(path && { path }), locations, message }
  })
  return {
    status: 200,
    body: { ...(result.data !== undefined && { data: result.data }), ...(errors && { errors }) },
  }
}

/** The name of the operation in a document, such as `viewer`. */
export function graphqlNameOf(body: string | undefined): string {
  return /(?:query|mutation)\s+(\w+)/.exec(body ?? '')?.[1] ?? 'anonymous'
}

function rootOf(world: World) {
  return {
    viewer: { id: nodeId('User', 1), login: world.viewer },
    repository: ({ owner, name }: { owner: string; name: string }) => repositoryNode(owner, name, world),
    minimizeComment: ({ input }: { input: { subjectId: string; classifier: string } }) =>
      minimize(input, world),
  }
}

function minimize({ subjectId, classifier }: { subjectId: string; classifier: string }, world: World) {
  const comment = world.book.comments.find((one) => nodeIdOf(one) === subjectId)
  if (comment === undefined)
    throw failed('NOT_FOUND', `Could not resolve to a node with the global id of '${subjectId}'`)
  // Not documented. In practice, permission to edit the comment is enough (github/gh-aw#16687).
  if (!canWrite(writeTo('comment', comment.thread, world), world.lacks)) throw forbidden()
  const minimizedReason = classifier.toLowerCase().replace('_', '-')
  world.book.minimize(comment.id, minimizedReason)
  const __typename = comment.thread.reviewRoot === null ? 'IssueComment' : 'PullRequestReviewComment'
  return { minimizedComment: { __typename, id: subjectId, isMinimized: true, minimizedReason } }
}

function nodeIdOf({ id, thread }: SandboxComment): string {
  return nodeId(thread.reviewRoot === null ? 'IssueComment' : 'PullRequestReviewComment', id)
}

function repositoryNode(owner: string, name: string, world: World) {
  const repository = findRepository(world, owner, name)
  if (repository === undefined)
    throw failed('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`)
  const tip = repository.find('HEAD')
  return {
    defaultBranchRef: () => {
      needs(world, 'contents: read')
      const target = tip && commitNode(tip, repository, world)
      return target === undefined ? null : { name: defaultBranch, target }
    },
    pullRequest: ({ number }: { number: number }) => {
      needs(world, 'pull-requests: read')
      const pull = repository.pull(number)
      if (pull === undefined)
        throw failed('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`)
      return pullNode(pull, repository, world)
    },
    releases: (wanted: Wanted) => {
      needs(world, 'contents: read')
      const newest = repository.releases.toReversed()
      return connection(wanted, newest, ({ tag, publishedAt, isPrerelease = false }) => {
        return { tagName: tag, publishedAt, isPrerelease, isDraft: false }
      })
    },
    pullRequests: (wanted: Wanted & { orderBy?: { field: string; direction: string } }) => {
      needs(world, 'pull-requests: read')
      const { field, direction } = wanted.orderBy ?? { field: 'CREATED_AT', direction: 'ASC' }
      const key = (pull: PullRequest) => Date.parse(field === 'UPDATED_AT' ? pull.updatedAt : pull.createdAt)
      const ascending = repository.pulls.toSorted((a, b) => key(a) - key(b) || a.number - b.number)
      const pulls = direction === 'DESC' ? ascending.toReversed() : ascending
      return connection(wanted, pulls, (pull) => pullNode(pull, repository, world))
    },
  }
}

function needs({ lacks }: World, permission: LackedPermission): void {
  if (lacks.includes(permission)) throw forbidden()
}

function pullNode(pull: PullRequest, repository: Repository, world: World): object {
  const { number, title, user, head, base, merged, state, createdAt, updatedAt } = pull
  return {
    number,
    title,
    merged: merged !== null,
    author: actorNode(user),
    state: merged ? 'MERGED' : state.toUpperCase(),
    headRefOid: head.commit.sha,
    mergeCommit: merged ? commitNode(merged.commit, repository, world) : null,
    createdAt: seconds(createdAt),
    updatedAt: seconds(updatedAt),
    mergedAt: merged ? seconds(updatedAt) : null,
    closedAt: state === 'closed' ? seconds(updatedAt) : null,
    commits: (of: Wanted) => {
      const own = commitsBetween(base.commit, head.commit)
      return connection(of, own.length === 0 ? [head.commit] : own, (commit) => ({
        commit: commitNode(commit, repository, world),
      }))
    },
  }
}

function commitNode(commit: Commit, repository: Repository, world: World): object {
  return {
    __typename: 'Commit',
    oid: commit.sha,
    committedDate: commit.date,
    messageHeadline: commit.message.split('\n', 1)[0] ?? '',
    parents: (wanted: Wanted) =>
      connection(wanted, commit.parents, (one) => commitNode(one, repository, world)),
    associatedPullRequests: (wanted: Wanted) => {
      needs(world, 'pull-requests: read')
      const pulls = repository.pullsWith(commit)
      return connection(wanted, pulls, (pull) => pullNode(pull, repository, world))
    },
    history: (wanted: Wanted) => {
      const all = [...historyOf(commit).values()].sort((a, b) => Date.parse(b.date) - Date.parse(a.date))
      return connection(wanted, all, (one) => commitNode(one, repository, world))
    },
    status: () => {
      needs(world, 'statuses: read')
      const latest = world.statuses.latest(repository.name, commit.sha)
      if (latest.length === 0) return null
      const nodes = latest.map(contextNode)
      return {
        contexts: nodes,
        context: ({ name }: { name: string }) => nodes.find(({ context }) => context === name) ?? null,
      }
    },
  }
}

/** Unlike in REST, a bot's login does not end with `[bot]`. */
function actorNode(login: string): object {
  const isBot = login.endsWith('[bot]')
  return { __typename: isBot ? 'Bot' : 'User', login: isBot ? login.slice(0, -'[bot]'.length) : login }
}

function contextNode({ context, state, description, targetUrl, creator, createdAt }: SandboxStatus) {
  return {
    context,
    description,
    targetUrl,
    createdAt: seconds(createdAt),
    state: state.toUpperCase(),
    creator: actorNode(creator),
  }
}

interface Wanted {
  first?: number
  last?: number
  /** A cursor; in this double, the number of items before it. */
  after?: string | null
}

function connection<T>({ first, last, after }: Wanted, items: readonly T[], nodeOf: (item: T) => object) {
  const count = first ?? last
  if (count === undefined)
    throw failed('MISSING_PAGINATION_BOUNDARIES', 'You must provide a `first` or `last` value to paginate.')
  if (count < 1 || count > mostNodes)
    throw failed(
      'EXCESSIVE_PAGINATION',
      `Requesting ${count} records exceeds the limit of ${mostNodes} records.`,
    )
  const start = Number(after ?? 0)
  const shown = first === undefined ? items.slice(-count) : items.slice(start, start + count)
  const pageInfo = {
    hasNextPage: first !== undefined && start + shown.length < items.length,
    hasPreviousPage: first === undefined ? shown.length < items.length : start > 0,
    endCursor: shown.length === 0 ? null : String(start + shown.length),
  }
  return { nodes: shown.map(nodeOf), pageInfo, totalCount: items.length }
}

function forbidden(): GraphQLError {
  return failed('FORBIDDEN', 'Resource not accessible by integration')
}

function failed(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } })
}
