/** The outputs of mode visitors, in a separate file so that other modes do not load the code for reports. */
import { type Outputs, withEmpty } from '../../say/conclusion.ts'
import { datedHeadline } from '../core/headline.ts'
import type { VisitorsResult } from '../core/report.ts'

/** The paths of the report's files. */
export type ReportFiles = Record<'reportCsv' | 'reportJson' | 'reportMarkdown' | 'reportHtml', string>

/** The outputs of a result in mode visitors. */
export function visitorsOutputs({ outcome, report }: VisitorsResult, files: Partial<ReportFiles>): Outputs {
  const { totals, pages } = report?.current ?? {}
  return withEmpty<'visitors'>({
    outcome,
    visitors: String(totals?.total ?? ''),
    humanVisitors: String(totals?.human ?? ''),
    aiVisitors: String(totals?.ai ?? ''),
    pages: String(pages?.size ?? ''),
    complete: String(report?.isComplete ?? ''),
    alerts: report === null ? '' : JSON.stringify(report.alerts),
    headline: report === null ? '' : datedHeadline(report),
    reportCsv: files.reportCsv ?? '',
    reportJson: files.reportJson ?? '',
    reportMarkdown: files.reportMarkdown ?? '',
    reportHtml: files.reportHtml ?? '',
  })
}
