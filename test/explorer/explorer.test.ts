/** The first budget of each scenario. `npm run explore` explores all of them. */
import { expect, it } from 'vitest'
import { play, scenarios } from './scenarios.ts'

it.each(scenarios)('$name', async (scenario) => {
  const { broken } = await play(scenario)
  expect(broken).toBeNull()
})
