/** GitHub's GraphQL API, reduced to schema.graphql. Queries and responses are checked against it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, GraphQLError, graphql } from 'graphql'
import type { Reply, WireRequest } from '../wire.ts'
import { allows, authenticate, neededToWrite, type Scope } from './access.ts'
import { type Commit, historyOf, sha1 } from './commits.ts'
import { writeTo } from './handlers.ts'
import { defaultBranch, type PullRequest, type Repository } from './repository.ts'
import type { SandboxStatus } from './statuses.ts'
import { nodeId, seconds, typeOf, wholePullView } from './views.ts'
import { findRepository, type World } from './world.ts'

let schema: ReturnType<typeof buildSchema> | undefined

/** GitHub's docs, "Rate limits and query limits for the GraphQL API": `first` or `last` is required, from 1 to 100. */
const mostNodes = 100

/** Carries out a query or a mutation. As on GitHub, errors also have status 200. */
export async function carryOutGraphql(request: WireRequest, world: World): Promise<Reply> {
  authenticate(request)
  schema ??= buildSchema(readFileSync(join(import.meta.dirname, 'schema.graphql'), 'utf8'))
  const { query: source, variables: variableValues = {} } = JSON.parse(request.body ?? '{}')
  const { data, errors } = await graphql({ schema, source, variableValues, rootValue: rootOf(world) })
  const shown = errors?.map(({ message, path, extensions: { type } }) => ({ type, path, message }))
  return { status: 200, body: { data, errors: shown } }
}

/** The name of the operation in a document, such as `viewer`. */
export function graphqlNameOf(body: string | undefined): string {
  return /(?:query|mutation)\s+(\w+)/.exec(body ?? '')?.[1] ?? 'anonymous'
}

function rootOf(world: World) {
  return {
    viewer: { login: world.viewer },
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const repository = findRepository(world, owner, name)
      if (repository === undefined)
        throw failed('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`)
      return repositoryNode(repository, world)
    },
    minimizeComment: ({ input }: { input: { subjectId: string; classifier: string } }) =>
      minimize(input, world),
  }
}

function minimize({ subjectId, classifier }: { subjectId: string; classifier: string }, world: World) {
  const comment = world.book.comments.find((one) => nodeId(typeOf(one), one.id) === subjectId)
  if (comment === undefined)
    throw failed('NOT_FOUND', `Could not resolve to a node with the global id of '${subjectId}'`)
  // Not documented. In practice, permission to edit the comment is enough (github/gh-aw#16687).
  const scopes = neededToWrite[writeTo('comment', comment.thread, world)]
  if (!allows('write', scopes, world.permissions)) throw forbidden()
  world.book.change(comment, { minimizedReason: classifier.toLowerCase() })
  return { minimizedComment: { __typename: typeOf(comment), isMinimized: true } }
}

function repositoryNode(repository: Repository, world: World) {
  /** A field that needs a permission to read. */
  const guarded =
    <Given>(scope: Scope, field: (given: Given) => unknown) =>
    (given: Given) => {
      if (!allows('read', [scope], world.permissions)) throw forbidden()
      return field(given)
    }

  const pullNode = (pull: PullRequest): object => {
    const { number, title, user, head, base, merged, state, createdAt, updatedAt } = pull
    const size = () => wholePullView(pull, repository)
    return {
      number,
      title,
      repository: { databaseId: repository.id },
      baseRefName: base.branch,
      headRefName: head.branch,
      isCrossRepository: head.repository !== repository.name,
      merged: merged !== undefined,
      author: actorNode(user),
      state: merged ? 'MERGED' : state.toUpperCase(),
      headRefOid: head.commit.sha,
      changedFiles: () => size().changed_files,
      additions: () => size().additions,
      deletions: () => size().deletions,
      mergeCommit: merged ? commitNode(merged.commit) : null,
      createdAt: seconds(createdAt),
      updatedAt: seconds(updatedAt),
      closedAt: state === 'closed' ? seconds(updatedAt) : null,
      // The action only reads the last one.
      commits: (wanted: Wanted) =>
        connection(wanted, [head.commit], (commit) => ({ commit: commitNode(commit) })),
    }
  }

  const commitNode = (commit: Commit): object => ({
    __typename: 'Commit',
    oid: commit.sha,
    committedDate: commit.date,
    file: ({ path }: { path: string }) => entryNode(commit, path),
    messageHeadline: commit.message.split('\n', 1)[0] ?? '',
    parents: (wanted: Wanted) => connection(wanted, commit.parents, commitNode),
    associatedPullRequests: guarded('pull-requests', (wanted: Wanted) =>
      connection(wanted, repository.pullsWith(commit), pullNode),
    ),
    history: (wanted: Wanted) => {
      const all = [...historyOf(commit).values()].sort((a, b) => Date.parse(b.date) - Date.parse(a.date))
      return connection(wanted, all, commitNode)
    },
    status: guarded('statuses', () => {
      const contexts = world.statuses.latest(repository.name, commit.sha).map(contextNode)
      return contexts.length === 0 ? null : { contexts }
    }),
  })

  return {
    databaseId: repository.id,
    defaultBranchRef: guarded('contents', () => {
      const tip = repository.find('HEAD')
      return tip === undefined ? null : { name: defaultBranch, target: commitNode(tip) }
    }),
    object: guarded('contents', ({ oid }: { oid: string }) => {
      const commit = repository.commits.get(oid)
      return commit === undefined ? null : commitNode(commit)
    }),
    pullRequest: guarded('pull-requests', ({ number }: { number: number }) => {
      const pull = repository.pull(number)
      if (pull !== undefined) return pullNode(pull)
      throw failed('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`)
    }),
    pullRequests: guarded('pull-requests', (wanted: Wanted & Sides) => {
      const timeOf = (pull: PullRequest) => Date.parse(pull.updatedAt)
      const { headRefName, baseRefName } = wanted
      const pulls = repository.pulls.filter(
        ({ head, base }) =>
          head.branch === (headRefName ?? head.branch) && base.branch === (baseRefName ?? base.branch),
      )
      const newestFirst = pulls.toSorted((a, b) => timeOf(b) - timeOf(a) || b.number - a.number)
      return connection(wanted, newestFirst, pullNode)
    }),
  }
}

/** A file or folder. Its mode is git's, as a decimal number. */
function entryNode({ tree, treeSha }: Commit, path: string) {
  const file = tree.get(path)
  if (file !== undefined) {
    const object = { __typename: 'Blob', oid: file.sha, text: file.text }
    return { mode: Number.parseInt(file.mode, 8), oid: file.sha, object }
  }
  const isFolder = [...tree.keys()].some((each) => each.startsWith(`${path}/`))
  return isFolder ? { mode: 0o040000, oid: sha1(treeSha, path) } : null
}

/** Unlike in REST, a bot's login does not end with `[bot]`. */
function actorNode(login: string): object {
  const name = login.replace(/\[bot\]$/, '')
  return { __typename: name === login ? 'User' : 'Bot', login: name }
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
  /** A cursor; in this mock, the number of items before it. */
  after?: string | null
}

/** The branches of pull requests. */
interface Sides {
  headRefName?: string
  baseRefName?: string
}

/** Every list is in the order that the action asks for. */
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
    endCursor: shown.length === 0 ? null : String(start + shown.length),
  }
  return { nodes: shown.map(nodeOf), pageInfo }
}

function forbidden(): GraphQLError {
  return failed('FORBIDDEN', 'Resource not accessible by integration')
}

function failed(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } })
}
