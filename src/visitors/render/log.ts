/** The log while a report is read. The platform's own messages are only here, not in the report. */
import type { LogEntry } from '../../core/progress.ts'
import { describe, info } from '../../say/messages.ts'
import { explain, type JobRef } from '../../say/problems.ts'
import { counted, rangeText } from '../core/format.ts'
import { type Gap, reasonOf } from '../core/gap.ts'
import type { ReportProgress } from '../core/progress.ts'

/** The log entries for an event. */
export function describeReading(progress: ReportProgress, jobRef: JobRef): LogEntry[] {
  switch (progress.type) {
    case 'list-read': {
      const { list, period, gap } = progress
      const of = `the ${list} of ${rangeText(period)}`
      return [info(gap === null ? `Read ${of}.` : `Could not read ${of}: ${reason(gap, jobRef)}`)]
    }
    case 'pages':
      // A response takes about a second, so a line for each would hide the other lines.
      return progress.requests % 20 === 0
        ? [info(`${rangeText(progress.period)}: ${counted(progress.pages, 'page')} so far.`)]
        : []
    case 'period-read': {
      const { period, pages, gap } = progress
      const rest = gap === null ? '.' : `, not all of them: ${reason(gap, jobRef)}`
      return [info(`Read ${rangeText(period)}: ${counted(pages, 'page')}${rest}`)]
    }
    case 'reread':
      return [info(`The totals of ${rangeText(progress.period)} changed during the read. Reading again.`)]
    default:
      return describe(progress, jobRef)
  }
}

function reason(gap: Gap, jobRef: JobRef): string {
  return gap.why === 'failed' ? explain(gap.problem, jobRef).what : `${reasonOf(gap)}.`
}
