/** A sample series of reports. */
import { createHmac } from 'node:crypto'
import type { Sign } from '../../../src/core/mark.ts'
import type { Thread } from '../../../src/core/thread.ts'
import type { Period } from '../../../src/visitors/core/period.ts'
import { type Series, writeReportMark } from '../../../src/visitors/core/report-mark.ts'

export const thread: Thread = { repository: 'Acme/Docs', number: 7, isPullRequest: false, reviewRoot: null }
export const week: Period = { from: '2026-11-09', to: '2026-11-16' }

export const signWith =
  (key: string): Sign =>
  (text) =>
    createHmac('sha256', key).update(text).digest('base64url')

export const series: Series = { thread, name: 'weekly', sign: signWith('key') }

/** A report's comment. */
export function reportIn(by: Partial<Series> = {}, period = week): string {
  return `# Report\n\n${writeReportMark(period, { ...series, ...by })}`
}
