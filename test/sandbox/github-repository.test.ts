import { getOctokit } from '@actions/github'
import { OpenAPIBackend } from 'openapi-backend'
import { afterEach, describe, expect, test } from 'vitest'
import { commit, commits } from '../../sandbox/github/commits.ts'
import type { OperationName } from '../../sandbox/github/operations.ts'
import { Repository, type RepositoryOptions } from '../../sandbox/github/repository.ts'
import {
  type GitHub,
  type GitHubOptions,
  sandboxGitHubToken,
  startGitHub,
} from '../../sandbox/github/server.ts'

const started: GitHub[] = []

afterEach(async () => {
  // Rejects where a reply was not as GitHub's description has it.
  await Promise.all(started.splice(0).map((gitHub) => gitHub.close()))
})

async function start(options: Partial<RepositoryOptions> = {}, others: GitHubOptions = {}): Promise<GitHub> {
  const app = new Repository({ name: 'acme/app', ...options })
  const gitHub = await startGitHub({ repository: 'acme/app', repositories: [app], ...others })
  started.push(gitHub)
  return gitHub
}

/** A GET under the repository, or under another one where the path has no slash in front. */
async function get(gitHub: GitHub, path: string, accept = 'application/vnd.github+json') {
  const address = `${gitHub.url}/repos/${path.startsWith('/') ? `acme/app${path}` : path}`
  const headers = { authorization: `Bearer ${sandboxGitHubToken}`, 'user-agent': 'test', accept }
  const reply = await fetch(address, { headers })
  const text = await reply.text()
  // biome-ignore lint/suspicious/noExplicitAny: the replies are checked by what the tests expect of them.
  const json: any = reply.headers.get('content-type')?.startsWith('application/json')
    ? JSON.parse(text)
    : undefined
  const rels = [...(reply.headers.get('link') ?? '').matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel)
  return { status: reply.status, headers: reply.headers, text, json, rels }
}

const diff = 'application/vnd.github.diff'

const first = commit({ files: { 'README.md': '# App\n', 'src/a.ts': 'one\ntwo\nthree\n' }, message: 'First' })
const second = commit({ parents: [first], files: { 'src/a.ts': 'one\n2\nthree\n' }, author: 'ann' })
const topic = commit({ parents: [first], files: { 'docs/b.md': 'new\n' }, message: 'Add b\n\nAt length.' })
const many = (count: number, content = 'x\n') =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`f/${String(index).padStart(4, '0')}.md`, content]),
  )

describe('a comparison', () => {
  const branches = { main: second, topic, 'feature/x': topic }

  test('a comparison of a fast-forward has its commits and files', async () => {
    const { status, json } = await get(await start({ branches }), `/compare/${first.sha}...${second.sha}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      status: 'ahead',
      ahead_by: 1,
      behind_by: 0,
      total_commits: 1,
      merge_base_commit: { sha: first.sha },
      commits: [{ sha: second.sha, author: { login: 'ann' }, parents: [{ sha: first.sha }] }],
      files: [
        {
          filename: 'src/a.ts',
          status: 'modified',
          additions: 1,
          deletions: 1,
          changes: 2,
          patch: '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three',
        },
      ],
    })
  })

  test.each([
    ['main...main', 'identical', 0, 0, []],
    ['topic...main', 'diverged', 1, 1, ['src/a.ts']],
    ['main...feature/x', 'diverged', 1, 1, ['docs/b.md']],
    ['main...feature%2Fx', 'diverged', 1, 1, ['docs/b.md']],
    ['acme:main...acme:topic', 'diverged', 1, 1, ['docs/b.md']],
    [`main...${first.sha}`, 'behind', 0, 1, []],
  ])('%s is %s', async (basehead, state, ahead, behind, files) => {
    const { json } = await get(await start({ branches }), `/compare/${basehead}`)
    expect([json.status, json.ahead_by, json.behind_by]).toEqual([state, ahead, behind])
    expect(json.files.map(({ filename }: { filename: string }) => filename)).toEqual(files)
  })

  test('shows 300 files, and all of them in the diff', async () => {
    const gitHub = await start({ branches: { main: commit({ parents: [first], files: many(350) }) } })
    const path = `/compare/${first.sha}...main`
    expect((await get(gitHub, path)).json.files).toHaveLength(300)
    expect((await get(gitHub, path, diff)).text.match(/^diff --git/gm)).toHaveLength(350)
  })

  test('shows the last 250 commits, or pages of them from the first on, the files on page 1', async () => {
    const last = commits(260, { parents: [first] })
    const gitHub = await start({ branches: { main: last } })
    const path = `/compare/${first.sha}...main`
    const messages = (json: { commits: { commit: { message: string } }[] }) =>
      json.commits.map(({ commit: { message } }) => message)
    const unpaged = messages((await get(gitHub, path)).json)
    expect([unpaged.length, unpaged[0], unpaged.at(-1)]).toEqual([250, 'Change 11', 'Change 260'])
    const one = await get(gitHub, `${path}?per_page=100`)
    expect([messages(one.json)[0], one.json.files.length, one.rels]).toEqual([
      'Change 1',
      260,
      ['next', 'last'],
    ])
    const three = await get(gitHub, `${path}?per_page=100&page=3`)
    expect([messages(three.json).at(-1), three.json.files]).toEqual(['Change 260', undefined])
    expect([three.json.total_commits, three.rels]).toEqual([260, ['prev', 'first']])
  })
})

describe("the diff's text", () => {
  const before = {
    'gone.md': 'x\n',
    'logo.png': new Uint8Array([1, 0, 2]),
    'old name.md': 'a\nb\nc\nd\n',
    'moved.md': 'stays\n',
    'end.md': 'a',
  }
  const after = {
    'gone.md': null,
    'logo.png': new Uint8Array([1, 0, 3]),
    'old name.md': null,
    'new name.md': 'a\nb\nc\nD\n',
    'moved.md': null,
    'to/moved.md': 'stays\n',
    'end.md': 'a\n',
    'ü.md': 'u\n',
    empty: '',
  }
  const base = commit({ files: before })
  const head = commit({ parents: [base], files: after })

  test.each(['application/vnd.github.diff', 'application/vnd.github.v3.diff'])(
    "the diff's text as %s is that of git",
    async (accept) => {
      const gitHub = await start({ branches: { main: head } })
      const { status, headers, text } = await get(gitHub, `/compare/${base.sha}...main`, accept)
      expect([status, headers.get('content-type')]).toEqual([200, `${diff}; charset=utf-8`])
      expect(text).toMatchInlineSnapshot(`
        "diff --git a/empty b/empty
        new file mode 100644
        index 0000000..e69de29
        diff --git a/end.md b/end.md
        index 2e65efe..7898192 100644
        --- a/end.md
        +++ b/end.md
        @@ -1 +1 @@
        -a
        \\ No newline at end of file
        +a
        diff --git a/gone.md b/gone.md
        deleted file mode 100644
        index 587be6b..0000000
        --- a/gone.md
        +++ /dev/null
        @@ -1 +0,0 @@
        -x
        diff --git a/logo.png b/logo.png
        index c3027df..d4a0ce6 100644
        Binary files a/logo.png and b/logo.png differ
        diff --git a/old name.md b/new name.md
        similarity index 75%
        rename from old name.md
        rename to new name.md
        index d68dd40..5790697 100644
        --- a/old name.md	
        +++ b/new name.md	
        @@ -1,4 +1,4 @@
         a
         b
         c
        -d
        +D
        diff --git a/moved.md b/to/moved.md
        similarity index 100%
        rename from moved.md
        rename to to/moved.md
        diff --git "a/\\303\\274.md" "b/\\303\\274.md"
        new file mode 100644
        index 0000000..4ae8ef0
        --- /dev/null
        +++ "b/\\303\\274.md"
        @@ -0,0 +1 @@
        +u
        "
      `)
      expect((await get(gitHub, '/commits/main', accept)).text).toBe(text)
    },
  )

  test('another form than the double knows is a mistake of its own, not a wrong answer', async () => {
    const gitHub = await startGitHub({
      repositories: [new Repository({ name: 'acme/app', branches: { main: head } })],
    })
    expect((await get(gitHub, '/commits/main', 'application/vnd.github.patch')).status).toBe(500)
    await expect(gitHub.close()).rejects.toThrow("doesn't know how to answer this as patch")
  })
})

describe('a commit', () => {
  test('a commit has 300 files to a page, and 3,000 at most', async () => {
    const gitHub = await start({ branches: { main: commit({ files: many(3_010) }) } })
    const one = await get(gitHub, '/commits/main')
    expect([one.json.files.length, one.json.stats.additions, one.rels]).toEqual([
      300,
      3_010,
      ['next', 'last'],
    ])
    expect((await get(gitHub, '/commits/main?page=10')).json.files).toHaveLength(300)
    expect((await get(gitHub, '/commits/main?page=11')).json.files).toHaveLength(0)
  })

  test('a commit that is unknown is 422, and in an empty repository 409', async () => {
    const unknown = await get(await start({ branches: { main: first } }), '/commits/nowhere')
    expect(unknown).toMatchObject({ status: 422, json: { message: 'No commit found for SHA: nowhere' } })
    const empty = await get(await start(), '/commits/main')
    expect(empty).toMatchObject({ status: 409, json: { message: 'Git Repository is empty.' } })
  })
})

describe('the pull requests of a commit', () => {
  const squashed = commit({ parents: [second], files: { 'docs/b.md': 'new\n' }, message: 'Add b (#12)' })
  const head = { branch: 'topic', commit: topic }
  const numbers = async (options: Partial<RepositoryOptions>, ref: string) => {
    const { json } = await get(await start(options), `/commits/${ref}/pulls`)
    return json.map(({ number, merge_commit_sha }: Record<string, unknown>) => [number, merge_commit_sha])
  }

  test('the pull requests of a commit on the default branch are those that brought it there', async () => {
    const merge = commit({ parents: [second, topic], message: 'Merge' })
    const open = { number: 14, head: { branch: 'again', commit: squashed }, base: { commit: second } }
    const squash = {
      branches: { main: squashed },
      pulls: [{ number: 12, head, merged: { commit: squashed } }, open],
    }
    expect(await numbers(squash, squashed.sha)).toEqual([[12, squashed.sha]])
    expect(await numbers(squash, second.sha)).toEqual([])
    const merged = { branches: { main: merge }, pulls: [{ number: 13, head, merged: { commit: merge } }] }
    for (const ref of [merge.sha, topic.sha]) expect(await numbers(merged, ref)).toEqual([[13, merge.sha]])
  })
})

describe('a pull request', () => {
  const branches = { main: second, topic }
  const head = { branch: 'topic', commit: topic }
  const agent = 'docs-agent[bot]'
  const pulls = [
    { number: 12, head, user: agent, body: 'Why', labels: ['docs'], createdAt: '2026-11-02T09:00:00Z' },
    { number: 13, head: { ...head, repository: 'fork/app' }, isDraft: true },
    { number: 14, head: { ...head, repository: null }, base: { branch: 'next', commit: first } },
    { number: 15, head, state: 'closed' as const },
    { number: 16, head, merged: { commit: commit({ parents: [second, topic] }), by: 'ann' } },
  ]

  test.each([
    [
      'over 300 files',
      many(301),
      /^Sorry, the diff exceeded the maximum number of files \(300\)\. Consider using/,
    ],
    [
      'over 20,000 lines',
      { a: 'x\n'.repeat(20_000) },
      /^Sorry, the diff exceeded the maximum number of lines \(20000\)$/,
    ],
  ])('%s has no diff, but files', async (_, files, message) => {
    const large = [{ number: 12, head: { branch: 'topic', commit: commit({ parents: [first], files }) } }]
    const gitHub = await start({ branches, pulls: large })
    const { status, json } = await get(gitHub, '/pulls/12', diff)
    expect([status, json.message]).toEqual([406, expect.stringMatching(message)])
    expect(json.errors).toEqual([{ resource: 'PullRequest', field: 'diff', code: 'too_large' }])
    expect((await get(gitHub, '/pulls/12')).json.changed_files).toBe(Object.keys(files).length)
  })

  test('lists its files in pages, up to 3,000, without the patch of what is binary or large', async () => {
    const files = {
      ...many(3_010),
      'a.png': new Uint8Array([0]),
      'b.txt': `${'y'.repeat(500_001)}\n`,
      'c.md': 'c\n',
    }
    const large = [{ number: 12, head: { branch: 'topic', commit: commit({ parents: [first], files }) } }]
    const gitHub = await start({ branches, pulls: large })
    const { json, rels } = await get(gitHub, '/pulls/12/files?per_page=3')
    expect(json.map(({ filename, patch }: Record<string, unknown>) => [filename, patch])).toEqual([
      ['a.png', undefined],
      ['b.txt', undefined],
      ['c.md', '@@ -0,0 +1 @@\n+c'],
    ])
    expect(rels).toEqual(['next', 'last'])
    const octokit = getOctokit(sandboxGitHubToken, { baseUrl: gitHub.url })
    const where = { owner: 'acme', repo: 'app', pull_number: 12, per_page: 100 }
    expect(await octokit.paginate(octokit.rest.pulls.listFiles, where)).toHaveLength(3_000)
  })

  test.each([
    ['', [14, 13, 12]],
    ['?state=closed', [16, 15]],
    ['?state=all&sort=created&direction=asc', [12, 13, 14, 15, 16]],
    ['?state=all&sort=updated', [12, 13, 14, 15, 16]],
    ['?head=acme:topic', [12]],
    ['?head=fork:topic', [13]],
    ['?head=topic', [14, 13, 12]],
    ['?base=next', [14]],
    ['?base=main&state=all&per_page=2', [16, 15]],
  ])('a pull request is listed by %s', async (query, numbers) => {
    const { json } = await get(await start({ branches, pulls }), `/pulls${query}`)
    expect(json.map(({ number }: { number: number }) => number)).toEqual(numbers)
  })
})

describe('contents', () => {
  test('contents of over 1 MB come only as they are', async () => {
    const large = 'x'.repeat(1_048_577)
    const gitHub = await start({ branches: { main: commit({ files: { large } }) } })
    expect(await get(gitHub, '/contents/large')).toMatchObject({
      status: 403,
      json: { errors: [{ code: 'too_large' }] },
    })
    expect((await get(gitHub, '/contents/large', 'application/vnd.github.raw')).text).toHaveLength(1_048_577)
  })
})

const pulls = [{ number: 12, head: { branch: 'topic', commit: topic } }]
const branches = { main: second, topic }
const routes: [OperationName, string][] = [
  ['repos/compare-commits-with-basehead', '/compare/main...topic'],
  ['repos/get-commit', '/commits/main'],
  ['repos/get-content', '/contents/README.md'],
  ['repos/list-pull-requests-associated-with-commit', '/commits/topic/pulls'],
  ['pulls/list', '/pulls'],
  ['pulls/get', '/pulls/12'],
  ['pulls/list-files', '/pulls/12/files'],
]

describe('a token', () => {
  const statuses = (gitHub: GitHub) =>
    Promise.all(routes.map(async ([, path]) => (await get(gitHub, path)).status))
  const repeated = (status: number, times: number) => Array<number>(times).fill(status)

  test.each([
    [[], repeated(200, 7)],
    [['contents: read'], [...repeated(403, 3), ...repeated(200, 4)]],
    [['pull-requests: read'], [...repeated(200, 3), ...repeated(403, 4)]],
    [['pull-requests', 'issues'], repeated(200, 7)],
  ] as const)('a token that lacks %j may read the rest', async (lacks, expected) => {
    const gitHub = await start({ branches, pulls }, { lacks })
    expect(await statuses(gitHub)).toEqual(expected)
    const open = await start({ branches, pulls, isPrivate: false }, { lacks })
    expect(await statuses(open)).toEqual(repeated(200, 7))
  })

  test('a token that was not given for a private repository finds nothing there', async () => {
    expect(await statuses(await start({ branches, pulls, isReachable: false }))).toEqual(repeated(404, 7))
    const open = await start({ branches, pulls, isReachable: false, isPrivate: false })
    expect(await statuses(open)).toEqual(repeated(200, 7))
  })
})

describe('faults', () => {
  test.each(routes)('%s fails as configured, and then works again', async (on, path) => {
    const faults = [{ on, status: 503, times: 1, headers: { 'retry-after': '1' } }]
    const gitHub = await start({ branches, pulls }, { faults })
    const failed = await get(gitHub, path)
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await get(gitHub, path)).status).toBe(200)
  })
})

test('the description that the double is held to is valid OpenAPI', async () => {
  const definition = `${import.meta.dirname}/../../sandbox/github/openapi.json`
  await new OpenAPIBackend({ definition, strict: true, validate: false }).init()
})
