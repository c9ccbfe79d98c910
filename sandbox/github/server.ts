/** A double of GitHub's API: an HTTP server on loopback that is held to GitHub's published description in openapi.json. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CollaboratorRole, type LackedPermission, refuseRequest, sandboxGitHubToken } from './access.ts'
import { carryOut, loadContract, operationOf, type WireRequest } from './contract.ts'
import { FaultScript, type GitHubFault, misbehave, send } from './faults.ts'
import { carryOutGraphql, graphqlNameOf } from './graphql.ts'
import type { CallName } from './operations.ts'
import { problem, type Reply } from './reply.ts'
import { isSameName, Repository } from './repository.ts'
import { type SandboxStatus, type SeedStatus, StatusBook } from './statuses.ts'
import { type SandboxComment, type SandboxReaction, type SeedComment, ThreadBook } from './threads.ts'
import type { World } from './world.ts'

export { sandboxGitHubToken }

export interface GitHubOptions {
  /** The one token there is; `sandboxGitHubToken` if left out. */
  token?: string
  /** The login of the account that the token acts as; `github-actions[bot]` if left out. */
  viewer?: string
  /** Before every path, such as `/api/v3` of an Enterprise server; nothing if left out. */
  basePath?: string
  /** Where the pages are, for `html_url`; `https://github.com` if left out. */
  serverUrl?: string
  /** The repository of the threads; `acme/docs` if left out. */
  repository?: string
  /** Repositories with commits and pull requests, that one or others. It is empty if it is not among them; all others are 404. */
  repositories?: readonly Repository[]
  /** By login. One that is not listed is 404, "is not a user"; strangers on a public repository are to be listed as `read`. */
  roles?: Readonly<Record<string, CollaboratorRole>>
  /** Nothing if left out. */
  lacks?: readonly LackedPermission[]
  faults?: readonly GitHubFault[]
  /** The statuses that are there already. */
  statuses?: readonly SeedStatus[]
  /** The comments that are there already, in both kinds of thread. */
  comments?: readonly SeedComment[]
  /** The numbers that are pull requests, next to the repository's and those that have a review comment. All others are plain issues. */
  pullRequests?: readonly number[]
  /** The clock of what is created and edited. */
  now?: () => Date
}

/** A request that came in whole, whatever was made of it. */
export interface GitHubRequest {
  method: string
  /** With the base path, without the query. */
  path: string
  query: Record<string, string>
  /** As JSON; as text where it is none; undefined where it is empty. */
  body: unknown
}

/** A call for something that the double has, as tests count calls. */
export interface GitHubCall {
  /** From 0. */
  number: number
  name: CallName | undefined
  method: string
  /** The status that was sent; null before that, and if none was. */
  status: number | null
}

export interface GitHub {
  /** `http://127.0.0.1:PORT` and the base path: what `GITHUB_API_URL` is to be. */
  url: string
  /** In the order of their creation, the seeds first. */
  comments: readonly SandboxComment[]
  /** In the order of their creation, without those that were taken back. */
  reactions: readonly SandboxReaction[]
  requests: readonly GitHubRequest[]
  /** The same by what they were for. */
  calls: readonly GitHubCall[]
  /** In the order of their creation, the seeds first. */
  statuses: readonly SandboxStatus[]
  /** Ends the fault `refused`: connections are accepted again. */
  accept(): Promise<void>
  /** Mistakes of the double's own, above all replies that openapi.json doesn't allow. They answer 500. */
  violations: readonly string[]
  /** Ends all connections. Rejects if there are violations, so that no test passes over one. */
  close(): Promise<void>
}

/** Starts a double of GitHub on a free port of 127.0.0.1. */
export async function startGitHub(options: GitHubOptions = {}): Promise<GitHub> {
  await loadContract()
  const { token = sandboxGitHubToken, basePath = '', faults = [] } = options
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
      const refused = refuseRequest(request.headers, token)
      if (refused) return refused
      return isGraphql ? await carryOutGraphql(request.body, world) : await carryOut(below(request), world)
    } catch (error) {
      violations.push(String(error))
      return problem(500, `Mistake of the GitHub double: ${error}`)
    }
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await receive(incoming)
    const { method, path, query, body } = request
    requests.push({ method, path, query, body: parsed(body) })
    const call: GitHubCall = { number: calls.length, name: nameOf(request), method, status: null }
    calls.push(call)
    const fault = script.next(call.name)
    // Before this call is answered: the next one may come at once.
    refuseIfDue()
    call.status =
      fault === undefined
        ? send(response, await honestReply(request))
        : await misbehave(response, fault, () => honestReply(request))
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error) => {
      // A caller that hangs up before its request was complete is no mistake of ours.
      if (incoming.complete) violations.push(String(error))
      response.destroy()
    })
  })
  let port = 0
  const accept = async () => {
    if (server.listening) return
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  const refuseIfDue = () => {
    const refusal = script.refusal()
    if (refusal === undefined) return
    server.close()
    if (refusal.ms !== undefined) setTimeout(accept, refusal.ms).unref()
  }
  await accept()
  world.place.api = `http://127.0.0.1:${port}${basePath}`
  refuseIfDue()

  return {
    url: world.place.api,
    comments: world.book.comments,
    reactions: world.book.reactions,
    requests,
    calls,
    statuses: world.statuses.all,
    accept,
    violations,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      if (violations.length > 0) throw new Error(`The GitHub double went wrong: ${violations.join('; ')}`)
    },
  }
}

function createWorld(options: GitHubOptions): World {
  const { serverUrl = 'https://github.com', repository = 'acme/docs', roles = {}, lacks = [] } = options
  const { comments = [], pullRequests = [], now = () => new Date(), repositories = [] } = options
  const { viewer = 'github-actions[bot]', statuses = [] } = options
  // The API's own address is known once the server listens.
  const place = { api: '', html: serverUrl, repository }
  const listed = repositories.find(({ name }) => isSameName(name, repository))
  const home = listed ?? new Repository({ name: repository })
  const isPullRequest = (number: number) => pullRequests.includes(number) || home.pull(number) !== undefined
  const book = new ThreadBook(comments, isPullRequest, now)
  const all = listed ? repositories : [home, ...repositories]
  return { place, roles, lacks, viewer, statuses: new StatusBook(statuses, now), book, repositories: all }
}

async function receive(incoming: IncomingMessage): Promise<WireRequest> {
  const { method = 'GET', url = '/' } = incoming
  const { pathname, searchParams } = new URL(`http://127.0.0.1${url}`)
  const body = await text(incoming)
  return {
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: incoming.headers as Record<string, string>,
    body: body === '' ? undefined : body,
  }
}

function parsed(body: string | undefined): unknown {
  if (body === undefined) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
