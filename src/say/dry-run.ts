/** What a dry run checked: the same short list in the log and the summary. */
import type { Problem } from '../core/problem.ts'
import type { LogEntry } from '../core/progress.ts'
import { counted } from '../core/units.ts'
import { prose } from './markdown.ts'
import { explain, inCode, type JobRef } from './problems.ts'

/** The checks of a dry run besides the inputs. null: passed. */
export interface DryRunChecks {
  /** The API key and the project. */
  access: Problem | null
  /** Everything else that the step does before it sends or writes something. */
  run: Problem | null
}

const nothingDone = [
  'Nothing was sent or written.',
  'Only a real run shows whether the key has the scope `write`, and what the job can write on GitHub.',
]

/** The log's last entry, and the summary. @param details Markdown: what the step read */
export function describeDryRun(
  { access, run }: DryRunChecks,
  jobRef: JobRef,
  details: readonly string[],
): { entry: LogEntry; summary: string } {
  const failed = [access, run].filter((problem) => problem !== null).length
  const title = failed === 0 ? 'Dry run passed' : `Dry run: ${counted(failed, 'check')} failed`
  const checks = [
    ['✅ The inputs are valid.'],
    checkLines(access, `Mintlify accepts the API key for project ${inCode(jobRef.projectId)}.`, jobRef),
    checkLines(run, 'Everything that the step needs can be read.', jobRef),
  ]
  const text = [...checks.flat(), ...nothingDone].join('\n')
  const blocks = [
    `## ${failed === 0 ? '🧪' : '❌'} ${prose(title)}`,
    checks.map((lines) => `- ${prose(lines.join(' '))}`).join('\n'),
    prose(nothingDone.join(' ')),
    ...details.filter((block) => block !== ''),
  ]
  return {
    entry: failed === 0 ? { level: 'info', text } : { level: 'error', title, text },
    summary: `${blocks.join('\n\n')}\n`,
  }
}

function checkLines(problem: Problem | null, passed: string, jobRef: JobRef): string[] {
  if (problem === null) return [`✅ ${passed}`]
  const { what, next } = explain(problem, jobRef)
  return [`❌ ${what}`, next].filter((line) => line !== '')
}
