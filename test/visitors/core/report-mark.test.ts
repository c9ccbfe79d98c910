import { describe, expect, it } from 'vitest'
import { namedPeriod } from '../../../src/visitors/core/period.ts'
import {
  periodName,
  readReportMark,
  seriesName,
  writeReportMark,
} from '../../../src/visitors/core/report-mark.ts'
import { reportIn, series, signWith, thread, week } from './report-mark-samples.ts'

describe('a mark', () => {
  it('a mark contains the period, and ignores the case of the repository’s name', () => {
    expect(readReportMark(reportIn(), series)).toBe(periodName(week))
    const other = { thread: { ...thread, repository: 'acme/DOCS' } }
    expect(readReportMark(reportIn(other), series)).toBe(periodName(week))
  })

  it.each<[string, string]>([
    ['copied from another issue', reportIn({ thread: { ...thread, number: 70 } })],
    ['signed with another key', reportIn({ sign: signWith('other') })],
    ['of another series', reportIn({ name: 'monthly' })],
    ['that was edited', edited(reportIn())],
    ['followed by more text', `${reportIn()}\nand more`],
    ['that is not JSON', '<!-- docs-agent-report:2:AAAA:x -->'],
    ['that is missing', '# Report'],
  ])('a mark %s is not read', (_, body) => {
    expect(readReportMark(body, series)).toBeNull()
  })

  it('a mark is short, because GitHub mails it', () => {
    expect(writeReportMark(week, { ...series, name: 'a1b2c3d4' }).length).toBeLessThan(200)
  })
})

/** A mark whose content was changed after it was signed. */
function edited(body: string): string {
  return body.replace(
    /(report:2:)([^:]+)/,
    (_, head, text) => `${head}${btoa(atob(text).replace('2026-11-09', '2026-11-02'))}`,
  )
}

it('weeks, months, projects and lists of paths each have their own series', () => {
  const names = [
    seriesName('docs', namedPeriod('last-week', '2026-11-16'), []),
    seriesName('docs', namedPeriod('last-28-days', '2026-03-01'), []),
    seriesName('docs', namedPeriod('last-month', '2026-03-01'), []),
    seriesName('other', namedPeriod('last-week', '2026-11-16'), []),
    seriesName('docs', namedPeriod('last-week', '2026-11-16'), ['/a']),
    seriesName('docs', namedPeriod('last-week', '2026-11-16'), ['!/a']),
  ]
  expect(new Set(names).size).toBe(names.length)
  expect(seriesName('docs', namedPeriod('last-week', '2026-11-09'), [])).toBe(names[0])
  expect(seriesName('docs', namedPeriod('last-month', '2026-08-01'), [])).toBe(names[2])
})
