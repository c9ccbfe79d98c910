import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createReportFolder, createWorkspace } from '../../src/adapters/files.ts'
import { temporaryFolder } from '../running.ts'

/** A workspace, the runner's temporary folder, where actions/checkout leaves a token, and a folder that must stay unchanged. */
let root: string
let workspace: string

beforeEach(() => {
  root = realpathSync(temporaryFolder())
  workspace = join(root, 'work')
  for (const name of ['work/.git', 'work/.github', 'temp', 'outside'])
    mkdirSync(join(root, name), { recursive: true })
  for (const name of [
    'temp/prompt',
    'outside/victim',
    'work/file',
    'work/.git/config',
    'work/.github/a.md',
    'work/.github/b.yml',
  ])
    writeFileSync(join(root, name), name)
  const links = {
    out: '../outside',
    chain: 'out',
    'to-temp': '../temp',
    git: '.git',
    inside: '.github',
    prompt: '../temp/prompt',
    dangling: '../outside/new',
    loop: 'loop',
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(workspace, name))
})

const at = (path: string) => path.replace('ROOT', root)
const folders = () => [workspace, join(root, 'temp')] as const

describe('reading', () => {
  const read = (path: string) => createWorkspace(folders()).readText('prompt-file', at(path))

  it.each(['file', '.github/../file', 'ROOT/work/file', 'inside/a.md', 'ROOT/temp/prompt'])(
    '%s is read',
    async (path) => {
      expect(await read(path)).toEqual({ ok: true, value: expect.stringMatching(/^(work|temp)/) })
    },
  )

  it.each([
    [
      'outside',
      [
        '../outside/victim',
        'ROOT/outside/victim',
        'ROOT/outside/missing',
        'out/victim',
        'chain/victim',
        'prompt',
        'to-temp/prompt',
        '.git/config',
        '.GIT/config',
        'git/config',
      ],
    ],
    ['missing', ['nowhere', 'dangling', 'file/below']],
    ['not-a-file', ['.github']],
    ['unreadable', ['loop']],
  ])('a path is rejected as %s: %j', async (kind, paths) => {
    for (const path of paths) expect(await read(path)).toMatchObject({ ok: false, fault: { kind } })
  })

  it('a name that begins with a dot is left out if an exclusion matches it', async () => {
    const found = await createWorkspace([workspace]).readMatching('context-files', ['.github/*', '!**/*.yml'])
    expect(found).toMatchObject({ ok: true, value: [{ path: '.github/a.md' }] })
    expect(await createWorkspace(folders()).readMatching('context-files', ['prompt'])).toMatchObject({
      ok: false,
      fault: { kind: 'outside' },
    })
  })
})

describe('writing', () => {
  const folderOf = (path: string) => createReportFolder(at(path), folders())
  const report = (path = '.') => folderOf(path).write('a.csv', ['a', 'b'])
  const faultOf = (kind: string, path: string) => ({
    ok: false,
    fault: { kind, input: 'report-dir', path: at(path) },
  })
  const written = () => readFileSync(join(workspace, 'a.csv'), 'utf8')

  it.each([
    ['.', 'work'],
    ['a/b', 'work/a/b'],
    ['x/../reports', 'work/reports'],
    ['ROOT/work/reports', 'work/reports'],
    ['ROOT/temp/reports', 'temp/reports'],
    ['..reports/.github', 'work/..reports/.github'],
    ['inside/sub', 'work/.github/sub'],
  ])('a report is written to %s', async (path, real) => {
    expect(await folderOf(path).open()).toEqual({ ok: true, value: undefined })
    expect(await report(path)).toMatchObject({ ok: true, value: expect.stringMatching(/a\.csv$/) })
    expect(readFileSync(join(root, real, 'a.csv'), 'utf8')).toBe('ab')
  })

  it.each([
    '..',
    '../new',
    'a/../../new',
    'ROOT/outside',
    'ROOT/work-2',
    '/',
    'out',
    'out/sub',
    'chain',
    '.git',
    '.GIT/new',
    'a/.git/b',
    'git',
    'to-temp',
    'to-temp/new',
  ])('the folder %s is rejected, and nothing is written', async (path) => {
    expect(await folderOf(path).open()).toEqual(faultOf('outside', path))
    expect((await report(path)).ok).toBe(false)
    expect(['outside', 'temp', 'work/.git'].flatMap((folder) => readdirSync(join(root, folder)))).toEqual([
      'victim',
      'prompt',
      'config',
    ])
  })

  it.each(['file', 'file/sub', 'dangling', 'dangling/sub', 'loop', 'a\0b'])(
    'a folder that cannot be created is a fault: %j',
    async (path) => {
      expect(await folderOf(path).open()).toEqual(faultOf('unwritable', path))
      expect(readdirSync(join(root, 'outside'))).toEqual(['victim'])
    },
  )

  it('a file completely replaces an earlier one, at any size and in any pieces', async () => {
    const chunks = Array.from(
      { length: 60_000 },
      (_, index) => `/päge/${index},😀,${'x'.repeat(index % 90)}\n`,
    )
    await folderOf('.').write('a.csv', [...chunks, 'y'.repeat(300_000)])
    // toBe would print the whole difference.
    expect(written() === `${chunks.join('')}${'y'.repeat(300_000)}`).toBe(true)
    await report()
    expect(written()).toBe('ab')
  })

  it.each(['a.csv', 'a.csv.partial'])(
    'a link with the name %s is replaced, and never written through',
    async (name) => {
      symlinkSync('../outside/victim', join(workspace, name))
      expect(await report()).toMatchObject({ ok: true })
      expect([lstatSync(join(workspace, 'a.csv')).isFile(), written()]).toEqual([true, 'ab'])
      expect(readFileSync(join(root, 'outside/victim'), 'utf8')).toBe('outside/victim')
    },
  )

  it.each(['a.csv', 'a.csv.partial'])(
    'a folder with the name %s is a fault, and no partial file is left',
    async (name) => {
      mkdirSync(join(workspace, name))
      const before = readdirSync(workspace)
      expect(await report()).toEqual(faultOf('unwritable', '.'))
      expect(readdirSync(workspace)).toEqual(before)
    },
  )

  it('an unexpected error is thrown, and leaves no partial file', async () => {
    const chunks = (function* () {
      yield 'x'.repeat(100_000)
      throw new TypeError('a defect')
    })()
    const before = readdirSync(workspace)
    await expect(folderOf('.').write('a.csv', chunks)).rejects.toThrow('a defect')
    expect(readdirSync(workspace)).toEqual(before)
  })
})
