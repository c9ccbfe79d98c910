/** The gate: everyone behind a request must be allowed. It fails closed. */
import { failToRead, stop } from '../core/outcome.ts'
import { type Allowed, meetsRole } from '../core/roles.ts'
import { isSameName } from '../core/text.ts'
import type { Account } from '../core/trigger/event.ts'
import type { GitHubPorts, RunIdentity } from '../ports.ts'

/** Everyone who must be allowed: the requester, the sender of the event, and the account that started this run. */
export function everyoneBehind(
  requesters: readonly Account[],
  { actor, triggeringActor, attempt }: RunIdentity,
) {
  const starters = attempt > 1 ? [actor, triggeringActor] : [actor]
  const all: Account[] = []
  for (const account of [...requesters, ...starters])
    if (!all.some((other) => isSame(other, account))) all.push(account)
  return all
}

/** Checks each account in turn; undefined if all of them are allowed. */
export async function checkPermission(
  accounts: readonly Account[],
  allowed: Allowed,
  repository: string,
  github: Pick<GitHubPorts, 'role'>,
) {
  for (const account of accounts) {
    const { login, id } = account
    const reply = await github.role(repository, account)
    if (!reply.ok) return failToRead('role', reply.failure, login)
    const role = reply.value
    const isListed = allowed.bots.some((bot) => isSameName(bot, login))
    const isBot = role === 'bot'
    if (isBot && isListed) continue
    if (isBot || role === null || !meetsRole(role, allowed.role))
      return stop('skipped', { kind: 'denied', login, role: allowed.role, isBot, isListed })
    // Someone else can take a login that was given up.
    if (id !== null && role.userId !== id) return failToRead('role', { kind: 'other-account' }, login)
  }
  return undefined
}

function isSame(one: Account, other: Account) {
  if (one.id !== null && other.id !== null) return one.id === other.id
  return isSameName(one.login, other.login)
}
