/**
 * The hidden mark in a report's comment: which period it reports, in which series. It is signed, so that nobody who may
 * comment can make one, and bound to its comment's id, so that a copy elsewhere is worth nothing.
 */
import type { Sign } from '../../core/mark.ts'
import { reportMark } from '../../core/report-comment.ts'
import { type Thread, threadName } from '../../core/thread.ts'
import { lengthOf, type Period } from './period.ts'
import type { Filter } from './report.ts'

export interface ReportMark {
  period: Period
  /** The comment's id; 0 until the edit that follows the post. */
  comment: number
}

/** What signatures are made with: reports of one series follow each other, and no other comment is touched. */
export interface Series {
  thread: Thread
  name: string
  sign: Sign
}

/** Weekly and monthly reports, projects and filters have series of their own. */
export function seriesName(projectId: string, period: Period, filter: Filter): string {
  return JSON.stringify([
    projectId,
    period.isMonth ? 'month' : lengthOf(period),
    filter.include,
    filter.exclude,
  ])
}

export function writeReportMark({ period: { from, to }, comment }: ReportMark, series: Series): string {
  const signature = signatureOf(from, to, comment, series)
  return `<!-- docs-agent-report:1:${from}:${to}:${comment}:${signature} -->`
}

/** The mark at the end of a comment, if it belongs to the series and to this comment or to none yet. */
export function readReportMark(comment: { id: number; body: string }, series: Series): ReportMark | null {
  const [, from = '', to = '', bound = '', signature] = reportMark.exec(comment.body) ?? []
  const id = Number(bound)
  if (signature === undefined || (id !== comment.id && id !== 0)) return null
  return signature === signatureOf(from, to, id, series) ? { period: { from, to }, comment: id } : null
}

function signatureOf(from: string, to: string, comment: number, { thread, name, sign }: Series): string {
  return sign(JSON.stringify(['visitors report', threadName(thread), name, from, to, comment]))
}
