import { describe, expect, test } from 'vitest'
import { changeBetween } from '../../../src/visitors/core/change.ts'
import {
  changeText,
  counted,
  countText,
  fractionText,
  percentText,
  plainPercent,
  rangeText,
  shareText,
  startText,
} from '../../../src/visitors/core/format.ts'

test.each([
  [0, '0'],
  [1_203, '1,203'],
  [12.5, '12.5'],
  [-0.25, '\u22120.25'],
  [-40, '\u221240'],
  [1_234_567.891, '1,234,567.89'],
  [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
])('the number %d is shown as %s', (value, text) => {
  expect(countText(value)).toBe(text)
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
  expect(percentText({ ...changeBetween(now, 1, 1), fraction })).toBe(text)
})

test.each([
  [1_300, 1_000, '▲\u00A0+30.0% from 1,000'],
  [0, 436, '▼\u00A0\u2212100.0% from 436'],
  [50, 0, '▲\u00A0new'],
  [0, 0, '–'],
  [1_004, 1_000, '+0.4% from 1,000'],
  [75, 100, '\u221225.0% from 100 (small numbers)'],
])('the change to %d from %d is shown as %s', (now, before, text) => {
  expect(changeText(changeBetween(now, before, 1))).toBe(text)
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

describe('dates', () => {
  test.each([
    ['2026-11-09', '2026-11-16', 'Nov 9–15, 2026'],
    ['2026-11-09', '2026-11-10', 'Nov 9, 2026'],
    ['2026-10-26', '2026-11-02', 'Oct 26 – Nov 1, 2026'],
    ['2026-11-01', '2026-12-01', 'Nov 1–30, 2026'],
    ['2025-12-29', '2026-01-05', 'Dec 29, 2025 – Jan 4, 2026'],
    ['2025-12-31', '2026-01-01', 'Dec 31, 2025'],
    ['2024-02-01', '2024-03-01', 'Feb 1–29, 2024'],
  ])('the dates from %s up to, but not including, %s are shown as %s', (from, to, text) => {
    expect(rangeText({ from, to })).toBe(text)
  })

  test('dates look the same on any runner', () => {
    expect(startText({ from: '2026-11-09', to: '2026-11-16' })).toBe('Nov 9')
    expect(rangeText({ from: '2026-11-16T06:12Z', to: '2026-11-17' })).toBe(
      'Nov 16, 2026, 06:12 UTC – Nov 17, 2026, 00:00 UTC',
    )
  })
})
