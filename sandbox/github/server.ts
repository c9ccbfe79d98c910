/** A double of GitHub's API: an HTTP server on loopback that is held to GitHub's published description in openapi.json. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CollaboratorRole, type LackedPermission, refuseRequest, sandboxGitHubToken } from './access.ts'
import { carryOut, loadContract, operationOf, type WireRequest } from './contract.ts'
import { faultScript, type GitHubFault } from './operations.ts'
import { problem, type Reply } from './reply.ts'
import { isSameName, Repository } from './repository.ts'
import { type SandboxComment, type SandboxReaction, type SeedComment, ThreadBook } from './threads.ts'
import type { World } from './world.ts'

export { sandboxGitHubToken }

export interface GitHubOptions {
  /** The one token there is, that of github-actions[bot]; `sandboxGitHubToken` if left out. */
  token?: string
  /** Before every path, such as `/api/v3` of an Enterprise server; nothing if left out. */
  basePath?: string
  /** Where the pages are, for `html_url`; `https://github.com` if left out. */
  serverUrl?: string
  /** The repository of the threads; `acme/docs` if left out. */
  repository?: string
  /** Repositories with commits and pull requests, that one or others. It is empty if it is not among them; all others are 404. */
  repositories?: readonly Repository[]
  /** By login. One that is not listed is 404, "is not a user"; inputsOfOtherMode on a public repository are to be listed as `read`. */
  roles?: Readonly<Record<string, CollaboratorRole>>
  /** Nothing if left out. */
  lacks?: readonly LackedPermission[]
  faults?: readonly GitHubFault[]
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

export interface GitHub {
  /** `http://127.0.0.1:PORT` and the base path: what `GITHUB_API_URL` is to be. */
  url: string
  /** In the order of their creation, the seeds first. */
  comments: readonly SandboxComment[]
  /** In the order of their creation, without those that were taken back. */
  reactions: readonly SandboxReaction[]
  requests: readonly GitHubRequest[]
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
  const violations: string[] = []
  const nextFault = faultScript(faults)

  const honestReply = async (request: WireRequest): Promise<Reply> => {
    try {
      return refuseRequest(request.headers, token) ?? (await carryOut(request, world))
    } catch (error) {
      violations.push(String(error))
      return problem(500, `Mistake of the GitHub double: ${error}`)
    }
  }

  const replyTo = async (request: WireRequest): Promise<Reply> => {
    if (!request.path.startsWith(`${basePath}/`)) return problem(404)
    const inside = { ...request, path: request.path.slice(basePath.length) }
    const fault = nextFault(operationOf(inside))
    if (fault === undefined) return honestReply(inside)
    if (fault.process) await honestReply(inside)
    return { ...problem(fault.status, fault.message), headers: fault.headers ?? {} }
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await receive(incoming)
    const { method, path, query, body } = request
    requests.push({ method, path, query, body: parsed(body) })
    send(response, await replyTo(request))
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error) => {
      // A caller that hangs up before its request was complete is no mistake of ours.
      if (incoming.complete) violations.push(String(error))
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  world.place.api = `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`

  return {
    url: world.place.api,
    comments: world.book.comments,
    reactions: world.book.reactions,
    requests,
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
  // The API's own address is known once the server listens.
  const place = { api: '', html: serverUrl, repository }
  const listed = repositories.find(({ name }) => isSameName(name, repository))
  const home = listed ?? new Repository({ name: repository })
  const isPullRequest = (number: number) => pullRequests.includes(number) || home.pull(number) !== undefined
  const book = new ThreadBook(comments, isPullRequest, now)
  return { place, roles, lacks, book, repositories: listed ? repositories : [home, ...repositories] }
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

function send(response: ServerResponse, { status, headers, body, raw }: Reply): void {
  const content = raw?.content ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = raw === undefined ? 'application/json' : `application/vnd.github.${raw.format}`
  response.writeHead(status, {
    ...(content !== undefined && { 'content-type': `${type}; charset=utf-8` }),
    'x-github-media-type': `github.v3; format=${raw?.format ?? 'json'}`,
    ...headers,
  })
  response.end(content)
}

function parsed(body: string | undefined): unknown {
  if (body === undefined) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
