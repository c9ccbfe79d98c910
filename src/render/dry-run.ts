/** What a dry run checked: the same short list in the log and the summary. */
import type { LogEntry } from '../core/log-entry.ts'
import type { Problem } from '../core/problem.ts'
import { counted } from '../core/units.ts'
import { prose } from './markdown.ts'
import { inCode } from './problem/explanation.ts'
import { explain, type JobRef } from './problem.ts'

/** The checks of a dry run besides the inputs. null: passed. */
export interface DryRunChecks {
  /** The API key and the project. */
  access: Problem | null
  /** Everything else that the step does before it sends or writes something. */
  run: Problem | null
}

const nothingDone =
  'Nothing was sent or written. Only a real run shows whether the key has the scope `write`, and the job its permissions to write.'

/** The log's last entry, and the summary. @param details Markdown: what the step read */
export function describeDryRun(
  { access, run }: DryRunChecks,
  jobRef: JobRef,
  details: readonly string[],
): { entry: LogEntry; summary: string } {
  const problems = [access, run].filter((problem) => problem !== null)
  const title =
    problems.length === 0 ? 'Dry run passed' : `Dry run: ${counted(problems.length, 'check')} failed`
  const checks = [
    '✅ The inputs are valid.',
    checkText(access, `Mintlify accepts the API key for project ${inCode(jobRef.projectId)}.`, jobRef),
    checkText(run, 'Everything that the step needs can be read.', jobRef),
  ]
  const text = [...checks, nothingDone].join('\n')
  const blocks = [
    `## ${problems.length === 0 ? '🧪' : '❌'} ${prose(title)}`,
    checks.map((check) => `- ${prose(check)}`).join('\n'),
    prose(nothingDone),
    ...details.filter((block) => block !== ''),
  ]
  return {
    entry: problems.length === 0 ? { level: 'info', text } : { level: 'error', title, text },
    summary: `${blocks.join('\n\n')}\n`,
  }
}

function checkText(problem: Problem | null, passed: string, jobRef: JobRef): string {
  if (problem === null) return `✅ ${passed}`
  const { what, why, next } = explain(problem, jobRef)
  return ['❌', what, why, next].filter((part) => part !== '').join(' ')
}
