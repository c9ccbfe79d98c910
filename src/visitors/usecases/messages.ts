/** The log while a report is read. Mintlify's own messages are only here, not in the report. */
import { info, type LogEntry } from '../../say/messages.ts'
import { counted, rangeText } from '../core/format.ts'
import { type Gap, type Missing, reasonOf } from '../core/gap.ts'
import type { Period } from '../core/period.ts'

/** The messages while a report is read. */
export const reading = {
  /** A response with pages was handled. A response takes about a second, so a line for each would hide the other lines. */
  pages: (period: Period, pages: number, requests: number): LogEntry[] =>
    requests % 20 === 0 ? [info(`${rangeText(period)}: ${counted(pages, 'page')} so far.`)] : [],
  periodRead(period: Period, pages: number, gap: Gap | null) {
    const rest = gap === null ? '.' : `, not all of them: ${causeOf(gap)}`
    return info(`Read ${rangeText(period)}: ${counted(pages, 'page')}${rest}`)
  },
  /** The totals changed while the pages were read. */
  reread: (period: Period) =>
    info(`The totals of ${rangeText(period)} changed during the read. Reading again.`),
  /** The first rows of a list of readers' words were read; `gap` says why not. */
  listRead(list: string, period: Period, gap: Missing | null) {
    const rows = `the ${list} of ${rangeText(period)}`
    return info(gap === null ? `Read ${rows}.` : `Could not read ${rows}: ${causeOf(gap)}`)
  },
}

function causeOf(gap: Gap): string {
  return gap.why === 'failed' ? gap.problem.what : `${reasonOf(gap)}.`
}
