/** What can come of a step in mode `agent` (interface of the action; the README's table is held to these lists by a test). */
export const agentOutcomes = [
  'pull-request',
  'out-of-bounds',
  'no-changes',
  'archived',
  'failed',
  'timed-out',
  'detached',
  'skipped',
  'dry-run',
  'cancelled',
  'unconfirmed',
  'error',
] as const

export type AgentOutcome = (typeof agentOutcomes)[number]

/** And in mode `visitors`. */
const visitorsOutcomes = ['reported', 'alert', 'skipped', 'dry-run', 'cancelled', 'error'] as const

export type VisitorsOutcome = (typeof visitorsOutcomes)[number]

/** And in mode `settle`. */
const settleOutcomes = ['settled', 'skipped', 'dry-run', 'cancelled', 'error'] as const

type SettleOutcome = (typeof settleOutcomes)[number]

export type Outcome = AgentOutcome | VisitorsOutcome | SettleOutcome

export const outcomes: readonly Outcome[] = [
  ...new Set([...agentOutcomes, ...visitorsOutcomes, ...settleOutcomes]),
]

/** Whether the step did what it was asked to do. */
export function isGood(outcome: AgentOutcome): boolean {
  return ['pull-request', 'no-changes', 'detached', 'dry-run'].includes(outcome)
}

/** The outcomes that `fail-on` takes. */
export const failable = [
  'failed',
  'timed-out',
  'archived',
  'no-changes',
  'out-of-bounds',
  'alert',
] as const satisfies Outcome[]

export type Failable = (typeof failable)[number]

/**
 * Whether an outcome fails the step. `unconfirmed` and `error` always do; a cancelled step too, so that a signal
 * from anybody but the runner (which decides for itself) does not end green.
 */
export function failsStep(outcome: Outcome, failOn: ReadonlySet<Failable>): boolean {
  if (outcome === 'unconfirmed' || outcome === 'error' || outcome === 'cancelled') return true
  return (failOn as ReadonlySet<Outcome>).has(outcome)
}
