/** The short searches. `npm run explore` explores all budgets. */
import { expect, it } from 'vitest'
import { play, scenarios } from './scenarios.ts'

const isSlow = process.env.STEPS === 'bundle'
const searches = scenarios.flatMap((scenario) => {
  const { budgets, longer = [] } = scenario
  return [...budgets, ...(isSlow ? longer : [])].map((budget) => ({ scenario, budget }))
})

it.each(searches)('$scenario.name: $budget', async ({ scenario, budget }) => {
  const { broken } = await play(scenario, budget)
  expect(broken).toBeNull()
})
