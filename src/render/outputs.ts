/** The step's outputs, under the platform's own field names. */
import type { Mode } from '../core/inputs/schema.ts'
import { pullRequestNumber } from '../core/job/job.ts'
import type { AgentResult } from '../core/progress.ts'
import type { SettledJob, SettleResult } from '../core/settle.ts'

/** What each mode sets beside `outcome`. action.yml describes these outputs, in this order. */
export const outputsByMode = {
  agent: [
    ...(['jobId', 'status', 'prLink', 'prNumber', 'changedFiles'] as const),
    ...(['repository', 'ref', 'model', 'createdAt', 'archivedAt'] as const),
  ],
  settle: ['settled', 'pending'],
  visitors: [
    ...(['visitors', 'humanVisitors', 'aiVisitors'] as const),
    ...([
      'visitorsChange',
      'humanVisitorsChange',
      'aiVisitorsChange',
      'pages',
      'complete',
      'alerts',
    ] as const),
    ...(['reportCsv', 'reportJson', 'reportMarkdown', 'reportHtml'] as const),
  ],
} as const satisfies Record<Mode, readonly string[]>

/** Every output's name, as action.yml has it. */
export const outputNames = [
  'outcome',
  ...outputsByMode.agent,
  ...outputsByMode.settle,
  ...outputsByMode.visitors,
] as const

export type OutputName = (typeof outputNames)[number]

export type Outputs = Record<OutputName, string>

/** The outputs that a step in this mode can set. */
export type OutputsOf<M extends Mode> = Record<'outcome' | (typeof outputsByMode)[M][number], string>

/** The outputs of a result of mode `agent`. */
export function outputsOf({ outcome, jobId, job, changes }: AgentResult): Outputs {
  const outputs: OutputsOf<'agent'> = {
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
  }
  return withEmpty(outputs)
}

/** The outputs of a result of mode `settle`. */
export function settleOutputs({ outcome, jobs }: SettleResult): Outputs {
  const count = (...states: SettledJob['state'][]) =>
    String(jobs.filter(({ state }) => states.includes(state)).length)
  const outputs: OutputsOf<'settle'> = {
    outcome,
    settled: count('settled'),
    pending: count('pending', 'untold'),
  }
  return withEmpty(outputs)
}

/** All outputs. One that does not apply is empty, so that no earlier value stays. */
export function withEmpty(outputs: Partial<Outputs>): Outputs {
  const empty = Object.fromEntries(outputNames.map((name) => [name, ''])) as Outputs
  return { ...empty, ...outputs }
}
