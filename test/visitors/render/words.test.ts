/** Sentences about what a report lacks, and its notes. */
import { describe, expect, it } from 'vitest'
import type { Gap } from '../../../src/visitors/core/report.ts'
import { plainHeadline } from '../../../src/visitors/render/headline.ts'
import { gapSentences, notesOf, reason, verdict } from '../../../src/visitors/render/words.ts'
import { jobRef } from '../../render/samples.ts'
import { aReport, budget, failedWith, nobody } from './samples.ts'

describe('what is missing', () => {
  it('the verdict is the headline, followed by what is missing from each period', () => {
    const report = aReport({ gap: budget, compared: { totals: nobody, gap: { why: 'moving' } } })
    const lacking = [
      'Not all pages of Nov 9–15, 2026 were read: all 40 requests allowed by max-requests are used up.',
      'Not all pages of Nov 2–8, 2026 were read: the totals kept changing while the pages were read.',
    ]
    expect(gapSentences(report, jobRef)).toEqual(lacking)
    expect(verdict(report, jobRef)).toBe(`${plainHeadline(report)} ${lacking.join(' ')}`)
    expect(verdict(aReport(), jobRef)).toBe(plainHeadline(aReport()))
  })

  it('the report says that nothing is compared if the previous period could not be read', () => {
    expect(gapSentences(aReport({ compared: budget }), jobRef)).toEqual([
      'Nothing is compared, because Nov 2–8, 2026 could not be read: all 40 requests allowed by max-requests are used up.',
    ])
    expect(gapSentences(aReport(), jobRef)).toEqual([])
  })

  it.each<[Gap, number, string]>([
    [budget, 1_000, 'all 1,000 requests allowed by max-requests are used up'],
    [budget, 1, 'the one request allowed by max-requests is used up'],
    [{ why: 'timeout' }, 40, 'the timeout was reached'],
    [{ why: 'moving' }, 40, 'the totals kept changing while the pages were read'],
    [{ why: 'shifting' }, 40, 'the order of the pages kept changing while the list was being read'],
    [{ why: 'empty-page' }, 40, 'Mintlify announced more pages but sent none'],
    [{ why: 'offset-ignored' }, 40, 'Mintlify sent the same pages again and again'],
  ])('the gap %j with a limit of %d has a reason in words', (gap, limit, text) => {
    expect(reason(gap, limit, jobRef)).toBe(text)
  })

  it('a rejected request gives its explanation as the reason', () => {
    expect(reason(failedWith('no.'), 40, jobRef)).toMatch(/\(403\): “no”$/)
  })
})

describe('the notes', () => {
  it('the notes define AI readers, and say how changes are marked, if there are any', () => {
    expect(notesOf(aReport()).join(' ')).toMatch(
      /AI readers are AI tools, .*One IP address counts as one visitor\./,
    )
    expect(notesOf(aReport()).join(' ')).toContain('small numbers')
    expect(notesOf(aReport({ compared: budget })).join(' ')).not.toContain('small numbers')
  })

  it('the notes say that `paths` does not narrow the totals, if it is set', () => {
    const said = 'The input “paths” narrows the lists of pages, not the totals.'
    expect(notesOf(aReport())).not.toContain(said)
    expect(notesOf(aReport({ paths: ['!/x'] }))).toContain(said)
  })
})
