/** Requests that end before anything is sent. */
import type { Problem, Reading, Rejection } from '../core/problem.ts'

/** Why a request is not carried out. */
export interface Ended {
  kind: 'ended'
  outcome: 'skipped' | 'error'
  problem: Problem
}

export function skipped(problem: Problem): Ended {
  return { kind: 'ended', outcome: 'skipped', problem }
}

export function failed(problem: Problem): Ended {
  return { kind: 'ended', outcome: 'error', problem }
}

/** The change is not worth a job. */
export function noChange(reason: string): Ended {
  return skipped({ type: 'no-change', reason })
}

/** GitHub did not show what the request is about. */
export function unread(reading: Reading, rejection: Rejection): Ended {
  return failed({ type: 'unread', reading, rejection })
}
