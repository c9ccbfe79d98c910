import { describe, expect, it } from 'vitest'
import { failable, failsStep, outcomes } from '../../src/core/outcome.ts'

describe('a step', () => {
  it.each(outcomes)(
    'that ends %s is red without fail-on only where nothing can be done about it',
    (outcome) => {
      expect(failsStep(outcome, new Set())).toBe(['unconfirmed', 'error', 'cancelled'].includes(outcome))
    },
  )

  it.each(failable)('that ends %s is red where fail-on names it, and for that alone', (outcome) => {
    expect(failsStep(outcome, new Set([outcome]))).toBe(true)
    expect(failsStep(outcome, new Set(failable.filter((other) => other !== outcome)))).toBe(false)
  })

  it.each(['pull-request', 'detached', 'skipped', 'dry-run'] as const)(
    'that ends %s is green whatever fail-on says',
    (outcome) => {
      expect(failsStep(outcome, new Set(failable))).toBe(false)
    },
  )
})
