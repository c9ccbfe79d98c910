import { symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bodyOf, detached, workspaceWith } from './files-world.ts'
import { runAlone } from './run.ts'

it('context-files are appended under their paths, in order, and binary and missing files are listed', async () => {
  const workspace = workspaceWith({
    'docs/b.md': 'second\n',
    'docs/a.md': 'first ```\n',
    'docs/logo.png': Buffer.from([0x89, 0x50, 0, 1]),
    'docs/draft.md': 'not this\n',
    '.git/config': 'token = secret\n',
  })
  const inputs = { prompt: 'Fix it', 'context-files': 'docs/**\n!docs/draft.md\n.git/*' }
  const run = await runAlone({ ...detached, ...inputs }, {}, { workspace })
  expect(bodyOf(run)).toMatchSnapshot()
  expect(run.text).toContain('docs/logo.png (binary)')
})

it('context over the limit is cut at the end of a line, and the prompt, log and summary say so', async () => {
  const workspace = workspaceWith({ 'a.md': 'two\n'.repeat(256 * 256 + 1), 'b.md': 'never\n' })
  const inputs = { prompt: 'Fix it', 'context-files': '*.md' }
  const run = await runAlone({ ...detached, ...inputs }, {}, { workspace })
  expect(bodyOf(run)).toContain('two\n```')
  expect(bodyOf(run)).not.toContain('never')
  expect(bodyOf(run)).toContain('b.md (over the context limit of 256 KiB)')
  expect(run.text).toContain('b.md: over the context limit of 256 KiB')
  expect(run.summary).toContain('`b.md`: over the context limit')
})

it('a link that leads outside the workspace is rejected', async () => {
  const workspace = workspaceWith({ 'a.md': 'a\n' })
  symlinkSync(process.execPath, join(workspace, 'b.md'))
  const run = await runAlone({ prompt: 'x', 'context-files': '*.md' }, {}, { workspace })
  expect(run.outputs.outcome).toBe('error')
  expect(run.text).toContain('`b.md` is outside the workspace')
  expect(run.platform.requests).toEqual([])
})

it.each([
  ['context-files', { prompt: 'x', 'context-files': '*.md' }],
  ['prompt-file', { 'prompt-file': '.git/config' }],
])('.git, where checkout leaves a token, is never read: %s', async (_, inputs) => {
  const workspace = workspaceWith({ '.git/config': 'extraheader = AUTHORIZATION\n' })
  symlinkSync('.git/config', join(workspace, 'notes.md'))
  const run = await runAlone({ ...detached, ...inputs }, {}, { workspace })
  expect(run.outputs.outcome).toBe('error')
  expect(run.text).not.toContain('AUTHORIZATION')
  expect(run.platform.requests).toEqual([])
})

it('a file that is not UTF-8 is listed as binary, and does not count against the limit', async () => {
  const workspace = workspaceWith({ 'a.md': Buffer.from('caf\xe9', 'latin1'), 'b.md': 'whole\n' })
  const run = await runAlone({ ...detached, prompt: 'x', 'context-files': '*.md' }, {}, { workspace })
  expect(bodyOf(run)).toContain('whole')
  expect(run.text).toContain('a.md (binary)')
})

it('a prompt-file of 8 GiB is rejected before it is read', async () => {
  const workspace = workspaceWith({ 'huge.md': '' })
  truncateSync(join(workspace, 'huge.md'), 8 * 1024 ** 3)
  const run = await runAlone({ 'prompt-file': 'huge.md' }, {}, { workspace })
  expect(run.outputs.outcome).toBe('error')
  expect(run.text).toContain('`prompt-file`: `huge.md` is larger than 8.0 MiB')
  expect(run.platform.requests).toEqual([])
})

it('`context-files: **` appends every file, but no folders and nothing in .git', async () => {
  const workspace = workspaceWith({ 'a.md': 'a\n', 'docs/b.md': 'b\n', '.git/config': 'token\n' })
  const run = await runAlone({ ...detached, prompt: 'x', 'context-files': '**' }, {}, { workspace })
  expect(bodyOf(run).match(/^### .*$/gm)).toEqual(['### a.md', '### docs/b.md'])
})

it('a warning reports globs that match nothing', async () => {
  const run = await runAlone(
    { ...detached, prompt: 'x', 'context-files': 'docz/**' },
    {},
    { workspace: workspaceWith({}) },
  )
  expect(run.text).toContain('`context-files` matches no file')
})
