import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commit, commits } from '../../sandbox/github/commits.ts'
import {
  type PullRequestOptions,
  Repository,
  type RepositoryOptions,
} from '../../sandbox/github/repository.ts'
import { type GitHubOptions, startGitHub } from '../../sandbox/github/server.ts'
import { connect } from './github.ts'

const app = 'acme/app'
const many = (count: number, text = 'x\n') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f/${10_000 + index}.md`, text]))

const first = commit({ files: { 'a.ts': 'one\ntwo\n', 'old.ts': 'a\nb\nc\nd\n', '.gitattributes': '*.x é' } })
const second = commit({
  parents: [first],
  files: { 'a.ts': 'one\n2\n', 'old.ts': null, 'new.ts': 'a\nb\nc\nd\n', 'logo.png': new Uint8Array([0, 1]) },
})
const topic = (count: number) => commit({ parents: [first], files: many(count) })

async function start(options: Partial<RepositoryOptions> = {}, more: GitHubOptions = {}) {
  const repository = new Repository({ name: app, branches: { main: second }, ...options })
  const hub = await startGitHub({ repository: app, repositories: [repository], ...more })
  onTestFinished(() => hub.close())
  return { hub, github: connect(hub.url) }
}

const compare = (base: string, head: string) => ({ by: 'compare', base, head }) as const
const pull = (number: number, more: Partial<PullRequestOptions> = {}): PullRequestOptions => ({
  number,
  head: { branch: `p${number}`, commit: second },
  base: { commit: first },
  ...more,
})

describe('changed files', () => {
  const files = [
    {
      path: 'a.ts',
      previousPath: null,
      status: 'modified',
      additions: 1,
      deletions: 1,
      patch: '@@ -1,2 +1,2 @@\n one\n-two\n+2',
    },
    { path: 'logo.png', previousPath: null, status: 'added', additions: 0, deletions: 0, patch: null },
    { path: 'new.ts', previousPath: 'old.ts', status: 'renamed', additions: 0, deletions: 0, patch: null },
  ]

  it.each([
    ['a comparison', compare(first.sha, second.sha)],
    ['a comparison with a branch', compare('release/1', second.sha)],
    ['a commit', { by: 'commit', sha: second.sha } as const],
    ['a pull request', { by: 'pull', number: 12 } as const],
  ])('changed files are read for %s', async (_, range) => {
    const { github } = await start({ branches: { main: second, 'release/1': first }, pulls: [pull(12)] })
    expect(await github.changedFiles(app, range)).toEqual({ ok: true, value: { files, isCut: false } })
  })

  const wide = topic(301)
  const widest = topic(3001)
  it.each([
    ['up to 300 for a comparison', compare(first.sha, wide.sha), wide, 300, true],
    [
      'all of them for a commit, over several pages',
      { by: 'commit', sha: wide.sha } as const,
      wide,
      301,
      false,
    ],
    [
      'all of them for a pull request, over several pages',
      { by: 'pull', number: 12 } as const,
      wide,
      301,
      false,
    ],
    ['up to 3,000 for a pull request', { by: 'pull', number: 12 } as const, widest, 3000, true],
  ])('changed files are listed: %s', async (_, range, head, count, isCut) => {
    const pulls = [pull(12, { head: { branch: 'wide', commit: head } })]
    const { github } = await start({ branches: { main: first, wide: head }, pulls })
    const reply = await github.changedFiles(app, range)
    const mergeBase = range.by === 'compare' ? { mergeBase: first.sha } : {}
    expect(reply).toMatchObject({ ok: true, value: { isCut, ...mergeBase } })
    const paths = reply.ok ? reply.value.files.map(({ path }) => path) : []
    expect([paths.length, new Set(paths).size]).toEqual([count, count])
  })

  it('changed files cover all pushed commits', async () => {
    const last = commits(120, { parents: [first] })
    const { github } = await start({ branches: { main: last } })
    const reply = await github.changedFiles(app, compare(first.sha, last.sha))
    expect(reply).toMatchObject({ ok: true, value: { files: { length: 120 } } })
  })

  it('the list of changed files is empty if nothing changed', async () => {
    const { github } = await start()
    const none = { ok: true, value: { files: [], isCut: false } }
    expect(await github.changedFiles(app, compare('main', second.sha))).toEqual(none)
  })

  it('changed files are rejected as a whole if a page fails', async () => {
    const wide = topic(150)
    const pulls = [pull(12, { head: { branch: 'wide', commit: wide } })]
    const fault = { on: 'pulls/list-files', status: 502, after: 1 } as const
    const { github } = await start({ branches: { main: first, wide }, pulls }, { faults: [fault] })
    const reply = await github.changedFiles(app, { by: 'pull', number: 12 })
    expect(reply).toMatchObject({ ok: false, rejection: { status: 502 } })
  })
})

describe('a file', () => {
  it.each([
    ['is read at a commit', '.gitattributes', '*.x é'],
    ['is null if it does not exist', 'nowhere', null],
    ['is null if its path names a folder', 'f', null],
  ])('a file %s', async (_, path, value) => {
    const { github } = await start({ branches: { main: commit({ parents: [first], files: many(2) }) } })
    expect(await github.file(app, path, first.sha)).toEqual({ ok: true, value })
    expect(await github.file(app, path, 'main')).toEqual({ ok: true, value })
  })
})

describe('pull requests', () => {
  const merged = { merged: { commit: second } }
  const url = (number: number) => `https://github.com/${app}/pull/${number}`

  it('pull requests of a commit are listed with their merge commits', async () => {
    const bot = pull(12, { user: 'mintlify[bot]', ...merged })
    const open = pull(13, { head: { branch: 'x', commit: topic(1) } })
    const { github } = await start({ pulls: [bot, open] })
    expect(await github.pullsOf(app, second.sha)).toEqual({
      ok: true,
      value: [
        {
          number: 12,
          url: url(12),
          author: 'mintlify[bot]',
          headCommit: expect.any(String),
          headRepository: app,
          isMerged: true,
          mergeCommit: second.sha,
        },
      ],
    })
  })

  it('open pull requests are listed newest first, over several pages, and have no merge commit', async () => {
    const open = Array.from({ length: 120 }, (_, index) => {
      const createdAt = new Date(Date.UTC(2026, 10, 2, 10, index)).toISOString().replace('.000Z', 'Z')
      return pull(index + 1, { createdAt })
    })
    const { github } = await start({ pulls: [...open, pull(500, merged), pull(501, { state: 'closed' })] })
    const reply = await github.openPulls(app)
    const found = reply.ok ? reply.value : []
    expect(found.map(({ number }) => number)).toEqual(open.map(({ number }) => number).reverse())
    expect(found[0]).toEqual({
      number: 120,
      headCommit: expect.stringMatching(/^[0-9a-f]{40}$/),
      headRepository: app,
      url: url(120),
      author: 'mona',
      isMerged: false,
      mergeCommit: null,
    })
  })
})

it.each([
  ['a base that a force push removed', compare('c'.repeat(40), second.sha)],
  ['an unknown pull request', { by: 'pull', number: 99 } as const],
])('a 404 is passed on for %s', async (_, range) => {
  const { github } = await start()
  expect(await github.changedFiles(app, range)).toMatchObject({ ok: false, rejection: { status: 404 } })
})

describe('a response that GitHub never sends', () => {
  it.each([
    ['an HTML page from a proxy', 200, '<html>Sign in</html>', 'text/html'],
    ['a redirect', 301, '{"url":"http://127.0.0.1:9/"}', 'application/json'],
  ])(
    'a response that GitHub never sends (%s) is a rejection, not an empty list',
    async (_, status, body, type) => {
      const server = createServer((_, response) =>
        response.writeHead(status, { 'content-type': type }).end(body),
      )
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const { port } = server.address() as AddressInfo
      const github = connect(`http://127.0.0.1:${port}`)
      const thread = { repository: 'acme/docs', number: 1, isPullRequest: true, reviewRoot: null }
      const compare = { by: 'compare', base: 'a', head: 'b' } as const
      const replies = [
        await github.comments(thread),
        await github.pullsOf('acme/docs', 'a'),
        await github.openPulls('acme/docs'),
        await github.changedFiles('acme/docs', compare),
        await github.changedFiles('acme/docs', { by: 'commit', sha: 'a' }),
        await github.changedFiles('acme/docs', { by: 'pull', number: 1 }),
      ]
      expect(replies.map(({ ok }) => ok)).toEqual(replies.map(() => false))
    },
  )
})

describe('the history of the default branch', () => {
  it('the history of the default branch lists commits with their pull requests, and whether each has a status in the requested context', async () => {
    const work = commit({ parents: [first], message: 'Work', author: 'mona' })
    const squashed = commit({ parents: [first], message: 'Docs (#7)\n\nAt length.' })
    const agent = 'mintlify[bot]'
    const pulls = [
      {
        number: 7,
        user: agent,
        title: 'Docs',
        head: { branch: 'd', commit: work },
        merged: { commit: squashed },
      },
      { number: 8, head: { branch: 'open', commit: work } },
    ]
    const status = { repository: app, sha: squashed.sha, description: 'd', targetUrl: null, creator: agent }
    const statuses = [
      { ...status, context: 'Docs', state: 'pending' as const },
      { ...status, sha: first.sha, context: 'Other', state: 'success' as const },
    ]
    const { github } = await start({ branches: { main: squashed }, pulls }, { statuses })
    const read = await github.history(app, ['Docs'], null)
    const pull = { number: 7, title: 'Docs', author: agent, head: work.sha }
    expect(read).toEqual({
      ok: true,
      value: {
        commits: [
          {
            sha: squashed.sha,
            subject: 'Docs (#7)',
            date: Date.parse(squashed.date),
            parent: first.sha,
            pulls: [pull],
            isMarked: true,
          },
          expect.objectContaining({ sha: first.sha, parent: null, pulls: [], isMarked: false }),
        ],
        next: null,
      },
    })
  })

  it('the history of the default branch is read in pages of a hundred', async () => {
    const { github } = await start({ branches: { main: commits(150) } })
    const page = await github.history(app, ['Docs'], null)
    if (!page.ok) throw new Error(page.rejection.message)
    const rest = await github.history(app, ['Docs'], page.value.next)
    if (!rest.ok) throw new Error(rest.rejection.message)
    expect([page.value.commits.length, rest.value.commits.length, rest.value.next]).toEqual([100, 50, null])
    const shas = [...page.value.commits, ...rest.value.commits].map(({ sha }) => sha)
    expect(new Set(shas).size).toBe(150)
  })

  it('the history of the default branch is empty for a repository without commits', async () => {
    const { github } = await start({ branches: {} })
    expect(await github.history(app, ['Docs'], null)).toEqual({
      ok: true,
      value: { commits: [], next: null },
    })
  })

  it.each(['contents: read', 'pull-requests: read', 'statuses: read'] as const)(
    'the history of the default branch is rejected without %s',
    async (lack) => {
      const status = { repository: app, sha: second.sha, context: 'Docs', state: 'success' as const }
      const statuses = [{ ...status, description: null, targetUrl: null, creator: 'mona' }]
      const { github } = await start({}, { lacks: [lack], statuses })
      expect(await github.history(app, ['Docs'], null)).toMatchObject({
        ok: false,
        rejection: { kind: 'permission' },
      })
    },
  )
})
