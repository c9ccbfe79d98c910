/** GitHub's GraphQL API, cut down to schema.graphql: queries and answers are checked against it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, GraphQLError, graphql } from 'graphql'
import { type LackedPermission, refuseWrite } from './access.ts'
import { type Commit, historyOf } from './commits.ts'
import type { Reply } from './reply.ts'
import { isSameName, type PullRequest, type Repository } from './repository.ts'
import type { SandboxStatus } from './statuses.ts'
import type { SandboxComment } from './threads.ts'
import { nodeId, seconds } from './views.ts'
import type { World } from './world.ts'

let schema: ReturnType<typeof buildSchema> | undefined

/** GitHub's docs, "Rate limits and query limits for the GraphQL API": `first` or `last` is needed, from 1 to 100. */
const mostNodes = 100

/** Carries out a query or a mutation. Errors answer 200, like on GitHub. */
export async function carryOutGraphql(body: string | undefined, world: World): Promise<Reply> {
  schema ??= buildSchema(readFileSync(join(import.meta.dirname, 'schema.graphql'), 'utf8'))
  const { query, variables } = JSON.parse(body ?? '{}') as {
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
    repository: ({ owner, name }: { owner: string; name: string }) =>
      repositoryNode(`${owner}/${name}`, world),
    minimizeComment: ({ input }: { input: { subjectId: string; classifier: string } }) =>
      minimize(input, world),
  }
}

function minimize(
  { subjectId, classifier }: { subjectId: string; classifier: string },
  { book, lacks }: World,
) {
  const comment = book.comments.find((one) => nodeIdOf(one) === subjectId)
  if (comment === undefined)
    throw failed('NOT_FOUND', `Could not resolve to a node with the global id of '${subjectId}'`)
  const isReview = comment.thread.reviewRoot !== null
  const conversation = book.isPullRequest(comment.thread.number) ? 'pull' : 'issue'
  const where = isReview ? 'review' : conversation
  // Not documented. In practice, the permission to edit the comment is enough (github/gh-aw#16687).
  if (refuseWrite({ what: 'comment', where }, lacks)) throw forbidden()
  const minimizedReason = classifier.toLowerCase().replace('_', '-')
  book.minimize(comment.id, minimizedReason)
  const __typename = isReview ? 'PullRequestReviewComment' : 'IssueComment'
  return { minimizedComment: { __typename, id: subjectId, isMinimized: true, minimizedReason } }
}

function nodeIdOf({ id, thread }: SandboxComment): string {
  return nodeId(thread.reviewRoot === null ? 'IssueComment' : 'PullRequestReviewComment', id)
}

function repositoryNode(name: string, world: World) {
  const repository = world.repositories.find((one) => isSameName(one.name, name))
  if (repository === undefined || (repository.isPrivate && !repository.isReachable))
    throw failed('NOT_FOUND', `Could not resolve to a Repository with the name '${name}'.`)
  const needs = (permission: LackedPermission) => {
    if (repository.isPrivate && world.lacks.includes(permission)) throw forbidden()
  }
  const tip = repository.find('HEAD')
  return {
    defaultBranchRef: () => {
      needs('contents: read')
      const target = tip && commitNode(tip, repository, world, needs)
      return target === undefined ? null : { name: repository.defaultBranch, target }
    },
    pullRequests: (wanted: Wanted & { orderBy?: { field: string; direction: string } }) => {
      needs('pull-requests: read')
      const { field, direction } = wanted.orderBy ?? { field: 'CREATED_AT', direction: 'ASC' }
      const key = (pull: PullRequest) => Date.parse(field === 'UPDATED_AT' ? pull.updatedAt : pull.createdAt)
      const ascending = repository.pulls.toSorted((a, b) => key(a) - key(b) || a.number - b.number)
      const pulls = direction === 'DESC' ? ascending.toReversed() : ascending
      return connection(wanted, pulls, (pull) => ({
        number: pull.number,
        commits: (of: Wanted) =>
          connection(of, [pull.head.commit], (commit) => ({
            commit: commitNode(commit, repository, world, needs),
          })),
      }))
    },
  }
}

function commitNode(
  commit: Commit,
  repository: Repository,
  world: World,
  needs: (permission: LackedPermission) => void,
): object {
  return {
    __typename: 'Commit',
    oid: commit.sha,
    committedDate: commit.date,
    history: (wanted: Wanted) => {
      const all = [...historyOf(commit).values()].sort((a, b) => Date.parse(b.date) - Date.parse(a.date))
      return connection(wanted, all, (one) => commitNode(one, repository, world, needs))
    },
    status: () => {
      needs('statuses: read')
      const latest = world.statuses.latest(repository.name, commit.sha)
      return latest.length === 0 ? null : { contexts: latest.map(contextNode) }
    },
  }
}

function contextNode({ context, state, description, targetUrl, creator, createdAt }: SandboxStatus) {
  const isBot = creator.endsWith('[bot]')
  return {
    context,
    description,
    targetUrl,
    createdAt: seconds(createdAt),
    state: state.toUpperCase(),
    // Unlike in REST, a bot's login has no suffix here.
    creator: {
      __typename: isBot ? 'Bot' : 'User',
      login: isBot ? creator.slice(0, -'[bot]'.length) : creator,
    },
  }
}

interface Wanted {
  first?: number
  last?: number
}

function connection<T>({ first, last }: Wanted, items: readonly T[], nodeOf: (item: T) => object) {
  const count = first ?? last
  if (count === undefined)
    throw failed('MISSING_PAGINATION_BOUNDARIES', 'You must provide a `first` or `last` value to paginate.')
  if (count < 1 || count > mostNodes)
    throw failed(
      'EXCESSIVE_PAGINATION',
      `Requesting ${count} records exceeds the limit of ${mostNodes} records.`,
    )
  const shown = first === undefined ? items.slice(-count) : items.slice(0, count)
  const isCut = shown.length < items.length
  const pageInfo = {
    hasNextPage: first !== undefined && isCut,
    hasPreviousPage: first === undefined && isCut,
  }
  return { nodes: shown.map(nodeOf), pageInfo, totalCount: items.length }
}

function forbidden(): GraphQLError {
  return failed('FORBIDDEN', 'Resource not accessible by integration')
}

function failed(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } })
}
