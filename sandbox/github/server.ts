/**
 * A mock of GitHub's API: an HTTP server on loopback, checked against GitHub's published descriptions (openapi.json,
 * schema.graphql).
 */
import { once } from 'node:events'
import { createContract, type ValidRequest } from '../contract.ts'
import type { Fault } from '../faults.ts'
import { serveMock } from '../mock.ts'
import type { WireRequest } from '../wire.ts'
import {
  allPermissions,
  authenticate,
  authorizeRead,
  type CollaboratorRole,
  type Permissions,
  sandboxGitHubToken,
} from './access.ts'
import { found, invalidRequest, problem } from './errors.ts'
import { carryOutGraphql, graphqlNameOf } from './graphql.ts'
import { type CallName, handlers } from './handlers.ts'
import { isSameName, Repository } from './repository.ts'
import { repositoryHandlers } from './repository-handlers.ts'
import { createStatuses, type SeedStatus } from './statuses.ts'
import { createThreads, type SeedComment } from './threads.ts'
import { findRepository, type Handler, type World } from './world.ts'

export { sandboxGitHubToken }

/** A fault of an operation. */
export type GitHubFault = Fault<CallName>

export interface GitHubOptions {
  /** The login of the token's account; `github-actions[bot]` by default. */
  viewer?: string
  /** The only repository with threads; `acme/docs` by default. */
  repository?: string
  /** Repositories with commits and pull requests. If `repository` is not listed here, it is empty. Any other unlisted repository is a 404. */
  repositories?: readonly Repository[]
  /** By login. An account that is not listed is a 404, "is not a user". For a public repository, list strangers as `read`. */
  roles?: Readonly<Record<string, CollaboratorRole>>
  /** The token's permissions that are not `write`. */
  permissions?: Permissions
  faults?: readonly GitHubFault[]
  /** Statuses that exist before the first request. */
  statuses?: readonly SeedStatus[]
  /** Comments that exist before the first request: in conversations and in review threads. */
  comments?: readonly SeedComment[]
  /** HTML recorded from GitHub's own parser, by its Markdown. The mock renders other Markdown itself. */
  pages?: ReadonlyMap<string, string>
  /** The clock for creations, edits and the `Date` header. */
  now?: () => Date
}

/** A running mock of GitHub. */
export type GitHub = Awaited<ReturnType<typeof startGitHub>>

const contract = createContract<World>({
  definition: `${import.meta.dirname}/openapi.json`,
  handlers: Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name, inRepository(name, handler)]),
  ),
  before: authenticate,
  problem,
  invalid: invalidRequest,
  isPartial: true,
})

function inRepository(operation: string, handler: Handler) {
  return (request: ValidRequest, world: World) => {
    // Markdown names its repository in the body, and accounts have none.
    const [owner, repo] = request.path.owner
      ? [request.path.owner, request.path.repo]
      : String(request.body?.context ?? world.home).split('/')
    const repository = found(findRepository(world, owner, repo))
    const access = authorizeRead(operation, world.permissions)
    const isElsewhere = !(operation in repositoryHandlers) && !isSameName(repository.name, world.home)
    if (isElsewhere && /\/list-/.test(operation)) return { status: 200, body: [] }
    if (isElsewhere)
      throw new Error(`The GitHub mock has threads in ${world.home} alone, not in ${repository.name}`)
    const reply = handler({ ...request, repository }, world)
    return { ...reply, headers: { ...access, ...reply.headers } }
  }
}

/** Starts a mock of GitHub on a free port of 127.0.0.1. */
export async function startGitHub(options: GitHubOptions = {}) {
  await contract.load()
  const world = createWorld(options)
  const isGraphql = ({ path }: WireRequest) => path === '/graphql'
  const { server, port, ...mock } = await serveMock<CallName>({
    name: 'the GitHub mock',
    operationOf: (request) =>
      isGraphql(request)
        ? `graphql/${graphqlNameOf(request.body)}`
        : (contract.operationOf(request) as CallName | undefined),
    carryOut: async (request) => {
      if (isGraphql(request)) return carryOutGraphql(request, world)
      return redirectOf(request, world) ?? contract.carryOut(request, world)
    },
    faults: options.faults ?? [],
    ...(options.now && { now: options.now }),
    problem,
    processes: () => false,
  })

  return {
    ...mock,
    /** In order of creation, starting with the initial ones. */
    comments: world.book.comments,
    reactions: world.book.reactions,
    statuses: world.statuses.all,
    /** Limits the token to the `permissions` of a workflow's job. */
    grant(permissions: Permissions): void {
      world.permissions = permissions
    },
    /** Renames a repository. Its ID stays, and the old name redirects. */
    rename(from: string, to: string): void {
      const repository = found(world.repositories.find(({ name }) => isSameName(name, from)))
      repository.formerNames.push(from)
      repository.name = to
      world.statuses.rename(from, to)
      if (isSameName(world.home, from)) world.home = to
    },
    /** Creates a repository, also under a name that another one had. */
    create: (repository: Repository) => void world.repositories.push(repository),
    /** Makes the token another account's. */
    become(viewer: string): void {
      world.viewer = viewer
    },
    /** Refuses connections until `accept` is called. */
    refuse: () => void server.close(),
    accept: async () => void (await once(server.listen(port, '127.0.0.1'), 'listening')),
  }
}

/** GitHub's redirect from a repository's former name (GitHub's docs, "Follow redirects"); undefined for any other request. */
function redirectOf({ method, path, query }: WireRequest, world: World) {
  const [, owner = '', name = '', rest = ''] = /^\/repos\/([^/]+)\/([^/]+)(.*)$/.exec(path) ?? []
  const repository = findRepository(world, owner, name)
  if (repository === undefined || isSameName(repository.name, `${owner}/${name}`)) return undefined
  const location = `/repos/${repository.name}${rest}?${new URLSearchParams(query)}`
  const body = { message: 'Moved Permanently', url: location }
  return { status: method === 'GET' ? 301 : 307, body, headers: { location } }
}

function createWorld(options: GitHubOptions): World {
  const { repository = 'acme/docs', repositories = [], now = () => new Date() } = options
  const { comments = [], statuses = [], permissions } = options
  const listed = repositories.find(({ name }) => isSameName(name, repository))
  const home = listed ?? new Repository({ name: repository })
  const isPullRequest = (number: number) => home.pull(number) !== undefined
  return {
    roles: {},
    viewer: 'github-actions[bot]',
    pages: new Map(),
    ...options,
    permissions: { ...allPermissions, ...permissions },
    home: repository,
    statuses: createStatuses(statuses, now),
    book: createThreads(comments, isPullRequest, now),
    repositories: listed ? [...repositories] : [home, ...repositories],
  }
}
