/** Who may give the command: the role on the repository, and for bots a list. */

/** The roles that `required-permission` takes, from the least. `read` is none of them: on a public repository that is everybody. */
export const roles = ['triage', 'write', 'maintain', 'admin'] as const

export type Role = (typeof roles)[number]

/** What GitHub says of an account on a repository; `roleName` may be one that the organisation made up. */
export interface AccountRole {
  /** `admin`, `write`, `read` or `none`: maintain counts as write and triage as read (GitHub's docs, "Get repository permissions for a user"). */
  permission: string
  roleName: string
  /** The id of the account that the answer is about; null if it names none. */
  userId: number | null
}

const ranks = ['none', 'read', ...roles]

/** Whether a role is enough. A custom role counts as the base that it was made from. */
export function isEnough(
  { permission, roleName }: Pick<AccountRole, 'permission' | 'roleName'>,
  required: Role,
): boolean {
  const rank = ranks.includes(roleName) ? roleName : permission
  return ranks.indexOf(rank) >= ranks.indexOf(required)
}

/** Whether a bot is on the list. There is no wildcard, and letter case does not count, as on GitHub. */
export function isListed(login: string, allowedBots: readonly string[]): boolean {
  return allowedBots.some((allowed) => allowed.toLowerCase() === login.toLowerCase())
}
