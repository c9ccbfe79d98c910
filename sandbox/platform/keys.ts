import type { Reply } from '../wire.ts'
import { problem } from './reply.ts'

/** `read` is for GET, `write` for every other method (openapi.yaml). */
export type Scope = 'read' | 'write'

/** What an API key allows. */
export interface KeyRules {
  scopes: readonly Scope[]
  /** Requests with this key get a 401. */
  expired?: boolean
}

/** The admin key that an embedded platform accepts by default. */
export const sandboxKey = 'mint_sandbox_0123456789abcdef'

/** The rejection of a request's `Authorization` header (openapi.yaml); undefined if it is accepted. */
export function rejectKey(
  authorization: string | undefined,
  scope: Scope,
  keys: Readonly<Record<string, KeyRules>>,
): Reply | undefined {
  const key = bearerKey(authorization)
  const rules = Object.hasOwn(keys, key) ? keys[key] : undefined
  if (rules === undefined || rules.expired) return problem(401, 'Invalid or expired API key')
  if (!rules.scopes.includes(scope)) return problem(403, `This API key lacks the scope "${scope}"`)
  return undefined
}

/** The key in `Bearer <key>`; empty for none. */
export function bearerKey(authorization: string | undefined): string {
  return /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? ''
}
