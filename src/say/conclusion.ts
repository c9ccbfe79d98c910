/** The result of a step in words: for the log, the summary and the replies. */
import { isJobRejected } from '../core/http.ts'
import { type AgentOutcome, type AgentResult, isJobEnd, mayContinue } from '../core/outcome.ts'
import { joinTexts, sentence } from '../core/text.ts'
import { formatDuration } from '../core/units.ts'
import { dashboardUrl, isUnconfirmed } from '../mintlify/client.ts'
import { code } from './markdown.ts'
import { explain, mayPass } from './problems.ts'

/** How an outcome looks in the summary, replies, statuses and the log. */
type OutcomeText = readonly [
  icon: string,
  /** A few words without a period, cause first. */
  headline: string,
  /** What readers of a reply can do, in Markdown. */
  reply: string,
  /** What happened, in prose; nothing if the headline, the pull request and the problem say everything. */
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
 * The texts of each outcome. RUN stands for a link to the run, AGAIN for how to ask again, and COMMAND for an example.
 */
const outcomes: Record<AgentOutcome, OutcomeText> = {
  'pull-request': ['✅', "The agent's pull request is ready", askForMore],
  'out-of-bounds': ['⚠️', 'Changes outside the allowed paths', askForMore],
  'no-changes': [
    '☑️',
    'Finished without a pull request',
    'If something is missing, AGAIN, and name the page and the change.',
    'The job finished without a pull request. The agent found nothing to change, or is set up to push directly to the branch.',
  ],
  archived: ['📦', 'The job was archived', startNew, 'The job was archived before it finished.'],
  failed: [
    '❌',
    'The agent failed',
    startNew,
    'Mintlify says that the job failed, and gives no reason.',
    `Look at the job on ${dashboardUrl}. To help the agent, name the pages and the change in the prompt. To try again, re-run the workflow.`,
  ],
  'timed-out': [
    '⏱️',
    'Timed out: the agent is still working',
    watch,
    'The job has not finished in time. It continues on Mintlify.',
    'To wait longer, raise `timeout`.',
  ],
  detached: [
    '⏳',
    'Started',
    watch,
    'The job has the prompt.',
    'With `wait: false`, only a later step with `mode: settle` reports the result.',
  ],
  skipped: ['⏭️', 'Skipped', ''],
  cancelled: ['🛑', 'Cancelled', watch, 'The run was cancelled. Its job continues on Mintlify.'],
  unconfirmed: ['❓', 'The request is unconfirmed', `${unclear}, so it is not sent again. ${watch}`],
  error: ['❌', 'The result is unknown', askMaintainer],
}

/** The texts that differ from an outcome's own in a special case. */
function specialTexts(result: AgentResult) {
  const { outcome, problem, delivery } = result
  if (problem?.kind === 'allowed-paths') {
    const [, outside] = outcomes['out-of-bounds']
    const headline = problem.reason === 'outside' ? outside : 'Not checked against the allowed paths'
    return { headline, reply: askForMore }
  }
  if (outcome === 'error') {
    const reply = errorReply(result)
    return delivery === 'not-sent' ? { headline: 'The request was not sent', reply } : { reply }
  }
  if (outcome !== 'cancelled' || delivery === 'sent') return {}
  const stopped = 'The run was cancelled.'
  if (isUnconfirmed(problem)) return { what: stopped, reply: afterStop.open }
  return { what: `${stopped} No job was created.`, reply: afterStop['not-sent'] }
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
  const { outcome, problem, jobId } = result
  const [icon, headline, reply, what, next] = outcomes[outcome]
  // Polls that failed before a cancel did not cause it.
  const isCause = outcome !== 'cancelled' || isUnconfirmed(problem)
  const cause = explain(isCause ? problem : null)
  const special = specialTexts(result)
  return {
    ...cause,
    icon,
    headline,
    reply,
    ...special,
    what: joinTexts([special.what ?? what, cause.what], ' '),
    next: joinTexts([next ?? cause.next, jobId !== null && canResume(result) && howToWait(jobId)], ' '),
  }
}

/** What people compare: how long a job took, its id, and the commit of its diff. In Markdown. */
export function jobFacts({ outcome, elapsed, jobId, prompt }: AgentResult) {
  return [
    isJobEnd(outcome) && elapsed !== null && `Took ${formatDuration(elapsed)}`,
    jobId !== null && `Job ${code(jobId)}`,
    prompt?.commit && `Diff at ${code(prompt.commit.slice(0, 7))}`,
  ]
}

/** How another step can wait for a job. */
export function howToWait(jobId: string) {
  return sentence`To wait for the job, run a step that has \`job-id: ${jobId}\` instead of a prompt.`
}

/** Whether another step can wait for the job: it has the prompt, may be active, and Mintlify knows its id. */
function canResume({ outcome, problem, delivery }: AgentResult) {
  if (!mayContinue(outcome) || delivery === 'not-sent') return false
  return problem?.kind !== 'call-failed' || !isJobRejected(problem.why)
}
