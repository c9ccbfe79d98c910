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
const shown = (path: string) => path.replace(root, 'ROOT').replaceAll('\\', '/')

const folders = () => [workspace, join(root, 'temp')] as const
const folderOf = (path: string) => createReportFolder(at(path), folders())
const report = (path = '.') => folderOf(path).write('a.csv', 'ab')

/** Files, folders, and paths that lead to them, that do not exist, or that must not be used. */
const paths = [
  ...[
    '.',
    'file',
    '.github',
    '.github/../file',
    'ROOT/work/file',
    'inside/a.md',
    'inside/sub',
    'x/../reports',
  ],
  ...['ROOT/work/a/b', 'ROOT/temp/prompt', 'ROOT/temp/reports', '..reports/.github', 'nowhere', 'file/below'],
  ...[
    '..',
    '../new',
    'a/../../new',
    '../outside/victim',
    'ROOT/outside',
    'ROOT/outside/victim',
    'ROOT/work-2',
    '/',
  ],
  ...[
    'ROOT/outside/missing',
    'out',
    'out/victim',
    'chain',
    'chain/victim',
    'prompt',
    'to-temp',
    'to-temp/prompt',
  ],
  ...[
    '.git',
    '.git/config',
    '.GIT/config',
    'a/.git/b',
    'git',
    'git/config',
    'dangling',
    'dangling/sub',
    'loop',
    'a\0b',
  ],
]

it.each(paths)('the path %j is used only if it stays in an allowed folder', async (path) => {
  const list = () => readdirSync(root, { recursive: true, encoding: 'utf8' }).map(shown)
  const before = list()
  const replies = [
    await createWorkspace(folders()).readText('prompt-file', at(path)),
    await folderOf(path).open(),
    await report(path),
  ]
  const [read, opened, wrote] = replies.map((reply) =>
    reply.ok ? shown(`${reply.value}`) : reply.failure.reason,
  )
  const created = list().filter((name) => !before.includes(name))
  expect({ read, opened, wrote, created: created.sort() }).toMatchSnapshot()
})

it('a name that begins with a dot is left out if an exclusion matches it', async () => {
  const found = await createWorkspace([workspace]).readMatching('context-files', ['.github/*', '!**/*.yml'])
  expect(found).toMatchObject({ ok: true, value: [{ path: '.github/a.md' }] })
  expect(await createWorkspace(folders()).readMatching('context-files', ['prompt'])).toMatchObject({
    ok: false,
    failure: { reason: 'outside' },
  })
})

it('a byte order mark at the start of a file is removed', async () => {
  writeFileSync(join(workspace, 'mark.md'), '\uFEFFab')
  const found = await createWorkspace([workspace]).readMatching('context-files', ['mark.md'])
  expect(found).toEqual({ ok: true, value: [{ path: 'mark.md', text: 'ab', isStart: false }] })
})

describe('writing', () => {
  const failure = { kind: 'file', reason: 'unwritable', input: 'report-dir', path: '.' }
  const unwritable = { ok: false, failure }
  const written = () => readFileSync(join(workspace, 'a.csv'), 'utf8')

  it('a file completely replaces an earlier one, at any size', async () => {
    const text = '/päge,😀\n'.repeat(60_000)
    await folderOf('.').write('a.csv', text)
    // toBe would print the whole difference.
    expect(written() === text).toBe(true)
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
      expect(await report()).toEqual(unwritable)
      expect(readdirSync(workspace)).toEqual(before)
    },
  )
})
