/**
 * The agent's pull request after its job: the last part of a request's life (see record.ts). The record is the mark in
 * the action's comment on the pull request. Mode settle updates the record. One decision table applies to all
 * events and schedules.
 */
/** What the agent's pull request waits for before it should be merged. */
export type HoldKind = 'merge' | 'release'

/** The context of a hold's commit status. */
export const holdContext = 'Docs agent / hold'

/** The pull request with the code that a request documents. */
export interface CodePull {
  /** `owner/name`. */
  repository: string
  number: number
  /** Its last commit when the agent got the code. */
  head: string
  hold: HoldKind | null
}

/**
 * The state of a hold. `held`: the code is not merged (or released) yet. `lifted`: it is merged (and released).
 * `closed`: it was closed without a merge.
 */
export type HoldState = 'held' | 'lifted' | 'closed'

/** The record of a hold. */
export type Hold = CodePull & { hold: HoldKind; state: HoldState }

/** The record of the agent's pull request. */
export interface PullRecord {
  hold: Hold | null
  /** Whether its conflict was reported. */
  isInConflict: boolean
}

/** A pull request as GitHub shows it. Times are in milliseconds since the epoch. */
export interface SeenPull {
  number: number
  state: 'open' | 'merged' | 'closed'
  /** Whether it can be merged without conflicts. GitHub does not know this at first. */
  mergeable: 'yes' | 'no' | 'unknown'
  head: string
  mergeCommit: string | null
  /** When it was merged or closed; null if it is open. */
  closedAt: number | null
}

/** What settle knows about the agent's open pull request and about the code behind a hold. */
export interface PullSeen {
  mergeable: SeenPull['mergeable']
  /** Whether its last commit has the hold's status. */
  hasStatus: boolean
  /** null if it could not be read. */
  code: Pick<SeenPull, 'state' | 'head'> | null
  /** Whether a release contains the code; null if the hold does not wait for one. */
  isReleased: boolean | null
  /** The state of the follow-up with the final diff. */
  followUp: 'none' | 'active' | 'ended'
}

/**
 * One thing that settle must do about a hold. `renew`: set the status on a new commit. `send`: send the final diff,
 * because the code changed after the agent got it. `abandon`: the code was closed without a merge.
 */
export type HoldStep = 'renew' | 'send' | 'lift' | 'abandon'

/** One thing that settle must do about the agent's pull request. */
export type PullStep = HoldStep | 'report-conflict' | 'forget-conflict'

/** What settle must do about the agent's pull request, in this order; empty for nothing. */
export function nextForPull(record: PullRecord, seen: PullSeen): PullStep[] {
  return [...nextForHold(record.hold, seen), ...nextForConflict(record, seen)]
}

/**
 * The commit status for each state of a hold. If the repository requires the status, `failure` blocks the merge, so
 * that a person decides what to do after the code was closed.
 */
export const holdStatuses = { held: 'pending', lifted: 'success', closed: 'failure' } as const

function nextForHold(hold: Hold | null, { hasStatus, code, isReleased, followUp }: PullSeen): HoldStep[] {
  if (hold === null) return []
  const renewed: HoldStep[] = hasStatus ? [] : ['renew']
  if (hold.state !== 'held' || code === null || code.state === 'open') return renewed
  if (code.state === 'closed') return ['abandon']
  if (code.head !== hold.head && followUp === 'none') return [...renewed, 'send']
  if (followUp === 'active' || isReleased === false) return renewed
  return ['lift']
}

function nextForConflict({ isInConflict }: PullRecord, { mergeable }: PullSeen): PullStep[] {
  if (mergeable === 'no' && !isInConflict) return ['report-conflict']
  return mergeable === 'yes' && isInConflict ? ['forget-conflict'] : []
}
