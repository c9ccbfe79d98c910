/** The result of a step in words: for the log, the summary and the replies. */
import { isJobRejected } from '../core/http.ts'
import { type AgentOutcome, type AgentResult, mayContinue } from '../core/outcome.ts'
import { fill, joinTexts, quote, sentence } from '../core/text.ts'
import { formatDuration } from '../core/units.ts'
import { dashboardUrl, isUnconfirmed } from '../mintlify/client.ts'
import { isTerminal } from '../mintlify/jobs.ts'
import { explain, mayPass } from './problems.ts'

/** How an outcome looks in the summary, replies, statuses and the log. */
type OutcomeText = readonly [
  icon: string,
  /** A few words without a period, cause first. */
  headline: string,
  /** What readers of a reply can do, in Markdown. */
  reply: string,
  /** What happened, in prose; empty if the headline, the pull request and the problem say everything. */
  what?: string,
  /** What maintainers can do. */
  next?: string,
]

/** Only shown if a comment can ask the agent. */
export const askForMore = 'To ask for more, comment COMMAND here.'
const askMaintainer = 'A maintainer can fix this: RUN says how. Then AGAIN.'
const startNew = 'To start a new job, AGAIN. It helps to name the page and what to change.'
const watch = "Watch for the agent's pull request. If none appears, AGAIN."
const unclear = 'It is unclear whether the agent got the request'

/** What readers can do after a run that ended too soon, by the state of its request. */
export const afterStop = {
  'not-sent': 'To retry, AGAIN.',
  open: `${unclear}. ${watch}`,
  job: watch,
}

/**
 * The texts of each outcome. JOB and STATUS stand for the job's id and status, TIME for how long it took, RUN for a link to
 * the run, AGAIN for how to ask again, and COMMAND for an example.
 */
const outcomes: Record<AgentOutcome, OutcomeText> = {
  'pull-request': ['✅', "The agent's pull request is ready", askForMore],
  'out-of-bounds': ['⚠️', 'Changes outside the allowed paths', askForMore],
  'no-changes': [
    '☑️',
    'Finished without a pull request',
    'If something is missing, AGAIN, and name the page and the change.',
    'Job `JOB` finished after TIME without a pull request. The agent found nothing to change, or is set up to push directly to the branch.',
  ],
  archived: ['📦', 'The job was archived', startNew, 'Job `JOB` was archived before it finished.'],
  failed: [
    '❌',
    'The agent failed',
    startNew,
    'Mintlify says that job `JOB` failed, and gives no reason.',
    `Look at the job on ${dashboardUrl}. To help the agent, name the pages and the change in the prompt. To try again, re-run the workflow.`,
  ],
  'timed-out': [
    '⏱️',
    'Timed out: the agent is still working',
    watch,
    'Job `JOB` is still STATUS after TIME. It continues on Mintlify.',
    'To wait longer, raise `timeout`.',
  ],
  detached: [
    '⏳',
    'Started',
    watch,
    'Job `JOB` has the prompt.',
    'With `wait: false`, only a later step with `mode: settle` reports the result.',
  ],
  skipped: ['⏭️', 'Skipped', ''],
  cancelled: ['🛑', 'Cancelled', watch, 'The run was cancelled after TIME. Job `JOB` continues on Mintlify.'],
  unconfirmed: ['❓', 'The request is unconfirmed', `${unclear}, so it is not sent again. ${watch}`],
  error: ['❌', 'The result is unknown', askMaintainer],
}

/** The texts that differ from an outcome's own in a special case. */
function specialTexts(result: AgentResult) {
  const { outcome, job, jobId, problem, delivery } = result
  if (problem?.kind === 'allowed-paths') {
    const [, outside] = outcomes['out-of-bounds']
    const headline = problem.reason === 'outside' ? outside : 'Not checked against the allowed paths'
    return { headline, reply: askForMore }
  }
  if (outcome === 'error') {
    const reply = errorReply(result)
    return delivery === 'not-sent' ? { headline: 'The request was not sent', reply } : { reply }
  }
  // The job still shows its result from before the follow-up.
  if (outcome === 'timed-out' && isTerminal(job?.status ?? null))
    return {
      headline: 'Timed out: no sign of new work',
      what: 'Job `JOB` showed no sign of new work in TIME, but may still be working.',
    }
  if (outcome !== 'cancelled' || jobId !== null) return {}
  const what = 'The run was cancelled after TIME.'
  if (isUnconfirmed(problem)) return { what, reply: afterStop.open }
  return { what: `${what} No job was created.`, reply: afterStop['not-sent'] }
}

function errorReply({ problem, jobId, delivery }: AgentResult) {
  if (problem === null) return askMaintainer
  const isPoll = problem.kind === 'call-failed' && problem.call === 'read'
  if (isPoll && jobId !== null && delivery === 'sent') return watch
  if (problem.kind === 'gave-up' && problem.why === 'no-result') return watch
  if (problem.kind === 'gave-up' && problem.why === 'unstarted-run') return afterStop['not-sent']
  if (mayPass(problem)) return 'Wait a while, then AGAIN.'
  return askMaintainer
}

/** The parts of a result in words. The pull request and its files are shown separately. */
export function conclude(result: AgentResult) {
  const { outcome, problem, jobId, job, elapsed } = result
  const [icon, headline, reply, what = '', next = ''] = outcomes[outcome]
  const texts = { headline, reply, what, ...specialTexts(result) }
  // How long it took is unknown if another step requested the job.
  const template = elapsed === null ? texts.what.replace(' after TIME', '') : texts.what
  const values = {
    JOB: quote(jobId ?? ''),
    STATUS: quote(job?.status ?? 'at work'),
    TIME: formatDuration(elapsed ?? 0),
  }
  // Polls that failed before a timeout or a cancel did not cause it.
  const isCause = outcome !== 'cancelled' || isUnconfirmed(problem)
  const cause = explain(isCause ? problem : null)
  const polls = outcome === 'timed-out' && problem && 'The last polls failed, so the job may have ended.'
  return {
    ...cause,
    ...texts,
    icon,
    what: joinTexts([fill(template, values), polls, cause.what], ' '),
    next: joinTexts([next || cause.next, jobId !== null && canResume(result) && howToWait(jobId)], ' '),
  }
}

/** How another step can wait for a job. */
export function howToWait(jobId: string) {
  return sentence`To wait for the job, run a step that has \`job-id: ${jobId}\` instead of a prompt.`
}

/** Whether another step can wait for the job: it may be active, and Mintlify knows its id. */
function canResume({ outcome, problem }: AgentResult) {
  if (!mayContinue(outcome) || problem?.kind === 'inputs') return false
  return problem?.kind !== 'call-failed' || !isJobRejected(problem.why)
}
