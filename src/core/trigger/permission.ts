/** Decides who can ask: by the role on the repository, and for bots by a list. */

/** The roles that `required-permission` takes, lowest first. Not `read`: on a public repository that is everyone. */
export const roles = ['triage', 'write', 'maintain', 'admin'] as const

export type Role = (typeof roles)[number]

/** What GitHub says of an account on a repository. */
export interface AccountRole {
  /** `admin`, `write`, `read` or `none`: maintain counts as write and triage as read (GitHub's docs, "Get repository permissions for a user"). */
  permission: string
  /** The role's name, which an organization may have made up. */
  roleName: string
  /** The account that the response is about; null if GitHub did not say. */
  userId: number | null
}

const ranks = ['none', 'read', ...roles]

/**
 * Whether a role is enough. `permission` decides; the role's name only separates maintain from write and triage from read,
 * so that a custom role counts as its base.
 */
export function isEnough({ permission, roleName }: AccountRole, required: Role): boolean {
  const isFiner =
    (permission === 'write' && roleName === 'maintain') || (permission === 'read' && roleName === 'triage')
  return ranks.indexOf(isFiner ? roleName : permission) >= ranks.indexOf(required)
}

/** Whether a bot is on the list. There is no wildcard, and letter case does not count, as on GitHub. */
export function isListed(login: string, allowedBots: readonly string[]): boolean {
  return allowedBots.some((allowed) => allowed.toLowerCase() === login.toLowerCase())
}
