/** Every workflow of examples/ runs at the first try. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { examples, runExample } from './examples-world.ts'
import { runStep } from './run.ts'

it('every example has a row', () => {
  const inFleets = ['rollout.yml', 'visitors-hours.yml'] // fleets.test.ts
  const withoutSteps = ['stale.yml'] // It runs no step of this project.
  const names = [...new Set([...examples.map(([name]) => name), ...inFleets, ...withoutSteps])].toSorted()
  expect(names).toEqual(readdirSync(join(projectDir, 'examples')).toSorted())
})

it.each(examples)('%s runs', async (name, event, outcome) => {
  expect(await runExample(name, event, runStep)).toEqual({ outcome, log: [] })
})
