import { describe, expect, test } from 'vitest'
import {
  changeText,
  compactText,
  counted,
  countText,
  dayText,
  fractionText,
  momentText,
  plainPercent,
  rangeText,
  shareText,
  shortRangeText,
  signedText,
} from '../../../src/visitors/core/figures.ts'

test.each([
  [0, '0'],
  [1_203, '1,203'],
  [0.4, '0'],
  [-0.3, '0'],
  [1_234_567.8, '1,234,568'],
  [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
])('the number %d is shown as %s', (value, text) => {
  expect(countText(value)).toBe(text)
})

test.each([
  [312, '+312'],
  [-40, '\u221240'],
  [0, '0'],
  [-0, '0'],
  [-0.3, '0'],
  [-12_345, '\u221212,345'],
])('the difference %s is shown as %s', (value, text) => {
  expect(signedText(value)).toBe(text)
})

test.each([
  [0.1234, 5, '+12.3%'],
  [-0.04, 5, '\u22124.0%'],
  [0.0456, 5, '+4.6%'],
  [0, 5, '0.0%'],
  [-0.0004, 5, '0.0%'],
  [-1, 0, '\u2212100.0%'],
  [23.456, 5, '+2,345.6%'],
  // Never rounded up to a whole percent.
  [-0.199996, 5, '\u221219.9%'],
  [-0.9998, 1, '\u221299.9%'],
  [0.00995, 5, '+0.9%'],
  // These are slightly off in binary fractions.
  [0.29, 5, '+29.0%'],
  [-0.07, 5, '\u22127.0%'],
  [null, 5, 'new'],
  [null, 0, '–'],
])('the change %s, with %d visitors now, is shown as %s', (fraction, now, text) => {
  expect(changeText({ fraction, now })).toBe(text)
})

test('a fine-grained change has two decimals', () => {
  expect(fractionText(-0.0725, true)).toBe('\u22127.25%')
  expect(fractionText(-0.00069, true)).toBe('\u22120.07%')
})

test.each([
  [0.2592, '25.9%'],
  [0, '0.0%'],
  [1, '100.0%'],
  [1.2, '120.0%'],
  [null, '–'],
])('the share %s is shown as %s', (share, text) => {
  expect(shareText(share)).toBe(text)
})

test.each([
  [0.2, '20%'],
  [0.0007, '0.07%'],
  [1, '100%'],
])('the threshold %d is shown as %s', (value, text) => {
  expect(plainPercent(value)).toBe(text)
})

test('a count has its noun in singular or plural', () => {
  expect([counted(1, 'page'), counted(0, 'page'), counted(1_203, 'page')]).toEqual([
    '1 page',
    '0 pages',
    '1,203 pages',
  ])
})

test('an axis has short numbers', () => {
  expect([compactText(950), compactText(1_200), compactText(25_000_000)]).toEqual(['950', '1.2K', '25M'])
})

describe('dates', () => {
  test.each([
    ['2026-11-09', '2026-11-16', 'Nov 9–15, 2026', 'Nov 9–15'],
    ['2026-11-09', '2026-11-10', 'Nov 9, 2026', 'Nov 9'],
    ['2026-10-26', '2026-11-02', 'Oct 26 – Nov 1, 2026', 'Oct 26 – Nov 1'],
    ['2026-11-01', '2026-12-01', 'Nov 1–30, 2026', 'Nov 1–30'],
    ['2025-12-29', '2026-01-05', 'Dec 29, 2025 – Jan 4, 2026', 'Dec 29, 2025 – Jan 4, 2026'],
    ['2025-12-31', '2026-01-01', 'Dec 31, 2025', 'Dec 31'],
    ['2024-02-01', '2024-03-01', 'Feb 1–29, 2024', 'Feb 1–29'],
  ])('the dates from %s up to, but not including, %s are shown as %s', (from, to, text, short) => {
    expect(rangeText({ from, to })).toBe(text)
    // Across years, Intl adds the years on its own.
    expect(shortRangeText({ from, to })).toBe(short)
  })

  test('dates look the same on any runner', () => {
    expect(dayText('2026-11-09')).toBe('Nov 9')
    expect(momentText(Date.UTC(2026, 10, 16, 6, 12))).toBe('Nov 16, 2026, 06:12 UTC')
  })
})
