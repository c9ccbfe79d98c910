/** Samples; test/steps/examples.test.ts runs every example. */
import { expect, it } from 'vitest'
import { runStep } from '../../sandbox/runner/step.ts'
import { examples, runExample } from '../steps/examples-world.ts'

const samples = examples.filter(([name]) => ['command-reusable.yml', 'openapi.yml'].includes(name))

it.concurrent.each(samples)('%s runs', async (name, event, outcome) => {
  expect(await runExample(name, event, runStep)).toEqual({ outcome, log: [] })
})
