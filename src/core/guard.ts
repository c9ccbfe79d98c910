/** `allowed-paths` as a commit status on the agent's pull request, visible to rulesets and people. */

import { fingerprint, type Sign } from './mark.ts'
import type { PullRequestChanges } from './review.ts'
import { checkPaths, type OutOfBounds } from './review.ts'
import { counted } from './units.ts'

/** The context of the commit status. */
export const guardContext = 'Docs agent / allowed paths'

/** Where a guard's status is valid. A copy on another commit, or in another state, has no effect. */
interface GuardPlace {
  /** `owner/name`. */
  repository: string
  commit: string
}

/** A short name for a list of globs: steps may have different lists, and each renews only its own status. */
export function globsName(globs: readonly string[]): string {
  return fingerprint(JSON.stringify(globs))
}

/** The name of a step's `allowed-paths`, for the records of its requests; null if the step has none. */
export function recordedGlobs(globs: readonly string[]): string | null {
  return globs.length === 0 ? null : globsName(globs)
}

/**
 * The globs with which a settle step checks a result; null if it has other globs than the step that asked, so that it
 * cannot check the result.
 * @param asked what the record contains: see `recordedGlobs`
 */
export function globsToCheck(asked: string | null, own: readonly string[]): readonly string[] | null {
  if (asked === null) return []
  return asked === recordedGlobs(own) ? own : null
}

/** Length of the signature in characters: 72 bits of an HMAC. */
const signatureLength = 12

/** The status on a pull request's last commit: whether its files are within `allowed-paths`. Null if there are no globs. */
export function guardStatus(
  changes: PullRequestChanges,
  globs: readonly string[],
  { repository, targetUrl }: { repository: string; targetUrl: string },
  sign: Sign,
) {
  if (globs.length === 0) return null
  const outside = checkPaths(changes, globs)
  const name = globsName(globs)
  const state: 'success' | 'failure' = outside === undefined ? 'success' : 'failure'
  const end = ` · ${name}.${signatureOf(name, state, { repository, commit: changes.head }, sign)}`
  return { context: guardContext, state, description: `${guardWords(outside)}${end}`, targetUrl }
}

function guardWords(outside: OutOfBounds | undefined): string {
  if (outside === undefined) return 'All files are within the allowed paths'
  if (outside.kind !== 'outside') return 'Some files could not be checked'
  return `${counted(outside.paths.length, 'file is', 'files are')} outside the allowed paths`
}

/** The name of the globs that a guard's status is about; null if the action did not sign it. */
export function guardedGlobs(
  { context, state, description }: { context: string; state: string; description: string },
  place: GuardPlace,
  sign: Sign,
): string | null {
  if (context !== guardContext) return null
  const [, name = '', signature] = / · ([0-9a-f]{8})\.([A-Za-z0-9_-]{12})$/.exec(description) ?? []
  return signature !== undefined && signature === signatureOf(name, state, place, sign) ? name : null
}

function signatureOf(name: string, state: string, { repository, commit }: GuardPlace, sign: Sign): string {
  const signed = ['allowed-paths', repository.toLowerCase(), commit, name, state]
  return sign(JSON.stringify(signed)).slice(0, signatureLength)
}
