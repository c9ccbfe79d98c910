/** The end of a step in mode visitors: the log's last entries, and the summary. */

import { type Failable, failsStep } from '../../core/outcome.ts'
import type { LogEntry } from '../../core/progress.ts'
import { formatDuration } from '../../core/units.ts'
import { prose } from '../../render/markdown.ts'
import { explain, type JobRef } from '../../render/problem.ts'
import { rangeText } from '../core/figures.ts'
import { isComplete, type VisitorsResult } from '../core/report.ts'
import { reportMarkdown } from './markdown.ts'
import { unmatchedSentences, verdict } from './words.ts'

const titles: Record<VisitorsResult['outcome'], string> = {
  reported: 'Docs visitors',
  alert: 'Fewer human visitors',
  cancelled: 'Cancelled',
  error: 'Visitors report failed',
}

/** The log's last entries. */
export function describeReport(
  result: VisitorsResult,
  failOn: ReadonlySet<Failable>,
  jobRef: JobRef,
): LogEntry[] {
  const { outcome, report } = result
  const title = titles[outcome]
  const unmatched = (report === null ? [] : unmatchedSentences(report)).map(
    (text): LogEntry => ({ level: 'warning', title: 'A glob matches nothing', text }),
  )
  const named = report === null ? title : `${title}, ${rangeText(report.current.period)}`
  const text = sentences(result, jobRef).join('\n')
  return [...unmatched, { level: levelOf(result, failOn), title: named, text }]
}

/** The log entry about who can see the report. */
export const publicNotice: LogEntry = {
  level: 'info',
  text: 'This repository is public, and so are its job summaries and artifacts: anyone can read this report.',
}

/** The job summary: the report, if there is one. If something went wrong, a note about that comes first. */
export function visitorsSummary(result: VisitorsResult, jobRef: JobRef): string {
  const { report, problem } = result
  if (report !== null && problem === null) return reportMarkdown(report, jobRef)
  const icon = result.outcome === 'cancelled' ? '🛑' : '❌'
  const text = (report === null ? sentences(result, jobRef) : problemSentences(result, jobRef))
    .map((line) => prose(line))
    .join('<br>')
  const parts = [
    `## ${icon} ${titles[result.outcome]}`,
    text,
    ...(report === null ? [] : [reportMarkdown(report, jobRef)]),
  ]
  return `${parts.join('\n\n')}\n`
}

function sentences(result: VisitorsResult, jobRef: JobRef): string[] {
  const { report, outcome, elapsed } = result
  if (outcome === 'cancelled')
    return [`The run was cancelled after ${formatDuration(elapsed)}. Nothing was written.`]
  return [...(report === null ? [] : [verdict(report, jobRef)]), ...problemSentences(result, jobRef)]
}

function problemSentences({ problem }: VisitorsResult, jobRef: JobRef): string[] {
  if (problem === null) return []
  const { what, next } = explain(problem, jobRef)
  return [what, next]
}

function levelOf(
  { outcome, report }: VisitorsResult,
  failOn: ReadonlySet<Failable>,
): 'notice' | 'warning' | 'error' {
  if (failsStep(outcome, failOn)) return 'error'
  const isLacking = report !== null && !isComplete(report)
  return isLacking || outcome === 'alert' ? 'warning' : 'notice'
}
