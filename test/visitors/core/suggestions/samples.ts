/** Sample suggestions and marks. */
import { createHmac } from 'node:crypto'
import type { Sign } from '../../../../src/core/mark.ts'
import type { Thread } from '../../../../src/core/thread.ts'
import { type ReportMark, type Series, writeReportMark } from '../../../../src/visitors/core/report-mark.ts'
import type { KnownSuggestion } from '../../../../src/visitors/core/suggestions/known.ts'

export const thread: Thread = { repository: 'Acme/Docs', number: 7, isPullRequest: false, reviewRoot: null }

export const signWith =
  (key: string): Sign =>
  (text) =>
    createHmac('sha256', key).update(text).digest('base64url')

export const sign = signWith('key')

export const series: Series = { thread, name: 'weekly', project: 'docs', sign }

export const suggestion = (more: Partial<KnownSuggestion> = {}): KnownSuggestion => ({
  key: 's-1f3a9c',
  about: 'page',
  target: '/guides/keys',
  kind: 'questions',
  raised: '2026-10-05',
  task: 'Add answers to the questions that readers ask on /guides/keys. 7 went unanswered',
  quotes: ['How to rotate a key?'],
  state: { is: 'open' },
  ...more,
})

/** A report's comment. By default, its mark is bound to the comment. */
export function reportIn(id: number, more: Partial<ReportMark> = {}, by: Partial<Series> = {}) {
  const mark = {
    at: id,
    from: '2026-11-09',
    to: '2026-11-16',
    series: 'weekly',
    project: 'docs',
    suggestions: [suggestion()],
  }
  return { id, body: `# Report\n\n${writeReportMark({ ...mark, ...more }, { ...series, ...by })}` }
}
