/** GitHub's API on loopback, as far as threads and roles go, held to GitHub's published description (openapi.json). */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Context, OpenAPIBackend } from 'openapi-backend'
import { type SandboxComment, type SandboxReaction, ThreadBook } from './threads.ts'

export const sandboxGitHubToken = 'ghs_sandbox0123456789'

/** What a fault can be put on. */
export type GitHubOperation = 'permission' | 'list' | 'comment' | 'edit' | 'react'

export interface GitHubOptions {
  token?: string
  /** Before every path, such as `/api/v3` on an Enterprise server. */
  prefix?: string
  /** By login; one that is not here GitHub does not know on this repository. */
  roles?: Readonly<Record<string, { permission: 'admin' | 'write' | 'read' | 'none'; role_name: string }>>
  /** What the token's permissions lack. */
  lacks?: readonly ('reactions' | 'issues' | 'pull-requests')[]
  faults?: readonly { on: GitHubOperation; status: number }[]
}

export interface GitHubDouble {
  url: string
  comments: readonly SandboxComment[]
  reactions: readonly SandboxReaction[]
  requests: readonly { method: string; path: string; body: unknown }[]
  /** Rejects where a reply was not as GitHub describes it. */
  close(): Promise<void>
}

interface Reply {
  status: number
  body: unknown
}

interface World {
  options: GitHubOptions
  book: ThreadBook
}

const operations: Record<string, GitHubOperation> = {
  'repos/get-collaborator-permission-level': 'permission',
  'issues/list-comments': 'list',
  'pulls/list-review-comments': 'list',
  'issues/create-comment': 'comment',
  'pulls/create-reply-for-review-comment': 'comment',
  'issues/update-comment': 'edit',
  'pulls/update-review-comment': 'edit',
  'reactions/create-for-issue-comment': 'react',
  'reactions/create-for-pull-request-review-comment': 'react',
}

const api = new OpenAPIBackend({
  definition: `${import.meta.dirname}/openapi.json`,
  quick: true,
  ajvOpts: { formats: { uri: true, 'date-time': true, int64: true, email: true, 'uri-template': true } },
  handlers: {
    ...Object.fromEntries(
      Object.keys(operations).map((id) => [
        id,
        (context: Context, world: World) => answer(id, context, world),
      ]),
    ),
    notFound: () => message(404, 'Not Found'),
    validationFail: (context: Context) => message(422, JSON.stringify(context.validation.errors)),
    postResponseHandler: (context: Context) => checked(context),
  },
})

export async function startGitHub(options: GitHubOptions = {}): Promise<GitHubDouble> {
  await api.init()
  const book = new ThreadBook()
  const requests: { method: string; path: string; body: unknown }[] = []
  const violations: string[] = []
  const { prefix = '', token = sandboxGitHubToken } = options

  const server = createServer(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://localhost')
    const text = await readText(incoming)
    const method = incoming.method ?? 'GET'
    requests.push({ method, path: pathname, body: text && JSON.parse(text) })
    const reply = await respond().catch((error: Error) => {
      violations.push(error.message)
      return message(500, error.message)
    })
    outgoing.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8' })
    outgoing.end(JSON.stringify(reply.body))

    async function respond(): Promise<Reply> {
      if (
        !/^(token|bearer) /i.test(incoming.headers.authorization ?? '') ||
        !incoming.headers.authorization?.endsWith(token)
      )
        return message(401, 'Bad credentials')
      if (!pathname.startsWith(prefix)) return message(404, 'Not Found')
      const headers = { ...incoming.headers } as Record<string, string>
      const query = Object.fromEntries(searchParams)
      const path = pathname.slice(prefix.length)
      return api.handleRequest({ method, path, query, headers, ...(text && { body: text }) }, {
        options,
        book,
      } satisfies World)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    comments: book.comments,
    reactions: book.reactions,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      if (violations.length > 0) throw new Error(violations.join('\n'))
    },
  }
}

function answer(id: string, context: Context, { options, book }: World): Reply {
  const operation = operations[id] as GitHubOperation
  const fault = options.faults?.find(({ on }) => on === operation)
  if (fault !== undefined) return message(fault.status, 'A fault')
  const isReview = id.includes('pull')
  const { params, query, requestBody: body } = context.request
  const onThread = isReview ? 'pull-requests' : 'issues'
  const lacked = operation === 'react' ? 'reactions' : onThread
  if (operation !== 'permission' && operation !== 'list' && options.lacks?.includes(lacked))
    return message(403, 'Resource not accessible by integration')
  switch (operation) {
    case 'permission':
      return role(String(params.username), options)
    case 'list': {
      const number = Number(isReview ? params.pull_number : params.issue_number)
      const page = Number(query.page ?? 1)
      const size = Number(query.per_page ?? 30)
      const all = book.list(number, isReview).map((comment) => book.view(comment))
      return { status: 200, body: all.slice((page - 1) * size, page * size) }
    }
    case 'comment': {
      const thread = isReview
        ? { number: Number(params.pull_number), reviewRoot: Number(params.comment_id) }
        : { number: Number(params.issue_number), reviewRoot: null }
      return { status: 201, body: book.view(book.add(thread, body.body)) }
    }
    case 'edit': {
      const comment = book.edit(Number(params.comment_id), body.body)
      return comment ? { status: 200, body: book.view(comment) } : message(404, 'Not Found')
    }
    case 'react':
      return { status: 201, body: book.react(Number(params.comment_id), body.content) }
  }
}

function role(login: string, { roles = {} }: GitHubOptions): Reply {
  const known = roles[login]
  if (known === undefined) return message(404, `${login} is not a user`)
  return { status: 200, body: { ...known, user: null } }
}

function message(status: number, text: string): Reply {
  return { status, body: { message: text, documentation_url: 'https://docs.github.com/rest' } }
}

/** Refusals (401, 403, 5xx) GitHub describes for all operations at once; every success is held to its schema. */
function checked(context: Context): Reply {
  const reply: Reply = context.response
  if (context.operation === undefined || reply.status >= 400) return reply
  const { errors } = api.validateResponse(reply.body, context.operation, reply.status)
  if (!errors) return reply
  throw new Error(
    errors
      .map(({ instancePath, message }) => `${context.operation.operationId}: ${instancePath} ${message}`)
      .join('; '),
  )
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
