import { describe, expect, it } from 'vitest'
import { parseJob } from '../../../src/core/job/job.ts'
import { readTail } from '../../../src/core/mark-codec.ts'
import { namedPeriod } from '../../../src/visitors/core/period.ts'
import { readReportMark, seriesName, writeReportMark } from '../../../src/visitors/core/report-mark.ts'
import { reportIn, series, sign, signWith, suggestion, thread } from './suggestions/samples.ts'

describe('a mark', () => {
  it.each([
    [3, true],
    [0, false],
  ])('a mark with the comment ID %d is read in comment 3; bound: %s', (at, isBound) => {
    const body = reportIn(3, { at, suggestions: [suggestion({ quotes: ['Schlüssel 鍵 “x”'] })] }).body
    expect(readTail('docs-agent-report', body)).not.toBeNull()
    expect(readReportMark({ id: 3, body }, series)).toMatchObject({
      mark: { at, from: '2026-11-09', suggestions: [{ key: 's-1f3a9c', quotes: ['Schlüssel 鍵 “x”'] }] },
      isSigned: true,
      isBound,
    })
  })

  it('a mark is read with the longest link that a job can have', () => {
    const prLink = `https://github.com/${'x'.repeat(1_981)}`
    expect(parseJob({ id: 'job_1', prLink })?.prLink).toBe(prLink)
    const state = { is: 'pull-request', by: null, url: prLink } as const
    const { body } = reportIn(3, { suggestions: [suggestion({ state })] })
    expect(readReportMark({ id: 3, body }, series)?.mark.suggestions[0]?.state).toEqual(state)
  })

  it("a mark's signature ignores the case of the repository's name", () => {
    const { body } = reportIn(3, {}, { thread: { ...thread, repository: 'acme/DOCS' } })
    expect(readReportMark({ id: 3, body }, series)?.isSigned).toBe(true)
  })

  it.each<[string, string]>([
    ['copied from another issue', reportIn(3, {}, { thread: { ...thread, number: 70 } }).body],
    ['signed with another key', reportIn(3, {}, { sign: signWith('other') }).body],
    ['that was edited', edited(reportIn(3).body, (text) => text.replace('/guides/keys', '/guides/evil'))],
    [
      'with the ID of the comment that it was copied to',
      edited(reportIn(4).body, (text) => text.replace('"at":4', '"at":3')),
    ],
  ])('a mark %s has no valid signature', (_, body) => {
    expect(readReportMark({ id: 3, body }, series)?.isSigned).toBe(false)
  })

  it.each<[string, string]>([
    ['copied from another comment', reportIn(4).body],
    ['followed by more text', `${reportIn(3).body}\nand more`],
    ['that is not JSON', '<!-- docs-agent-report:2:AAAA:x -->'],
    ['with an invalid suggestion', edited(reportIn(3).body, (text) => text.replace('s-1f3a9c', 'S-1'))],
    ['that is missing', '# Report'],
  ])('a mark %s is not read', (_, body) => {
    expect(readReportMark({ id: 3, body }, series)).toBeNull()
  })

  it('a mark that is too long for a comment drops measured, open and dismissed suggestions before merged ones', () => {
    const long = 'x'.repeat(120)
    const url = 'https://github.com/acme/docs/pull/1'
    const states = [
      { is: 'open' },
      { is: 'dismissed', by: 'mona' },
      { is: 'merged', by: 'mona', url, on: '2026-10-10' },
      { is: 'measured', by: 'mona', url, on: '2026-10-10', result: { is: 'gone' } },
    ] as const
    const suggestions = Array.from({ length: 200 }, (_, at) =>
      suggestion({
        key: `s-${String(at).padStart(6, '0')}`,
        quotes: [long, long],
        state: states[at % 4] ?? states[0],
      }),
    )
    const { body } = reportIn(3, { suggestions })
    expect(body.length).toBeLessThan(21_000)
    const kept = readReportMark({ id: 3, body }, series)?.mark.suggestions ?? []
    expect(kept.length).toBeGreaterThan(10)
    expect(new Set(kept.map(({ state }) => state.is))).toEqual(new Set(['merged']))
  })
})

/** A mark whose content was changed after it was signed. */
function edited(body: string, change: (text: string) => string): string {
  return body.replace(/(report:2:)([^:]+)/, (_, head, text) => `${head}${btoa(change(atob(text)))}`)
}

it('weeks, months, projects and filters each have their own series', () => {
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

it('a mark without suggestions is short, because GitHub mails it', () => {
  const mark = {
    at: 0,
    from: '2026-11-09',
    to: '2026-11-16',
    series: 'a1b2c3d4',
    project: 'a1b2c3d4',
    suggestions: [],
  }
  expect(writeReportMark(mark, { thread, sign }).length).toBeLessThan(260)
})
