/** A dry run: what it checks without sending or writing anything, and what only a real run can check. */
import type { PlatformProblem, Problem } from './problem.ts'

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

/** All results of a dry run. */
export interface DryRun {
  checks: Check[]
  unchecked: Unchecked[]
}

/** What a step in mode agent read from GitHub. */
export type DryRunRead = 'issue' | 'pull-request' | 'change'

/** What happened in a dry run. */
export type DryRunFacts = {
  /** Why the request for one row of analytics failed; null if it did not. */
  access: PlatformProblem | null
  /** What stopped the step before the point where it would send or write something; null if nothing did. */
  problem: Problem | null
} & (
  | {
      mode: 'agent'
      /** null if it read nothing. */
      read: DryRunRead | null
      /** Whether the step has a prompt to send; otherwise, it only waits for a job. */
      hasPrompt: boolean
      /** Whether the step records its jobs on GitHub. */
      isRecorded: boolean
    }
  | { mode: 'visitors'; hasFolder: boolean; hasIssue: boolean }
  | { mode: 'settle' }
)

/** The results of a dry run. A check that an earlier failure prevented is left out. */
export function dryRunOf(facts: DryRunFacts): DryRun {
  const checks: Check[] = [
    { name: 'inputs', problem: null },
    { name: 'access', problem: facts.access },
  ]
  return { checks: [...checks, ...laterChecks(facts)], unchecked: uncheckedBy(facts) }
}

/** The first check that failed, which fails the step; null if all passed. */
export function failedCheck({ checks }: DryRun): Check | null {
  return checks.find(({ problem }) => problem !== null) ?? null
}

function laterChecks(facts: DryRunFacts): Check[] {
  const { problem } = facts
  switch (facts.mode) {
    case 'visitors':
      return []
    case 'settle':
      // If Mintlify rejects the request for a job, the cause is the key, which has its own check.
      return [{ name: 'open-jobs', problem: problem?.type === 'platform' ? null : problem }]
    case 'agent': {
      const { read } = facts
      const isOfPrompt = problem?.type === 'file' || problem?.type === 'secret-in-prompt'
      const ofGitHub = isOfPrompt ? null : problem
      const isRead = read !== null || ofGitHub !== null
      const name = read === null || read === 'change' ? 'change' : 'thread'
      return [
        ...(isRead ? [{ name, problem: ofGitHub } as const] : []),
        ...(ofGitHub === null && facts.hasPrompt ? [{ name: 'prompt', problem } as const] : []),
      ]
    }
  }
}

function uncheckedBy(facts: DryRunFacts): Unchecked[] {
  switch (facts.mode) {
    case 'visitors':
      return [
        ...(facts.hasFolder ? (['report-dir'] as const) : []),
        ...(facts.hasIssue ? (['issues'] as const) : []),
      ]
    case 'settle':
      return ['issues', 'pull-requests', 'statuses']
    case 'agent':
      if (!facts.hasPrompt) return []
      return [
        'write-scope',
        'app',
        ...(facts.isRecorded && facts.read !== null ? permissionsFor[facts.read] : []),
      ]
  }
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
