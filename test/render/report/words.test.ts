/** Figures, dates and the verdict as people read them. */
import { describe, expect, it, test } from 'vitest'
import type { Gap } from '../../../src/core/visitors/report.ts'
import {
  change,
  date,
  dateRange,
  difference,
  gapSentences,
  mainSentence,
  number,
  periodBefore,
  points,
  reason,
  share,
  shortDate,
  verdict,
  wholeShare,
} from '../../../src/render/report/words.ts'
import { jobRef as place } from '../samples.ts'
import { aReport, budget, counts, failedWith, nobody, type Sample } from './samples.ts'

test.each([
  [0, '0'],
  [1_203, '1,203'],
  [0.4, '0'],
  [1_234_567.8, '1,234,568'],
  [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
])('the number %d is %s', (value, text) => {
  expect(number(value)).toBe(text)
})

test.each([
  [312, '+312'],
  [-40, '\u221240'],
  [0, '0'],
  [-0, '0'],
  [-0.3, '0'],
  [-12_345, '\u221212,345'],
])('the difference %d is %s, with a real minus sign', (value, text) => {
  expect(difference(value)).toBe(text)
})

test.each([
  [0.1234, true, '+12.3%'],
  [-0.04, true, '\u22124%'],
  [0, true, '0%'],
  [-0.0004, true, '0%'],
  [-1, false, '\u2212100%'],
  [23.456, true, '+2,345.6%'],
  [null, true, 'new'],
  [null, false, '–'],
])('the change %d, with visitors now: %s, is %s', (fraction, isThere, text) => {
  expect(change(fraction, isThere)).toBe(text)
})

test.each([
  [0.2592, '25.9%', '26%'],
  [0, '0%', '0%'],
  [1, '100%', '100%'],
  [1.2, '120%', '120%'],
])('the share %d is %s, or in short %s', (fraction, text, short) => {
  expect(share(fraction)).toBe(text)
  expect(wholeShare(fraction)).toBe(short)
})

test('of nobody there is no share', () => {
  expect(share(null)).toBe('–')
})

test.each([
  [0.259, 0.183, '+7.6 points'],
  [0.1, 0.2, '\u221210 points'],
  [0.2, 0.2, '0 points'],
  [null, 0.2, '–'],
  [0.2, null, '–'],
])('from the share %d to %d it is %s', (now, then, text) => {
  expect(points(now, then)).toBe(text)
})

describe('dates', () => {
  test.each([
    ['2026-11-09', '2026-11-16', '9–15 Nov 2026'],
    ['2026-11-09', '2026-11-10', '9 Nov 2026'],
    ['2026-10-26', '2026-11-02', '26 Oct – 1 Nov 2026'],
    ['2026-11-01', '2026-12-01', '1–30 Nov 2026'],
    ['2025-12-29', '2026-01-05', '29 Dec 2025 – 4 Jan 2026'],
    ['2025-12-31', '2026-01-01', '31 Dec 2025'],
    ['2024-02-01', '2024-03-01', '1–29 Feb 2024'],
    ['2026-02-23', '2026-03-02', '23 Feb – 1 Mar 2026'],
  ])('from %s to before %s are %s', (from, to, text) => {
    expect(dateRange({ from, to })).toBe(text)
  })

  test('of a day are the same wherever the runner is', () => {
    expect([shortDate('2026-11-09'), date('2026-11-09')]).toEqual(['9 Nov', '9 Nov 2026'])
  })

  test.each([
    ['2026-11-09', '2026-11-16', 'the week before'],
    ['2026-11-09', '2026-11-10', 'the day before'],
    ['2026-10-01', '2026-11-01', 'the 31 days before'],
  ])('before those from %s to %s are %s', (from, to, text) => {
    expect(periodBefore({ from, to })).toBe(text)
  })
})

describe('the verdict', () => {
  const compared = (human: number, ai: number, total = human + ai) => ({
    compared: { totals: counts(human, ai, total), gap: null },
  })
  const table: [name: string, sample: Partial<Sample>, sentence: string][] = [
    [
      'more',
      { totals: counts(1_300, 400, 1_650), ...compared(1_000, 250, 1_220) },
      '1,650 visitors, 35% more than the week before (1,220): 1,300 people (+30%), 400 AI readers (+60%).',
    ],
    [
      'fewer',
      { totals: counts(800, 250, 1_000), ...compared(1_000, 250, 1_220) },
      '1,000 visitors, 18% fewer than the week before (1,220): 800 people (\u221220%), 250 AI readers (steady).',
    ],
    [
      'about as many',
      { totals: counts(1_010, 250, 1_230), ...compared(1_000, 250, 1_220) },
      '1,230 visitors, about as many as the week before (1,220): 1,010 people (steady), 250 AI readers (steady).',
    ],
    [
      'so many that a little is more than noise, and still no percent',
      { totals: counts(10_030_000, 0), ...compared(10_000_000, 0) },
      '10,030,000 visitors, about as many as the week before (10,000,000): 10,030,000 people (steady), 0 AI readers.',
    ],
    [
      'none before',
      { totals: counts(12, 3, 14), ...compared(0, 0) },
      '14 visitors, after none in the week before: 12 people, 3 AI readers.',
    ],
    [
      'none now',
      { totals: nobody, ...compared(900, 100) },
      '0 visitors, 100% fewer than the week before (1,000): 0 people (\u2212100%), 0 AI readers (\u2212100%).',
    ],
    ['none at all', { totals: nobody, ...compared(0, 0) }, 'No visitors were counted in 9–15 Nov 2026.'],
    [
      'one',
      { totals: counts(1, 1, 1), ...compared(1, 1, 1) },
      '1 visitor, about as many as the week before (1): 1 person (steady), 1 AI reader (steady).',
    ],
    [
      'nothing compared',
      { totals: counts(700, 300, 950), compared: 'none' },
      '950 visitors: 700 people and 300 AI readers.',
    ],
    [
      'one, and nothing compared',
      { totals: counts(1, 0), compared: 'none' },
      '1 visitor: 1 person and 0 AI readers.',
    ],
    [
      'the period before not read',
      { totals: nobody, compared: budget },
      'No visitors were counted in 9–15 Nov 2026.',
    ],
    [
      'a month',
      {
        totals: counts(700, 300, 950),
        ...compared(400, 300, 600),
        period: { from: '2026-10-01', to: '2026-11-01' },
      },
      '950 visitors, 58% more than the 31 days before (600): 700 people (+75%), 300 AI readers (steady).',
    ],
  ]
  it.each(table)('on %s', (_, sample, sentence) => {
    expect(mainSentence(aReport(sample))).toBe(sentence)
    // Nothing compared that was asked for is a gap of its own.
    if (sample.compared !== budget) expect(verdict(aReport(sample), place)).toBe(sentence)
  })

  it('says what is missing, period by period', () => {
    const report = aReport({ gap: budget, compared: { totals: nobody, gap: { why: 'moving' } } })
    const lacking = [
      'Not all pages of 9–15 Nov 2026 were read: the 40 requests that max-requests allows were used up.',
      "Not all pages of 2–8 Nov 2026 were read: the platform's totals changed while its pages were read.",
    ]
    expect(gapSentences(report, place)).toEqual(lacking)
    expect(verdict(report, place)).toBe(`${mainSentence(report)} Incomplete: ${lacking.join(' ')}`)
  })

  it('says that the period before could not be read', () => {
    expect(gapSentences(aReport({ compared: budget }), place)).toEqual([
      '2–8 Nov 2026 could not be read: the 40 requests that max-requests allows were used up.',
    ])
    expect(gapSentences(aReport(), place)).toEqual([])
  })

  it.each<[Gap, number, string]>([
    [budget, 40, 'the 40 requests that max-requests allows were used up'],
    [budget, 1_000, 'the 1,000 requests that max-requests allows were used up'],
    [budget, 1, 'the 1 request that max-requests allows was used up'],
    [{ why: 'moving' }, 40, "the platform's totals changed while its pages were read"],
    [{ why: 'empty-page' }, 40, 'the platform said that there is more, and gave nothing'],
    [{ why: 'offset-ignored' }, 40, 'the platform gave the same pages again and again'],
    [failedWith('no.'), 40, 'The API key does not allow this (403): “no”'],
  ])('gives %j with a limit of %d as a reason', (gap, limit, text) => {
    expect(reason(gap, limit, place)).toBe(text)
  })
})
