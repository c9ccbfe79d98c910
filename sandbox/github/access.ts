/** Access: the token, its missing permissions, and the roles of accounts. */
import { Rejection } from '../contract.ts'
import { bearerKey, type WireRequest } from '../wire.ts'
import { problem, reject } from './world.ts'

/** The only token that the double accepts. */
export const sandboxGitHubToken = 'ghs_sandbox0123456789'

const scopes = ['contents', 'issues', 'pull-requests', 'statuses'] as const
export type Scope = (typeof scopes)[number]

/** Permissions that the token can lack: to write to issues, pull requests or statuses, or even to read. */
export type LackedPermission = Scope | `${Scope}: read`

/** The permissions that a token lacks if a job has only these, as in `permissions` of a workflow. */
export function lackedBeside(granted: Readonly<Record<string, string>>): LackedPermission[] {
  return scopes.flatMap((name): LackedPermission[] => [
    ...(granted[name] === 'write' ? [] : [name]),
    ...(granted[name] ? [] : [`${name}: read` as const]),
  ])
}

/**
 * One permission of a list is enough (GitHub's docs, "Permissions required for GitHub Apps"). In the double, reads that
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
  /** The account's id in the response; the real id by default. */
  userId?: number
}

/** Rejects a request that lacks the right token or a user agent. */
export function authenticate(request: WireRequest): void {
  // GitHub's docs, "Getting started with the REST API": a request without a user agent is rejected.
  if (!request.headers['user-agent']) reject(403, 'Request forbidden by administrative rules.')
  if (request.headers.authorization === undefined) reject(401, 'Requires authentication')
  if (bearerKey(request) !== sandboxGitHubToken) reject(401)
}

/** Rejects a read if the token lacks the permission. All of the double's repositories are private. */
export function authorizeRead(operation: string, lacks: readonly LackedPermission[]): void {
  const [, enough = []] = neededToRead.find(([pattern]) => pattern.test(operation)) ?? []
  if (enough.length > 0 && enough.every((scope) => lacks.includes(`${scope}: read`)))
    forbid(enough.map((scope) => `${scope}=read`))
}

/** A write: to a commit, to a pull request or its review threads, or to a conversation. */
export type Write = 'status' | 'review' | `${'comment' | 'reaction'} on ${'issue' | 'pull'}`

/**
 * GitHub's docs: a comment on a pull request's conversation needs `issues` or `pull-requests`. In practice, a reaction
 * there needs `pull-requests`, and any write to a plain issue needs `issues`.
 */
const neededToWrite: Readonly<Record<Write, readonly Scope[]>> = {
  status: ['statuses'],
  review: ['pull-requests'],
  'comment on pull': ['issues', 'pull-requests'],
  'reaction on pull': ['pull-requests'],
  'comment on issue': ['issues'],
  'reaction on issue': ['issues'],
}

/** Whether the token has the permission for a write. */
export function canWrite(write: Write, lacks: readonly LackedPermission[]): boolean {
  return neededToWrite[write].some((scope) => !lacks.includes(scope) && !lacks.includes(`${scope}: read`))
}

/** Rejects a write if the token lacks the permission. */
export function authorizeWrite(write: Write, lacks: readonly LackedPermission[]): void {
  if (!canWrite(write, lacks))
    forbid(
      (write.includes(' on ') ? ['issues', 'pull-requests'] : neededToWrite[write]).map(
        (scope) => `${scope}=write`,
      ),
    )
}

/** GitHub's docs, "Troubleshooting the REST API": a header lists the accepted permissions; `;` separates alternatives. */
function forbid(accepted: readonly string[]): never {
  const header = accepted.join('; ').replaceAll('-', '_')
  throw new Rejection({ ...problem(403), headers: { 'x-accepted-github-permissions': header } })
}

/** An account's role. Logins are not case-sensitive. */
export function roleOf<T>(login: string, roles: Readonly<Record<string, T>>): T | undefined {
  return Object.entries(roles).find(([name]) => name.toLowerCase() === login.toLowerCase())?.[1]
}
