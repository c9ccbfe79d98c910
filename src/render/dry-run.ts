/** The results of a dry run in every mode: the same list in the log, the summary and the reply. */

import { type Check, type CheckName, type DryRun, failedCheck, type Unchecked } from '../core/dry-run.ts'
import type { LogEntry } from '../core/progress.ts'
import { counted } from '../core/units.ts'
import { link, prose } from './markdown.ts'
import { inCode } from './problem/explanation.ts'
import { explain, type JobRef } from './problem.ts'

const passed: Record<Exclude<CheckName, 'access'>, string> = {
  inputs: 'The inputs are valid.',
  thread: 'The person who asked has the required role, and the thread can be read.',
  change: 'The step can read the change.',
  'open-jobs': 'The records of earlier runs can be read.',
  prompt: 'The prompt can be built.',
  reply: 'The workflow can comment on the thread.',
}

const uncheckedWords: Record<Unchecked, string> = {
  'write-scope': 'Whether the API key has the scope `write`, which is required to start a job.',
  app: "Whether Mintlify's GitHub App is installed on the docs repository.",
  'report-dir': 'Whether the files in `report-dir` can be written.',
  issues: 'Whether the job has `issues: write`.',
  'pull-requests': 'Whether the job has `pull-requests: write`.',
  statuses: 'Whether the job has `statuses: write`.',
}

const nothingDone = 'Nothing was sent to the agent, and nothing was recorded.'

/** The text about a check: one sentence if it passed, otherwise the cause and the remedy. */
function sentences({ name, problem }: Check, jobRef: JobRef): string[] {
  if (problem !== null) {
    const { what, why, next } = explain(problem, jobRef)
    return [`❌ ${what}`, why, next].filter((sentence) => sentence !== '')
  }
  if (name === 'access') return [`✅ Mintlify accepts the API key for project ${inCode(jobRef.projectId)}.`]
  return [`✅ ${passed[name]}`]
}

function headlineOf(trial: DryRun): string {
  const failed = trial.checks.filter(({ problem }) => problem !== null).length
  return failed === 0 ? 'Dry run passed' : `Dry run: ${counted(failed, 'check')} failed`
}

/** The blocks that the summary and the reply have in common. */
function blocks(trial: DryRun, jobRef: JobRef): string[] {
  const unchecked = trial.unchecked.map((name) => `- ${prose(uncheckedWords[name])}`)
  return [
    trial.checks.map((check) => `- ${prose(sentences(check, jobRef).join(' '))}`).join('\n'),
    unchecked.length === 0 ? '' : `Only a real run shows:\n\n${unchecked.join('\n')}`,
  ].filter((block) => block !== '')
}

/** The summary of a dry run. @param details Markdown: what the step would have done */
export function dryRunSummary(trial: DryRun, jobRef: JobRef, details: readonly string[]): string {
  const icon = failedCheck(trial) === null ? '🧪' : '❌'
  const parts = [
    `## ${icon} ${prose(headlineOf(trial))}`,
    nothingDone,
    ...blocks(trial, jobRef),
    ...details.filter((part) => part !== ''),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The reply on the thread for a dry run. */
export function dryRunComment(trial: DryRun, jobRef: JobRef, runUrl: string): string {
  const icon = failedCheck(trial) === null ? '🧪' : '❌'
  return [
    `${icon} **${prose(headlineOf(trial))}.** ${nothingDone}`,
    ...blocks(trial, jobRef),
    ...(runUrl === '' ? [] : [link('Run', runUrl)]),
  ].join('\n\n')
}

/** The log's last entries. */
export function describeDryRun(trial: DryRun, jobRef: JobRef): LogEntry[] {
  const lines = trial.checks.flatMap((check) => sentences(check, jobRef))
  const unchecked = trial.unchecked.map((name) => `- ${uncheckedWords[name]}`)
  const text = [
    ...lines,
    ...(unchecked.length === 0 ? [] : ['Only a real run shows:', ...unchecked]),
    nothingDone,
  ].join('\n')
  const title = headlineOf(trial)
  return [failedCheck(trial) === null ? { level: 'info', text } : { level: 'error', title, text }]
}
