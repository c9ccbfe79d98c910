import { describe, expect, it } from 'vitest'
import type { ChangedFile } from '../../src/core/prompt/diff.ts'
import type { LogEntry } from '../../src/say/messages.ts'
import type { GitHubReply, PullRequestDetails } from '../../src/usecases/ports.ts'
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
  isCut?: boolean
  pull?: 'missing' | 'rejected'
  allowed?: string[]
  link?: string | null
  outcome?: 'pull-request' | 'timed-out' | 'cancelled' | 'archived'
  hasToken?: boolean
  /** The pull request's last commit at each read; the last one applies to all later reads. */
  heads?: string[]
  links?: string[] | 'rejected'
}

async function review(setting: Setting = {}) {
  const { files = [file('docs/a.md')], isCut = false, pull, allowed = [], link = prLink } = setting
  const { outcome = 'pull-request', hasToken = true, heads = ['aaaa'], links = [] } = setting
  const calls: string[] = []
  const progress: LogEntry[] = []
  const changedFiles = setting.total ?? (files === 'rejected' ? 1 : files.length)
  const details = { ...agentsPull(101), title: 'Docs', additions: 2, deletions: 1, changedFiles }
  const pulls: Record<string, GitHubReply<PullRequestDetails | null>> = {
    missing: { ok: true, value: null },
    rejected,
  }
  const ports = new Stage().ports(new Calls(), (...seen) => void progress.push(...seen))
  const result = await reviewChanges(
    aResult({ outcome, job: aJob({ prLink: link }) }),
    allowed,
    { githubToken: hasToken ? 'x' : null },
    {
      ...ports,
      github: {
        ...ports.github,
        async pull() {
          calls.push('pull')
          const reads = calls.filter((call) => call === 'pull').length
          const headCommit = heads[Math.min(reads, heads.length) - 1] ?? ''
          return pull === undefined
            ? { ok: true, value: { ...details, headCommit } }
            : (pulls[pull] ?? rejected)
        },
        async links(_, commit) {
          calls.push(`links ${commit}`)
          return links === 'rejected' ? rejected : { ok: true, value: links }
        },
        async changedFiles() {
          calls.push('files')
          return files === 'rejected' ? rejected : { ok: true, value: { files, isCut } }
        },
      },
    },
  )
  return { result, calls, unread: progress.filter(({ text }) => text.includes('Could not read the files')) }
}

describe('allowed-paths', () => {
  const cut = { kind: 'cut', listed: 1, total: 4000 }
  type Row = [name: string, setting: Setting, expected: object | undefined]
  // test/core/review.test.ts has the complete table of globs.
  const rows: Row[] = [
    ['every file inside', { allowed: ['docs/**'] }, undefined],
    [
      'files outside, sorted, each once',
      { allowed: ['docs/**'], files: [file('src/b.ts'), file('docs/a.md'), file('src/a.ts')] },
      { kind: 'outside', paths: ['src/a.ts', 'src/b.ts'] },
    ],
    ['a list with fewer files than GitHub counts', { allowed: ['docs/**'], total: 4000 }, cut],
    [
      'a pull request that the token cannot read',
      { allowed: ['docs/**'], pull: 'missing' },
      { kind: 'unreadable' },
    ],
    [
      'a pull request that GitHub rejects',
      { allowed: ['docs/**'], pull: 'rejected' },
      { kind: 'unreadable' },
    ],
    ['files that GitHub rejects', { allowed: ['docs/**'], files: 'rejected' }, { kind: 'unreadable' }],
    [
      'a pull request on another server',
      { allowed: ['docs/**'], link: 'https://github.example/acme/docs/pull/101' },
      { kind: 'unreadable' },
    ],
    [
      'a symbolic link or a submodule',
      { allowed: ['docs/**'], links: ['docs/a.md'] },
      { kind: 'outside', paths: ['docs/a.md'] },
    ],
    ['file modes that GitHub rejects', { allowed: ['docs/**'], links: 'rejected' }, { kind: 'unreadable' }],
    ['a push in between', { allowed: ['docs/**'], heads: ['a', 'b', 'b', 'b'] }, undefined],
    [
      'a push at each read',
      { allowed: ['docs/**'], heads: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
      { kind: 'unreadable' },
    ],
    ['no token', { allowed: ['docs/**'], hasToken: false }, { kind: 'unreadable' }],
  ]
  it.each(rows)('allowed-paths is checked: %s', async (_, setting, files) => {
    const { result } = await review(setting)
    const problem = files === undefined ? null : { files }
    expect(result).toMatchObject({ outcome: files === undefined ? 'pull-request' : 'out-of-bounds', problem })
  })
})

describe('the changes', () => {
  it('the changes are read once a pull request exists', async () => {
    const { result, calls } = await review()
    expect(result.changes).toMatchObject({ title: 'Docs', total: { files: 1, additions: 2, deletions: 1 } })
    expect(calls).toEqual(['pull', 'files'])
  })

  it('the files and modes that allowed-paths checks are those of the last commit, even after a push in between', async () => {
    const { result, calls } = await review({ allowed: ['docs/**'], heads: ['a', 'b'] })
    expect(result.changes?.head).toBe('b')
    expect(calls).toEqual(['pull', 'files', 'links a', 'pull', 'pull', 'files', 'links b', 'pull'])
  })

  it.each<[string, Setting, string[]]>([
    ['without a pull request', { link: null }, []],
    ['after a cancel', { outcome: 'cancelled' }, []],
    ['without a token', { hasToken: false }, []],
    ['on another server', { link: 'https://github.example/acme/docs/pull/101' }, []],
    ['if the token cannot read the pull request', { pull: 'missing' }, ['pull']],
  ])('the changes are not read %s', async (_, setting, expected) => {
    const { result, calls } = await review(setting)
    expect([result.changes, calls]).toEqual([null, expected])
  })

  it.each(['timed-out', 'archived'] as const)(
    'the changes of a job with the outcome %s are shown, but not checked',
    async (outcome) => {
      const { result } = await review({ outcome, allowed: ['none/**'] })
      expect(result).toMatchObject({ outcome, changes: { title: 'Docs' } })
    },
  )

  it('an unreadable change adds a line to the log', async () => {
    for (const setting of [{ pull: 'missing' }, { pull: 'rejected' }, { files: 'rejected' }] as const)
      expect((await review(setting)).unread).toHaveLength(1)
  })
})
