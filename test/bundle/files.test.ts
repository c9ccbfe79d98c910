import { expect, it } from 'vitest'
import { bodyOf, detached, workspaceWith } from '../steps/files-world.ts'
import { runBundle } from './run.ts'

it.concurrent('a prompt-file of 5 MB is sent completely', async () => {
  const text = 'Rewrite this line.\n'.repeat(5_000_000 / 19)
  const run = await runBundle(
    { ...detached, 'prompt-file': 'long.md' },
    {},
    { workspace: workspaceWith({ 'long.md': text }) },
  )
  expect(run.outputs.outcome).toBe('detached')
  expect(bodyOf(run)).toBe(text.trim())
  expect(run.rawStdout.length).toBeLessThan(200_000)
  expect(run.summary.length).toBeLessThan(200_000)
})
