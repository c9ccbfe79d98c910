/** Each action in its own folder starts the same bundle in its mode. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { runStep } from '../../sandbox/runner/step.ts'
import { inputsFor, platformFor } from '../service.ts'

it.concurrent('the action in visitors/ writes the report', async () => {
  const platform = await platformFor()
  const actionDir = join(projectDir, 'visitors')
  const run = await runStep({ actionDir, with: inputsFor(platform.url, 'visitors') })
  expect([run.outputs.outcome, run.exitCode, run.postExitCode]).toEqual(['reported', 0, 0])
})

it.concurrent('the action in settle/ settles, and says which inputs it does not have', async () => {
  const platform = await platformFor()
  const actionDir = join(projectDir, 'settle')
  const run = await runStep({ actionDir, with: { ...inputsFor(platform.url, 'settle'), prompt: 'Fix it.' } })
  expect(run.annotations.map(({ text }) => text)).toContain("Unexpected input 'prompt'")
  // Without a token, there is nothing to settle.
  expect(run.outputs.outcome).toBe('error')
})
