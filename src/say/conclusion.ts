/** The result of a step in words, for the log, the summary and the replies. */

import { isTerminal } from '../core/job/job.ts'
import { mayHaveArrived } from '../core/job/response.ts'
import { type AgentOutcome, mayContinue } from '../core/outcome.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import { formatDuration } from '../core/units.ts'
import { type Explanation, explain, inCode, type JobRef, type ListItem, quoted } from './problems.ts'

/** The parts of a result in words. */
export interface Conclusion {
  icon: string
  /** A few words without a period, cause first. */
  headline: string
  level: Look['level']
  /** Paragraphs of prose that are complete without the headline. */
  paragraphs: string[]
  list: ListItem[]
  /** Lines to show unchanged; empty for none. */
  lines: string
  /** Whether to show how to wait for the job again. */
  resumable: boolean
  cause: Explanation | null
}

interface Look {
  icon: string
  headline: string
  /** The log level if the outcome does not fail the step. */
  level: 'info' | 'notice' | 'warning'
}

/** How each outcome looks in the summary, replies and the log. */
const looks: Record<AgentOutcome, Look> = {
  'pull-request': { icon: '✅', headline: "The agent's pull request is ready", level: 'notice' },
  'out-of-bounds': { icon: '⚠️', headline: 'Changes outside the allowed paths', level: 'warning' },
  'no-changes': { icon: '☑️', headline: 'Finished without a pull request', level: 'info' },
  archived: { icon: '📦', headline: 'The job was archived', level: 'warning' },
  failed: { icon: '❌', headline: 'The agent failed', level: 'warning' },
  'timed-out': { icon: '⏱️', headline: 'Timed out: the agent is still working', level: 'warning' },
  detached: { icon: '⏳', headline: 'Started', level: 'notice' },
  skipped: { icon: '⏭️', headline: 'Skipped', level: 'info' },
  cancelled: { icon: '🛑', headline: 'Cancelled', level: 'notice' },
  unconfirmed: { icon: '❓', headline: 'The request is unconfirmed', level: 'notice' },
  error: { icon: '❌', headline: 'The result is unknown', level: 'notice' },
}

function headlineFor(result: AgentResult): string {
  const { outcome, problem, delivery } = result
  if (showsOldResult(result)) return 'Timed out: no sign of new work'
  if (problem?.type === 'out-of-bounds')
    return problem.files.kind === 'outside'
      ? looks['out-of-bounds'].headline
      : 'Not checked against the allowed paths'
  if (outcome !== 'error') return headlineOf(outcome)
  return delivery === 'not-sent' ? 'The request was not sent' : headlineOf(outcome)
}

/** The headline of an outcome. */
export function headlineOf(outcome: AgentOutcome): string {
  return looks[outcome].headline
}

/** Puts a result into words. */
export function conclude(result: AgentResult, jobRef: JobRef): Conclusion {
  const { icon, level } = looks[result.outcome]
  const explanation = result.problem && explain(result.problem, jobRef)
  // If the step timed out or was cancelled, its last failed polls did not cause the outcome.
  const cause = isCause(result) ? explanation : null
  return {
    icon,
    headline: headlineFor(result),
    level,
    paragraphs: [...ofOutcome(result, explanation), ...ofCause(cause)],
    list: cause?.list ?? [],
    lines: cause?.lines ?? '',
    resumable:
      result.jobId !== null &&
      mayContinue(result.outcome) &&
      result.problem?.type !== 'inputs' &&
      !isUnusableJobId(result),
    cause,
  }
}

/** Whether a job still shows its result from before the follow-up that the step waited for. */
export function showsOldResult({ outcome, job }: Pick<AgentResult, 'outcome' | 'job'>): boolean {
  return outcome === 'timed-out' && isTerminal(job?.status ?? null)
}

/** The paragraphs about an outcome. The job's pull request and its files are shown separately. */
function ofOutcome(
  { outcome, jobId, job, elapsed, problem }: AgentResult,
  known: Explanation | null,
): string[] {
  const took = formatDuration(elapsed ?? 0)
  const name = `Job ${inCode(jobId ?? '')}`
  const later = 'It continues on Mintlify. To wait longer, raise `timeout`.'
  switch (outcome) {
    case 'pull-request':
      return []
    case 'no-changes':
      return [
        `${name} finished${afterTime(elapsed)} without a pull request. The agent found nothing to change, or is set up to push directly to the branch.`,
      ]
    case 'archived':
      return [`${name} was archived before it finished.`]
    case 'failed':
      return [
        `Mintlify says that job ${inCode(jobId ?? '')} failed, and gives no reason.`,
        'Look at the job on https://app.mintlify.com. To help the agent, name the pages and the change in the prompt. To try again, re-run the workflow.',
      ]
    case 'timed-out':
      return [
        job !== null && isTerminal(job.status)
          ? `${name} showed no sign of new work in ${took}. The agent may still start. To wait longer, raise \`timeout\`.`
          : `${name} is still ${quoted(job?.status ?? 'at work', 60)} after ${took}. ${later}`,
        ...(known === null ? [] : [`The last polls failed, so the job may have ended. ${known.what}`]),
      ]
    case 'detached':
      return [
        `${name} has the prompt. With \`wait: false\`, only a later step with \`mode: settle\` reports the result.`,
      ]
    case 'cancelled':
      if (jobId !== null) return [`The run was cancelled after ${took}. ${name} continues on Mintlify.`]
      return [`The run was cancelled after ${took}.${mayHaveBeenSent(problem) ? '' : ' No job was created.'}`]
    case 'out-of-bounds':
    case 'skipped':
    case 'unconfirmed':
    case 'error':
      return []
  }
}

/** How long the job took; empty if another step started it. */
function afterTime(elapsed: number | null): string {
  return elapsed === null ? '' : ` after ${formatDuration(elapsed)}`
}

function ofCause(cause: Explanation | null): string[] {
  if (cause === null) return []
  return [cause.what, cause.next].filter((paragraph) => paragraph !== '')
}

function isCause({ outcome, problem }: AgentResult): boolean {
  return outcome === 'cancelled' ? mayHaveBeenSent(problem) : outcome !== 'timed-out'
}

/** Whether a send was interrupted and may have been carried out. */
export function mayHaveBeenSent(problem: Problem | null): boolean {
  return problem?.type === 'platform' && problem.operation !== 'read' && mayHaveArrived(problem.failure)
}

/** Whether Mintlify does not know the job's id, or rejects it, so that waiting makes no sense. */
export function isUnusableJobId({ job, problem }: Pick<AgentResult, 'job' | 'problem'>): boolean {
  if (problem?.type === 'unsent-message') return isUnusableJobId({ job, problem: problem.cause })
  if (problem?.type !== 'platform') return false
  const { failure, operation } = problem
  // An earlier poll found the job, so it exists, even if the last polls did not find it.
  if (operation === 'read' && job !== null) return false
  return failure.kind === 'rejected' && (failure.status === 400 || failure.status === 404)
}
