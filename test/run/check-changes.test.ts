import { describe, expect, it } from 'vitest'
import type { ChangedFile } from '../../src/core/prompt/diff.ts'
import { diffName, type FileKind } from '../../src/core/pull-changes.ts'
import { checkChanges, pullRequestChanges } from '../../src/run/check-changes.ts'
import { aJob } from '../core/samples.ts'
import { aResult } from '../say/samples.ts'
import { Calls, rejected } from './github.ts'
import { aFile, agentsPull, linkOf, Stage, settleInputs } from './step.ts'

interface Setting {
  files?: string[]
  /** The number of changed files that GitHub reports. */
  total?: number
  /** git's modes of symbolic links and the like, by path; null if the last commit has nothing there. */
  modes?: Record<string, number | null>
  /** How the first file differs from GitHub's list in the first reads. */
  stale?: Partial<ChangedFile>[]
  /** How often someone pushes between two calls, so that the listed files are not those of the commit. */
  pushes?: number
  rejects?: string
  allowed?: string[]
  link?: string | null
  outcome?: 'pull-request' | 'timed-out' | 'cancelled'
  githubToken?: string | null
  /** The last commit before a follow-up. */
  before?: string
}

/** Reviews pull request 101. */
async function review(setting: Setting) {
  const { files = ['docs/a.md'], total = files.length, modes = {}, pushes = 0, rejects = '' } = setting
  const {
    stale = [],
    allowed = ['docs/**'],
    link = linkOf(101),
    outcome = 'pull-request',
    githubToken = 'x',
    before,
  } = setting
  const stage = new Stage()
  stage.github.files = files.map((path) => aFile(path))
  let left = pushes
  const waiting = [...stale]
  const calls = new Calls((_, name) => {
    if (name === 'pull')
      stage.github.details[101] = { ...agentsPull(101), head: `head ${left}`, changedFiles: total }
    if (name === 'changedFiles')
      stage.github.files = files.map((path, at) => ({ ...aFile(path), ...(at === 0 && waiting.shift()) }))
    if (name === 'treeEntries') {
      stage.github.modes = left > 0 ? Object.fromEntries(files.map((path) => [path, null])) : modes
      left = Math.max(0, left - 1)
    }
    return name === rejects ? rejected : undefined
  })
  const { ports, log } = stage.logged(calls)
  const given = aResult({ outcome, job: aJob({ link }) })
  const inputs = { ...settleInputs(), allowedPaths: allowed, githubToken }
  return {
    result: await checkChanges(given, inputs, before ?? null, new Map(), ports),
    calls,
    log,
  }
}

it.each([
  ['new commits', 'head 1', false],
  ['no new commits', 'head 0', true],
])('the result of a follow-up shows that it has %s', async (_, before, isUnchanged) => {
  const { result } = await review({ files: ['docs/a.md', 'docs/b.md'], before })
  expect(result.changes?.isUnchanged).toBe(isUnchanged)
})

const unreadable = { reason: 'unreadable', paths: [] }
const outsideA = { reason: 'outside', paths: ['docs/a.md'] }

// test/core/pull-changes.test.ts has the complete table of globs.
it.each<[name: string, setting: Setting, problem?: object, log?: number]>([
  ['every file inside', {}],
  ['files outside', { files: ['b', 'docs/a.md', 'a'] }, { reason: 'outside', paths: ['a', 'b'] }],
  ['fewer files than GitHub counts', { total: 9 }, { reason: 'cut', paths: [] }],
  ['a symbolic link', { modes: { 'docs/a.md': 0o120000 } }, outsideA],
  ['a file that the last commit lacks', { modes: { 'docs/a.md': null } }, outsideA],
  ['a list of an earlier commit, once', { stale: [{ id: 'old' }] }],
  ['a list that lacks what came back, once', { stale: [{ status: 'removed' }] }],
  ['a removed file', { stale: [{ status: 'removed' }], modes: { 'docs/a.md': null } }],
  ['a list of an earlier commit, each time', { stale: Array(9).fill({ id: 'old' }) }, outsideA],
  ['a push in between', { pushes: 1 }],
  ['pushes at each read', { pushes: 9 }, outsideA],
  ['no token', { githubToken: null }, unreadable],
  ['a rejected pull request', { rejects: 'pull' }, unreadable, 1],
  ['rejected files', { rejects: 'changedFiles' }, unreadable, 1],
  ['rejected modes', { rejects: 'treeEntries' }, unreadable, 1],
  ['another server', { link: 'https://github.example/acme/docs/pull/101' }, unreadable, 1],
])(
  'allowed-paths is checked, and the log says what cannot be read: %s',
  async (_, setting, problem, lines = 0) => {
    const { result, log } = await review(setting)
    const outcome = problem === undefined ? 'pull-request' : 'out-of-bounds'
    expect(result).toMatchObject({ outcome, problem: problem ?? null })
    expect(log).toHaveLength(lines)
    const isRejected = setting.rejects !== undefined
    expect(log.some((line) => line.includes('(403: no)'))).toBe(isRejected)
  },
)

it.each<[name: string, setting: Setting, isRead: boolean]>([
  ['read without `allowed-paths`', { allowed: [] }, true],
  ['not read without a pull request', { link: null }, false],
  ['not read after a cancel', { outcome: 'cancelled' }, false],
  ['read but not checked after a timeout', { outcome: 'timed-out', allowed: ['other'] }, true],
])('the files of a pull request are %s', async (_, setting, isRead) => {
  const { result, calls } = await review(setting)
  expect([result.problem, result.changes !== null, calls.made.length > 0]).toEqual([null, isRead, isRead])
})

const pull = { ...agentsPull(7), title: 'T', head: 'h', changedFiles: 2, additions: 3, deletions: 1 }
const namedHash = (path: string) => `hash-of-${path}`

describe('the changes of a pull request', () => {
  const changesOf = (paths: string[], isCut = false) => {
    const files = paths.map((path) => aFile(path))
    const entries = new Map([['h:b', { mode: 0o120000, oid: 'b' }]])
    return pullRequestChanges(pull, { files, isCut }, namedHash, entries)
  }

  it("the changes of a pull request are sorted, link to each file, and keep GitHub's totals", () => {
    const shown = (path: string, kind: FileKind) => {
      const { patch: _, ...file } = aFile(path)
      return { ...file, kind, url: `${pull.url}/files#diff-${namedHash(path)}` }
    }
    expect(changesOf(['b', 'c', 'a'])).toEqual({
      repositoryId: '1',
      author: pull.author,
      branch: pull.branch,
      title: 'T',
      head: 'h',
      files: [shown('a', 'unknown'), shown('b', 'other'), shown('c', 'unknown')],
      total: { files: 2, additions: 3, deletions: 1 },
      isCut: false,
      diffName: diffName(pull),
    })
  })

  it('the changes of a pull request are incomplete if GitHub cuts the list, or lists fewer files than it counts', () => {
    expect([changesOf(['a', 'b'], true).isCut, changesOf(['a']).isCut]).toEqual([true, true])
  })

  it("a fork's branch is not the pull request's", () => {
    const changes = pullRequestChanges({ ...pull, isFork: true }, { files: [], isCut: false }, String)
    expect(changes).toMatchObject({ author: pull.author, branch: null })
  })

  it.each<[what: string, kind: FileKind, mode: number | undefined, listed: Partial<ChangedFile>]>([
    ['the file that the commit has', 'file', 0o100644, {}],
    ['a program', 'file', 0o100755, {}],
    ['a symbolic link', 'other', 0o120000, {}],
    ['a submodule', 'other', 0o160000, {}],
    ['a folder', 'other', 0o040000, {}],
    ['a mode that git no longer writes', 'other', 0o100664, {}],
    ['nothing in the commit', 'unknown', undefined, {}],
    ['other content in the commit', 'unknown', 0o100644, { id: 'y' }],
    ['no ID in the list', 'unknown', 0o100644, { id: null }],
    ['neither of them', 'unknown', undefined, { id: null }],
    ['a file that was removed', 'file', undefined, { status: 'removed' }],
    ['a file that was removed for a folder', 'file', 0o040000, { status: 'removed', id: 'y' }],
    ['a removed file that the commit has', 'unknown', 0o100644, { status: 'removed' }],
    ['a removed file that came back with other content', 'unknown', 0o100644, { status: 'removed', id: 'y' }],
    ['a removed file that came back as a link', 'unknown', 0o120000, { status: 'removed', id: 'y' }],
    ['a removed file that came back as a submodule', 'unknown', 0o160000, { status: 'removed', id: 'y' }],
  ])('the kind of a listed file, for %s, is “%s”', (_, kind, mode, listed) => {
    const files = [{ ...aFile('docs/a'), id: 'x', ...listed }]
    const entries = new Map(mode === undefined ? [] : [['h:docs/a', { mode, oid: 'x' }]])
    const changes = pullRequestChanges(pull, { files, isCut: false }, String, entries)
    expect(changes.files.map((file) => file.kind)).toEqual([kind])
  })
})
