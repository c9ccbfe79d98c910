/** The step's outputs, under the platform's own field names. */
import { pullRequestNumber } from '../core/job/job.ts'
import type { AgentResult } from '../core/progress.ts'
import type { SettledJob, SettleResult } from '../core/settle.ts'

/** Every output's name, as action.yml has it. */
export const outputNames = [
  'outcome',
  ...['jobId', 'status', 'prLink', 'prNumber', 'changedFiles'],
  ...['repository', 'ref', 'model', 'createdAt', 'archivedAt'],
  ...['settled', 'pending'],
  ...['visitors', 'humanVisitors', 'aiVisitors'],
  ...['visitorsChange', 'humanVisitorsChange', 'aiVisitorsChange', 'pages', 'complete', 'alerts', 'headline'],
  ...['reportCsv', 'reportJson', 'reportMarkdown', 'reportHtml'],
] as const

export type OutputName = (typeof outputNames)[number]

export type Outputs = Record<OutputName, string>

/** The outputs of a result of mode `agent`. */
export function outputsOf({ outcome, jobId, job, changes }: AgentResult): Outputs {
  return withEmpty({
    outcome,
    jobId: jobId ?? '',
    status: job?.status ?? '',
    prLink: job?.prLink ?? '',
    prNumber: pullRequestNumber(job?.prLink ?? null) ?? '',
    changedFiles: changes === null ? '' : String(changes.total.files),
    repository: job?.repository ?? '',
    ref: job?.ref ?? '',
    model: job?.model ?? '',
    createdAt: job?.createdAt ?? '',
    archivedAt: job?.archivedAt ?? '',
  })
}

/** The outputs of a result of mode `settle`. */
export function settleOutputs({ outcome, jobs }: SettleResult): Outputs {
  const count = (...states: SettledJob['state'][]) =>
    String(jobs.filter(({ state }) => states.includes(state)).length)
  return withEmpty({ outcome, settled: count('settled'), pending: count('pending', 'untold') })
}

/** All outputs. One that does not apply is empty, so that no earlier value stays. */
export function withEmpty(outputs: Partial<Outputs>): Outputs {
  const empty = Object.fromEntries(outputNames.map((name) => [name, ''])) as Outputs
  return { ...empty, ...outputs }
}
