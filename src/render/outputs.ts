/** The step's outputs. They echo the platform's own field names. */
import { pullRequestNumber } from '../core/job.ts'
import type { AgentResult } from '../core/progress.ts'

/** Every output's name, as action.yml has it. */
export const outputNames = [
  'outcome',
  'jobId',
  'status',
  'prLink',
  'prNumber',
  'repository',
  'ref',
  'model',
  'createdAt',
  'archivedAt',
] as const

export type Outputs = Record<(typeof outputNames)[number], string>

/** The outputs of a result: all of them, empty where one does not apply, so that no earlier value stays. */
export function outputsOf({ outcome, jobId, job }: AgentResult): Outputs {
  return {
    outcome,
    jobId: jobId ?? '',
    status: job?.status ?? '',
    prLink: job?.prLink ?? '',
    prNumber: pullRequestNumber(job?.prLink ?? null) ?? '',
    repository: job?.repository ?? '',
    ref: job?.ref ?? '',
    model: job?.model ?? '',
    createdAt: job?.createdAt ?? '',
    archivedAt: job?.archivedAt ?? '',
  }
}
