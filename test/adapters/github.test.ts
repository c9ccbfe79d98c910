import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { FaultAction } from '../../sandbox/faults.ts'
import type { Permissions } from '../../sandbox/github/access.ts'
import { commit, commits } from '../../sandbox/github/commits.ts'
import type { CallName } from '../../sandbox/github/handlers.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import {
  type GitHubFault,
  type GitHubOptions,
  startGitHub,
  sandboxGitHubToken as token,
} from '../../sandbox/github/server.ts'
import { nodeId } from '../../sandbox/github/views.ts'
import { serveHttp } from '../../sandbox/wire.ts'
import type { GitHubOptions as ClientOptions } from '../../src/adapters/github/client.ts'
import { createGitHubPorts } from '../../src/adapters/github/github.ts'
import { readProxies } from '../../src/core/proxy.ts'
import type { Thread } from '../../src/core/thread.ts'
import type { CommitStatus, GitHubPorts } from '../../src/usecases/ports.ts'

const app = 'acme/app'
const at = '2026-11-02T10:00:00Z'
const time = Date.parse(at)

const first = commit({
  files: { 'a.ts': 'one\ntwo\n', 'docs/old.ts': 'a\nb\nc\nd\n', 'docs/é.md': 'é\n', kit: 'k' },
  modes: { kit: '160000' },
})
const bytes = new Uint8Array([0, 1])
const second = commit({
  parents: [first],
  files: {
    'a.ts': 'one\n2\n',
    'docs/old.ts': null,
    'new.ts': 'a\nb\nc\nd\n',
    'x.png': bytes,
    'docs/l': '../src',
  },
  modes: { 'docs/l': '120000' },
  message: 'Work (#8)\n\nAt length.',
})
const topic = commit({ parents: [second], files: { 'docs/é.md': 'e\n' }, message: 'Topic' })

const issue: Thread = { repository: app, number: 3, isPullRequest: false, reviewRoot: null }
const pull: Thread = { repository: app, number: 7, isPullRequest: true, reviewRoot: null }
const review: Thread = { ...pull, reviewRoot: 13 }
const comment = (id: number, number: number, reviewRoot: number | null, user: string | null, more = {}) => {
  return { id, thread: { number, reviewRoot }, body: `comment ${id}`, user, ...more }
}
const comments = [
  comment(11, 3, null, 'ann'),
  comment(12, 7, null, 'github-actions[bot]', { updatedAt: '2026-11-02T10:01:00Z' }),
  comment(13, 7, 13, null, { review: 5 }),
  comment(14, 7, 99, 'ann', { review: 6 }),
]
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => comment(index + 1, 3, null, 'ann'))
const status: CommitStatus = {
  context: 'Docs',
  state: 'pending',
  description: 'job',
  targetUrl: 'https://x.y/z',
}
const seed = { ...status, repository: app, creator: 'github-actions[bot]' }
const reviewers = { logins: ['rita'], teams: ['writers'] }

/** GitHub's repository: an open pull request of the agent, a merged one whose fork is gone, and another open one. */
const repository = () =>
  new Repository({
    name: app,
    branches: { main: second, topic },
    releases: [
      { tag: 'v2', publishedAt: '2026-11-02T12:00:00Z' },
      { tag: 'old', publishedAt: '2026-11-02T09:59:59Z' },
      { tag: 'next', publishedAt: '2026-11-02T11:30:00Z', isPrerelease: true },
      { tag: 'v1', publishedAt: '2026-11-02T11:00:00Z' },
    ],
    pulls: [
      { number: 7, user: 'mintlify[bot]', createdAt: at, head: { branch: 'topic', commit: topic } },
      {
        number: 8,
        head: { branch: 'work', commit: second, repository: null },
        base: { commit: first },
        merged: { commit: second },
      },
      { number: 9, createdAt: '2026-11-02T11:00:00Z', head: { branch: 'next', commit: topic } },
    ],
  })

/** A clock that advances only during sleeps; `waits` lists the milliseconds of each sleep. */
function sleepyClock() {
  const waits: number[] = []
  const now = () => waits.reduce((sum, ms) => sum + ms, 0)
  const sleep = async (ms: number): Promise<void> => void waits.push(ms)
  return { waits, now, date: now, sleep }
}

const connect = (apiUrl: string, own: Partial<ClientOptions> = {}) => {
  const cancelled = new AbortController().signal
  const { proxy } = readProxies({})
  return createGitHubPorts({
    token,
    apiUrl,
    proxy,
    cancelled,
    clock: sleepyClock(),
    deadline: 3_600_000,
    ...own,
  })
}

async function start(options: GitHubOptions = {}, own: Partial<ClientOptions> = {}) {
  const home = repository()
  const hub = await startGitHub({
    repository: app,
    repositories: [home],
    comments,
    statuses: options.repositories ? [] : [{ ...seed, sha: topic.sha, createdAt: at }],
    roles: {
      ann: { permission: 'write', role_name: 'maintain' },
      rita: { permission: 'read', role_name: 'read' },
    },
    teams: ['writers'],
    now: () => new Date(at),
    ...options,
  })
  onTestFinished(() => hub.close())
  const clock = sleepyClock()
  return { hub, home, clock, github: connect(hub.url, { clock, ...own }) }
}

/** GitHub that responds to every request with this body. */
const startRaw = (body: unknown) => start({ faults: [{ do: { kind: 'raw', body: JSON.stringify(body) } }] })

/** The operation on GitHub, the port, and what it gets. */
type Call = [on: CallName, port: keyof GitHubPorts, ...given: unknown[]]

const ask = (github: GitHubPorts, port: keyof GitHubPorts, given: unknown[]) =>
  (github[port] as (...given: unknown[]) => Promise<unknown>)(...given)

const compare = { by: 'compare', base: first.sha, head: second.sha } as const

/** Every call that can be repeated, and ways to make it. */
const calls: Call[] = [
  ['repos/get-collaborator-permission-level', 'role', app, 'ann'],
  ['repos/get-collaborator-permission-level', 'role', app, 'nobody'],
  ['graphql/viewer', 'viewer'],
  ['issues/list-comments', 'comments', pull],
  ['pulls/list-review-comments', 'comments', review],
  ['issues/update-comment', 'edit', pull, 12, 'new'],
  ['pulls/update-review-comment', 'edit', review, 14, 'new'],
  ['issues/delete-comment', 'remove', issue, 11],
  ['pulls/delete-review-comment', 'remove', review, 13],
  ['reactions/create-for-issue', 'react', issue, null, 'eyes'],
  ['reactions/create-for-issue-comment', 'react', pull, 12, 'rocket'],
  ['reactions/create-for-pull-request-review-comment', 'react', review, 14, 'confused'],
  ['graphql/hide', 'hide', nodeId('IssueComment', 12)],
  ['issues/list-comments-for-repo', 'recentComments', app, 'issue', time],
  ['issues/list-comments-for-repo', 'recentComments', app, 'issue', time + 60_000],
  ['pulls/list-review-comments-for-repo', 'recentComments', app, 'review', time],
  ['repos/list-commit-statuses-for-ref', 'statuses', app, topic.sha],
  ['repos/create-commit-status', 'setStatus', app, topic.sha, { ...status, targetUrl: '' }],
  ['graphql/recentStatuses', 'recentStatuses', app, time],
  ['graphql/history', 'history', app, ['Other'], null],
  ['repos/compare-commits-with-basehead', 'changedFiles', app, compare],
  ['repos/get-commit', 'changedFiles', app, { by: 'commit', sha: second.sha }],
  ['pulls/list-files', 'changedFiles', app, { by: 'pull', number: 8 }],
  ['repos/get-content', 'file', app, 'docs/é.md', second.sha],
  ['repos/get-content', 'file', app, 'nowhere', 'main'],
  ['repos/list-pull-requests-associated-with-commit', 'pullsOf', app, second.sha],
  ['pulls/list', 'openPulls', app],
  ['pulls/get', 'pull', app, 7],
  ['pulls/get', 'pull', app, 8],
  ['pulls/get', 'pull', app, 99],
  ['issues/add-labels', 'addLabels', app, 7, ['docs']],
  ['pulls/request-reviewers', 'requestReviews', app, 7, reviewers],
  ['repos/list-releases', 'releases', app, time],
  ['graphql/pullViews', 'pullViews', app, [7, 8, 99]],
  ['pulls/list-review-comments', 'reviewComments', app, 7, 5],
  ['repos/compare-commits-with-basehead', 'contains', app, 'main', second.sha],
  ['repos/compare-commits-with-basehead', 'contains', app, 'main', topic.sha],
  ['git/get-tree', 'changedPaths', app, first.sha, second.sha],
  ['git/get-tree', 'links', app, second.sha, ['a.ts', 'docs/l', 'kit', 'gone']],
  ['markdown/render', 'render', app, 'Hi'],
]

const creates: Call[] = [
  ['issues/create-comment', 'reply', issue, 'Working'],
  ['pulls/create-reply-for-review-comment', 'reply', review, 'Working'],
]

const once = (on: CallName, fault: { status: number; headers?: object; process?: boolean } | FaultAction) =>
  [{ on, times: 1, ...('kind' in fault ? { do: fault } : fault) }] as GitHubFault[]
const reset = (when: 'before' | 'after') => ({ kind: 'reset', when }) as const
const cut = { kind: 'cut' } as const
const page = { kind: 'raw', body: '<html>' } as const
const limited = { status: 403, headers: { 'retry-after': '7' } }

describe.each(calls)('%s: %s', (on, port, ...given) => {
  it('a call that can be repeated is retried after a 502, and returns what GitHub has', async () => {
    const { hub, github } = await start({ faults: once(on, { status: 502, process: true }) })
    expect(await ask(github, port, given)).toMatchSnapshot()
    expect(hub.requests.filter(({ name }) => name === on).length).toBeGreaterThan(1)
  })
})

it('calls that write change what GitHub has', async () => {
  const { hub, home, github } = await start()
  for (const [, port, ...given] of [...creates, ...calls]) await ask(github, port, given)
  const { labels, reviewers } = home.pull(7) ?? {}
  expect([hub.comments, hub.reactions, hub.statuses, labels, reviewers]).toMatchSnapshot()
})

/** A read and a write through each of GitHub's APIs: REST and GraphQL. */
const samples = ['issues/list-comments', 'issues/update-comment', 'graphql/viewer', 'graphql/hide']
const isSample = ([on]: (typeof calls)[number]) => samples.includes(on)

describe.each([...calls.filter(isSample), ...creates])('%s: %s', (on, port, ...given) => {
  const isCreated = creates.some(([name]) => name === on)

  it.each([
    ['500', { status: 500 }, 500, 0],
    ['502, even if GitHub carried it out', { status: 502, process: true }, 502, 1],
    ['a connection reset before processing', reset('before'), null, 0],
    ['a connection reset after processing', reset('after'), null, 1],
    ['a response that breaks off', cut, null, 1],
    ['an HTML page from a proxy', page, null, 1],
  ])(
    'a call is retried after %s only if it can be repeated; otherwise, it is uncertain',
    async (_, fault, status, made) => {
      const { hub, github } = await start({ faults: once(on, fault) })
      const uncertain = { ok: false, rejection: { status, isUncertain: true } }
      expect(await ask(github, port, given)).toMatchObject(isCreated ? uncertain : { ok: true })
      if (isCreated) expect([hub.requests.length, hub.comments.length]).toEqual([1, comments.length + made])
    },
  )

  it.each([
    ['429', { status: 429 }],
    ['403 with Retry-After', limited],
  ])('a call is retried after %s, because GitHub has rejected it', async (_, fault) => {
    const { hub, github } = await start({ faults: once(on, fault) })
    expect(await ask(github, port, given)).toMatchObject({ ok: true })
    expect(hub.comments).toHaveLength(comments.length + (isCreated ? 1 : 0))
  })

  it('a call is retried if the connection is refused, because nothing was sent', async () => {
    const { hub, clock, github } = await start()
    hub.refuse()
    clock.sleep = () => hub.accept()
    expect(await ask(github, port, given)).toMatchObject({ ok: true })
  })

  it.each([403, 404, 422])(
    'a call rejected with %i is not retried, and certainly changed nothing',
    async (status) => {
      const { hub, github } = await start({ faults: [{ on, status, message: 'No' }] })
      expect(await ask(github, port, given)).toEqual({ ok: false, rejection: { status, message: 'No' } })
      expect(hub.requests).toHaveLength(1)
    },
  )
})

it('a call is tried at most four times, with waits that triple', async () => {
  const { hub, clock, github } = await start({ faults: [{ status: 503, message: 'Not now' }] })
  const rejection = { status: 503, message: 'Not now' }
  expect(await github.viewer()).toMatchObject({ ok: false, rejection })
  expect([hub.requests.length, clock.waits]).toEqual([4, [300, 900, 2700]])
})

it('a call stays uncertain if GitHub may have carried out an earlier attempt', async () => {
  const { github } = await start({ faults: [{ status: 502, times: 1 }, { status: 403 }] })
  const rejection = { status: 403, isUncertain: true }
  expect(await github.edit(issue, 11, 'new')).toMatchObject({ ok: false, rejection })
})

describe('a rate limit', () => {
  const limitedBy = async (fault: GitHubFault, deadline = 600_000) => {
    const { github, clock } = await start({ faults: [fault] }, { deadline })
    return { reply: await github.viewer(), waits: clock.waits }
  }
  const exceeded = JSON.stringify({ errors: [{ message: 'API rate limit exceeded' }] })

  it.each<[string, GitHubFault, number]>([
    ['Retry-After', limited, 7_000],
    ['Retry-After with a 503', { ...limited, status: 503 }, 7_000],
    ['no headers', { status: 429 }, 60_000],
    ['an error of GraphQL', { do: { kind: 'raw', body: exceeded } }, 60_000],
  ])('a rate limit is waited out: %s', async (_, fault, wait) => {
    expect(await limitedBy({ ...fault, times: 1 })).toMatchObject({ reply: { ok: true }, waits: [wait] })
  })

  it.each([
    ['Retry-After is past the deadline', { 'retry-after': '61' }],
    ['the hourly limit is used up', { 'x-ratelimit-remaining': '0' }],
  ])('a rate limit is not waited out if %s', async (_, headers) => {
    const reply = { ok: false, rejection: { status: 403, kind: 'rate-limit' } }
    expect(await limitedBy({ status: 403, headers }, 60_000)).toMatchObject({ reply, waits: [] })
  })
})

describe('time', () => {
  const hang = { do: { kind: 'hang', at: 'request' } } as const

  it.each([
    [0, null, []],
    [1_000, 500, [300]],
  ])('no call is sent or waits past a deadline of %i ms', async (deadline, status, waits) => {
    const { hub, clock, github } = await start({ faults: [{ status: 500 }] }, { deadline })
    expect(await github.viewer()).toMatchObject({ ok: false, rejection: { status } })
    expect([hub.requests.length, clock.waits]).toEqual([status === null ? 0 : 2, waits])
  })

  it('a call without a response ends at the deadline', async () => {
    const { github } = await start({ faults: [hang] }, { deadline: 50 })
    const message = 'GitHub did not respond in time'
    expect(await github.viewer()).toMatchObject({ ok: false, rejection: { status: null, message } })
  })

  it('a cancel ends a wait immediately, and all calls 8.5 s later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const cancel = new AbortController()
    let now = 0
    const clock = { now: () => now, date: () => 0, sleep: async () => cancel.abort() }
    const faults: GitHubFault[] = [{ ...limited, times: 1 }, hang]
    const { hub, github } = await start({ faults }, { clock, cancelled: cancel.signal })
    const reply = github.viewer()
    await vi.waitFor(() => expect(hub.requests).toHaveLength(2))
    now = 8_500
    await vi.advanceTimersByTimeAsync(now)
    expect(await reply).toMatchObject({ ok: false, rejection: { status: null } })
    expect(await github.viewer()).toMatchObject({ rejection: { message: 'No time is left' } })
  })

  it('a cancelled step still makes calls, with waits between its attempts', async () => {
    const ended: boolean[] = []
    const sleep = async (_: number, signal: AbortSignal) => void ended.push(signal.aborted)
    const own = { cancelled: AbortSignal.abort(), clock: { ...sleepyClock(), sleep } }
    const { github } = await start({ faults: [{ times: 1, status: 503 }] }, own)
    expect(await github.edit(issue, 11, 'Cancelled')).toMatchObject({ ok: true })
    expect(ended).toEqual([false])
  })
})

describe('a response', () => {
  it('a response over 20 MiB is rejected', async () => {
    const { hub, github } = await start({
      faults: [{ do: { kind: 'raw', body: ' '.repeat(21 * 1024 * 1024) } }],
    })
    const message = expect.stringContaining('20 MiB')
    expect(await github.comments(issue)).toMatchObject({ ok: false, rejection: { message } })
    expect(hub.requests).toHaveLength(1)
  })

  const elsewhere = { ok: false, rejection: { message: 'GitHub points elsewhere' } }

  it('a response cannot redirect the token to another server', async () => {
    const other = await start()
    const headers = { link: `<${other.hub.url}/repos/acme/app/issues/3/comments?page=2>; rel="next"` }
    const { github } = await start({ faults: [{ do: { kind: 'raw', body: '[]', headers } }] })
    expect(await github.comments(issue)).toMatchObject(elsewhere)
    expect(other.hub.requests).toEqual([])
  })

  it.each<[string, number, string, keyof GitHubPorts, ...unknown[]]>([
    ['a read', 301, 'pulls/7', 'pull', app, 7],
    ['a write', 307, 'issues/3/comments', 'reply', issue, 'Done'],
  ])('%s follows the redirect of a renamed repository', async (_, status, path, port, ...given) => {
    const { github } = await start({
      faults: [{ times: 1, status, headers: { location: `/repos/ACME/app/${path}` } }],
    })
    expect(await ask(github, port, given)).toMatchObject({ ok: true })
  })

  it.each([
    ['to a sign-in page', 302, '/login'],
    ['to another server', 301, 'http://127.0.0.1:9/repos/acme/app/pulls/7'],
    ['for the second time', 301, '/repos/ACME/app/pulls/7'],
  ])('a redirect %s is not followed', async (_, status, location) => {
    const { github } = await start({ faults: [{ status, headers: { location } }] })
    expect(await github.pull(app, 7)).toMatchObject(elsewhere)
  })

  it('an HTML page or a response without a documented field is a rejection, never an empty list', async () => {
    const rejection = { status: null, message: expect.stringContaining('documents') }
    const html = await start({ faults: [{ do: page }] })
    expect(await html.github.comments(issue)).toMatchObject({ ok: false, rejection })
    const { github } = await startRaw({})
    expect(await github.changedFiles(app, compare)).toMatchObject({ ok: false, rejection })
    expect(await github.viewer()).toMatchObject({ ok: false, rejection })
  })

  it('an error message never contains the token', async () => {
    const { github } = await start({ faults: [{ status: 400, message: `Bad ${token}` }] })
    expect(JSON.stringify(await github.viewer())).not.toContain(token)
  })

  it.each<[Permissions, number, keyof GitHubPorts, ...unknown[]]>([
    [{ issues: 'read' }, 403, 'reply', issue, 'x'],
    [{ statuses: 'none' }, 200, 'recentStatuses', app, 0],
    [{ 'pull-requests': 'none' }, 200, 'history', app, ['Docs'], null],
  ])('a rejection says that a permission is missing: %j', async (permissions, status, port, ...given) => {
    const { github } = await start({ permissions })
    expect(await ask(github, port, given)).toMatchObject({
      ok: false,
      rejection: { status, kind: 'permission' },
    })
  })
})

describe('a request', () => {
  it('each request names the API version', async () => {
    const versions = new Set<unknown>()
    const { url, close } = await serveHttp(({ headers }, response) => {
      versions.add(headers['x-github-api-version'])
      response.end('[]')
    })
    onTestFinished(close)
    for (const [, port, ...given] of [...calls, ...creates]) await ask(connect(url), port, given)
    expect([...versions]).toEqual(['2022-11-28'])
  })

  it('queries on Enterprise Server have a path of their own', async () => {
    const { hub, github } = await start({ basePath: '/api/v3' })
    expect(await github.viewer()).toMatchObject({ ok: true })
    expect(hub.requests).toMatchObject([{ path: '/api/graphql' }])
  })

  it('the token’s own account is requested once, again after a rejection, and not at all after a comment', async () => {
    const { hub, github } = await start({ faults: [{ status: 404, times: 1 }] })
    expect(await github.viewer()).toMatchObject({ ok: false })
    const [asked, known] = [await github.viewer(), await github.viewer()]
    expect([asked.ok, known, hub.requests.length]).toEqual([true, asked, 2])
    const other = await start()
    await other.github.reply(issue, 'Hello')
    expect([await other.github.viewer(), other.hub.requests.length]).toEqual([asked, 1])
  })
})

describe('a long list', () => {
  it.each<[string, number, number, boolean, keyof GitHubPorts, ...unknown[]]>([
    ['a thread', 3_000, 3_000, false, 'comments', issue],
    ['a thread', 3_001, 3_000, true, 'comments', issue],
    ['a repository', 2_001, 2_000, true, 'recentComments', app, 'issue', 0],
  ])(
    'the list of comments of %s with %i items is read up to %i',
    async (_, count, length, isCut, port, ...given) => {
      const { hub, github } = await start({ comments: many(count) })
      expect(await ask(github, port, given)).toMatchObject({ ok: true, value: { items: { length }, isCut } })
      expect(hub.requests).toHaveLength(length / 100)
    },
  )

  it.each([
    ['a comparison', 301, 300, true, (head: string) => ({ by: 'compare', base: first.sha, head }) as const],
    ['a commit', 301, 301, false, (sha: string) => ({ by: 'commit', sha }) as const],
    ['a pull request', 3_001, 3_000, true, () => ({ by: 'pull', number: 7 }) as const],
  ])('the list of files of %s with %i items is read up to %i', async (_, count, length, isCut, range) => {
    const names = Array.from({ length: count }, (_, index) => [`${index}.md`, 'x\n'])
    const wide = commit({ parents: [first], files: Object.fromEntries(names) })
    const pulls = [{ number: 7, head: { branch: 'wide', commit: wide } }]
    const home = new Repository({ name: app, branches: { main: first, wide }, pulls })
    const { github } = await start({ repositories: [home] })
    const reply = await github.changedFiles(app, range(wide.sha))
    const { files, ...value } = reply.ok ? reply.value : { files: [] }
    expect(value).toEqual({ isCut, ...(length === 300 && { mergeBase: first.sha }) })
    expect([files.length, new Set(files.map(({ path }) => path)).size]).toEqual([length, length])
  })

  it('a list is rejected as a whole if a page fails', async () => {
    const { github } = await start({ comments: many(101), faults: [{ after: 1, status: 409 }] })
    expect(await github.comments(issue)).toMatchObject({ ok: false, rejection: { status: 409 } })
  })

  it('a hundred commits of the default branch are read at once, and the statuses of 50', async () => {
    const main = commits(150)
    const home = new Repository({ name: app, branches: { main } })
    const { github } = await start({ repositories: [home], statuses: [{ ...seed, sha: main.sha }] })
    const newest = await github.history(app, ['Docs'], null)
    expect(newest).toMatchObject({ value: { commits: { length: 100, 0: { isMarked: true } } } })
    const rest = await github.history(app, ['Docs'], newest.ok ? newest.value.next : null)
    expect(rest).toMatchObject({ value: { commits: { length: 50 }, next: null } })
    // Older commits have no statuses that matter.
    const reads = [0, Date.parse(main.date) + 1].map((since) => github.recentStatuses(app, since))
    const [old, recent] = [true, false].map((isCut) => ({ value: { items: { length: 1 }, isCut } }))
    expect(await Promise.all(reads)).toMatchObject([old, recent])
  })

  it.each([
    [1_000, true],
    [-1_000, false],
  ])('statuses are complete if the last listed pull request is old enough (%i ms)', async (ms, isCut) => {
    const nodes = [{ updatedAt: new Date(time + ms).toISOString(), commits: { nodes: [] } }]
    const pullRequests = { pageInfo: { hasNextPage: true }, nodes }
    const { github } = await startRaw({ data: { repository: { defaultBranchRef: null, pullRequests } } })
    expect(await github.recentStatuses(app, time)).toMatchObject({ ok: true, value: { isCut } })
  })

  it('symbolic links are found folder by folder if GitHub cuts the list of the whole tree', async () => {
    const trees = [
      { truncated: true, tree: [] },
      {
        tree: [
          ['docs', '040000', second.sha],
          ['a.md', '100644', 'f1'],
        ],
      },
      {
        tree: [
          ['link', '120000', 'f2'],
          ['b.md', '100644', 'f3'],
        ],
      },
    ]
    const faults = trees.map(({ tree, ...more }, after) => {
      const body = { ...more, tree: tree.map(([path, mode, sha]) => ({ path, mode, sha })) }
      return { after, times: 1, do: { kind: 'raw', body: JSON.stringify(body) } } as const
    })
    const { github, hub } = await start({ faults })
    const paths = ['a.md', 'docs/b.md', 'docs/link', 'gone/c.md']
    expect(await github.links(app, first.sha, paths)).toEqual({ ok: true, value: ['docs/link'] })
    expect(hub.requests.map(({ path }) => path.split('/').at(-1))).toEqual([first.sha, first.sha, second.sha])
  })

  it('a tree that GitHub cuts is marked as incomplete', async () => {
    const { github } = await startRaw({ truncated: true, tree: [] })
    expect(await github.changedPaths(app, first.sha, topic.sha)).toMatchObject({ value: { isCut: true } })
  })
})

describe('missing values', () => {
  it('an empty repository has no history', async () => {
    const { github } = await start({ repositories: [new Repository({ name: app })] })
    expect(await github.history(app, ['Docs'], null)).toMatchObject({ value: { commits: [], next: null } })
  })

  const page = { pageInfo: { hasNextPage: false } }
  it.each([
    ['the default branch', null, { nodes: [] }],
    ['its target', { target: null }, { nodes: [] }],
    ['the history', { target: { history: { ...page, nodes: null } } }, { nodes: [null] }],
    ['the list of pull requests', null, { nodes: null }],
    ['a commit', null, { nodes: [{ commits: { nodes: [null, { commit: null }] } }] }],
  ])('the list of statuses is empty if GitHub returns null for %s', async (_, defaultBranchRef, pulls) => {
    const repository = { defaultBranchRef, pullRequests: { ...page, ...pulls } }
    const { github } = await startRaw({ data: { repository } })
    expect(await github.recentStatuses(app, time)).toEqual({ ok: true, value: { items: [], isCut: false } })
  })

  it('a merged pull request can lack its merge commit and its author', async () => {
    const { github } = await startRaw([{ number: 7, user: null, head: { sha: 'a' }, merged_at: at }])
    const value = [{ isMerged: true, mergeCommit: null, author: null }]
    expect(await github.pullsOf(app, second.sha)).toMatchObject({ ok: true, value })
  })
})
