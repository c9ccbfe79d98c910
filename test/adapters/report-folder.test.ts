import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReportFolder } from '../../src/adapters/files.ts'

/** A writable workspace and temporary folder, next to a folder that must stay unchanged. */
let root: string
let workspace: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'report-folder-')))
  workspace = join(root, 'workspace')
  for (const name of ['workspace', 'temp', 'outside']) mkdirSync(join(root, name))
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

const folderOf = (path: string) =>
  createReportFolder(path.replace('ROOT', root), [workspace, join(root, 'temp')])
const faultOf = (kind: string, path: string) => ({
  ok: false,
  fault: { kind, input: 'report-dir', path: path.replace('ROOT', root) },
})
const opened = { ok: true, value: undefined }

/** Every path below the root, to prove that nothing was created elsewhere. */
const everything = () => readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted()

describe('the folder', () => {
  it.each([
    ['a folder', 'reports', 'workspace/reports'],
    ['nested folders', 'a/b/c', 'workspace/a/b/c'],
    ['the workspace', '.', 'workspace'],
    ['a path with a detour', 'x/../reports', 'workspace/reports'],
    ['an absolute path', 'ROOT/workspace/reports', 'workspace/reports'],
    ['the temporary folder', 'ROOT/temp/reports', 'temp/reports'],
    ['a name that begins with dots', '..reports/.github', 'workspace/..reports/.github'],
  ])('the folder is created and written to: %s', async (_, path, real) => {
    const folder = folderOf(path)
    expect(await folder.open()).toEqual(opened)
    expect(statSync(join(root, real)).isDirectory()).toBe(true)
    const target = join(root, real, 'visitors.csv')
    expect(await folder.write('visitors.csv', ['a', 'b'])).toEqual({ ok: true, value: target })
    expect(readFileSync(target, 'utf8')).toBe('ab')
  })

  it('an existing folder keeps its content', async () => {
    mkdirSync(join(workspace, 'reports'))
    writeFileSync(join(workspace, 'reports', 'other.txt'), 'other')
    expect(await folderOf('reports').open()).toEqual(opened)
    expect(readdirSync(join(workspace, 'reports'))).toEqual(['other.txt'])
  })

  it('the folder can be a link that stays inside the workspace', async () => {
    mkdirSync(join(workspace, 'real'))
    symlinkSync('real', join(workspace, 'link'))
    expect(await folderOf('link/sub').open()).toEqual(opened)
    expect(await folderOf('link/sub').write('a', ['x'])).toMatchObject({ ok: true })
    expect(readFileSync(join(workspace, 'real', 'sub', 'a'), 'utf8')).toBe('x')
  })

  it.each([
    '..',
    '../outside',
    '../new',
    'a/../../new',
    'ROOT/outside',
    'ROOT/new',
    'ROOT/workspace-2',
    'ROOT/workspace/../new',
    // Behind a folder that does not exist, “..” cannot be checked.
    'ROOT/workspace/new/../../new',
    '/',
    'out',
    'out/sub',
    'nested/out/sub',
    'chain',
    '.git',
    '.git/new',
    '.GIT/new',
    'a/.git/b',
    'to-temp',
    'to-temp/new',
  ])('the folder %s is rejected, and nothing is created', async (path) => {
    symlinkSync(join(root, 'outside'), join(workspace, 'out'))
    mkdirSync(join(workspace, 'nested'))
    symlinkSync('../../outside', join(workspace, 'nested', 'out'))
    symlinkSync('out', join(workspace, 'chain'))
    symlinkSync(join(root, 'temp'), join(workspace, 'to-temp'))
    const before = everything()
    expect(await folderOf(path).open()).toEqual(faultOf('outside', path))
    expect(everything()).toEqual(before)
  })

  it.each(['.git', '.git/hooks', 'link-to-git'])(
    'the folder is rejected if it is in an existing .git: %s',
    async (path) => {
      mkdirSync(join(workspace, '.git', 'hooks'), { recursive: true })
      symlinkSync('.git', join(workspace, 'link-to-git'))
      expect(await folderOf(path).open()).toEqual(faultOf('outside', path))
      expect(await folderOf(path).write('config', ['x'])).toEqual(faultOf('outside', path))
    },
  )

  it.each(['file', 'file/sub', 'dangling', 'dangling/sub', 'loop', 'a\0b'])(
    'a folder that cannot be created (%j) is a fault, and nothing is created',
    async (path) => {
      writeFileSync(join(workspace, 'file'), 'mine')
      symlinkSync(join(root, 'outside', 'new'), join(workspace, 'dangling'))
      symlinkSync('loop', join(workspace, 'loop'))
      const before = everything()
      expect(await folderOf(path).open()).toEqual(faultOf('unwritable', path))
      expect(everything()).toEqual(before)
      expect(readFileSync(join(workspace, 'file'), 'utf8')).toBe('mine')
    },
  )
})

describe('a file', () => {
  let reports: string

  beforeEach(() => {
    reports = join(workspace, 'reports')
    mkdirSync(reports)
  })

  const write = (...chunks: string[]) => folderOf('reports').write('visitors.csv', chunks)
  const written = () => readFileSync(join(reports, 'visitors.csv'), 'utf8')

  it('a file completely replaces an earlier one', async () => {
    await write('a long one')
    await write('short')
    expect([written(), readdirSync(reports)]).toEqual(['short', ['visitors.csv']])
  })

  it('a file without content is empty', async () => {
    expect(await write()).toMatchObject({ ok: true })
    expect(written()).toBe('')
  })

  it('a file is written completely, at any size and in any pieces', async () => {
    const chunks = Array.from({ length: 60_000 }, (_, at) => `/päge/${at},😀,${'x'.repeat(at % 90)}\n`)
    await write(...chunks, 'y'.repeat(300_000))
    // toBe would print the whole difference.
    expect(written() === `${chunks.join('')}${'y'.repeat(300_000)}`).toBe(true)
  })

  it.each(['visitors.csv', 'visitors.csv.partial'])(
    'a file replaces a link (%s) instead of being written through it',
    async (name) => {
      const victim = join(root, 'outside', 'victim')
      writeFileSync(victim, 'mine')
      symlinkSync(victim, join(reports, name))
      expect(await write('x')).toMatchObject({ ok: true })
      expect(lstatSync(join(reports, 'visitors.csv')).isFile()).toBe(true)
      expect([written(), readFileSync(victim, 'utf8'), readdirSync(reports)]).toEqual([
        'x',
        'mine',
        ['visitors.csv'],
      ])
    },
  )

  it('a file is rejected if the folder has become a link that leads outside', async () => {
    rmSync(reports, { recursive: true })
    symlinkSync(join(root, 'outside'), reports)
    expect(await write('x')).toEqual(faultOf('outside', 'reports'))
    expect(readdirSync(join(root, 'outside'))).toEqual([])
  })

  it.each(['visitors.csv', 'visitors.csv.partial'])(
    'a folder with the name of a file (%s) causes a fault, and no partial file is left',
    async (name) => {
      mkdirSync(join(reports, name))
      expect(await write('x')).toEqual(faultOf('unwritable', 'reports'))
      expect(readdirSync(reports)).toEqual([name])
    },
  )

  it('a file whose folder was deleted is a fault', async () => {
    rmSync(reports, { recursive: true })
    expect(await write('x')).toEqual(faultOf('unwritable', 'reports'))
  })

  // Permissions on a folder do not stop root.
  it.skipIf(process.getuid?.() === 0)('a file in a read-only folder is a fault', async () => {
    chmodSync(reports, 0o500)
    expect(await write('x')).toEqual(faultOf('unwritable', 'reports'))
    expect(await folderOf('reports/sub').open()).toEqual(faultOf('unwritable', 'reports/sub'))
    chmodSync(reports, 0o700)
  })

  it('an unexpected error while a file is written is thrown, and leaves no partial file', async () => {
    const chunks = (function* () {
      yield 'x'.repeat(100_000)
      throw new TypeError('a defect')
    })()
    await expect(folderOf('reports').write('visitors.csv', chunks)).rejects.toThrow('a defect')
    expect(readdirSync(reports)).toEqual([])
  })
})
