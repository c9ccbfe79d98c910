/** Keeps a request's record. Only this differs between threads and commits. */
import type { JobChoice } from '../core/job-choice.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import type { Known } from '../core/record.ts'
import type { Ended } from './ended.ts'

declare const permitted: unique symbol

/** Proof that a record of the request is written. Nothing is sent without it. */
export interface Permit {
  readonly [permitted]: true
}

/** Only a store returns it, after writing the record. */
export const permit = {} as Permit

/** The permit, or why the record could not be written. */
export type Opened = { ok: true; permit: Permit } | { ok: false; problem: Problem }

/** Keeps the record of a request. */
export interface Store {
  /** Reads what earlier runs left of the request. On a thread, also announces the request. */
  find(): Promise<Known | Ended>
  /** Records the request before it is sent. */
  open(choice: JobChoice): Promise<Opened>
  /** Records the job; false if GitHub rejected that, so that it must be retried. */
  job(jobId: string): Promise<boolean>
  /** Records how the run ended, and reports the result; false if GitHub rejected that. */
  end(result: AgentResult): Promise<boolean>
}

/** Keeps nothing, for a step that must not or cannot write. A re-run does not know what the first run did. */
export const noStore: Store = {
  find: async () => ({ kind: 'none' }),
  open: async () => ({ ok: true, permit }),
  job: async () => true,
  end: async () => true,
}
