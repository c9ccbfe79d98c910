/** What came of a step in mode `visitors`: the log's last line, and the summary where there is no report. */
import type { VisitorsInputs } from '../../core/inputs/inputs.ts'
import type { LogEntry } from '../../core/log-entry.ts'
import { type Failable, failsStep, type VisitorsOutcome } from '../../core/outcome.ts'
import { formatDuration } from '../../core/units.ts'
import { before } from '../../core/visitors/period.ts'
import { isComplete, type VisitorsResult } from '../../core/visitors/report.ts'
import { prose } from '../markdown.ts'
import { explain, type JobRef } from '../problem.ts'
import { reportMarkdown } from './markdown.ts'
import { dateRange, number, share, verdict } from './words.ts'

const headlines: Record<VisitorsOutcome, [icon: string, headline: string]> = {
  reported: ['📊', 'Visitors'],
  alert: ['🔔', 'Fewer people read the docs'],
  skipped: ['⏭️', 'Skipped'],
  'dry-run': ['🧪', 'Dry run: nothing was read'],
  cancelled: ['🛑', 'Cancelled'],
  error: ['❌', 'The step could not do its work'],
}

/** The log's last line. */
export function describeReport(result: VisitorsResult, inputs: VisitorsInputs, jobRef: JobRef): LogEntry {
  const [, title] = headlines[result.outcome]
  return { level: levelOf(result, inputs.failOn), title, text: sentences(result, inputs, jobRef).join('\n') }
}

/** The job summary: the report, and above it what went wrong with handing it over. */
export function visitorsSummary(result: VisitorsResult, inputs: VisitorsInputs, jobRef: JobRef): string {
  const { report, problem } = result
  if (report !== null && problem === null) return reportMarkdown(report, jobRef)
  const [icon, headline] = headlines[result.outcome]
  const text = (report === null ? sentences(result, inputs, jobRef) : problemSentences(result, jobRef))
    .map((line) => prose(line))
    .join('<br>')
  const parts = [`## ${icon} ${headline}`, text, ...(report === null ? [] : [reportMarkdown(report, jobRef)])]
  return `${parts.join('\n\n')}\n`
}

function sentences(result: VisitorsResult, inputs: VisitorsInputs, jobRef: JobRef): string[] {
  const { report, outcome } = result
  const alerts = (report?.alerts ?? []).map(
    ({ change, threshold }) => `People fell by ${share(-change)}; the alert is set to ${share(-threshold)}.`,
  )
  if (outcome === 'dry-run') return [plan(inputs)]
  if (outcome === 'cancelled')
    return [`The run was cancelled after ${formatDuration(result.elapsed)}. Nothing was written.`]
  return [
    ...alerts,
    ...(report === null ? [] : [verdict(report, jobRef)]),
    ...problemSentences(result, jobRef),
  ]
}

function problemSentences({ problem }: VisitorsResult, jobRef: JobRef): string[] {
  if (problem === null) return []
  const { what, why, next } = explain(problem, jobRef)
  return [what, why, next]
}

function plan({ period, compare, trend, maxRequests, baseUrl, projectId }: VisitorsInputs): string {
  const compared = compare ? `, compare it with ${dateRange(before(period, 1))}` : ''
  const chart = trend > 1 ? `, chart ${number(trend)} periods` : ''
  return `Would read ${dateRange(period)} of project ${projectId} at ${baseUrl}${compared}${chart}, with ${number(maxRequests)} requests at most.`
}

function levelOf(
  { outcome, report }: VisitorsResult,
  failOn: ReadonlySet<Failable>,
): 'notice' | 'warning' | 'error' {
  if (failsStep(outcome, failOn)) return 'error'
  const lacksPages = report !== null && !isComplete(report)
  return outcome === 'alert' || lacksPages ? 'warning' : 'notice'
}
