/**
 * The hidden mark in a report's comment: its period, its series, and what is known about suggestions. It is signed, so
 * that commenters cannot make one, and bound to the comment's id, so that copies have no effect.
 */
import * as z from 'zod/mini'
import { fingerprint, type Sign } from '../../core/mark.ts'
import { reportMark } from '../../core/report-comment.ts'
import { type Thread, threadName } from '../../core/thread.ts'
import { lengthOf, type Period } from './period.ts'
import type { Filter } from './report.ts'
import { type Remembered, remembered } from './suggestions/memory.ts'

const schema = z.object({
  /** The comment's id; 0 until the edit that follows the post. */
  at: z.int(),
  from: z.string(),
  to: z.string(),
  /** See `seriesName` and `projectName`. */
  series: z.string(),
  project: z.string(),
  suggestions: z.array(remembered),
})

/** The fields of a report's mark. */
export type ReportMark = z.infer<typeof schema>

/** What identifies a series and signs its marks. The reports of a series follow each other, and no other comments are changed. */
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

/** Maximum length of a mark, in Base64 characters: a comment on GitHub holds 65,536. */
const longestText = 20_000

/** What to drop first if the record is too long; within a state, the oldest first. */
const dropped: readonly Remembered['state']['is'][] = [
  'measured',
  'open',
  'dismissed',
  'asked',
  'merged',
  'pull-request',
]

/** The mark for the end of a comment. */
export function writeReportMark(mark: ReportMark, { thread, sign }: Pick<Series, 'thread' | 'sign'>): string {
  const text = btoa(JSON.stringify(mark).replace(/[^\0-\x7F]/g, escaped))
  if (text.length > longestText && mark.suggestions.length > 0) {
    const rank = ({ state, raised }: Remembered) => `${dropped.indexOf(state.is)} ${raised}`
    const first = mark.suggestions.reduce((one, other) => (rank(other) < rank(one) ? other : one))
    const suggestions = mark.suggestions.filter((each) => each !== first)
    return writeReportMark({ ...mark, suggestions }, { thread, sign })
  }
  return `<!-- docs-agent-report:2:${text}:${sign(signedText(text, thread))} -->`
}

function signedText(text: string, thread: Thread): string {
  return `visitors report\n${threadName(thread)}\n${text}`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The mark at the end of a comment, if it names this comment or is not bound yet. */
export function readReportMark(
  comment: { id: number; body: string },
  { thread, sign }: Pick<Series, 'thread' | 'sign'>,
): { mark: ReportMark; isSigned: boolean; isBound: boolean } | null {
  const [, text = '', signature] = reportMark.exec(comment.body.slice(-21_000)) ?? []
  if (signature === undefined) return null
  const { data: mark } = schema.safeParse(parse(text))
  if (mark === undefined || (mark.at !== 0 && mark.at !== comment.id)) return null
  return { mark, isSigned: signature === sign(signedText(text, thread)), isBound: mark.at === comment.id }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(atob(text))
  } catch {
    return undefined
  }
}
