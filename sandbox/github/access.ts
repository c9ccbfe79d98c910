/** Access: the token, its permissions, and the roles of accounts. */
import { Rejection } from '../contract.ts'
import { bearerKey, type WireRequest } from '../wire.ts'
import { problem, reject } from './errors.ts'

/** The only token that the mock accepts. */
export const sandboxGitHubToken = 'ghs_sandbox0123456789'

export type Scope = 'contents' | 'issues' | 'pull-requests' | 'statuses'

/** The token's permissions, as in `permissions` of a workflow's job. A scope that is not listed is not granted. */
export type Permissions = Readonly<Partial<Record<Scope, string>>>

/** A token that can do everything. */
export const allPermissions = {
  contents: 'write',
  issues: 'write',
  'pull-requests': 'write',
  statuses: 'write',
} satisfies Permissions

/**
 * One permission of a list is enough (GitHub's docs, "Permissions required for GitHub Apps"). In the mock, reads that
 * are not listed need no permission.
 */
const neededToRead: readonly (readonly [RegExp, readonly Scope[]])[] = [
  [/^issues\/list-comments-for-repo$/, ['issues', 'pull-requests']],
  [/^pulls\/(?:get|list)|\/list-pull-requests/, ['pull-requests']],
  [/^git\/|^markdown\/|^repos\/(?:compare|get-co(?:mmit|ntent)$|list-releases)/, ['contents']],
  [/\/list-commit-statuses/, ['statuses']],
]

/** An account's role in the repository. On a public repository, a stranger has `read`. */
export interface CollaboratorRole {
  /** The base role: `write` for maintain, `read` for triage. */
  permission: 'admin' | 'write' | 'read' | 'none'
  /** The role itself, which may be a custom role of the organization. */
  role_name: string
}

/** Rejects a request that lacks the right token or a user agent. */
export function authenticate(request: WireRequest): void {
  // GitHub's docs, "Getting started with the REST API": a request without a user agent is rejected.
  if (!request.headers['user-agent']) reject(403, 'Request forbidden by administrative rules.')
  if (request.headers.authorization === undefined) reject(401, 'Requires authentication')
  if (bearerKey(request) !== sandboxGitHubToken) reject(401)
}

/** Whether the token can read or write what one of the scopes allows. */
export function allows(level: 'read' | 'write', scopes: readonly Scope[], permissions: Permissions): boolean {
  return scopes.some((scope) => ['write', level].includes(permissions[scope] ?? ''))
}

/**
 * Rejects a read if the token lacks the permission. All of the mock's repositories are private. Returns the headers of the
 * response, which GitHub also sends with successes.
 */
export function authorizeRead(operation: string, permissions: Permissions) {
  const [, enough] = neededToRead.find(([pattern]) => pattern.test(operation)) ?? []
  if (enough === undefined) return {}
  if (!allows('read', enough, permissions)) forbid('read', enough)
  return acceptedHeader('read', enough)
}

/** A write: to a commit, to a pull request or its review threads, or to a conversation. */
export type Write = 'status' | 'review' | `${'comment' | 'reaction'} on ${'issue' | 'pull'}`

/**
 * GitHub's docs: a comment on a pull request's conversation needs `issues` or `pull-requests`. In practice, a reaction
 * there needs `pull-requests`, and any write to a plain issue needs `issues`.
 */
export const neededToWrite: Readonly<Record<Write, readonly Scope[]>> = {
  status: ['statuses'],
  review: ['pull-requests'],
  'comment on pull': ['issues', 'pull-requests'],
  'reaction on pull': ['pull-requests'],
  'comment on issue': ['issues'],
  'reaction on issue': ['issues'],
}

/** Rejects a write if the token lacks the permission. */
export function authorizeWrite(write: Write, permissions: Permissions): void {
  const enough = neededToWrite[write]
  if (!allows('write', enough, permissions)) forbid('write', enough)
}

/** GitHub's docs, "Troubleshooting the REST API": a header lists the accepted permissions; `;` separates alternatives. */
function acceptedHeader(level: string, scopes: readonly Scope[]) {
  const accepted = scopes.map((scope) => `${scope.replace('-', '_')}=${level}`)
  return { 'x-accepted-github-permissions': accepted.join('; ') }
}

function forbid(level: string, scopes: readonly Scope[]): never {
  throw new Rejection({ ...problem(403), headers: acceptedHeader(level, scopes) })
}

/** An account's role. Logins are not case-sensitive. */
export function roleOf<T>(login: string, roles: Readonly<Record<string, T>>): T | undefined {
  return Object.entries(roles).find(([name]) => name.toLowerCase() === login.toLowerCase())?.[1]
}
