/** The log while a report is read. */
import type { LogEntry } from '../../core/progress.ts'
import { describe, info } from '../../render/log.ts'
import { rejectionText } from '../../render/problem/github.ts'
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
    case 'pulls-unread':
      return [describeUnread(progress)]
    case 'pulls-cut':
      return [
        info(
          "The report leaves out the agent's pull requests: GitHub listed more comments than this action reads.",
        ),
      ]
    default:
      return describe(progress, jobRef)
  }
}

/** A missing permission is probably intended, so it is not a warning. */
function describeUnread({ rejection }: Extract<ReportProgress, { type: 'pulls-unread' }>): LogEntry {
  if (rejection.kind === 'permission')
    return info("The report leaves out the agent's pull requests: the job lacks `pull-requests: read`.")
  const text = `Could not read the agent's pull requests (${rejectionText(rejection)}).\nThe report leaves them out.`
  return { level: 'warning', title: 'Pull requests missing', text }
}
