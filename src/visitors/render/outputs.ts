/** The outputs of mode `visitors`, in a file of their own so that other modes do not load the report's code. */

import { type Outputs, withEmpty } from '../../render/outputs.ts'
import { isComplete, type VisitorsResult } from '../core/report.ts'
import { datedHeadline } from './headline.ts'

/** Paths of the report's files. */
export type ReportFiles = Record<'reportCsv' | 'reportJson' | 'reportMarkdown' | 'reportHtml', string>

/** The outputs of a result of mode `visitors`. */
export function visitorsOutputs({ outcome, report }: VisitorsResult, files: Partial<ReportFiles>): Outputs {
  if (report === null) return withEmpty({ outcome })
  const { current, changes } = report
  const text = (value: number | null) => (value === null ? '' : String(value))
  return withEmpty({
    outcome,
    visitors: text(current.totals.total),
    humanVisitors: text(current.totals.human),
    aiVisitors: text(current.totals.ai),
    visitorsChange: text(changes.visitors),
    humanVisitorsChange: text(changes.humanVisitors),
    aiVisitorsChange: text(changes.aiVisitors),
    pages: text(current.pages.size),
    complete: String(isComplete(report)),
    alerts: JSON.stringify(report.alerts),
    headline: datedHeadline(report),
    ...files,
  })
}
