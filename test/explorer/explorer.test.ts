/** The short searches. `npm run explore` explores all budgets. */
import { expect, it } from 'vitest'
import { play, scenarios } from './scenarios.ts'

const searches = scenarios.flatMap((scenario) => scenario.budgets.map((budget) => ({ scenario, budget })))

it.each(searches)('$scenario.name: $budget', async ({ scenario, budget }) => {
  const { broken } = await play(scenario, budget)
  expect(broken).toBeNull()
})
