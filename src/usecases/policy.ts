/** What a workflow sets for every request, regardless of the event. */

import type { WantedDiff } from '../core/prompt/diff.ts'
import type { HoldKind } from '../core/pull.ts'
import type { RunSettings } from '../life/live.ts'

/** How a workflow wants requests to be carried out. */
export interface Policy {
  settings: RunSettings
  /** The word that begins a request in a comment; null if comments start nothing. */
  command: string | null
  /** The workflow's own part of the prompt; null for none. */
  prompt: string | null
  /** null if the prompt gets no diff. */
  diff: WantedDiff | null
  destination: Destination
  /** What the agent's pull requests wait for. */
  hold: HoldKind | null
  /** Whether the step replies to people on GitHub, and records requests there. */
  replies: boolean
}

/** The job that requests go to. */
export interface Destination {
  /** The job that gets every request, regardless of `openLimit`; null if no job is named. */
  jobId: string | null
  /** Whether requests on a thread go to the job of the thread. */
  followsThread: boolean
  /** How many of the agent's pull requests can be open, and whether requests at the limit go to one of them. null: no limit. */
  openLimit: { limit: number; isFollowedUp: boolean } | null
}
