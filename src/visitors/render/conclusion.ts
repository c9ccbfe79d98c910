/** The end of a step in mode visitors: the log's last entries, and the summary. */

import { type Failable, failsStep } from '../../core/outcome.ts'
import { formatDuration } from '../../core/units.ts'
import { prose } from '../../say/markdown.ts'
import type { LogEntry } from '../../say/messages.ts'
import { warningsOf } from '../core/compose.ts'
import { rangeText } from '../core/format.ts'
import { plainHeadline } from '../core/headline.ts'
import type { VisitorsResult } from '../core/report.ts'
import { summaryMarkdown } from './markdown.ts'

const titles: Record<VisitorsResult['outcome'], string> = {
  reported: 'Docs visitors',
  alert: 'Fewer human visitors',
  cancelled: 'Cancelled',
  error: 'Visitors report failed',
}

/** The log's last entry. */
export function describeReport(result: VisitorsResult, failOn: ReadonlySet<Failable>): LogEntry {
  const { outcome, report } = result
  const days = report === null ? '' : `, ${rangeText(report.current.period)}`
  const isLacking = report !== null && warningsOf(report).length > 0
  const level = isLacking || outcome === 'alert' ? 'warning' : 'notice'
  return {
    level: failsStep(outcome, failOn) ? 'error' : level,
    title: `${titles[outcome]}${days}`,
    text: sentences(result).join('\n'),
  }
}

/** The log entry about who can see the report. */
export const publicNotice: LogEntry = {
  level: 'info',
  text: 'This repository is public, and so are its job summaries and artifacts: anyone can read this report.',
}

/** The job summary: the report, if there is one. If something went wrong, a note about that comes first. */
export function visitorsSummary(result: VisitorsResult): string {
  const { outcome, report, problem } = result
  const body = report === null ? [] : [summaryMarkdown(report)]
  if (report !== null && problem === null) return body.join('')
  const said = sentences({ ...result, report: null }).map((line) => prose(line))
  const icon = outcome === 'cancelled' ? '🛑' : '❌'
  return [`## ${icon} ${titles[outcome]}`, said.join('<br>'), ...body].join('\n\n')
}

function sentences({ report, outcome, elapsed, problem }: VisitorsResult): string[] {
  if (outcome === 'cancelled')
    return [`The run was cancelled after ${formatDuration(elapsed)}. Nothing was written.`]
  const said = report === null ? [] : [plainHeadline(report), ...warningsOf(report)]
  if (problem === null) return said
  const { what, next } = problem
  return [...said, what, next]
}
