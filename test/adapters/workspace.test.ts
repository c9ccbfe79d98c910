import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createWorkspace } from '../../src/adapters/files.ts'
import { temporaryFolder } from '../running.ts'

/** A workspace next to the runner's temporary folder, where actions/checkout leaves a token. */
function aWorkspace() {
  const root = temporaryFolder()
  const [folder, temp] = [join(root, 'work'), join(root, 'temp')]
  for (const each of [folder, temp]) mkdirSync(each)
  writeFileSync(join(temp, 'git-credentials.config'), 'AUTHORIZATION: basic x')
  return { folder, temp, workspace: createWorkspace(folder, [temp]) }
}

const outside = { ok: false, fault: { kind: 'outside' } }

it('a link from the workspace to the temporary folder is not followed', async () => {
  const { folder, temp, workspace } = aWorkspace()
  symlinkSync(join(temp, 'git-credentials.config'), join(folder, 'prompt.md'))
  symlinkSync(temp, join(folder, 'linked'))
  expect(await workspace.readText('prompt-file', 'prompt.md')).toMatchObject(outside)
  expect(await workspace.readText('prompt-file', 'linked/git-credentials.config')).toMatchObject(outside)
  expect(await workspace.readMatching('context-files', ['prompt.md'])).toMatchObject(outside)
})

it('a prompt in the temporary folder can be read by its own path', async () => {
  const { temp, workspace } = aWorkspace()
  writeFileSync(join(temp, 'prompt.md'), 'Fix it')
  const read = await workspace.readText('prompt-file', join(temp, 'prompt.md'))
  expect(read).toEqual({ ok: true, value: 'Fix it' })
})

it('an absolute path is rejected only if it leads out of the workspace', async () => {
  const { folder, workspace } = aWorkspace()
  writeFileSync(join(folder, 'prompt.md'), 'Fix it')
  writeFileSync(join(folder, '..', 'secret.md'), 'x')
  const read = (path: string) => workspace.readText('prompt-file', path)
  expect(await read(join(folder, 'prompt.md'))).toEqual({ ok: true, value: 'Fix it' })
  expect(await read(join(folder, '..', 'secret.md'))).toMatchObject(outside)
})

it('a name that begins with a dot is left out if an exclusion matches it', async () => {
  const { folder, workspace } = aWorkspace()
  mkdirSync(join(folder, '.github'))
  for (const name of ['a.md', 'b.yml']) writeFileSync(join(folder, '.github', name), 'text')
  const read = await workspace.readMatching('context-files', ['.github/*', '!**/*.yml'])
  expect(read).toMatchObject({ ok: true, value: [{ path: '.github/a.md' }] })
})
