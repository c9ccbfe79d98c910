/** What a workflow sets for every request, regardless of the event. */

import type { WantedDiff } from '../core/prompt/diff.ts'
import type { HoldKind } from '../core/pull.ts'
import type { RunSettings } from './carry-out.ts'

/** How a workflow wants requests to be carried out. */
export interface Policy {
  settings: RunSettings
  /** The word that begins a request in a comment; null if comments start nothing. */
  command: string | null
  /** The workflow's own part of the prompt; null for none. */
  prompt: string | null
  /** null if the prompt gets no diff. */
  diff: WantedDiff | null
  /** Whether a schedule or manual run sends everything new on the default branch. */
  isSinceLast: boolean
  /** The job that gets every request, regardless of `openLimit`; null if no job is named. */
  jobId: string | null
  /** Maximum number of open pull requests from this action's jobs; null: no limit. */
  openLimit: number | null
  /** What the agent's pull requests wait for. */
  hold: HoldKind | null
}
