/**
 * A double of GitHub's API: an HTTP server on loopback, checked against GitHub's published descriptions (openapi.json,
 * schema.graphql).
 */
import { once } from 'node:events'
import { faultScript } from '../faults.ts'
import { type RecordedRequest, record, send, serveDouble, type WireRequest } from '../wire.ts'
import {
  type CollaboratorRole,
  type LackedPermission,
  lackedBeside,
  rejectRequest,
  sandboxGitHubToken,
} from './access.ts'
import { carryOut, loadContract, operationOf } from './contract.ts'
import { type GitHubFault, misbehave } from './faults.ts'
import { carryOutGraphql, graphqlNameOf } from './graphql.ts'
import type { CallName } from './handlers.ts'
import { problem } from './reply.ts'
import { isSameName, Repository } from './repository.ts'
import { type SandboxStatus, type SeedStatus, StatusBook } from './statuses.ts'
import { type SandboxComment, type SandboxReaction, type SeedComment, ThreadBook } from './threads.ts'
import type { World } from './world.ts'

export { sandboxGitHubToken }

export interface GitHubOptions {
  /** The login of the token's account; `github-actions[bot]` by default. */
  viewer?: string
  /** The start of every path, such as `/api/v3` on Enterprise Server; empty by default. */
  basePath?: string
  /** The only repository with threads; `acme/docs` by default. */
  repository?: string
  /** Repositories with commits and pull requests. If `repository` is not listed here, it is empty. Any other unlisted repository is a 404. */
  repositories?: readonly Repository[]
  /** By login. An account that is not listed is a 404, "is not a user". For a public repository, list strangers as `read`. */
  roles?: Readonly<Record<string, CollaboratorRole>>
  /** Slugs of the teams that can review. */
  teams?: readonly string[]
  lacks?: readonly LackedPermission[]
  faults?: readonly GitHubFault[]
  /** Statuses that exist before the first request. */
  statuses?: readonly SeedStatus[]
  /** Comments that exist before the first request: in conversations and in review threads. */
  comments?: readonly SeedComment[]
  /** HTML recorded from GitHub's own parser, by its Markdown. The double renders other Markdown itself. */
  pages?: ReadonlyMap<string, string>
  /** Numbers of pull requests, in addition to the repository's and those with a review comment. Any other number is an issue. */
  pullRequests?: readonly number[]
  /** The clock for creations and edits. */
  now?: () => Date
}

/** A request, with the name of its operation. Its path contains the base path. */
export interface GitHubRequest extends RecordedRequest {
  name: CallName | undefined
}

export interface GitHub {
  /** `http://127.0.0.1:PORT` with the base path. This is the value for `GITHUB_API_URL`. */
  url: string
  /** In order of creation, starting with the initial ones. */
  comments: readonly SandboxComment[]
  /** In order of creation, without removed ones. */
  reactions: readonly SandboxReaction[]
  requests: readonly GitHubRequest[]
  /** In order of creation, starting with the initial ones. */
  statuses: readonly SandboxStatus[]
  /** Limits the token to the `permissions` of a workflow's job. */
  grant(permissions: Readonly<Record<string, string>>): void
  /** Refuses connections until `accept` is called. */
  refuse(): void
  accept(): Promise<void>
  /** Bugs in the double, mainly responses that openapi.json does not allow. The client gets a 500 instead. */
  violations: readonly string[]
  /** Ends all connections. Rejects if there are violations, so that no test misses one. */
  close(): Promise<void>
}

/** Starts a double of GitHub on a free port of 127.0.0.1. */
export async function startGitHub(options: GitHubOptions = {}): Promise<GitHub> {
  await loadContract()
  const { basePath = '', faults = [] } = options
  const world = createWorld(options)
  const requests: GitHubRequest[] = []
  const nextFault = faultScript<CallName, GitHubFault>(faults)
  const graphqlPath = basePath === '/api/v3' ? '/api/graphql' : `${basePath}/graphql`
  const isGraphql = ({ path }: WireRequest) => path === graphqlPath
  /** The request without the base path; undefined if its path starts differently. */
  const below = (request: WireRequest) =>
    request.path.startsWith(`${basePath}/`)
      ? { ...request, path: request.path.slice(basePath.length) }
      : undefined
  const nameOf = (request: WireRequest): CallName | undefined => {
    if (isGraphql(request)) return `graphql/${graphqlNameOf(request.body)}`
    const rest = below(request)
    return rest && operationOf(rest)
  }

  const { server, port, url, violations, close } = await serveDouble(
    'the GitHub double',
    async (request) => {
      const rest = below(request)
      if (!isGraphql(request) && rest === undefined) return problem(404)
      const rejected = rejectRequest(request.headers)
      if (rejected) return rejected
      return isGraphql(request) || rest === undefined
        ? carryOutGraphql(request.body, world)
        : carryOut(rest, world)
    },
    async (request, response, carryOut) => {
      const name = nameOf(request)
      requests.push({ ...record(request), name })
      const fault = nextFault(name)
      return fault === undefined ? send(response, await carryOut()) : misbehave(response, fault, carryOut)
    },
  )
  world.place.api = `${url}${basePath}`

  return {
    url: world.place.api,
    comments: world.book.comments,
    reactions: world.book.reactions,
    requests,
    statuses: world.statuses.all,
    grant: (permissions) => {
      world.lacks = lackedBeside(permissions)
    },
    refuse: () => void server.close(),
    accept: async () => void (await once(server.listen(port, '127.0.0.1'), 'listening')),
    violations,
    close,
  }
}

function createWorld(options: GitHubOptions): World {
  const { repository = 'acme/docs', roles = {}, lacks = [], teams = [] } = options
  const { comments = [], pullRequests = [], now = () => new Date(), repositories = [] } = options
  const { viewer = 'github-actions[bot]', statuses = [], pages = new Map() } = options
  // The API's URL is known only after the server listens.
  const place = { api: '', html: 'https://github.com', repository }
  const listed = repositories.find(({ name }) => isSameName(name, repository))
  const home = listed ?? new Repository({ name: repository })
  const isPullRequest = (number: number) => pullRequests.includes(number) || home.pull(number) !== undefined
  const book = new ThreadBook(comments, isPullRequest, now)
  const all = listed ? repositories : [home, ...repositories]
  return {
    place,
    roles,
    teams,
    lacks,
    viewer,
    statuses: new StatusBook(statuses, now),
    book,
    pages,
    repositories: all,
  }
}
