/** A sample; test/steps/examples.test.ts runs every example. */
import { expect, it } from 'vitest'
import { runStep } from '../../sandbox/runner/step.ts'
import { examples, runExample } from '../steps/examples-world.ts'

// No other test of the bundle starts from a label or a release.
it.concurrent.each(['label.yml', 'release.yml'])('the example %s runs', async (name) => {
  const [, event, outcome] = examples.find(([example]) => example === name) ?? []
  if (event === undefined) throw new Error(`There is no ${name}`)
  expect(await runExample(name, event, runStep)).toEqual({ outcome, log: [] })
})
