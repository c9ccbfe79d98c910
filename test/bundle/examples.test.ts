/** A sample; test/steps/examples.test.ts runs every example. */
import { expect, it } from 'vitest'
import { runStep } from '../../sandbox/runner/step.ts'
import { examples, runExample } from '../steps/examples-world.ts'

// No other test of the bundle starts from a label.
const name = 'label.yml'

it(`the example ${name} runs`, async () => {
  const [, event, outcome] = examples.find(([example]) => example === name) ?? []
  if (event === undefined) throw new Error(`There is no ${name}`)
  expect(await runExample(name, event, runStep)).toEqual({ outcome, log: [] })
})
