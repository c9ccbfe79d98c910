/** The step's outputs, with the platform's own field names. */

import type { Mode } from '../core/outcome.ts'
import type { AgentResult } from '../core/progress.ts'
import type { SettledJob, SettleResult } from '../core/settle.ts'
import { pullRequestNumber } from '../core/thread.ts'

/** The outputs of each mode besides `outcome`. action.yml describes them in this order. */
export const outputsByMode = {
  agent: [
    ...(['jobId', 'status', 'prLink', 'prNumber', 'changedFiles'] as const),
    ...(['repository', 'ref', 'model', 'createdAt', 'archivedAt'] as const),
  ],
  settle: ['settled', 'pending'],
  visitors: [
    ...(['visitors', 'humanVisitors', 'aiVisitors'] as const),
    ...(['pages', 'complete', 'alerts', 'headline'] as const),
    ...(['reportCsv', 'reportJson', 'reportMarkdown', 'reportHtml'] as const),
  ],
} as const satisfies Record<Mode, readonly string[]>

export const outputNames = [
  'outcome',
  ...outputsByMode.agent,
  ...outputsByMode.settle,
  ...outputsByMode.visitors,
] as const

/** The outputs that a mode must set: all of its own. A missing value is empty. */
export type OutputsOf<M extends Mode> = Record<'outcome' | (typeof outputsByMode)[M][number], string>

/** The outputs of any mode. */
export type Outputs = OutputsOf<Mode>

/** The outputs of a result in mode agent. */
export function outputsOf({ outcome, jobId, job, changes }: AgentResult): Outputs {
  return withEmpty<'agent'>({
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

/** The outputs of a result in mode settle. */
export function settleOutputs({ outcome, jobs }: SettleResult): Outputs {
  const count = (...states: SettledJob['state'][]) =>
    String(jobs.filter(({ state }) => states.includes(state)).length)
  return withEmpty<'settle'>({
    outcome,
    settled: count('settled'),
    pending: count('pending', 'unreported', 'left'),
  })
}

/** All outputs. Those of other modes are empty, to overwrite earlier values. */
export function withEmpty<M extends Mode>(outputs: OutputsOf<M>): Outputs {
  const empty = Object.fromEntries(outputNames.map((name) => [name, ''])) as Outputs
  return { ...empty, ...outputs }
}
