import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type Change,
  changeBetween,
  changeText,
  percentText,
  plainPercent,
  rounded,
  shareText,
} from '../../../src/visitors/core/figures.ts'

it.each<[number, number, number | null, Change['direction'], string]>([
  [1_300, 1_000, 0.3, 'up', '▲\u00A0+30.0% from 1,000'],
  [0, 436, -1, 'down', '▼\u00A0\u2212100.0% from 436'],
  [50, 0, null, 'up', '▲\u00A0new'],
  [5, 0, null, 'level', 'new'],
  [0, 0, null, 'level', '–'],
  [1_004, 1_000, 0.004, 'level', '+0.4% from 1,000'],
  [500, 500, 0, 'level', '0.0% from 500'],
  [1, 3, -0.6667, 'level', '\u221266.7% from 3'],
  [99_999, 100_000, 0, 'level', '0.0% from 100,000'],
  [1_000_000, 1, 999_999, 'up', '▲\u00A0+99,999,900.0% from 1'],
  [0.5, 0.25, 1, 'level', '+100.0% from 0.25'],
  [-3, 6, -1.5, 'level', '\u2212150.0% from 6'],
  [3, -6, 1.5, 'level', '+150.0% from \u22126'],
  // 3√(a + b) is 9 for 0 and 9, and 30 for 35 and 65. The limit itself may be chance.
  [65, 35, 0.8571, 'level', '+85.7% from 35'],
  [66, 35, 0.8857, 'up', '▲\u00A0+88.6% from 35'],
  [35, 66, -0.4697, 'down', '▼\u00A0\u221246.9% from 66'],
  // Beyond chance, but under 0.1%.
  [1_000_040_000_000, 1_000_000_000_000, 0, 'level', '0.0% from 1,000,000,000,000'],
  // Never rounded up to a whole percent.
  [800_004, 1_000_000, -0.2, 'down', '▼\u00A0\u221219.9% from 1,000,000'],
  [2, 10_000, -0.9998, 'down', '▼\u00A0\u221299.9% from 10,000'],
  // These are slightly off in binary fractions.
  [1_290, 1_000, 0.29, 'up', '▲\u00A0+29.0% from 1,000'],
  [9_300, 10_000, -0.07, 'down', '▼\u00A0\u22127.0% from 10,000'],
])('the change to %d from %d is %s, %s, and reads %s', (now, before, fraction, direction, text) => {
  const change = changeBetween(now, before, 1)
  expect(`${rounded(change)}`).toBe(`${fraction}`)
  expect([change.direction, changeText(change)]).toEqual([direction, text])
})

it('the direction of a change never contradicts the percentage shown', () => {
  fc.assert(
    fc.property(fc.nat(2_000_000), fc.nat(2_000_000), (now, then) => {
      const change = changeBetween(now, then, 1)
      const text = percentText(change)
      if (change.direction === 'up') expect(text).toMatch(/^\+.*[1-9]|^new$/)
      if (change.direction === 'down') expect(text).toMatch(/^\u2212.*[1-9]/)
      if (text === '0.0%') expect(change.direction).toBe('level')
    }),
  )
})

it.each([
  [3_100, 3_000, 0, 'level'],
  [3_000, 3_000, -0.0323, 'level'],
  [6_200, 3_000, 1, 'up'],
])('in a month of 31 days, %d after %d in 30 days is a change of %d', (now, before, fraction, direction) => {
  const change = changeBetween(now, before, 31 / 30)
  expect([rounded(change), change.direction, change.before]).toEqual([fraction, direction, before])
})

it.each([
  [0.2592, '25.9%', '25.92%'],
  [0, '0.0%', '0%'],
  [1.2, '120.0%', '120%'],
  [0.0007, '0.1%', '0.07%'],
  [-0.2, '\u221220.0%', '\u221220%'],
])('the share %d is %s, and the threshold %s', (fraction, share, threshold) => {
  expect([shareText(fraction), plainPercent(fraction)]).toEqual([share, threshold])
})
