/** The mock's state, a request to it, and GitHub's errors. */
import { STATUS_CODES } from 'node:http'
import { type Mismatch, Rejection, type ValidRequest } from '../contract.ts'
import type { Reply } from '../wire.ts'
import type { CollaboratorRole, Permissions } from './access.ts'
import { isSameName, type Repository } from './repository.ts'
import type { StatusBook } from './statuses.ts'
import type { ThreadBook } from './threads.ts'

/** The mock's state. */
export interface World {
  /** The name of the only repository with threads. */
  home: string
  roles: Readonly<Record<string, CollaboratorRole>>
  permissions: Permissions
  /** The login of the account that the token acts as. */
  viewer: string
  statuses: StatusBook
  book: ThreadBook
  /** HTML recorded from GitHub's own parser, by its Markdown. The mock renders other Markdown itself. */
  pages: ReadonlyMap<string, string>
  /** All repositories, including the one with threads. */
  repositories: readonly Repository[]
}

export interface GitHubCall extends ValidRequest {
  /** The repository in the path, or in `context` for Markdown. */
  repository: Repository
}

export type Handler = (call: GitHubCall, world: World) => Reply

export function findRepository(
  { repositories }: World,
  owner: unknown,
  name: unknown,
): Repository | undefined {
  return repositories.find((one) => isSameName(one.name, `${owner}/${name}`))
}

/** GitHub's usual messages (GitHub's docs, "Troubleshooting the REST API"). */
const messages: Record<number, string> = {
  401: 'Bad credentials',
  403: 'Resource not accessible by integration',
  404: 'Not Found',
}

/** An error in GitHub's shape (openapi.json, "basic-error"). */
export function problem(status: number, message = messages[status] ?? STATUS_CODES[status]): Reply {
  return { status, body: { message } }
}

/** Ends a request with an error. */
export function reject(status: number, message?: string): never {
  throw new Rejection(problem(status, message))
}

/** The value. If there is none, ends the request with a 404. */
export function found<T>(value: T | undefined, message?: string): T {
  return value ?? reject(404, message)
}

/** A 422 in GitHub's shape (openapi.json, "validation-error"). */
export function invalid(...errors: { field: string; code: string; message: string }[]): Reply {
  return { status: 422, body: { message: 'Validation Failed', errors } }
}

/** Like GitHub: 422 for a request that the description does not allow. */
export function invalidRequest(mismatches: readonly Mismatch[]): Reply {
  return invalid(
    ...mismatches.map(({ instancePath, params: { missingProperty }, message = '' }) => {
      const field = missingProperty ?? instancePath.split('/').at(-1) ?? ''
      return { field, code: missingProperty ? 'missing_field' : 'invalid', message }
    }),
  )
}

/** A page of a list, with a link to the next one (GitHub's docs, "Using pagination in the REST API"). */
export function paged<T>(
  items: readonly T[],
  { route, query, headers }: GitHubCall,
  { most = 100, usual = 30 } = {},
) {
  const size = Math.min(most, Math.max(1, Number(query.per_page ?? usual)))
  const page = Math.max(1, Number(query.page ?? 1))
  const next = new URLSearchParams({ ...(query as object), per_page: `${size}`, page: `${page + 1}` })
  const hasNext = page * size < items.length
  return {
    shown: items.slice((page - 1) * size, page * size),
    headers: hasNext ? { link: `<http://${headers.host}${route}?${next}>; rel="next"` } : {},
  }
}

/** One page of a list. */
export function listOf(items: readonly object[], call: GitHubCall): Reply {
  const { shown, headers } = paged(items, call)
  return { status: 200, body: shown, headers }
}
