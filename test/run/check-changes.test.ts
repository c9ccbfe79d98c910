import { expect, it } from 'vitest'
import { checkChanges } from '../../src/run/check-changes.ts'
import { aJob } from '../core/samples.ts'
import { aResult } from '../say/samples.ts'
import { Calls, rejected } from './github.ts'
import { aFile, agentsPull, linkOf, Stage } from './step.ts'

interface Setting {
  files?: string[]
  /** The number of changed files that GitHub reports. */
  total?: number
  /** The path of a symbolic link. */
  linked?: string
  /** How many people push, each between two reads. */
  pushes?: number
  rejects?: string
  allowed?: string[]
  link?: string | null
  outcome?: 'pull-request' | 'timed-out' | 'cancelled'
  githubToken?: string | null
  /** The last commit before a follow-up. */
  before?: string
}

/** Reviews pull request 101, whose last commit has no symbolic link except `linked`. */
async function review(setting: Setting) {
  const { files = ['docs/a.md'], total = files.length, linked = '', pushes = 0, rejects = '' } = setting
  const {
    allowed = ['docs/**'],
    link = linkOf(101),
    outcome = 'pull-request',
    githubToken = 'x',
    before,
  } = setting
  const stage = new Stage()
  stage.github.files = files.map((path) => aFile(path))
  let left = pushes
  const calls = new Calls((_, name) => {
    if (name === 'pull')
      stage.github.details[101] = { ...agentsPull(101), headCommit: `head ${left}`, changedFiles: total }
    if (name === 'links') {
      stage.github.linked = left > 0 ? files : [linked]
      left = Math.max(0, left - 1)
    }
    return name === rejects ? rejected : undefined
  })
  const { ports, log } = stage.logged(calls)
  const given = aResult({ outcome, job: aJob({ link }) })
  return {
    result: await checkChanges(given, { allowedPaths: allowed, githubToken }, ports, before),
    calls,
    log,
  }
}

it.each([
  ['its new commits', 'head 1', 2],
  ['nothing without new commits', 'head 0', 0],
])('the result of a follow-up has the counts of %s', async (_, before, count) => {
  const { result } = await review({ files: ['docs/a.md', 'docs/b.md'], before })
  expect(result.changes?.since).toEqual({ files: count, additions: count, deletions: 0 })
})

const unreadable = { reason: 'unreadable', paths: [] }

// test/core/pull-changes.test.ts has the complete table of globs.
it.each<[name: string, setting: Setting, problem?: object, log?: number]>([
  ['every file inside', {}],
  ['files outside', { files: ['b', 'docs/a.md', 'a'] }, { reason: 'outside', paths: ['a', 'b'] }],
  ['fewer files than GitHub counts', { total: 9 }, { reason: 'cut', paths: [] }],
  ['a symbolic link', { linked: 'docs/a.md' }, { reason: 'outside', paths: ['docs/a.md'] }],
  ['a push in between', { pushes: 1 }],
  ['pushes at each read', { pushes: 9 }, unreadable, 1],
  ['no token', { githubToken: null }, unreadable],
  ['a rejected pull request', { rejects: 'pull' }, unreadable, 1],
  ['rejected files', { rejects: 'changedFiles' }, unreadable, 1],
  ['rejected modes', { rejects: 'links' }, unreadable, 1],
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
  ['without `allowed-paths`', { allowed: [] }, true],
  ['not without a pull request', { link: null }, false],
  ['not after a cancel', { outcome: 'cancelled' }, false],
  ['but not checked after a timeout', { outcome: 'timed-out', allowed: ['other'] }, true],
])('the files of a pull request are read: %s', async (_, setting, isRead) => {
  const { result, calls } = await review(setting)
  expect([result.problem, result.changes !== null, calls.made.length > 0]).toEqual([null, isRead, isRead])
})
