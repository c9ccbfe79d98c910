/** The job summary of mode agent, in Markdown that is easy to read on a phone, and the end of a killed step and of a dry run. */
import type { LogEntry } from '../core/log.ts'
import type { AgentResult } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { fenced, sentence } from '../core/text.ts'
import { byteLength, counted, formatDuration, formatSize } from '../core/units.ts'
import { dashboardUrl } from '../mintlify/dashboard.ts'
import { conclude, howToWait, inLines, type JobRef, resumeStep } from './conclusion.ts'
import {
  blocks,
  code,
  foldedText,
  link,
  problemList,
  prose,
  pullRequestBlock,
  shortAddress,
  table,
  text,
} from './markdown.ts'
import { info } from './messages.ts'
import { explain } from './problems.ts'

/** Maximum length of the prompt in the summary, in characters: GitHub drops summaries over 1 MiB. */
const promptLimit = 60_000
/** The summary of a result. */
export function agentSummary(result: AgentResult, jobRef: JobRef): string {
  const { icon, headline, what, next, list, lines, resumeId } = conclude(result)
  const { job, changes } = result
  const [first = [], ...others] = facts(result)
  const parts = [
    `## ${icon} ${text(headline)}`,
    prose(what),
    problemList(list),
    prose(next),
    lines === '' ? '' : fenced(lines, 'text'),
    job?.link ? pullRequestBlock(job.link, changes) : '',
    table('texts', first, others),
    resumeId === null ? '' : resumeBlock(jobRef, resumeId),
    promptBlock(result),
  ]
  return `${blocks(parts)}\n`
}

function facts({ outcome, jobId, job, elapsed }: AgentResult): string[][] {
  const known: [string, string | null | undefined][] = [
    ['Outcome', code(outcome)],
    ['Took', elapsed === null ? null : formatDuration(elapsed)],
    ['Model', job?.model && code(job.model)],
    ['Job', jobId && code(jobId)],
    ['Repository', job?.repository && link(shortAddress(job.repository), job.repository)],
    ['Branch', job?.branch && code(job.branch)],
  ]
  return known.flatMap(([name, value]) => (value ? [[name, value]] : []))
}

function resumeBlock(jobRef: JobRef, jobId: string): string {
  return `${howToWait}\n\n${fenced(resumeStep(jobRef, jobId), 'yaml')}`
}

/** The prompt, folded. */
export function promptBlock({ prompt }: AgentResult): string {
  if (prompt === null) return ''
  return foldedText(`The prompt (${formatSize(byteLength(prompt.text))})`, prompt.text, promptLimit)
}

/** An entry of the log, and the summary that says the same. @param more Markdown @param how the log's last sentences */
function ending(
  icon: string,
  level: 'info' | 'warning' | 'error',
  title: string,
  lines: readonly string[],
  more: readonly string[],
  how = '',
): { entry: LogEntry; summary: string } {
  const text = lines.join('\n') + how
  const list = lines.map((line) => `- ${prose(line)}`).join('\n')
  return {
    entry: level === 'info' ? info(text) : { level, title, text },
    summary: `${blocks([`## ${icon} ${title}`, list, ...more])}\n`,
  }
}

/**
 * The end of a step that was killed.
 * @param sending the operation that was in progress, `create` or `message`; empty for none
 */
export function killedEnding(jobId: string | null, sending: string, jobRef: JobRef) {
  const said = ['The runner killed the step before it could finish.', ...killedState(jobId, sending, jobRef)]
  const title = 'The step was killed'
  if (jobId === null) return ending('🛑', 'warning', title, said, [])
  const log = `\n${howToWait}\n${resumeStep(jobRef, jobId)}`
  return ending('🛑', 'warning', title, said, [resumeBlock(jobRef, jobId)], log)
}

function killedState(jobId: string | null, sending: string, { projectId }: JobRef): string[] {
  const look = sentence`Look at project \`${projectId}\` on ${dashboardUrl} before you start a new run.`
  if (jobId === null) return sending === '' ? ['Nothing was sent.'] : ['A job may have been created.', look]
  const job = sentence`Job \`${jobId}\``
  return sending === 'message' ? [`${job} may have the follow-up.`, look] : [`${job} continues on Mintlify.`]
}

/**
 * The end of a dry run. A problem is null if its check passed.
 * @param access about the API key and the project
 * @param run about everything else that the step does before it sends or writes something
 * @param details Markdown: what the step read
 */
export function dryRunEnding(
  access: Problem | null,
  run: Problem | null,
  projectId: string,
  details: readonly string[],
) {
  const failed = [access, run].filter((problem) => problem !== null).length
  const check = (problem: Problem | null, passed: string) => {
    if (problem === null) return `✅ ${passed}`
    const { what, next } = explain(problem)
    return `❌ ${what} ${next}`.trim()
  }
  const lines = [
    '✅ The inputs are valid.',
    check(access, sentence`Mintlify accepts the API key for project \`${projectId}\`.`),
    check(run, 'Everything that the step needs can be read.'),
    'Nothing was sent or written.',
    'Only a real run shows whether the key has the scope `write`, and what the job can write on GitHub.',
  ]
  return failed === 0
    ? ending('🧪', 'info', 'Dry run passed', lines, details)
    : ending('❌', 'error', `Dry run: ${counted(failed, 'check')} failed`, lines.map(inLines), details)
}
