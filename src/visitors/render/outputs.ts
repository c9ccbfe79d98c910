/** The outputs of mode visitors, in a separate file so that other modes do not load the code for reports. */

import { type Outputs, withEmpty } from '../../render/outputs.ts'
import { isComplete, type VisitorsResult } from '../core/report.ts'
import { datedHeadline } from './headline.ts'

/** The paths of the report's files. */
export type ReportFiles = Record<'reportCsv' | 'reportJson' | 'reportMarkdown' | 'reportHtml', string>

/** The outputs of a result in mode visitors. */
export function visitorsOutputs({ outcome, report }: VisitorsResult, files: Partial<ReportFiles>): Outputs {
  const text = (value: number | null | undefined) => String(value ?? '')
  return withEmpty<'visitors'>({
    outcome,
    visitors: text(report?.current.totals.total),
    humanVisitors: text(report?.current.totals.human),
    aiVisitors: text(report?.current.totals.ai),
    pages: text(report?.current.pages.size),
    complete: report === null ? '' : String(isComplete(report)),
    alerts: report === null ? '' : JSON.stringify(report.alerts),
    headline: report === null ? '' : datedHeadline(report),
    reportCsv: files.reportCsv ?? '',
    reportJson: files.reportJson ?? '',
    reportMarkdown: files.reportMarkdown ?? '',
    reportHtml: files.reportHtml ?? '',
  })
}
