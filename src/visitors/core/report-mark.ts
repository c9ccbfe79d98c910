/** The hidden mark in a report's comment: its series and period. It is signed, so that commenters cannot make one. */
import * as z from 'zod/mini'
import { fingerprint, type Sign } from '../../core/mark.ts'
import { decode, encode, markTail, readTail } from '../../core/mark-codec.ts'
import { type Thread, threadName } from '../../core/thread.ts'
import { lengthOf, type Period } from './period.ts'

const schema = z.object({ series: z.string(), from: z.string(), to: z.string() })

type ReportMark = z.infer<typeof schema>

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

/** The mark for the end of a comment. */
export function writeReportMark({ from, to }: Period, { thread, name, sign }: Series): string {
  const text = encode({ series: name, from, to } satisfies ReportMark)
  return markTail('docs-agent-report', text, sign(signedText(text, thread)))
}

/** The period of a report of this series; null for any other comment. */
export function readReportMark(body: string, { thread, name, sign }: Series): Period | null {
  const tail = readTail('docs-agent-report', body)
  if (tail === null || tail.signature !== sign(signedText(tail.text, thread))) return null
  const { data: mark } = schema.safeParse(decode(tail.text))
  return mark?.series === name ? { from: mark.from, to: mark.to } : null
}

function signedText(text: string, thread: Thread): string {
  return `visitors report\n${threadName(thread)}\n${text}`
}
