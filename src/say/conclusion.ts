/** The result of a step: in words, for the log, the summary and the replies, and as outputs. */
import { isJobRejected } from '../core/http.ts'
import { common } from '../core/inputs/schema.ts'
import type { LogEntry } from '../core/log.ts'
import {
  type AgentOutcome,
  type AgentResult,
  failsStep,
  isGood,
  isJobEnd,
  mayContinue,
  type Outcome,
} from '../core/outcome.ts'
import { sentence } from '../core/text.ts'
import { formatDuration } from '../core/units.ts'
import { isTerminal } from '../mintlify/job.ts'
import { isUnconfirmed } from './calls.ts'
import { changesText } from './markdown.ts'
import { info } from './messages.ts'
import { explain } from './problems.ts'

/** The names that a step which waits for a job needs. */
export interface JobRef {
  /** The action's name in the workflow: `owner/name@ref`, or `./`. */
  uses: string
  /** The files of this version of the action on GitHub; `.` for a local action. */
  actionUrl: string
  baseUrl: string
  projectId: string
  jobId: string | null
}

/** How each outcome looks in the summary, replies, statuses and the log. */
const looks: Record<AgentOutcome, [icon: string, headline: string]> = {
  'pull-request': ['✅', "The agent's pull request is ready"],
  'out-of-bounds': ['⚠️', 'Changes outside the allowed paths'],
  'no-changes': ['☑️', 'Finished without a pull request'],
  archived: ['📦', 'The job was archived'],
  failed: ['❌', 'The agent failed'],
  'timed-out': ['⏱️', 'Timed out: the agent is still working'],
  detached: ['⏳', 'Started'],
  skipped: ['⏭️', 'Skipped'],
  cancelled: ['🛑', 'Cancelled'],
  unconfirmed: ['❓', 'The request is unconfirmed'],
  error: ['❌', 'The result is unknown'],
}

function headlineFor(result: AgentResult): string {
  const { outcome, problem, delivery } = result
  if (showsOldResult(result)) return 'Timed out: no sign of new work'
  if (problem?.kind === 'allowed-paths') {
    if (problem.reason === 'outside') return headlineOf('out-of-bounds')
    return 'Not checked against the allowed paths'
  }
  if (outcome === 'error' && delivery === 'not-sent') return 'The request was not sent'
  return headlineOf(outcome)
}

function headlineOf(outcome: AgentOutcome): string {
  return looks[outcome][1]
}

/** The parts of a result in words. */
export function conclude(result: AgentResult) {
  const { outcome, problem, jobId } = result
  // If the step timed out or was cancelled, its last failed polls did not cause the outcome.
  const isCause = outcome === 'cancelled' ? isUnconfirmed(problem) : outcome !== 'timed-out'
  const cause = problem !== null && isCause ? explain(problem) : null
  const [what, next = ''] = ofOutcome(result)
  return {
    icon: looks[outcome][0],
    /** A few words without a period, cause first. */
    headline: headlineFor(result),
    /** What happened, in prose that is complete without the headline. The pull request and its files are shown separately. */
    what: [what, cause?.what ?? ''].join(' ').trim(),
    /** What maintainers can do. */
    next: cause?.next ?? next,
    list: cause?.list ?? [],
    /** Lines to show unchanged; empty for none. */
    lines: cause?.lines ?? '',
    /** The job, if the result must say how to wait for it again; otherwise null. */
    resumeId: mayContinue(outcome) && problem?.kind !== 'inputs' && !isUnusableJobId(result) ? jobId : null,
  }
}

/** Whether a job still shows its result from before the follow-up that the step waited for. */
function showsOldResult({ outcome, job }: AgentResult): boolean {
  return outcome === 'timed-out' && isTerminal(job?.status ?? null)
}

function ofOutcome(result: AgentResult): [what: string, next?: string] {
  const { outcome, jobId, job, elapsed, problem } = result
  const took = formatDuration(elapsed ?? 0)
  const name = sentence`Job \`${jobId ?? ''}\``
  switch (outcome) {
    case 'no-changes':
      return [
        `${name} finished${elapsed === null ? '' : ` after ${took}`} without a pull request. The agent found nothing to change, or is set up to push directly to the branch.`,
      ]
    case 'archived':
      return [`${name} was archived before it finished.`]
    case 'failed':
      return [
        sentence`Mintlify says that job \`${jobId ?? ''}\` failed, and gives no reason.`,
        'Look at the job on https://app.mintlify.com. To help the agent, name the pages and the change in the prompt. To try again, re-run the workflow.',
      ]
    case 'timed-out': {
      const state = showsOldResult(result)
        ? `showed no sign of new work in ${took}, but may still be working.`
        : sentence`is still ${job?.status ?? 'at work'} after ${took}. It continues on Mintlify.`
      const polls = problem
        ? ` The last polls failed, so the job may have ended. ${explain(problem).what}`
        : ''
      return [`${name} ${state}${polls}`, 'To wait longer, raise `timeout`.']
    }
    case 'detached':
      return [
        `${name} has the prompt.`,
        'With `wait: false`, only a later step with `mode: settle` reports the result.',
      ]
    case 'cancelled': {
      const none = isUnconfirmed(problem) ? '' : ' No job was created.'
      return [
        `The run was cancelled after ${took}.${jobId === null ? none : ` ${name} continues on Mintlify.`}`,
      ]
    }
    // The headline, the pull request and the problem say everything.
    case 'pull-request':
    case 'out-of-bounds':
    case 'skipped':
    case 'unconfirmed':
    case 'error':
      return ['']
  }
}

/** Whether Mintlify does not know the job's id, or rejects it, so that waiting makes no sense. */
function isUnusableJobId({ job, problem, delivery }: AgentResult): boolean {
  if (problem?.kind !== 'call-failed' || !isJobRejected(problem.why)) return false
  if (problem.call === 'message') return true
  // If an earlier poll found the job, it exists, even if the last polls did not find it. If nothing was sent, the poll
  // was about a follow-up, not about waiting.
  return job === null && delivery === 'sent'
}

/** The log's last entries. Each must make sense without its title, which a log does not show. */
export function lastEntries(result: AgentResult, jobRef: JobRef, failOn: ReadonlySet<Outcome>): LogEntry[] {
  const { outcome } = result
  const conclusion = conclude(result)
  const { headline: title, resumeId } = conclusion
  const isPlain = outcome === 'no-changes' || outcome === 'skipped'
  const usual = isGood(outcome) ? 'notice' : 'warning'
  const level = failsStep(outcome, failOn) ? 'error' : usual
  const text = resultLines(result, conclusion).join('\n')
  const recipe = `How to add a settle step:\n${jobRef.actionUrl}/docs/recipes.md#no-runner-waits`
  return [
    isPlain && level !== 'error' ? info(text) : { level, title, text },
    ...(outcome === 'detached' ? [info(recipe)] : []),
    ...(resumeId === null ? [] : [info(`${howToWait}\n${resumeStep(jobRef, resumeId)}`)]),
  ]
}

function resultLines(
  { outcome, job, changes, elapsed }: AgentResult,
  conclusion: ReturnType<typeof conclude>,
): string[] {
  const { what, next, list, lines, headline } = conclusion
  const size = changes === null ? '' : `${changesText(changes)}. `
  const facts = `${size}${elapsed === null ? '' : `Took ${formatDuration(elapsed)}.`}`.trim()
  return [
    inLines(what),
    ...list.map((item) => `- ${item}`),
    inLines(next),
    lines,
    job?.link ? `${what === '' ? headline : 'Pull request'}: ${job.link}` : '',
    job?.link && isJobEnd(outcome) ? facts : '',
  ].filter((line) => line !== '')
}

/** A paragraph with one line for each sentence. */
export function inLines(paragraph: string): string {
  return paragraph.replace(/\. (?=[A-Z`“])/g, '.\n')
}

/** Introduces the step that waits for a job again. */
export const howToWait = 'To wait for the job, run this step:'

/** The YAML of a step that waits for a job, ready to paste into a workflow. JSON strings are YAML strings. */
export function resumeStep({ uses, projectId, baseUrl }: JobRef, jobId: string): string {
  const isUsual = baseUrl === '' || baseUrl === common['base-url'].fallback
  return [
    `- uses: ${uses}`,
    '  with:',
    `    project-id: ${JSON.stringify(projectId)}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a GitHub expression
    '    api-key: ${{ secrets.DOCS_AGENT_API_KEY }} # the name of your secret',
    ...(isUsual ? [] : [`    base-url: ${JSON.stringify(baseUrl)}`]),
    `    job-id: ${JSON.stringify(jobId)}`,
  ].join('\n')
}
