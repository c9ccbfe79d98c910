/** What a run remembers of its request where the next run will look. Nothing is sent before a mark of it stands. */
import type { MarkState } from '../core/mark.ts'
import { goesOn } from '../core/outcome.ts'
import type { AgentResult } from '../core/progress.ts'
import type { GitHubReply } from './ports.ts'

export interface Memory {
  /** What the mark is written in. */
  where: 'comment' | 'status'
  /** Whether a mark of the request stands, so that it may be sent. */
  sending(): Promise<GitHubReply<void>>
  /** Marks the job. A refusal costs a warning: the end marks it again. */
  job(jobId: string): Promise<void>
  /** Marks how the step ended, and tells people; false if GitHub refused. */
  close(result: AgentResult): Promise<boolean>
}

/** For a step that writes nothing at GitHub: it remembers nothing. */
export const noMemory: Memory = {
  where: 'comment',
  sending: async () => ({ ok: true, value: undefined }),
  job: async () => {},
  close: async () => true,
}

/** How far a request got, by how its step ended. */
export function stateAfter({ outcome, delivery, problem }: AgentResult): MarkState {
  if (delivery !== 'sent') return delivery === 'not-sent' ? 'not-sent' : 'open'
  return goesOn(outcome) && !isGone(problem) ? 'job' : 'ended'
}

/** Whether the platform knows no such job any more. */
function isGone(problem: AgentResult['problem']): boolean {
  const failure = problem?.type === 'platform' && problem.operation === 'read' ? problem.failure : undefined
  return failure?.kind === 'refused' && failure.status === 404
}

/** A result of a step that came to no job. */
export function withoutJob(
  outcome: 'skipped' | 'error' | 'cancelled' | 'unconfirmed',
  problem: AgentResult['problem'],
): AgentResult {
  const delivery = outcome === 'unconfirmed' ? 'uncertain' : 'not-sent'
  return {
    outcome,
    problem,
    delivery,
    jobId: null,
    job: null,
    prompt: null,
    changes: null,
    elapsed: 0,
  }
}
