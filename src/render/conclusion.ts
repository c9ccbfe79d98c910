/** What came of the step, in a person's words: the log's last lines and the summary's first say the same. */

import { isTerminal } from '../core/job/job.ts'
import { mayHaveArrived } from '../core/job/response.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import { oneLine } from '../core/text.ts'
import { formatDuration } from '../core/units.ts'
import { explain, type JobRef } from './problem.ts'

export interface Conclusion {
  icon: string
  headline: string
  level: Look['level']
  /** Plain text, a sentence or more a line. */
  text: string
  /** Whether it is worth telling how to go on waiting for the job. */
  resumable: boolean
}

interface Look {
  icon: string
  headline: string
  /** How the log says it where the outcome does not fail the step. */
  level: 'info' | 'notice' | 'warning'
  /** Whether the job goes on, so that it is worth telling how to wait for it again. */
  goesOn: boolean
}

/** How each outcome looks, wherever it is shown. */
const looks: Record<AgentOutcome, Look> = {
  'pull-request': { icon: '✅', headline: 'The agent opened a pull request', level: 'notice', goesOn: false },
  'out-of-bounds': {
    icon: '🚧',
    headline: 'The pull request changes files outside `allowed-paths`',
    level: 'warning',
    goesOn: false,
  },
  'no-changes': {
    icon: '☑️',
    headline: 'The agent finished without changing a file',
    level: 'info',
    goesOn: false,
  },
  archived: { icon: '📦', headline: 'The job was archived', level: 'warning', goesOn: false },
  failed: { icon: '❌', headline: 'The agent failed', level: 'warning', goesOn: false },
  'timed-out': {
    icon: '⏱️',
    headline: 'The time was up before the job was done',
    level: 'warning',
    goesOn: true,
  },
  detached: { icon: '🚀', headline: 'The job goes on without this step', level: 'notice', goesOn: true },
  skipped: { icon: '⏭️', headline: 'Skipped', level: 'info', goesOn: false },
  'dry-run': { icon: '🧪', headline: 'Dry run: nothing was sent', level: 'info', goesOn: false },
  cancelled: { icon: '🛑', headline: 'Cancelled', level: 'notice', goesOn: true },
  unconfirmed: {
    icon: '❓',
    headline: 'It is not known whether the platform took the request',
    level: 'notice',
    goesOn: false,
  },
  error: { icon: '❌', headline: 'The step could not do its work', level: 'notice', goesOn: true },
}

export function conclude(result: AgentResult, jobRef: JobRef): Conclusion {
  const { icon, headline, level, goesOn } = looks[result.outcome]
  const text = [...sentences(result), ...problemLines(result, jobRef)].join('\n')
  return {
    icon,
    headline,
    level: isStuck(result.problem) ? 'warning' : level,
    text,
    resumable: result.jobId !== null && goesOn && !isNoSuchJob(result),
  }
}

function sentences({ outcome, jobId, job, elapsed, problem }: AgentResult): string[] {
  const took = formatDuration(elapsed)
  switch (outcome) {
    case 'pull-request':
      return [`After ${took}: ${job?.prLink}`]
    case 'out-of-bounds':
      return [`Job ${jobId} completed after ${took}. Check its pull request before you merge it.`]
    case 'no-changes':
      return [`Job ${jobId} completed after ${took} and, on a second look too, has no pull request.`]
    case 'archived':
      return [
        `Job ${jobId} was archived before it was seen to complete${job?.prLink ? `; its pull request is ${job.prLink}` : ''}.`,
      ]
    case 'failed':
      return [
        `The platform says that job ${jobId} failed; its interface gives no reason.`,
        "Look at the job in the platform's dashboard; a shorter or clearer prompt often helps. Then run the workflow again.",
      ]
    case 'timed-out':
      if (job !== null && isTerminal(job.status))
        return [`Job ${jobId} showed no end of its new work within ${took}. It goes on at the platform.`]
      return [
        `Job ${jobId} is still ${oneLine(job?.status ?? 'at work')} after ${took}. It goes on at the platform.`,
      ]
    case 'detached':
      return [`Job ${jobId} was not waited for, as wait: false asks.`]
    case 'cancelled':
      if (jobId !== null)
        return [`The run was cancelled after ${took}. Job ${jobId} goes on at the platform.`]
      return [`The run was cancelled after ${took}.${mayBeSent(problem) ? '' : ' No job was created.'}`]
    case 'dry-run':
      return ['Everything was read and checked. The log and this summary show what would have been sent.']
    case 'skipped':
    case 'unconfirmed':
    case 'error':
      return []
  }
}

function problemLines({ outcome, problem }: AgentResult, jobRef: JobRef): string[] {
  // What a cancel broke off is no fault of the network's; only a send that may have arrived is worth a word.
  if (problem === null || (outcome === 'cancelled' && !mayBeSent(problem))) return []
  const { what, why, next } = explain(problem, jobRef)
  // A job that ran out of time is no fault of the last reads, but they may be why its end was not seen.
  return outcome === 'timed-out' ? [`The last reads failed: ${what}`] : [what, why, next]
}

function mayBeSent(problem: Problem | null): boolean {
  return problem?.type === 'platform' && problem.operation !== 'read' && mayHaveArrived(problem.failure)
}

/** Whether later changes will be skipped, too, until somebody does something about it. */
function isStuck(problem: Problem | null): boolean {
  return problem?.type === 'open-limit' && problem.jobless
}

/** Whether the platform knows no such job, or takes no such id: there is nothing to wait for. */
function isNoSuchJob({ job, problem }: Pick<AgentResult, 'job' | 'problem'>): boolean {
  if (problem?.type === 'unsent-message') return isNoSuchJob({ job, problem: problem.cause })
  if (problem?.type !== 'platform') return false
  const { failure, operation } = problem
  // A job that was read before exists, even if the last reads did not find it.
  if (operation === 'read' && job !== null) return false
  return failure.kind === 'refused' && (failure.status === 400 || failure.status === 404)
}
