/** A dry run: what it checks without sending or writing anything, and what only a real run can check. */
import type { Problem } from './problem.ts'

/** The name of a check. `thread`, `change` and `open-jobs` read from GitHub. */
export type CheckName = 'inputs' | 'access' | 'thread' | 'change' | 'open-jobs' | 'prompt' | 'reply'

/** A check of a dry run, and its result. */
export interface Check {
  name: CheckName
  /** null if the check passed. */
  problem: Problem | null
}

/** What a dry run cannot check without sending or writing something. The last three are the job's permissions on GitHub. */
export type Unchecked = 'write-scope' | 'app' | 'report-dir' | 'issues' | 'pull-requests' | 'statuses'

/** The results of a dry run. */
export interface DryRun {
  checks: Check[]
  unchecked: Unchecked[]
}

/** What a step in mode agent read from GitHub. */
export type DryRunRead = 'issue' | 'pull-request' | 'change'

/** What a dry run in mode agent did, up to the point where it would send or write something. */
export interface DryRunFacts {
  /** What stopped the step before that point; null if nothing did. */
  problem: Problem | null
  /** null if it read nothing. */
  read: DryRunRead | null
  /** Whether the step has a prompt to send; otherwise, it only waits for a job. */
  hasPrompt: boolean
  /** Whether the step records its jobs on GitHub. */
  isRecorded: boolean
}

/** The results of a dry run in mode agent. A check that an earlier failure prevented is left out. */
export function agentDryRun({ problem, read, hasPrompt, isRecorded }: DryRunFacts): DryRun {
  const isOfPrompt = problem?.type === 'file' || problem?.type === 'secret-in-prompt'
  const ofGitHub = isOfPrompt ? null : problem
  const isRead = read !== null || ofGitHub !== null
  const name = read === null || read === 'change' ? 'change' : 'thread'
  const checks: Check[] = [
    ...(isRead ? [{ name, problem: ofGitHub } as const] : []),
    ...(ofGitHub === null && hasPrompt ? [{ name: 'prompt', problem } as const] : []),
  ]
  const permissions = isRecorded && read !== null ? permissionsFor[read] : []
  return { checks, unchecked: hasPrompt ? ['write-scope', 'app', ...permissions] : [] }
}

/** The results of a dry run in mode settle. @param problem what stopped it; null if nothing did */
export function settleDryRun(problem: Problem | null): DryRun {
  // If Mintlify rejects the request for a job, the cause is the key, which has its own check.
  const ofGitHub = problem?.type === 'platform' ? null : problem
  return {
    checks: [{ name: 'open-jobs', problem: ofGitHub }],
    unchecked: ['issues', 'pull-requests', 'statuses'],
  }
}

/** The first check that failed, which fails the step; null if all passed. */
export function failedCheck({ checks }: DryRun): Check | null {
  return checks.find(({ problem }) => problem !== null) ?? null
}

/**
 * The permissions that recording a job needs. The reply to a dry run's comment shows whether the job can write to the
 * thread. Without a thread or a change, recording is optional.
 */
const permissionsFor: Record<DryRunRead, Unchecked[]> = {
  issue: ['pull-requests'],
  'pull-request': [],
  change: ['pull-requests', 'statuses'],
}
