/** Where a request's record is kept. Threads and commits differ in nothing else. */
import type { JobChoice } from '../core/job-choice.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import type { Known } from '../core/record.ts'

declare const permitted: unique symbol

/** Proof that a record says that the request is about to be sent: nothing else lets it be sent. */
export interface Permit {
  readonly [permitted]: true
}

/** Only a store gives one, once its record is written. */
export const permit = {} as Permit

export type Opened = { ok: true; permit: Permit } | { ok: false; problem: Problem }

export interface Store {
  /** Reads what earlier runs left of the request. A thread also learns that the request has come. */
  find(): Promise<{ ok: true; known: Known } | { ok: false; problem: Problem }>
  /** Records that the request is about to be sent. */
  open(choice: JobChoice): Promise<Opened>
  /** Records the job; false if GitHub rejected that, so that it is worth another try. */
  job(jobId: string): Promise<boolean>
  /** Records how the run ended, and reports the result; false if GitHub rejected that. */
  end(result: AgentResult): Promise<boolean>
}

/** Keeps nothing: for a step that is not allowed to write, or cannot. A re-run does not know what the first run did. */
export const noStore: Store = {
  find: async () => ({ ok: true, known: { kind: 'none' } }),
  open: async () => ({ ok: true, permit }),
  job: async () => true,
  end: async () => true,
}
