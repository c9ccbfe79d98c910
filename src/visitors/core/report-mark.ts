/**
 * The hidden mark in a report's comment: its period, its series, and what is known about suggestions. It is signed, so
 * that commenters cannot make one, and bound to the comment's id, so that copies have no effect.
 */
import * as z from 'zod/mini'
import { fingerprint, type Sign } from '../../core/mark.ts'
import { decode, encode, markTail, maxMarkLength, readTail } from '../../core/mark-codec.ts'
import { type Thread, threadName } from '../../core/thread.ts'
import { lengthOf, type Period } from './period.ts'
import type { Filter } from './report.ts'
import { type KnownSuggestion, remembered, type State } from './suggestions/known.ts'

const schema = z.object({
  /** The comment's id; 0 until the edit right after the comment is posted. */
  at: z.int(),
  from: z.string(),
  to: z.string(),
  /** See `seriesName` and `projectName`. */
  series: z.string(),
  project: z.string(),
  suggestions: z.array(remembered),
})

export type ReportMark = z.infer<typeof schema>

/** A series of reports. Each report continues the previous one, and only changes comments of its own series. */
export interface Series {
  thread: Thread
  name: string
  /** See `projectName`. */
  project: string
  sign: Sign
}

/** The name of a series. Weekly and monthly reports, projects and filters each have their own. */
export function seriesName(projectId: string, period: Period, { include, exclude }: Filter): string {
  const length = period.isMonth ? 'month' : lengthOf(period)
  return fingerprint(JSON.stringify([projectId, length, include, exclude]))
}

/** If the mark is too long, suggestions are dropped in this order of states. Within a state, the oldest go first. */
const dropped: State['is'][] = ['measured', 'open', 'dismissed', 'asked', 'merged', 'pull-request']

/** The mark for the end of a comment. Drops suggestions until it is short enough. */
export function writeReportMark(mark: ReportMark, { thread, sign }: Pick<Series, 'thread' | 'sign'>): string {
  const text = encode(mark)
  if (text.length > maxMarkLength && mark.suggestions.length > 0) {
    const rank = ({ state, raised }: KnownSuggestion) => `${dropped.indexOf(state.is)} ${raised}`
    const first = mark.suggestions.reduce((one, other) => (rank(other) < rank(one) ? other : one))
    const suggestions = mark.suggestions.filter((each) => each !== first)
    return writeReportMark({ ...mark, suggestions }, { thread, sign })
  }
  return markTail('docs-agent-report', text, sign(signedText(text, thread)))
}

function signedText(text: string, thread: Thread): string {
  return `visitors report\n${threadName(thread)}\n${text}`
}

/** The mark at the end of a comment; null unless it names this comment or is not bound yet. */
export function readReportMark(
  comment: { id: number; body: string },
  { thread, sign }: Pick<Series, 'thread' | 'sign'>,
): { mark: ReportMark; isSigned: boolean; isBound: boolean } | null {
  const tail = readTail('docs-agent-report', comment.body)
  if (tail === null) return null
  const { text, signature } = tail
  const { data: mark } = schema.safeParse(decode(text))
  if (mark === undefined || (mark.at !== 0 && mark.at !== comment.id)) return null
  return { mark, isSigned: signature === sign(signedText(text, thread)), isBound: mark.at === comment.id }
}
