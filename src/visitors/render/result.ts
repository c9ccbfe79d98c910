/** What a step in mode visitors says: the log, the summary and the outputs. */
import type { LogEntry } from '../../core/log.ts'
import { failsStep, type Outcome } from '../../core/outcome.ts'
import { blocks, prose } from '../../say/markdown.ts'
import { type Outputs, withEmpty } from '../../say/outputs.ts'
import { explain } from '../../say/problems.ts'
import { warningsOf } from '../compose.ts'
import { metrics, plainHeadline } from '../headline.ts'
import { rangeText } from '../period.ts'
import type { VisitorsReport, VisitorsResult } from '../report.ts'
import { wholeMarkdown } from './markdown.ts'

function titleOf({ outcome, report }: VisitorsResult) {
  switch (outcome) {
    case 'reported':
      return 'Docs visitors'
    case 'alert': {
      const names = report?.alerts.map(({ metric }) => metrics[metric]) ?? []
      return `Fewer ${names.join(', ')}`
    }
    case 'cancelled':
      return 'Cancelled'
    case 'error':
      return 'Visitors report failed'
  }
}

/** The log's last entry. */
export function describeReport(result: VisitorsResult, failOn: ReadonlySet<Outcome>): LogEntry {
  const { outcome, report } = result
  const lines = failureOf(result)
  let level: 'notice' | 'warning' | 'error' = 'notice'
  let title = titleOf(result)
  if (report !== null) {
    const warnings = warningsOf(report)
    lines.push(plainHeadline(report), ...warnings)
    title += `: ${periodName(report)}`
    if (warnings.length > 0) level = 'warning'
  }
  if (outcome === 'alert') level = 'warning'
  if (failsStep(outcome, failOn)) level = 'error'
  return { level, title, text: lines.join('\n') }
}

/** The job summary: the report, if there is one. If something went wrong, a note about that comes first. */
export function visitorsSummary(result: VisitorsResult) {
  const { outcome, report } = result
  const failure = failureOf(result).map(prose).join('<br>')
  const icon = outcome === 'cancelled' ? '🛑' : '❌'
  const title = failure && `## ${icon} ${titleOf(result)}`
  return blocks([title, failure, report && wholeMarkdown(report)])
}

/** `acme, Nov 9–15, 2026`. */
function periodName({ projectId, period }: VisitorsReport) {
  return `${projectId}, ${rangeText(period)}`
}

/** What went wrong, and what to do about it. */
function failureOf({ outcome, problem }: VisitorsResult) {
  if (outcome === 'cancelled') return ['The run was cancelled. Nothing was written.']
  if (problem === null) return []
  const { what, next } = explain(problem)
  return [what, next]
}

/** The paths of the report's files; empty for those that were not written. */
export type ReportFiles = typeof noFiles

export const noFiles = { reportCsv: '', reportJson: '', reportMarkdown: '', reportHtml: '' }

/** The outputs of a result. */
export function visitorsOutputs({ outcome, report }: VisitorsResult, files: ReportFiles): Outputs {
  const { totals, current, isComplete, alerts } = report ?? {}
  return withEmpty<'visitors'>({
    outcome,
    visitors: totals?.visitors,
    humanVisitors: totals?.humanVisitors,
    aiVisitors: totals?.aiVisitors,
    pages: current?.pages.size,
    complete: JSON.stringify(isComplete),
    alerts: JSON.stringify(alerts),
    headline: report && `Visitors of ${periodName(report)}: ${plainHeadline(report)}`,
    ...files,
  })
}
