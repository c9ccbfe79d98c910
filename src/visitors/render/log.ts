/** The log while a report is read. */
import type { LogEntry } from '../../core/progress.ts'
import { describe, info } from '../../render/log.ts'
import type { JobRef } from '../../render/problem.ts'
import { counted, rangeText } from '../core/figures.ts'
import type { ReportProgress } from '../core/progress.ts'
import { listNames, missingReason } from './missing.ts'

/** The log entries for an event. */
export function describeReading(progress: ReportProgress, jobRef: JobRef): LogEntry[] {
  switch (progress.type) {
    case 'list-read':
      return [
        info(
          `Read the ${listNames[progress.list]} of ${rangeText(progress.period)}: ${counted(progress.seen, 'row')}${progress.hasMore ? ', and there are more' : ''}.`,
        ),
      ]
    case 'list-missing':
      return [info(`Could not read the ${listNames[progress.list]}: ${missingReason(progress.gap)}.`)]
    case 'pages':
      // A response takes about a second, so a line for each would hide the other lines.
      return progress.requests % 20 === 0
        ? [info(`${rangeText(progress.period)}: ${counted(progress.pages, 'page')} so far.`)]
        : []
    case 'period-read': {
      const rest = progress.isComplete ? '' : ', not all of them'
      return [info(`Read ${rangeText(progress.period)}: ${counted(progress.pages, 'page')}${rest}.`)]
    }
    case 'reread':
      return [info(`The totals of ${rangeText(progress.period)} changed during the read. Reading again.`)]
    default:
      return describe(progress, jobRef)
  }
}
