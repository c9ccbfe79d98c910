/** Small budgets. `npm run explore` has larger ones. */
import { expect, it } from 'vitest'
import { invariants } from './judge.ts'
import { play, scenarios } from './scenarios.ts'

it.each(scenarios.filter(({ fails }) => fails === undefined))('$name', async (scenario) => {
  const { broken } = await play(scenario)
  expect(broken).toBeNull()
})

it.each(scenarios.flatMap(({ fails, ...scenario }) => (fails === undefined ? [] : [{ ...scenario, fails }])))(
  'breaks: $name',
  async (scenario) => {
    const { broken } = await play(scenario)
    expect(broken?.invariant).toBe(invariants[scenario.fails])
  },
)
