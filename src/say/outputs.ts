/** The outputs of each mode. */
import type { AgentResult, Mode, SettleResult } from '../core/outcome.ts'
import { oneLine } from '../core/text.ts'
import { pageUrl, pullOfLink } from '../core/thread.ts'
import { waitsFor } from './replies.ts'

/** The outputs of each mode besides `outcome`. action.yml describes them in this order. */
export const outputsByMode = {
  agent: [
    'jobId',
    'status',
    'prLink',
    'prNumber',
    'changedFiles',
    'repository',
    'ref',
    'model',
    'createdAt',
    'archivedAt',
  ],
  settle: ['settled', 'pending', 'results', 'waiting'],
  visitors: [
    'visitors',
    'humanVisitors',
    'aiVisitors',
    'pages',
    'complete',
    'alerts',
    'headline',
    'reportCsv',
    'reportJson',
    'reportMarkdown',
    'reportHtml',
  ],
} as const satisfies Record<Mode, readonly string[]>

export const outputNames = ['outcome', ...Object.values(outputsByMode).flat()] as const

/** The outputs that a mode must set: all of its own. A missing value is empty. */
export type OutputsOf<M extends Mode> = Record<
  'outcome' | (typeof outputsByMode)[M][number],
  string | number | null | undefined
>

/** The outputs of any mode. */
export type Outputs = Record<keyof OutputsOf<Mode>, string>

/** The outputs of a result in mode agent. @param serverUrl only a pull request on this server has a number */
export function outputsOf({ outcome, jobId, job, changes }: AgentResult, serverUrl: string) {
  const prLink = job?.link ?? ''
  return withEmpty<'agent'>({
    outcome,
    jobId,
    status: job?.status,
    prLink,
    prNumber: pullOfLink(prLink, serverUrl)?.number,
    changedFiles: changes?.total.files,
    repository: job?.repository,
    ref: job?.branch,
    model: job?.model,
    createdAt: job?.creationTime,
    archivedAt: job?.archiveTime,
  })
}

/** The outputs of a result in mode settle. */
export function settleOutputs({ outcome, jobs, pulls }: SettleResult, serverUrl: string) {
  const results = jobs.flatMap(({ state, result, link }) => {
    if (state !== 'settled' || result === null) return []
    const { outcome, jobId, prLink } = outputsOf(result, serverUrl)
    const title = oneLine(result.changes?.title ?? '', 200)
    return { outcome, jobId, prLink, title, url: pageUrl(link, serverUrl) }
  })
  const waiting = pulls.map(({ link: prLink, openedAt, hold, isOwn: own }) => {
    return { prLink, openedAt, waitsFor: waitsFor(hold), own }
  })
  return withEmpty<'settle'>({
    outcome,
    settled: results.length,
    pending: jobs.length - results.length,
    results: JSON.stringify(results.slice(0, 100)),
    waiting: JSON.stringify(waiting.slice(0, 100)),
  })
}

/** All outputs. Those of other modes are empty, to overwrite earlier values. */
export function withEmpty<M extends Mode>(outputs: OutputsOf<M>) {
  const values: Partial<OutputsOf<Mode>> = outputs
  return Object.fromEntries(outputNames.map((name) => [name, String(values[name] ?? '')])) as Outputs
}
