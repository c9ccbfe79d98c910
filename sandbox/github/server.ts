/**
 * A double of GitHub's API: an HTTP server on loopback, checked against GitHub's published descriptions (openapi.json,
 * schema.graphql).
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parsed, receive, serveHttp, type WireRequest } from '../wire.ts'
import { type CollaboratorRole, type LackedPermission, rejectRequest, sandboxGitHubToken } from './access.ts'
import { carryOut, loadContract, operationOf } from './contract.ts'
import { FaultScript, type GitHubFault, misbehave, send } from './faults.ts'
import { carryOutGraphql, graphqlNameOf } from './graphql.ts'
import type { CallName } from './handlers.ts'
import { problem, type Reply } from './reply.ts'
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
  /** Numbers of pull requests, in addition to the repository's and those with a review comment. Any other number is an issue. */
  pullRequests?: readonly number[]
  /** The clock for creations and edits. */
  now?: () => Date
}

/** A request that was received completely, even if it was rejected. */
export interface GitHubRequest {
  method: string
  /** With the base path, without the query. */
  path: string
  query: Record<string, string>
  /** Parsed JSON, or text if it is not valid JSON; undefined if it is empty. */
  body: unknown
}

/** A request with the name of its operation, for tests that count calls. */
export interface GitHubCall {
  /** Counted from 0. */
  number: number
  name: CallName | undefined
  method: string
  /** The status that was sent; null if none was sent, or not yet. */
  status: number | null
}

export interface GitHub {
  /** `http://127.0.0.1:PORT` with the base path. This is the value for `GITHUB_API_URL`. */
  url: string
  /** In order of creation, starting with the initial ones. */
  comments: readonly SandboxComment[]
  /** In order of creation, without removed ones. */
  reactions: readonly SandboxReaction[]
  requests: readonly GitHubRequest[]
  /** The same requests, with the names of their operations. */
  calls: readonly GitHubCall[]
  /** In order of creation, starting with the initial ones. */
  statuses: readonly SandboxStatus[]
  /** Ends the fault `refused`, so that connections are accepted again. */
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
  const calls: GitHubCall[] = []
  const violations: string[] = []
  const script = new FaultScript(faults)
  const graphqlPath = basePath === '/api/v3' ? '/api/graphql' : `${basePath}/graphql`

  const nameOf = (request: WireRequest): CallName | undefined => {
    if (request.path === graphqlPath) return `graphql/${graphqlNameOf(request.body)}`
    return request.path.startsWith(`${basePath}/`) ? operationOf(below(request)) : undefined
  }
  const below = (request: WireRequest) => ({ ...request, path: request.path.slice(basePath.length) })

  const honestReply = async (request: WireRequest): Promise<Reply> => {
    try {
      const isGraphql = request.path === graphqlPath
      if (!isGraphql && !request.path.startsWith(`${basePath}/`)) return problem(404)
      const rejected = rejectRequest(request.headers)
      if (rejected) return rejected
      return isGraphql ? await carryOutGraphql(request.body, world) : await carryOut(below(request), world)
    } catch (error) {
      violations.push(String(error))
      return problem(500, `Bug in the GitHub double: ${error}`)
    }
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await receive(incoming)
    const { method, path, query, body } = request
    requests.push({ method, path, query, body: parsed(body) })
    const call: GitHubCall = { number: calls.length, name: nameOf(request), method, status: null }
    calls.push(call)
    const fault = script.next(call.name)
    // Before the response is sent, because the next call can follow it immediately.
    refuseIfDue()
    call.status =
      fault === undefined
        ? send(response, await honestReply(request))
        : await misbehave(response, fault, () => honestReply(request))
  }

  const { server, port, url, close } = await serveHttp((incoming, response) => {
    serve(incoming, response).catch((error) => {
      // If a client closes the connection before its request is complete, that is not a bug in the double.
      if (incoming.complete) violations.push(String(error))
      response.destroy()
    })
  })
  const refuseIfDue = () => {
    if (script.isRefusalDue()) server.close()
  }
  world.place.api = `${url}${basePath}`
  refuseIfDue()

  return {
    url: world.place.api,
    comments: world.book.comments,
    reactions: world.book.reactions,
    requests,
    calls,
    statuses: world.statuses.all,
    accept: async () => {
      if (!server.listening) await once(server.listen(port, '127.0.0.1'), 'listening')
    },
    violations,
    close: async () => {
      await close()
      if (violations.length > 0) throw new Error(`The GitHub double failed: ${violations.join('; ')}`)
    },
  }
}

function createWorld(options: GitHubOptions): World {
  const { repository = 'acme/docs', roles = {}, lacks = [], teams = [] } = options
  const { comments = [], pullRequests = [], now = () => new Date(), repositories = [] } = options
  const { viewer = 'github-actions[bot]', statuses = [] } = options
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
    repositories: all,
  }
}
