/** Who may do what: the token, what it lacks, and the roles of accounts. */
import { problem, type Reply } from './reply.ts'

/** The token that the double takes unless it was given another. */
export const sandboxGitHubToken = 'ghs_sandbox0123456789'

/** Write permissions that the token can lack; reading needs none here. `reactions` is GitHub refusing these and nothing else. */
export type LackedPermission = 'reactions' | 'issues' | 'pull-requests'

/** What an account is to the repository. On a public repository a stranger is `read`. */
export interface CollaboratorRole {
  /** The base: maintain counts as write, triage as read. */
  permission: 'admin' | 'write' | 'read' | 'none'
  /** The role itself, which may be one that the organisation made up. */
  role_name: string
}

/** Why a request is turned down before it is looked at; undefined where it is not. */
export function refuseRequest(headers: Record<string, string>, token: string): Reply | undefined {
  // GitHub's docs, "Getting started with the REST API": a request without a user agent is rejected.
  if (!headers['user-agent']) return problem(403, 'Request forbidden by administrative rules.')
  if (headers.authorization === undefined) return problem(401, 'Requires authentication')
  const given = /^(?:bearer|token) (.+)$/i.exec(headers.authorization)?.[1]
  return given === token ? undefined : problem(401)
}

/** A write to a thread, as far as permissions tell them apart. */
export interface Write {
  what: 'comment' | 'reaction'
  /** `review`: a pull request's review threads; `pull`: its conversation. */
  where: 'issue' | 'pull' | 'review'
}

/**
 * Whether the token lacks what a write needs. GitHub's docs: a comment on a pull request's conversation needs `issues` or
 * `pull-requests`; in practice a reaction there needs `pull-requests`, and what is on a plain issue needs `issues`.
 */
export function refuseWrite({ what, where }: Write, lacks: readonly LackedPermission[]): Reply | undefined {
  const lacksIssues = lacks.includes('issues')
  const lacksPulls = lacks.includes('pull-requests')
  const isEitherEnough = what === 'comment' && where === 'pull'
  const isLacking = {
    issue: lacksIssues,
    pull: isEitherEnough ? lacksIssues && lacksPulls : lacksPulls,
    review: lacksPulls,
  }
  const isRefused = isLacking[where] || (what === 'reaction' && lacks.includes('reactions'))
  return isRefused ? problem(403) : undefined
}

/** An account's role; letter case does not count in a login. */
export function roleOf<T>(login: string, roles: Readonly<Record<string, T>>): T | undefined {
  return Object.entries(roles).find(([name]) => name.toLowerCase() === login.toLowerCase())?.[1]
}
