/** What a step writes at its end in mode agent: the log's last entries, and a job summary that is easy to read on a phone. */
import { type AgentResult, failsStep, isGood, type Outcome } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { fenced, joinTexts, sentence } from '../core/text.ts'
import { dashboardUrl } from '../mintlify/client.ts'
import { conclude, howToWait, jobFacts } from './conclusion.ts'
import { bullets, problemList, prose, pullRequestBlock, summary } from './markdown.ts'
import { entry, info, inLines } from './messages.ts'
import { explain } from './problems.ts'
import { causeOf } from './rejections.ts'

/**
 * The end of a step with a result: the log's last entries, and the summary. Each entry must make sense without its title,
 * which a log does not show.
 */
export function agentEnding(result: AgentResult, failOn: ReadonlySet<Outcome>) {
  const { outcome, job, changes, problem } = result
  const { icon, headline, what, next, list, lines } = conclude(result)
  const pullLine = job?.link && `${what ? 'Pull request' : headline}: ${job.link}`
  const text = [inLines(what), bullets(list), inLines(next), lines, pullLine]
  const end = entry(levelOf(outcome, failOn), headline, ...text)
  if (problem?.kind === 'github-failed') end.cause = causeOf(problem.failure)
  return {
    entries: [end],
    summary: summary(icon, headline, [
      prose(what),
      problemList(list),
      prose(next),
      lines && fenced(lines, 'text'),
      job?.link && pullRequestBlock(job.link, changes),
      joinTexts(jobFacts(result), ' · '),
    ]),
  }
}

function levelOf(outcome: Outcome, failOn: ReadonlySet<Outcome>) {
  if (failsStep(outcome, failOn)) return 'error'
  if (outcome === 'no-changes' || outcome === 'skipped') return 'info'
  return isGood(outcome) ? 'notice' : 'warning'
}

/**
 * The end of a step that was killed: the log's entries, and the summary.
 * @param isSending whether a request was being sent
 */
export function killedEnding(isSending: boolean, project: string, jobId: string | null) {
  const title = 'The step was killed'
  const lines = [
    'The runner killed the step before it could finish.',
    killedState(isSending, jobId),
    isSending && sentence`Look at project \`${project}\` on ${dashboardUrl} before you start a new run.`,
    jobId !== null && howToWait(jobId),
  ].filter((line) => line !== false)
  return {
    entries: [entry('warning', title, ...lines)],
    summary: summary('🛑', title, [bullets(lines.map(prose))]),
  }
}

function killedState(isSending: boolean, jobId: string | null) {
  if (isSending) return 'Mintlify may have the request.'
  if (jobId === null) return 'Nothing was sent.'
  return sentence`Job \`${jobId}\` continues on Mintlify.`
}

/**
 * The end of a dry run: the log's entries, and the summary. A problem is null if its check passed.
 * @param accessProblem about the API key and the project
 * @param problem about everything else that the step does before it sends or writes something
 * @param permissions those of a real run; `hasRead`: whether `contents: read` was used
 */
export function dryRunEnding(
  accessProblem: Problem | null,
  problem: Problem | null,
  { names, hasRead }: { names: readonly string[]; hasRead: boolean },
) {
  const permissionLine = (name: string) => {
    if (hasRead && name === '`contents: read`') return `✅ ${name} (read)`
    return `➖ ${name} (not checked)`
  }
  const checks = [
    checkLine(accessProblem, 'Mintlify accepts `api-key` for `project-id`.'),
    checkLine(problem, 'Everything that the step needs can be read.'),
  ]
  const log = [
    '✅ The inputs are valid.',
    // One problem, such as a rejected key, can fail both.
    ...new Set(checks),
    ...names.map(permissionLine),
    'Nothing was sent or written.',
    'Only a real run shows whether the key can start jobs, and what the workflow can write on GitHub.',
  ].map(inLines)
  const parts = [bullets(log.map(prose))]
  if (accessProblem === null && problem === null)
    return { entries: [info(...log)], summary: summary('🧪', 'Dry run passed', parts) }
  const title = 'Dry run failed'
  return { entries: [entry('error', title, ...log)], summary: summary('❌', title, parts) }
}

function checkLine(problem: Problem | null, success: string) {
  if (problem === null) return `✅ ${success}`
  const { what, next } = explain(problem)
  return `❌ ${what} ${next}`.trim()
}
