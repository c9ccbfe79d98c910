/** Access: the token, its missing permissions, and the roles of accounts. */

import type { Reply } from '../wire.ts'
import type { OperationName } from './handlers.ts'
import { problem } from './reply.ts'

/** The only token that the double accepts. */
export const sandboxGitHubToken = 'ghs_sandbox0123456789'

/**
 * Permissions that the token can lack: to write to issues, pull requests or statuses, or even to read. If it lacks
 * `reactions`, GitHub rejects only reactions.
 */
export type LackedPermission = 'reactions' | 'issues' | 'pull-requests' | 'statuses' | ReadPermission
type ReadPermission = 'contents: read' | 'issues: read' | 'pull-requests: read' | 'statuses: read'

/** The permissions that a token lacks if a job has only these, as in `permissions` of a workflow. */
export function lackedBeside(granted: Readonly<Record<string, string>>): LackedPermission[] {
  const writes = (['issues', 'pull-requests', 'statuses'] as const).filter(
    (name) => granted[name] !== 'write',
  )
  const reads = (['contents', 'issues', 'pull-requests', 'statuses'] as const).filter(
    (name) => !granted[name],
  )
  return [...writes, ...reads.map((name) => `${name}: read` as const)]
}

/**
 * One permission of a list is enough (GitHub's docs, "Permissions required for GitHub Apps"). In the double, reads that
 * are not listed need no permission.
 */
const neededToRead: Partial<Record<OperationName, ReadPermission[]>> = {
  'issues/list-comments-for-repo': ['issues: read', 'pull-requests: read'],
  'repos/compare-commits-with-basehead': ['contents: read'],
  'repos/get-commit': ['contents: read'],
  'repos/get-content': ['contents: read'],
  'repos/list-pull-requests-associated-with-commit': ['pull-requests: read'],
  'pulls/list': ['pull-requests: read'],
  'pulls/get': ['pull-requests: read'],
  'pulls/list-files': ['pull-requests: read'],
  'pulls/list-review-comments': ['pull-requests: read'],
  'pulls/list-review-comments-for-repo': ['pull-requests: read'],
  'git/get-tree': ['contents: read'],
  'repos/list-commit-statuses-for-ref': ['statuses: read'],
}

/** An account's role in the repository. On a public repository, a stranger has `read`. */
export interface CollaboratorRole {
  /** The base role: `write` for maintain, `read` for triage. */
  permission: 'admin' | 'write' | 'read' | 'none'
  /** The role itself, which may be a custom role of the organization. */
  role_name: string
  /** The account's id in the response; the real id by default. */
  userId?: number
}

/** Rejects a request that lacks the right token or a user agent; undefined for any other request. */
export function rejectRequest(headers: Record<string, string>): Reply | undefined {
  // GitHub's docs, "Getting started with the REST API": a request without a user agent is rejected.
  if (!headers['user-agent']) return problem(403, 'Request forbidden by administrative rules.')
  if (headers.authorization === undefined) return problem(401, 'Requires authentication')
  const given = /^(?:bearer|token) (.+)$/i.exec(headers.authorization)?.[1]
  return given === sandboxGitHubToken ? undefined : problem(401)
}

/** Rejects a read if the token lacks the permission. All of the double's repositories are private. */
export function rejectRead(operation: OperationName, lacks: readonly LackedPermission[]): Reply | undefined {
  const enough = neededToRead[operation]
  if (enough === undefined || !enough.every((permission) => lacks.includes(permission))) return undefined
  return rejection(enough.map((permission) => permission.replace(': ', '=')).join('; '))
}

/** GitHub's docs, "Troubleshooting the REST API": a header lists the accepted permissions; `;` separates alternatives. */
function rejection(accepted: string): Reply {
  const header = accepted.replaceAll('-', '_')
  return { ...problem(403), headers: { 'x-accepted-github-permissions': header } }
}

/** Rejects a new status if the token lacks the permission. */
export function rejectStatus(lacks: readonly LackedPermission[]): Reply | undefined {
  return lacks.includes('statuses') || lacks.includes('statuses: read')
    ? rejection('statuses=write')
    : undefined
}

/** A write to a thread. Its kind and its place decide which permission it needs. */
export interface Write {
  what: 'comment' | 'reaction'
  /** `review`: a pull request's review threads; `pull`: its conversation. */
  where: 'issue' | 'pull' | 'review'
}

/**
 * Rejects a write if the token lacks the permission. GitHub's docs: a comment on a pull request's conversation needs
 * `issues` or `pull-requests`. In practice, a reaction there needs `pull-requests`, and any write to a plain issue needs
 * `issues`.
 */
export function rejectWrite({ what, where }: Write, lacks: readonly LackedPermission[]): Reply | undefined {
  const lacksIssues = lacks.includes('issues')
  const lacksPulls = lacks.includes('pull-requests') || lacks.includes('pull-requests: read')
  const isEitherEnough = what === 'comment' && where === 'pull'
  const isLacking = {
    issue: lacksIssues,
    pull: isEitherEnough ? lacksIssues && lacksPulls : lacksPulls,
    review: lacksPulls,
  }
  const isRejected = isLacking[where] || (what === 'reaction' && lacks.includes('reactions'))
  const both = 'issues=write; pull_requests=write'
  return isRejected ? rejection(where === 'review' ? 'pull_requests=write' : both) : undefined
}

/** An account's role. Logins are not case-sensitive. */
export function roleOf<T>(login: string, roles: Readonly<Record<string, T>>): T | undefined {
  return Object.entries(roles).find(([name]) => name.toLowerCase() === login.toLowerCase())?.[1]
}
