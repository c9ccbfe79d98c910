/** What a step in mode visitors says: the log, the summary and the outputs. */
import type { LogEntry } from '../../core/log.ts'
import { failsStep, type Outcome } from '../../core/outcome.ts'
import { blocks, prose } from '../../say/markdown.ts'
import { type Outputs, withEmpty } from '../../say/outputs.ts'
import { explain } from '../../say/problems.ts'
import { warningsOf } from '../compose.ts'
import { plainHeadline } from '../headline.ts'
import { rangeText } from '../period.ts'
import type { VisitorsResult } from '../report.ts'
import { wholeMarkdown } from './markdown.ts'

const titles: Record<VisitorsResult['outcome'], string> = {
  reported: 'Docs visitors',
  alert: 'Fewer human visitors',
  cancelled: 'Cancelled',
  error: 'Visitors report failed',
}

/** The log's last entry. */
export function describeReport(result: VisitorsResult, failOn: ReadonlySet<Outcome>): LogEntry {
  const { outcome, report } = result
  const said = report === null ? [] : [plainHeadline(report), ...warningsOf(report)]
  const level = said.length > 1 || outcome === 'alert' ? 'warning' : 'notice'
  return {
    level: failsStep(outcome, failOn) ? 'error' : level,
    title: `${titles[outcome]}${report === null ? '' : `, ${rangeText(report.current.period)}`}`,
    text: [...said, ...failureOf(result)].join('\n'),
  }
}

/** The job summary: the report, if there is one. If something went wrong, a note about that comes first. */
export function visitorsSummary(result: VisitorsResult): string {
  const { outcome, report } = result
  const failure = failureOf(result).map((line) => prose(line))
  const title = `## ${outcome === 'cancelled' ? '🛑' : '❌'} ${titles[outcome]}`
  return blocks([
    failure.length === 0 ? '' : title,
    failure.join('<br>'),
    report === null ? '' : wholeMarkdown(report),
  ])
}

/** What went wrong, and what to do about it. */
function failureOf({ outcome, problem }: VisitorsResult): string[] {
  if (outcome === 'cancelled') return ['The run was cancelled. Nothing was written.']
  if (problem === null) return []
  const { what, next } = explain(problem)
  return [what, next]
}

/** The paths of the report's files. */
export type ReportFiles = Record<'reportCsv' | 'reportJson' | 'reportMarkdown' | 'reportHtml', string>

/** The outputs of a result. */
export function visitorsOutputs({ outcome, report }: VisitorsResult, files: Partial<ReportFiles>): Outputs {
  const { totals, current, isComplete, alerts } = report ?? {}
  return withEmpty<'visitors'>({
    outcome,
    visitors: totals?.visitors,
    humanVisitors: totals?.humanVisitors,
    aiVisitors: totals?.aiVisitors,
    pages: current?.pages.size,
    complete: JSON.stringify(isComplete),
    alerts: JSON.stringify(alerts),
    headline: report && `Docs visitors, ${rangeText(report.current.period)}: ${plainHeadline(report)}`,
    reportCsv: '',
    reportJson: '',
    reportMarkdown: '',
    reportHtml: '',
    ...files,
  })
}
