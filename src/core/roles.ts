/** Roles in a repository, and who can ask the agent. */
/** The roles that `allowed` accepts, lowest first. `read` is not one: on a public repository, everyone has it. */
export const roles = ['triage', 'write', 'maintain', 'admin'] as const

export type Role = (typeof roles)[number]

/** The accounts that can ask: people with this role or a higher one, and the bots with these logins, without wildcards. */
export interface Allowed {
  role: Role
  bots: readonly string[]
}

/** An account's role in a repository, as GitHub reports it. */
export interface AccountRole {
  /**
   * `admin`, `write`, `read` or `none`. GitHub reports maintain as write and triage as read (GitHub's docs, "Get
   * repository permissions for a user").
   */
  permission: string
  /** The role's name, which an organization may have chosen. */
  roleName: string
  /** The account that the response is about; null if GitHub did not say. */
  userId: number | null
}

const ranks = ['none', 'read', ...roles]

/** Whether an account's role is the required one or a higher one. */
export function meetsRole(account: AccountRole, required: Role) {
  return ranks.indexOf(rankOf(account)) >= ranks.indexOf(required)
}

/** `permission`, or the finer role that it stands for. A custom role has another name, so it counts as its base role. */
function rankOf({ permission, roleName }: AccountRole) {
  if (permission === 'write' && roleName === 'maintain') return roleName
  if (permission === 'read' && roleName === 'triage') return roleName
  return permission
}
