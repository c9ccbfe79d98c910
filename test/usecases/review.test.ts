import { expect, it } from 'vitest'
import type { ChangedFile } from '../../src/core/prompt/diff.ts'
import type { GitHubPorts, GitHubReply } from '../../src/usecases/ports.ts'
import { reviewChanges } from '../../src/usecases/review.ts'
import { aJob } from '../core/samples.ts'
import { aResult } from '../say/samples.ts'
import { Calls } from './github.ts'
import { agentsPull, linkOf, Stage } from './step.ts'

const prLink = linkOf(101)
const rejected = { ok: false, rejection: { status: 502, message: 'no' } } as const
const file = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => {
  return { path, previousPath: null, status: 'modified', additions: 2, deletions: 1, patch: '', ...more }
}

interface Setting {
  files?: ChangedFile[] | 'rejected'
  /** The number of changed files that GitHub reports. */
  total?: number
  pull?: GitHubReply<null>
  allowed?: string[]
  link?: string | null
  outcome?: 'pull-request' | 'timed-out' | 'cancelled' | 'archived'
  githubToken?: string | null
  /** The pull request's last commit at each read; the last one applies to all later reads. */
  heads?: string[]
  links?: string[] | 'rejected'
}

async function review(setting: Setting = {}) {
  const { files = [file('docs/a.md')], pull, allowed = ['docs/**'], link = prLink } = setting
  const { outcome = 'pull-request', githubToken = 'x', heads = ['aaaa'], links = [] } = setting
  let made = 0
  const log: string[] = []
  const ports = new Stage().ports(
    new Calls(),
    (...entries) => void log.push(...entries.map(({ text }) => text.replace(/ of .*/s, ''))),
  )
  const rejectedOr = <T>(value: T | 'rejected') =>
    value === 'rejected' ? rejected : { ok: true as const, value }
  const github: Partial<GitHubPorts> = {
    async pull() {
      const headCommit = heads[Math.min(made++, heads.length - 1)] ?? ''
      const changedFiles = setting.total ?? (files === 'rejected' ? 1 : files.length)
      return pull ?? { ok: true, value: { ...agentsPull(101), headCommit, changedFiles } }
    },
    // Only the last commit has no link.
    links: async (_, commit) => (commit === heads.at(-1) ? rejectedOr(links) : rejectedOr(['docs/a.md'])),
    changedFiles: async () => rejectedOr(files === 'rejected' ? files : { files, isCut: false }),
  }
  const given = aResult({ outcome, job: aJob({ prLink: link }) })
  const asked = { ...ports, github: { ...ports.github, ...github } }
  const result = await reviewChanges(given, allowed, { githubToken }, asked)
  return { result, made, log }
}

const unreadable = { kind: 'unreadable' }

// test/core/review.test.ts has the complete table of globs.
it.each<[name: string, setting: Setting, files?: object]>([
  ['every file inside', {}],
  [
    'files outside, sorted, each once',
    { files: [file('src/b.ts'), file('docs/a.md'), file('src/a.ts')] },
    { kind: 'outside', paths: ['src/a.ts', 'src/b.ts'] },
  ],
  ['a list with fewer files than GitHub counts', { total: 4000 }, { kind: 'cut', listed: 1, total: 4000 }],
  ['a symbolic link or a submodule', { links: ['docs/a.md'] }, { kind: 'outside', paths: ['docs/a.md'] }],
  ['no token', { githubToken: null }, unreadable],
  ['a push in between', { heads: ['a', 'b'] }],
])('allowed-paths is checked: %s', async (_, setting, files) => {
  const { result } = await review(setting)
  const problem = files === undefined ? null : { id: 'out-of-bounds', files }
  expect(result).toMatchObject({ outcome: files === undefined ? 'pull-request' : 'out-of-bounds', problem })
})

it.each<Setting>([
  { pull: { ok: true, value: null } },
  { pull: rejected },
  { files: 'rejected' },
  { links: 'rejected' },
  { heads: ['a', 'b', 'c', 'd', 'e'] },
  { link: 'https://github.example/acme/docs/pull/101' },
])('allowed-paths is violated, and the log says so, if the files cannot be read: %j', async (setting) => {
  const { result, log } = await review(setting)
  expect(result.problem?.files).toEqual(unreadable)
  expect(log).toEqual(['Could not read the files'])
})

it.each<[name: string, setting: Setting, outcome: string, isRead: boolean]>([
  ['without `allowed-paths`', { allowed: [] }, 'pull-request', true],
  ['not without a pull request', { link: null }, 'pull-request', false],
  ['not after a cancel', { outcome: 'cancelled' }, 'cancelled', false],
  ['but not checked after a timeout', { outcome: 'timed-out', allowed: ['other'] }, 'timed-out', true],
])('the files are read, %s', async (_, setting, outcome, isRead) => {
  const { result, made } = await review(setting)
  expect([result.outcome, result.changes !== null, made > 0]).toEqual([outcome, isRead, isRead])
})
