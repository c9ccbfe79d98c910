import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextPoll } from '../../../src/core/job/schedule.ts'

const middle = 0.5
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('the next poll', () => {
  it.each([
    [0, 0, 15_000],
    [5_000, 0, 10_000],
    [15_000, 0, 0],
    [60_000, 0, 0],
    [15_000, 1, 5_000],
    [499_000, 40, 5_000],
    [500_000, 40, 5_000],
    [600_000, 41, 6_000],
    [3_600_000, 99, 36_000],
  ])('the next poll of a job (age: %i ms, polls so far: %i) is in %i ms', (age, reads, wait) => {
    expect(nextPoll('auto', age, reads, middle)).toBe(wait)
  })

  it('the wait for the next poll varies by up to a tenth', () => {
    expect(nextPoll('auto', 0, 0, 0)).toBe(13_500)
    expect(nextPoll('auto', 0, 0, 1)).toBe(16_500)
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 432_000_000 }),
        fc.integer({ min: 1, max: 9999 }),
        random,
        (age, reads, chance) => {
          const wait = Math.max(5_000, age / 100)
          const actual = nextPoll('auto', age, reads, chance)
          expect(Math.abs(actual - wait)).toBeLessThanOrEqual(wait / 10 + 0.5)
        },
      ),
    )
  })

  it('the next poll comes exactly after the fixed interval, even the first one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 86_400_000 }),
        fc.nat(),
        fc.nat(99),
        random,
        (interval, age, reads, chance) => {
          expect(nextPoll(interval, age, reads, chance)).toBe(interval)
        },
      ),
    )
  })
})
