/**
 * The hold on one of the agent's pull requests: it waits for the code that it documents. The record is the mark in the
 * action's comment on the pull request. Mode settle updates the record and the status.
 */
import * as z from 'zod/mini'

/** What the agent's pull request waits for before it should be merged. */
export const holdKinds = ['merge', 'release'] as const

/** See `holdKinds`. */
export type HoldKind = (typeof holdKinds)[number]

/** The context of a hold's commit status. */
export const holdContext = 'Docs agent / hold'

/**
 * The commit status for each state of a hold. If the repository requires the status, `failure` blocks the merge, so that
 * a person decides what to do after the code was closed.
 */
export const holdStatuses = { held: 'pending', closed: 'failure', lifted: 'success' } as const

/**
 * A record only rises, in this order; `closed`: people know that the code was closed without a merge. A status follows
 * the code: it is `held` again if the code is reopened.
 */
export type HoldState = keyof typeof holdStatuses

export const holdStates = Object.keys(holdStatuses) as HoldState[]

/** The pull request with the code that a request documents. */
export const codePull = z.object({
  /** `owner/name`. */
  repository: z.string(),
  number: z.int(),
  /** Its last commit when the agent got the code. */
  head: z.string(),
  hold: z.nullable(z.enum(holdKinds)),
  /** Only in the record of a hold. */
  state: z.optional(z.enum(holdStates)),
})

/** See `codePull`. */
export type CodePull = z.infer<typeof codePull>

/** The record of a hold. */
export type Hold = CodePull & { hold: HoldKind; state: HoldState }

/** The hold on the agent's pull request; null if it does not wait. */
export function holdOf(code: CodePull | null): Hold | null {
  return code?.hold ? { ...code, hold: code.hold, state: code.state ?? 'held' } : null
}

/** The state of a pull request. */
export type PullState = 'open' | 'merged' | 'closed'

/**
 * The state that a hold's status must show. A lifted hold stays lifted.
 * @param code null if the code's pull request could not be read: a new commit is held, too
 */
export function stateToShow(hold: Hold, code: PullState | null, isReleased: boolean): HoldState {
  if (hold.state === 'lifted' || (code === 'merged' && (hold.hold === 'merge' || isReleased))) return 'lifted'
  return code === 'closed' ? 'closed' : 'held'
}

/** Whether a state is news for people: the record has not risen to it yet. */
export function isNews(state: HoldState, recorded: HoldState): boolean {
  return holdStates.indexOf(state) > holdStates.indexOf(recorded)
}
