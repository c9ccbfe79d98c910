import { describe, expect, it } from 'vitest'
import { Budget } from '../../../src/visitors/core/budget.ts'

describe('the budget', () => {
  it('the budget gives as many requests as it has, and counts only those', () => {
    const budget = new Budget(2)
    expect([budget.take(), budget.take(), budget.take(), budget.take()]).toEqual([true, true, false, false])
    expect(budget).toMatchObject({ used: 2, limit: 2 })
  })

  it.each([
    [1, 0],
    [2, 0],
    [3, 1],
    [5, 1],
    [40, 13],
    [10_000, 3333],
  ])('the budget of %i allows the compared period %i early requests', (limit, early) => {
    expect(new Budget(limit).early).toBe(early)
  })
})
