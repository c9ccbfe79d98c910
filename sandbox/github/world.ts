/** What the operations are given: the double's state, and a request. */
import type { CollaboratorRole, LackedPermission } from './access.ts'
import type { Reply } from './reply.ts'
import type { Repository } from './repository.ts'
import type { SandboxStatus, StatusBook } from './statuses.ts'
import type { ReactionContent, ThreadBook } from './threads.ts'
import type { Place } from './views.ts'

/** What the operations work on. */
export interface World {
  place: Place
  roles: Readonly<Record<string, CollaboratorRole>>
  lacks: readonly LackedPermission[]
  /** The login of the account that the token acts as. */
  viewer: string
  statuses: StatusBook
  /** The threads of the repository that `place` names. Others have none here. */
  book: ThreadBook
  /** All there are, with that one. */
  repositories: readonly Repository[]
}

/** A request that was found valid. */
export interface ValidRequest {
  path: Record<string, string>
  query: Record<string, unknown>
  body: {
    body?: string
    content?: ReactionContent
    state?: SandboxStatus['state']
    context?: string
    description?: string | null
    target_url?: string | null
  }
  /** The repository in its path. */
  repository: Repository
  /** Of the reply that it asks for: `json`, or another that GitHub has a media type for. */
  format: string
}

export type Handler = (request: ValidRequest, world: World) => Reply
