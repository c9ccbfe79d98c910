/** The hidden mark in a report's comment: its series and period. It is signed, so that commenters cannot make one. */
import { decode, encode, fingerprint, markTail, readTail, type Sign } from '../../core/mark.ts'
import { type Thread, threadName } from '../../core/thread.ts'
import { lengthOf, type Period } from './period.ts'

/** A series of reports on an issue. A report only changes comments of its own series. */
export interface Series {
  thread: Thread
  /** See `seriesName`. */
  name: string
  sign: Sign
}

/** The name of a series. Weekly and monthly reports, projects and lists of paths each have their own. */
export function seriesName(projectId: string, period: Period, paths: readonly string[]): string {
  const length = period.isMonth ? 'month' : lengthOf(period)
  return fingerprint(JSON.stringify([projectId, length, paths]))
}

/** A period's name in marks. */
export const periodName = ({ from, to }: Period) => `${from} ${to}`

/** The mark for the end of a comment. */
export function writeReportMark(period: Period, series: Series): string {
  const text = encode([series.name, periodName(period)])
  return markTail('docs-agent-report', text, signature(text, series))
}

/** The name of the period of a report of this series; null for any other comment. */
export function readReportMark(body: string, series: Series): string | null {
  const tail = readTail('docs-agent-report', body)
  if (tail === null || tail.signature !== signature(tail.text, series)) return null
  const [name, period] = decode(tail.text) as string[]
  return name === series.name ? (period ?? null) : null
}

function signature(text: string, { thread, sign }: Series): string {
  return sign(`visitors report\n${threadName(thread)}\n${text}`)
}
