/** The gate: everyone behind a request must be allowed. Fails closed. */
import type { Problem } from '../core/problem.ts'
import type { Account } from '../core/trigger/event.ts'
import { isEnough, isListed, type Role } from '../core/trigger/permission.ts'
import type { Roles } from './ports.ts'

/** Who is allowed. */
export interface GateRules {
  requiredPermission: Role
  allowedBots: readonly string[]
}

/** Who started this run, as its environment says. */
export interface RunActors {
  /** `GITHUB_ACTOR`: on a re-run still who started the first run (GitHub's docs). */
  actor: Account
  /** `GITHUB_TRIGGERING_ACTOR`: who started this one. Its id is not told. */
  triggeringActor: Account
  isRerun: boolean
}

/** Why a request is not carried out. */
export interface Denied {
  outcome: 'skipped' | 'error'
  problem: Problem
}

/** Everyone who must be allowed: who asked, who sent the event, and who started this run. */
export function everyoneBehind(
  requesters: readonly [Account, ...Account[]],
  { actor, triggeringActor, isRerun }: RunActors,
): Account[] {
  const started = [actor, ...(isRerun ? [triggeringActor] : [])].filter(({ login }) => login !== '')
  const all: Account[] = [...requesters]
  for (const account of started) if (!all.some((known) => isSame(known, account))) all.push(account)
  return all
}

/** Asks GitHub about each account in turn; undefined if all of them are allowed. */
export async function checkPermission(
  accounts: readonly Account[],
  { requiredPermission, allowedBots }: GateRules,
  repository: string,
  github: Roles,
): Promise<Denied | undefined> {
  for (const { login, id, isBot } of accounts) {
    const denied: Denied = {
      outcome: 'skipped',
      problem: { type: 'not-allowed', login, required: requiredPermission, isBot },
    }
    if (isBot) {
      // GitHub knows no role of an app's account.
      if (!isListed(login, allowedBots)) return denied
      continue
    }
    const role = await github.role(repository, login)
    if (!role.ok) return { outcome: 'error', problem: { type: 'gate-closed', login, refusal: role.refusal } }
    if (role.value === null || !isEnough(role.value, requiredPermission)) return denied
    if (id !== null && role.value.userId !== null && role.value.userId !== id) {
      // A login can be given up and taken by another account.
      const refusal = { status: 200, message: 'the answer is about another account of this name' }
      return { outcome: 'error', problem: { type: 'gate-closed', login, refusal } }
    }
  }
  return undefined
}

function isSame(one: Account, other: Account): boolean {
  const sameLogin = one.login.toLowerCase() === other.login.toLowerCase()
  return sameLogin && (one.id === null || other.id === null || one.id === other.id)
}
