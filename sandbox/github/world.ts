/** The mock's state, a request to it, and pages of lists. */
import type { ValidRequest } from '../contract.ts'
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
  repositories: Repository[]
}

export interface GitHubCall extends ValidRequest {
  /** The repository in the path, or in `context` for Markdown. */
  repository: Repository
}

export type Handler = (call: GitHubCall, world: World) => Reply

/** A repository by its name, or by an earlier name that no other repository has taken. */
export function findRepository(
  { repositories }: World,
  owner: unknown,
  name: unknown,
): Repository | undefined {
  const wanted = `${owner}/${name}`
  const current = repositories.find((one) => isSameName(one.name, wanted))
  return current ?? repositories.find(({ formerNames }) => formerNames.some((one) => isSameName(one, wanted)))
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
