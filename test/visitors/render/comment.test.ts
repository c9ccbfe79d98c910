/** The report as a comment, on GitHub and in GitHub's mail. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeReportMark } from '../../../src/visitors/core/report-mark.ts'
import { reportComment } from '../../../src/visitors/render/comment.ts'
import { runs } from '../../core/samples.ts'
import { elements, links, mentions, render, textOf } from '../../render/github.ts'
import { anySample, aReport, budget, counts, failedWith, page, type Sample } from './samples.ts'

const runUrl = 'https://github.com/acme/docs/actions/runs/1'
const commentOf = (more: Partial<Sample> = {}) => reportComment(aReport(more), runUrl)

/** The comment as it is posted, and as GitHub mails it. */
function mailOf(more: Partial<Sample> = {}): string {
  const thread = { repository: 'acme/docs', number: 7, isPullRequest: false, reviewRoot: null }
  const dates = { from: '2026-11-09', to: '2026-11-16' }
  const series = { thread, name: '1a2b3c4d', sign: () => 'signature' }
  return `${commentOf(more)}\n\n${writeReportMark(dates, series)}`
}

const monday: Partial<Sample> = {
  totals: counts(6_000, 2_400, 8_079),
  compared: { totals: counts(5_900, 2_100, 7_694), gap: null },
  pages: [
    page('/api-reference/webhooks', 634, 264),
    page('/guides/migrate-to-v3', 114, 341),
    page('/guides/authentication', null, 444),
    page('/guides/sign-in', 438, null),
    ...Array.from({ length: 9 }, (_, at) => page(`/sdks/p${at}/install`, 100 + at, 300)),
  ],
}

describe("Monday's mail", () => {
  it("Monday's mail is easy to read as plain text", () => {
    expect(mailOf(monday)).toMatchSnapshot()
  })

  it("Monday's mail is easy to read with an alert and missing pages", () => {
    const compared = { totals: counts(1_180, 257, 1_402), gap: failedWith('Too many requests') }
    expect(mailOf({ totals: counts(900, 402, 1_251), gap: budget, compared })).toMatchSnapshot()
  })

  it("Monday's mail has fewer than 15 lines, whatever happened", () => {
    fc.assert(
      fc.property(anySample, (more) => {
        expect(mailOf(more).split('\n').length).toBeLessThan(15)
      }),
      runs(40),
    )
  })
})

describe('the comment', () => {
  it('the comment names each change once', () => {
    const text = commentOf(monday)
    for (const path of ['/api-reference/webhooks', '/guides/migrate-to-v3', '/sdks/p0/install'])
      expect(text.split(`\`${path}\``)).toHaveLength(2)
    expect(text).toMatch(/Also changed: .*, and 7 more\.\n/)
  })

  it('the comment links only to the run, if it is known, and mentions no one', () => {
    fc.assert(
      fc.property(anySample, (more) => {
        const tree = render(commentOf(more))
        expect(links(tree)).toEqual([runUrl])
        expect(mentions(tree)).toEqual([])
        expect(elements(tree).filter((name) => !['h3', 'p', 'strong', 'code', 'a'].includes(name))).toEqual(
          [],
        )
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not appear
        expect(textOf(tree)).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u200B\u202E]/)
      }),
      runs(40),
    )
    expect(links(render(reportComment(aReport(), '')))).toEqual([])
  })
})
