/** The double's state, and a request to it. */

import type { Reply } from '../wire.ts'
import type { CollaboratorRole, LackedPermission } from './access.ts'
import type { Repository } from './repository.ts'
import type { SandboxStatus, StatusBook } from './statuses.ts'
import type { ReactionContent, ThreadBook } from './threads.ts'
import type { Place } from './views.ts'

/** The double's state. */
export interface World {
  place: Place
  roles: Readonly<Record<string, CollaboratorRole>>
  /** Slugs of the teams that can review. */
  teams: readonly string[]
  lacks: readonly LackedPermission[]
  /** The login of the account that the token acts as. */
  viewer: string
  statuses: StatusBook
  /** The threads of the repository in `place`. Other repositories do not have threads. */
  book: ThreadBook
  /** HTML recorded from GitHub's own parser, by its Markdown. The double renders other Markdown itself. */
  pages: ReadonlyMap<string, string>
  /** All repositories, including the one in `place`. */
  repositories: readonly Repository[]
}

export interface ValidRequest {
  path: Record<string, string>
  query: Record<string, unknown>
  body: {
    body?: string
    content?: ReactionContent
    state?: SandboxStatus['state'] | 'open' | 'closed'
    context?: string
    description?: string | null
    target_url?: string | null
    labels?: string[]
    reviewers?: string[]
    team_reviewers?: string[]
    text?: string
    mode?: 'markdown' | 'gfm'
  }
  /** The repository in the path, or in `context` for Markdown. */
  repository: Repository
}

export type Handler = (request: ValidRequest, world: World) => Reply
