import { describe, expect, it } from 'vitest'
import type { Thread } from '../../../src/core/thread.ts'
import { namedPeriod } from '../../../src/visitors/core/period.ts'
import {
  readReportMark,
  type Series,
  seriesName,
  writeReportMark,
} from '../../../src/visitors/core/report-mark.ts'

const thread: Thread = { repository: 'Acme/Docs', number: 7, isPullRequest: false, reviewRoot: null }
const series: Series = {
  thread,
  name: 'weekly',
  sign: (text) => btoa(text).replace(/[+/=]/g, '_').slice(-100),
}
const period = { from: '2026-11-09', to: '2026-11-16' }
const bodyOf = (comment: number, more: Partial<Series> = {}) =>
  `# Report\n\n${writeReportMark({ period, comment }, { ...series, ...more })}`

describe('a mark', () => {
  it.each([3, 0])('bound to comment %d is read in comment 3', (comment) => {
    expect(readReportMark({ id: 3, body: bodyOf(comment) }, series)).toEqual({ period, comment })
  })

  it('is the same however the repository is spelled', () => {
    const body = bodyOf(3, { thread: { ...thread, repository: 'acme/DOCS' } })
    expect(readReportMark({ id: 3, body }, series)).not.toBeNull()
  })

  it.each<[string, string]>([
    ['copied from another comment', bodyOf(4)],
    ['of another issue', bodyOf(3, { thread: { ...thread, number: 70 } })],
    ['of another series', bodyOf(3, { name: 'monthly' })],
    ['signed with another key', bodyOf(3, { sign: () => 'forged' })],
    ['with another period', bodyOf(3).replace('2026-11-09', '2026-11-02')],
    ['with another id', bodyOf(4).replace(':4:', ':3:')],
    ['followed by more text', `${bodyOf(3)}\nand more`],
    ['missing', '# Report'],
  ])('%s is not read', (_, body) => {
    expect(readReportMark({ id: 3, body }, series)).toBeNull()
  })
})

it('weeks, months, projects and filters are series of their own', () => {
  const none = { include: [], exclude: [] }
  const names = [
    seriesName('docs', namedPeriod('last-week', '2026-11-16'), none),
    seriesName('docs', namedPeriod('last-28-days', '2026-03-01'), none),
    seriesName('docs', namedPeriod('last-month', '2026-03-01'), none),
    seriesName('other', namedPeriod('last-week', '2026-11-16'), none),
    seriesName('docs', namedPeriod('last-week', '2026-11-16'), { include: ['/a'], exclude: [] }),
    seriesName('docs', namedPeriod('last-week', '2026-11-16'), { include: [], exclude: ['/a'] }),
  ]
  expect(new Set(names).size).toBe(names.length)
  expect(seriesName('docs', namedPeriod('last-week', '2026-11-09'), none)).toBe(names[0])
  expect(seriesName('docs', namedPeriod('last-month', '2026-08-01'), none)).toBe(names[2])
})
