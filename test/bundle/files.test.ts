import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bodyOf, detached, workspaceWith } from '../steps/files-world.ts'
import { runBundle } from './run.ts'

it.concurrent('a prompt-file of 5 MB is sent whole', async () => {
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

// test/steps/files.test.ts covers every kind of file.
it.concurrent('context-files are appended under their paths, and a link out of the workspace is rejected', async () => {
  const workspace = workspaceWith({ 'docs/b.md': 'b\n', 'docs/a.md': 'a\n', '.git/config': 'token\n' })
  const inputs = { ...detached, prompt: 'Fix it', 'context-files': '**' }
  const run = await runBundle(inputs, {}, { workspace })
  expect(bodyOf(run).match(/^### .*$/gm)).toEqual(['### docs/a.md', '### docs/b.md'])

  symlinkSync(process.execPath, join(workspace, 'c.md'))
  const refused = await runBundle(inputs, {}, { workspace })
  expect(refused.outputs.outcome).toBe('error')
  expect(refused.text).toContain('`c.md` is outside the workspace')
  expect(refused.platform.requests).toEqual([])
})
