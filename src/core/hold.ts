/**
 * The hold on one of the agent's pull requests: it waits for the code that it documents. The record is the mark in the
 * action's comment on the pull request. Mode settle updates the record and the status.
 */
import * as z from 'zod/mini'

/** What the agent's pull request waits for before it should be merged. */
export const holdKinds = ['merge', 'release'] as const

/** The context of a hold's commit status. */
export const holdContext = 'Docs agent / hold'

/**
 * The commit status for each state of a hold. If the repository requires the status, `failure` blocks the merge, so that
 * a person decides what to do after the code was closed.
 */
export const holdStatuses = { held: 'pending', closed: 'failure', lifted: 'success' } as const

/** A status follows the code: it is `held` again if the code is reopened. A record never returns to `held`. */
export type HoldState = keyof typeof holdStatuses

/**
 * The pull request with the code that a request documents. If the agent's pull request waits for it, it is also called
 * the hold. Comments contain these names, so they never change.
 */
export const codePull = z.object({
  /** `owner/name`, which only finds it: see `repositoryId`. */
  repository: z.string(),
  /** GitHub's ID of the repository. */
  repositoryId: z.string(),
  number: z.int(),
  /** Its last commit when the agent got the code. */
  head: z.string(),
  /** What the agent's pull request waits for; null if it does not wait. */
  hold: z.nullable(z.enum(holdKinds)),
  /** Only in the record of a hold: the last state that a comment reported. */
  state: z.optional(z.enum(['held', 'closed', 'lifted'])),
})

/** See `codePull`. */
export type CodePull = z.infer<typeof codePull>

/** The state of a pull request. */
export type PullState = 'open' | 'merged' | 'closed'

/**
 * The state that a hold's status must show. A lifted hold stays lifted.
 * @param code null if the code's pull request could not be read, which counts as open
 */
export function stateToShow(
  { hold: kind, state }: CodePull,
  code: PullState | null,
  isReleased: boolean,
): HoldState {
  if (state === 'lifted') return 'lifted'
  if (code === 'merged' && (kind === 'merge' || isReleased)) return 'lifted'
  if (code === 'closed') return 'closed'
  return 'held'
}
