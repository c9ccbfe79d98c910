import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeBetween as between, rounded } from '../../../src/visitors/core/change.ts'
import { percentText } from '../../../src/visitors/core/format.ts'
import { lengthOf } from '../../../src/visitors/core/period.ts'

const changeBetween = (now: number, before: number, scale = 1) => between(now, before, scale)

describe('a change', () => {
  it.each([
    [110, 100, 0.1],
    [92, 100, -0.08],
    [200, 100, 1],
    [0, 100, -1],
    [100, 100, 0],
    [1, 3, -0.6667],
    [2, 3, -0.3333],
    [99_999, 100_000, 0],
    [100_001, 100_000, 0],
    [99_994, 100_000, -0.0001],
    [1_000_000, 1, 999_999],
    [0.5, 0.25, 1],
    [5, 0, null],
    [0, 0, null],
    [-3, 6, -1.5],
    [3, -6, 1.5],
  ])('a change to %d from %d is %s', (current, previous, change) => {
    // `toBe` distinguishes -0 from 0.
    expect(rounded(changeBetween(current, previous).fraction)).toBe(change)
  })

  it('a change has at most four decimals, and no negative zero', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 1_000_000 }), (current, previous) => {
        const change = rounded(changeBetween(current, previous).fraction) ?? Number.NaN
        expect(change).toBe(Number(change.toFixed(4)))
        expect(Object.is(change, -0)).toBe(false)
        expect(Math.abs(change - (current - previous) / previous)).toBeLessThanOrEqual(0.000_050_1)
      }),
    )
  })
})

describe('the difference', () => {
  it.each([
    // 3√(a + b) is 9 for 0 and 9, and 30 for 35 and 65. The limit itself is not beyond noise.
    [0, 9, false],
    [0, 10, true],
    [35, 65, false],
    [35, 66, true],
    [1000, 1100, false],
    [1000, 1200, true],
    [0, 0, false],
    [500, 500, false],
  ])('the difference between %d and %d is beyond noise: %s', (one, other, is) => {
    expect(changeBetween(one, other).direction !== 'level').toBe(is)
    expect(changeBetween(other, one).direction !== 'level').toBe(is)
  })
})

describe('the direction of a change', () => {
  it.each([
    [1_300, 1_000, 'up', false],
    [700, 1_000, 'down', false],
    [1_050, 1_000, 'level', false],
    [75, 100, 'level', true],
    [2, 1, 'level', true],
    [40, 5, 'up', false],
    [12, 0, 'up', false],
    [5, 0, 'level', true],
    [0, 1_000, 'down', false],
    [0, 5, 'level', true],
    [5, 5, 'level', false],
    [0, 0, 'level', false],
    [499, 470, 'level', true],
    [500, 470, 'level', false],
    // Beyond noise, but under 0.1%.
    [1_000_040_000_000, 1_000_000_000_000, 'level', false],
  ])(
    'the direction of a change is right: %d now, %d before, %s, small numbers: %s',
    (now, then, direction, isSmall) => {
      expect(changeBetween(now, then)).toMatchObject({ direction, isSmall })
    },
  )

  it('the direction of a change never contradicts the percentage shown', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), fc.nat(2_000_000), (now, then) => {
        const change = changeBetween(now, then)
        const text = percentText(change)
        if (change.direction === 'up') expect(text).toMatch(/^\+.*[1-9]|^new$/)
        if (change.direction === 'down') expect(text).toMatch(/^\u2212.*[1-9]/)
        if (text === '0.0%') expect(change).toMatchObject({ direction: 'level', isSmall: false })
      }),
    )
  })
})

describe('periods of unequal length', () => {
  const october = { from: '2026-10-01', to: '2026-11-01' }
  const september = { from: '2026-09-01', to: '2026-10-01' }

  it('periods of unequal length are compared by their daily averages', () => {
    const scale = lengthOf(october) / lengthOf(september)
    expect(changeBetween(3_100, 3_000, scale)).toMatchObject({
      fraction: expect.closeTo(0, 9),
      direction: 'level',
      before: 3_000,
    })
    expect(rounded(changeBetween(3_000, 3_000, scale).fraction)).toBe(-0.0323)
    expect(rounded(changeBetween(6_200, 3_000, scale).fraction)).toBe(1)
  })
})
