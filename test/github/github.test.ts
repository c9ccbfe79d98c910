import { describe, expect, it, onTestFinished } from 'vitest'
import type { Permissions } from '../../sandbox/github/access.ts'
import { type Commit, commit, commits } from '../../sandbox/github/commits.ts'
import { Repository, repositoryId } from '../../sandbox/github/repository.ts'
import {
  type GitHubFault,
  type GitHubOptions,
  startGitHub,
  sandboxGitHubToken as token,
} from '../../sandbox/github/server.ts'
import { nodeId } from '../../sandbox/github/views.ts'
import type { GitHubFailure } from '../../src/core/http.ts'
import { readProxies } from '../../src/core/proxy.ts'
import type { Thread } from '../../src/core/thread.ts'
import type { Range } from '../../src/core/trigger/change.ts'
import { createBudget } from '../../src/github/budget.ts'
import type { GitHubOptions as ClientOptions } from '../../src/github/client.ts'
import { createGitHubPorts } from '../../src/github/github.ts'
import type { CommitStatus, GitHubPorts } from '../../src/ports.ts'
import { githubFailureText } from '../../src/say/rejections.ts'

const app = 'acme/app'
const home = { repository: app, repositoryId: `${repositoryId(app)}` }
const at = '2026-11-02T10:00:00Z'
const time = Date.parse(at)

const first = commit({
  files: { 'a.ts': 'one\ntwo\n', 'docs/old.ts': 'a\nb\nc\nd\n', 'docs/é.md': 'é\n', kit: 'k' },
  modes: { kit: '160000' },
})
const second = commit({
  parents: [first],
  files: {
    'a.ts': 'one\n2\n',
    'docs/old.ts': null,
    'new.ts': 'a\nb\nc\nd\n',
    'x.png': '\0\x01',
    'docs/l': '../src',
  },
  modes: { 'docs/l': '120000' },
  message: 'Work (#8)\n\nAt length.',
})
const topic = commit({ parents: [second], files: { 'docs/é.md': 'e\n' }, message: 'Topic' })

const orphan = commit({ files: { 'z.md': 'z' } })
const wide = commit({
  parents: [first],
  files: Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`${index}.md`, 'x\n'])),
})

const issue: Thread = { ...home, number: 3, isPullRequest: false, reviewRoot: null }
const pull: Thread = { ...home, number: 7, isPullRequest: true, reviewRoot: null }
const review: Thread = { ...pull, reviewRoot: 13 }
const comment = (id: number, number: number, reviewRoot: number | null, user: string | null, more = {}) => {
  return { id, thread: { number, reviewRoot }, body: `comment ${id}`, user, ...more }
}
const comments = [
  comment(11, 3, null, 'ann'),
  comment(12, 7, null, 'github-actions[bot]', { updatedAt: '2026-11-02T10:01:00Z' }),
  comment(13, 7, 13, null, { review: 5 }),
  comment(14, 7, 99, 'ann', { review: 6 }),
  comment(15, 7, 13, 'github-actions[bot]', { review: 5 }),
]
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => comment(index + 1, 3, null, 'github-actions[bot]'))
const status: CommitStatus = {
  context: 'Docs',
  state: 'pending',
  description: 'job',
  targetUrl: 'https://x.y/z',
}
const seed = { ...status, repository: app, creator: 'github-actions[bot]' }

/** GitHub's repository: an open pull request of the agent, a merged one whose fork is gone, and another open one. */
const repository = () =>
  new Repository({
    name: app,
    branches: { main: second, topic, wide, orphan },
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
      { number: 10, state: 'closed', head: { branch: 'wide', commit: wide }, base: { commit: first } },
    ],
  })

const raw = (body: string) => ({ kind: 'raw', body }) as const
const page = raw('<html>')
const usedUp = { status: 403, headers: { 'x-ratelimit-remaining': '0' } }
const limited = { status: 403, headers: { 'retry-after': '7' } }

/** A clock that advances only during sleeps; `waits` lists the milliseconds of each sleep. */
function sleepyClock() {
  const waits: number[] = []
  const now = () => waits.reduce((sum, ms) => sum + ms, 0)
  const sleep = async (ms: number): Promise<void> => void waits.push(ms)
  const dates: (string | undefined)[] = []
  return { waits, dates, now, date: now, follow: (date?: string) => void dates.push(date), sleep }
}

async function start(options: GitHubOptions = {}, own: Partial<ClientOptions> = {}) {
  const home = repository()
  const hub = await startGitHub({
    repository: app,
    repositories: [home],
    comments,
    statuses: options.repositories
      ? []
      : ['github-actions[bot]', 'ann'].map((creator) => {
          return { ...seed, context: `Docs ${creator}`, creator, sha: topic.sha, createdAt: at }
        }),
    roles: {
      ann: { permission: 'write', role_name: 'maintain' },
      rita: { permission: 'read', role_name: 'read' },
    },
    now: () => new Date(at),
    ...options,
  })
  onTestFinished(() => hub.close())
  const clock = sleepyClock()
  const limits: number[] = []
  const github = createGitHubPorts({
    token,
    apiUrl: hub.url,
    proxy: readProxies({}).proxy,
    cancelled: new AbortController().signal,
    clock,
    deadline: 3_600_000,
    onLimit: (wait) => limits.push(wait),
    accepted: new Set(),
    onPage() {},
    budget: createBudget(),
    ...own,
  })
  return { hub, home, clock, limits, github }
}

/** GitHub that responds to every request with this body. */
const startRaw = (body: unknown) => start({ faults: [raw(JSON.stringify(body))] })

/** GitHub that responds to every query with this repository. */
const startQueried = (found: object) =>
  startRaw({ data: { repository: found, viewer: { login: 'github-actions[bot]' } } })

/** The port, and what it gets. */
type Call = [port: keyof GitHubPorts, ...given: unknown[]]

const ask = (github: GitHubPorts, [port, ...given]: Call) =>
  (github[port] as (...given: unknown[]) => Promise<{ failure?: GitHubFailure }>)(...given)

const compare = { by: 'compare', base: first.sha, head: second.sha } as const

/** Every call that can be repeated, and ways to make it. */
const calls: Call[] = [
  ['role', app, { login: 'ann', id: null, isBot: false }],
  ['role', app, { login: 'nobody', id: null, isBot: false }],
  ['role', app, { login: 'renovate[bot]', id: null, isBot: null }],
  ['role', app, { login: 'ann', id: null, isBot: null }],
  ['reviewComment', app, 99],
  ['comments', pull],
  ['comments', review],
  ['edit', pull, 12, 'new'],
  ['edit', review, 14, 'new'],
  ['remove', issue, 11],
  ['remove', review, 13],
  ['react', issue, null, 'eyes'],
  ['react', pull, 12, 'rocket'],
  ['react', review, 14, 'confused'],
  ['hide', nodeId('IssueComment', 12)],
  ['recentComments', home, 'issues', time],
  ['recentComments', home, 'issues', time + 60_000],
  ['recentComments', home, 'pulls', time],
  ['statuses', app, topic.sha],
  ['setStatus', app, topic.sha, { ...status, targetUrl: '' }],
  ['recentStatuses', app, time],
  ['history', app, ['Other'], null],
  ['changedFiles', app, compare],
  ['changedFiles', app, { by: 'commit', sha: second.sha }],
  ['changedFiles', app, { by: 'pull', number: 8 }],
  ['attributesFiles', app, second.sha, [{ path: 'docs/é.md' }]],
  ['pullsOf', app, [second.sha, topic.sha, 'd'.repeat(40)]],
  ['pullsOn', app, 'headRefName', 'topic', 'next'],
  ['pullsOn', app, 'baseRefName', 'main'],
  ['openPulls', app],
  ['pull', { ...pull, number: 7 }],
  ['pull', { ...pull, number: 8 }],
  ['pull', { ...pull, number: 99 }],
  ['addLabels', app, 7, ['docs']],
  ['requestReview', app, 7, 'rita'],
  ['requestReview', app, 7, 'acme/writers'],
  ['releases', app, time],
  ['pullViews', app, [7, 8, 99]],
  ['reviewComments', app, 7, 5],
  ['contains', app, 'main', second.sha],
  ['contains', app, 'main', topic.sha],
  ['changedPaths', app, first.sha, second.sha],
  [
    'treeEntries',
    app,
    ['a.ts', 'docs', 'docs/l', 'kit', 'gone'].map((path) => ({ commit: second.sha, path })),
  ],
  ['treeEntries', app, [{ commit: 'f'.repeat(40), path: 'a.ts' }]],
  ['render', app, 'Hi'],
]

const creates: Call[] = [
  ['reply', issue, 'Working'],
  ['reply', review, 'Working'],
]

it.each(calls)(
  'a call that can be repeated is retried after a 502, and returns what GitHub has: %s',
  async (...call) => {
    const { hub, github } = await start({ faults: [{ times: 1, status: 502, process: true }] })
    const value = await ask(github, call)
    expect([...hub.requests.map(({ name }) => name), value]).toMatchSnapshot()
  },
)

it('calls that write change what GitHub has', async () => {
  const { hub, home, github } = await start()
  for (const call of [...creates, ...calls]) await ask(github, call)
  const versions = hub.requests.map(({ headers }) => headers['x-github-api-version'])
  expect(new Set(versions)).toEqual(new Set(['2022-11-28']))
  const { labels, reviewers } = home.pull(7) ?? {}
  expect([hub.comments, hub.reactions, hub.statuses, labels, reviewers]).toMatchSnapshot()
})

/** A read and a write through each of GitHub's APIs, REST and GraphQL, and the writes that create something. */
const samples: Call[] = [
  ['pull', { ...pull, number: 7 }],
  ['edit', pull, 12, 'new'],
  ['history', app, ['Docs'], null],
  ['hide', nodeId('IssueComment', 12)],
  ...creates,
]

const exceeded = raw(JSON.stringify({ errors: [{ message: 'API rate limit exceeded' }] }))

it.each([
  ['NOT_FOUND', 'Could not resolve to a PullRequest', { ok: true }],
  ['FORBIDDEN', 'Resource not accessible by integration', { ok: false, failure: { kind: 'permission' } }],
  ['INTERNAL', 'Something went wrong while executing your query', { ok: false, failure: { kind: 'broken' } }],
])(
  'a part of a query that does not exist is left out, and any other error rejects the whole query: %s',
  async (type, message, expected) => {
    const file = { mode: 33188, oid: 'aa' }
    const data = { repository: { p0: { file }, p1: null } }
    const body = raw(JSON.stringify({ data, errors: [{ type, message, path: ['repository', 'p1'] }] }))
    const { github } = await start({ faults: [{ on: 'graphql/each', ...body }] })
    const places = ['a', 'b'].map((path) => ({ commit: second.sha, path }))
    const reply = await github.treeEntries(app, places)
    expect(reply).toMatchObject(expected)
    if (reply.ok) expect([...reply.value.values()]).toEqual([file, undefined])
  },
)

/** A failure as people read it, and what else decides. */
function shown(failure: GitHubFailure): string {
  const { kind, isUncertain } = failure
  const [, status = '200', message] = /^(?:(\d+|no response): )?(.*)$/.exec(githubFailureText(failure)) ?? []
  return JSON.stringify({
    status: status === 'no response' ? null : Number(status),
    message,
    ...(/^(rate-limit|permission)$/.test(kind) && { kind }),
    ...(isUncertain && { isUncertain }),
  })
}

it.each<[string, ...GitHubFault[]]>([
  ['500', { times: 1, status: 500 }],
  ['503 each time', { status: 503, message: 'Not now' }],
  ['502, although GitHub carries it out', { times: 1, status: 502, process: true }],
  ['502, then 403', { times: 1, status: 502 }, { status: 403, message: 'No' }],
  ['a connection reset before processing', { times: 1, kind: 'reset', when: 'before' }],
  ['a response that breaks off', { times: 1, kind: 'cut' }],
  ['an HTML page from a proxy', { times: 1, ...page }],
  ['429', { times: 1, status: 429 }],
  ['403 with Retry-After', { times: 1, ...limited }],
  ['503 with Retry-After', { times: 1, ...limited, status: 503 }],
  ['403 with Retry-After past the deadline', { status: 403, headers: { 'retry-after': '3601' } }],
  ['403 for another reason, with the last request of the hour', usedUp],
  ['a rate limit of GraphQL', { times: 1, on: 'graphql/history', ...exceeded }],
  ...[403, 404, 422].map((status): [string, GitHubFault] => [`${status}`, { status, message: 'No' }]),
])('a call is repeated only if that cannot do harm, and GitHub allows it: %s', async (_, ...faults) => {
  const rows = samples.map(async (call) => {
    const { hub, clock, github } = await start({ faults })
    const { failure } = await ask(github, call)
    const made = hub.comments.length - comments.length
    const calls = { requests: hub.requests.length, waits: clock.waits, made }
    return `${call[0]}: ${failure ? shown(failure) : 'ok'} ${JSON.stringify(calls)}`
  })
  expect(await Promise.all(rows)).toMatchSnapshot()
})

it.each(samples)(
  'a call is repeated if the connection is refused, because nothing was sent: %s',
  async (...call) => {
    const { hub, clock, github } = await start()
    hub.refuse()
    clock.sleep = () => hub.accept()
    expect(await ask(github, call)).toMatchObject({ ok: true })
  },
)

describe('time', () => {
  const hang = { kind: 'hang', at: 'request' } as const

  it.each([
    [0, { kind: 'no-time' }, []],
    [1_000, { kind: 'broken', status: 500 }, [300]],
  ])('no call is sent or waits past a deadline of %i ms', async (deadline, failure, waits) => {
    const { hub, clock, github } = await start({ faults: [{ status: 500 }] }, { deadline })
    expect(await github.history(app, [], null)).toMatchObject({ ok: false, failure })
    expect([hub.requests.length, clock.waits]).toEqual([deadline === 0 ? 0 : 2, waits])
  })

  it('a call without a response ends at the deadline', async () => {
    const { github } = await start({ faults: [hang] }, { deadline: 50 })
    expect(await github.history(app, [], null)).toMatchObject({
      ok: false,
      failure: { kind: 'no-response', code: 'TIMED_OUT' },
    })
  })

  it.each<[string, AbortSignal, number[]]>([
    ['9 s', new AbortController().signal, [9_000]],
    ['less once it was cancelled', AbortSignal.abort(), []],
  ])('a step waits for GitHub as long as it asks: %s', async (_, cancelled, waits) => {
    const busy = { times: 1, status: 503, headers: { 'retry-after': '9' } }
    const { clock, github } = await start({ faults: [busy] }, { cancelled })
    expect(await github.history(app, [], null)).toMatchObject({ ok: waits.length > 0 })
    expect(clock.waits).toEqual(waits)
  })

  const inSeconds = (seconds: number, message = 'API rate limit exceeded for installation.') => {
    const reset = `${Math.ceil(time / 1000) + seconds}`
    return {
      times: 1,
      status: 403,
      message,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
    }
  }
  it.each([
    [200, 3_600_000, true],
    [310, 3_600_000, false],
    [200, 700_000, false],
  ])(
    'a limit that resets in %i s, with %i ms left, is waited out: %s',
    async (seconds, deadline, isWaited) => {
      const { clock, limits, github } = await start({ faults: [inSeconds(seconds)] }, { deadline })
      expect(await github.pull(pull)).toMatchObject({ ok: isWaited })
      expect(limits).toEqual(clock.waits)
      expect(limits.map((wait) => Math.abs(wait / 1000 - seconds) < 2)).toEqual(isWaited ? [true] : [])
    },
  )

  it.each([
    ['Retry-After', { 'retry-after': '7' }, 7],
    ['the time of its reset', inSeconds(200).headers, 200],
  ])('a limit of GraphQL, which has the status 200, is waited out: %s', async (_, headers, seconds) => {
    const { limits, github } = await start({ faults: [{ times: 1, ...exceeded, headers }] })
    expect(await github.history(app, [], null)).toMatchObject({ ok: true })
    expect(limits.map((wait) => Math.abs(wait / 1000 - seconds) < 2)).toEqual([true])
  })

  it('a cancel ends a wait', async () => {
    const cancel = new AbortController()
    const sleep = async (_: number, signal: AbortSignal) => {
      cancel.abort()
      expect(signal.aborted).toBe(true)
    }
    const own = { cancelled: cancel.signal, clock: { ...sleepyClock(), sleep } }
    const { github } = await start({ faults: [{ times: 1, status: 503 }] }, own)
    expect(await github.edit(issue, 11, 'Cancelled')).toMatchObject({ ok: true })
  })

  it('the time after a cancel begins with the cancel, not with the next call', async () => {
    const cancel = new AbortController()
    const clock = sleepyClock()
    const follow = () => {
      cancel.abort()
      clock.waits.push(9_000)
    }
    const own = { cancelled: cancel.signal, clock: { ...clock, follow } }
    const { github, hub } = await start({ faults: [{ status: 503 }] }, own)
    expect(await github.edit(issue, 11, 'Cancelled')).toMatchObject({ ok: false })
    expect(hub.requests).toHaveLength(1)
  })
})

describe('a response', () => {
  it('a response cannot redirect the token to another server', async () => {
    const other = await start()
    const headers = { link: `<${other.hub.url}/repos/acme/app/issues/3/comments?page=2>; rel="next"` }
    const { github } = await start({ faults: [{ kind: 'raw', body: '[]', headers }] })
    expect(await github.comments(issue)).toMatchObject({ ok: false, failure: { kind: 'undocumented' } })
    expect(other.hub.requests).toEqual([])
  })

  it.each<[string, number, string, ...Call]>([
    ['a read', 301, 'pulls/7', 'pull', pull],
    ['a write', 307, 'issues/3/comments', 'reply', issue, 'Done'],
  ])('%s follows the redirect of a renamed repository', async (_, status, path, ...call) => {
    const { github } = await start({
      faults: [{ times: 1, status, headers: { location: `/repos/ACME/app/${path}` } }],
    })
    expect(await ask(github, call)).toMatchObject({ ok: true })
  })

  it('a pull request of another repository that has taken the name is not read', async () => {
    const { github } = await start()
    const reply = await github.pull({ ...pull, repositoryId: '1' })
    expect(reply).toEqual({ ok: false, failure: { kind: 'other-repository' } })
    expect(await github.pull({ ...pull, repositoryId: null })).toMatchObject({
      ok: true,
      value: { number: 7 },
    })
  })

  it.each([
    ['to a sign-in page', 302, '/login', { kind: 'redirected', status: 302 }],
    ['to another server', 301, 'http://127.0.0.1:9/repos/acme/app/pulls/7', { kind: 'undocumented' }],
    ['for the second time', 301, '/repos/ACME/app/pulls/7', { kind: 'redirected', status: 301 }],
  ])('a redirect %s is not followed', async (_, status, location, failure) => {
    const { github } = await start({ faults: [{ status, headers: { location } }] })
    expect(await github.pull(pull)).toMatchObject({ ok: false, failure })
  })

  it('an HTML page or a response without a documented field is a failure, never an empty list', async () => {
    const failure = { kind: 'undocumented' }
    const html = await start({ faults: [page] })
    expect(await html.github.comments(issue)).toMatchObject({
      ok: false,
      failure: { kind: 'unreadable', reason: 'page' },
    })
    const { github } = await startRaw({})
    expect(await github.changedFiles(app, compare)).toMatchObject({ ok: false, failure })
    expect(await github.history(app, [], null)).toMatchObject({ ok: false, failure })
  })

  it.each<[Permissions, number, ...Call]>([
    [{ issues: 'read' }, 403, 'reply', issue, 'x'],
    [{ statuses: 'none' }, 200, 'recentStatuses', app, 0],
    [{ 'pull-requests': 'none' }, 200, 'pullsOf', app, [second.sha]],
  ])('a rejection says that a permission is missing: %j', async (permissions, status, ...call) => {
    const { github } = await start({ permissions })
    expect(await ask(github, call)).toMatchObject({
      ok: false,
      failure: { status, kind: 'permission' },
    })
  })
})

describe('a request', () => {
  it('queries on Enterprise Server have a path of their own', async () => {
    const { hub } = await start()
    await start({}, { apiUrl: `${hub.url}/api/v3` }).then(({ github }) => github.history(app, [], null))
    expect(hub.requests).toMatchObject([{ path: '/api/graphql' }])
  })

  it('the token’s own account is requested once, and again after a rejection', async () => {
    const { hub, github } = await start({ faults: [{ status: 404, times: 1, on: 'graphql/viewer' }] })
    const asked = () => hub.requests.filter(({ name }) => name === 'graphql/viewer').length
    expect(await github.comments(issue)).toMatchObject({ ok: false })
    for (let time = 0; time < 2; time++) expect(await github.comments(issue)).toMatchObject({ ok: true })
    expect(asked()).toBe(2)
  })

  it('the releases of a repository are requested once, and again after a rejection', async () => {
    const { hub, github } = await start({ faults: [{ status: 404, times: 1, on: 'repos/list-releases' }] })
    expect(await github.releases(app, 0)).toMatchObject({ ok: false })
    expect(await github.releases(app, 0)).toMatchObject({ value: ['v1', 'old', 'v2'] })
    expect(await github.releases(app, time)).toMatchObject({ value: ['v1', 'v2'] })
    expect(hub.requests).toHaveLength(2)
  })

  it.each<[name: string, ...faults: GitHubFault[]]>([
    ['a success'],
    ['a rejection', { times: 1, status: 404 }],
    ['a response that is cut off', { times: 1, kind: 'cut' }],
  ])('the clock gets the date of each response: %s', async (_, ...faults) => {
    const { clock, github } = await start({ faults })
    await github.viewer()
    expect([...new Set(clock.dates)]).toEqual(['Mon, 02 Nov 2026 10:00:00 GMT'])
  })
})

describe('a long list', () => {
  it.each<[string, number, object, ...Call]>([
    ['a thread', 3_000, { value: { length: 3_000 } }, 'comments', issue],
    ['a thread', 3_001, { ok: false, failure: { kind: 'too-long' } }, 'comments', issue],
    ['a repository', 3_001, { value: { isCut: true } }, 'recentComments', home, 'issues', 0],
  ])('the list of comments of %s with %i items is read up to 3,000: %j', async (_, count, read, ...call) => {
    const { hub, github } = await start({ comments: many(count) })
    expect(await ask(github, call)).toMatchObject(read)
    expect(hub.requests.filter(({ path }) => path.includes('/comments'))).toHaveLength(30)
  })

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
    expect(value).toEqual({ isCut, ...(length === 300 && { ends: { base: first.sha, head: wide.sha } }) })
    expect([files.length, new Set(files.map(({ path }) => path)).size]).toEqual([length, length])
  })

  const tooLong = { status: 422, message: 'Sorry, this diff is taking too long to generate.' }
  it.each<[string, Range, GitHubFault, number, object]>([
    [
      'an orphan',
      { by: 'compare', base: orphan.sha, head: second.sha },
      { times: 0, status: 500 },
      0,
      [orphan, second],
    ],
    ['a comparison', compare, tooLong, 0, [first, second]],
    ['a comparison', compare, { ...tooLong, status: 503 }, 0, [first, second]],
    ['a commit', { by: 'commit', sha: second.sha }, { ...tooLong, times: 1 }, 0, [first, second]],
    ['the first commit', { by: 'commit', sha: first.sha }, { ...tooLong, times: 1 }, 0, [null, first]],
    ['a pull request', { by: 'pull', number: 8 }, { status: 422, times: 1 }, 0, [first, second]],
    ['the second page', { by: 'pull', number: 10 }, { ...tooLong, after: 1, times: 1 }, 100, [first, wide]],
  ])(
    'what GitHub sent of a diff stays, with the ends of the change: %s',
    async (_, range, fault, length, ends) => {
      const { github, hub } = await start({ faults: [fault] })
      const [base, head] = (ends as (Commit | null)[]).map((each) => each?.sha ?? null)
      expect(await github.changedFiles(app, range)).toMatchObject({
        value: { files: { length }, isCut: true, ends: { base, head } },
      })
      expect(hub.requests.length).toBeLessThan(4)
    },
  )

  it('a list is rejected as a whole if a page fails', async () => {
    const { github } = await start({ comments: many(101), faults: [{ after: 1, status: 409 }] })
    expect(await github.comments(issue)).toMatchObject({
      ok: false,
      failure: { kind: 'rejected', status: 409 },
    })
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
    const { github } = await startQueried({ defaultBranchRef: null, pullRequests })
    expect(await github.recentStatuses(app, time)).toMatchObject({ ok: true, value: { isCut } })
  })

  it('a query has at most 100 paths, whatever they contain', async () => {
    const paths = Array.from({ length: 201 }, (_, at) => `"){oid}#\\\n\u2028😀${at}/a.ts`)
    const wide = commit({ parents: [first], files: Object.fromEntries(paths.map((path) => [path, path])) })
    const { github, hub } = await start({
      repositories: [new Repository({ name: app, branches: { main: wide } })],
    })
    const places = ['gone', ...paths].map((path) => ({ commit: wide.sha, path }))
    const reply = await github.treeEntries(app, places)
    expect(reply.ok && [...reply.value].map(([place, entry]) => [place, entry?.oid])).toEqual(
      places.map(({ commit, path }) => [`${commit}:${path}`, wide.tree.get(path)?.sha]),
    )
    const bodies = hub.requests.map(({ body }) => body as { query: string })
    expect(bodies.map(({ query }) => query.match(/file\(/g)?.length)).toEqual([100, 100, 2])
  })

  it('.gitattributes files are read in the folders of a change, a hundred at once, in up to 500 folders', async () => {
    const files = { '.gitattributes': '\uFEFF* text', 'é/b/.gitattributes': 'é', 'other/.gitattributes': '' }
    const marked = commit({ files })
    const home = new Repository({ name: app, branches: { main: marked } })
    const { hub, github } = await start({ repositories: [home] })
    const inFolders = Array.from({ length: 600 }, (_, at) => `p${at}/x.ts`)
    const changed = ['é/b/c/d.ts', 'a.ts', ...inFolders].map((path) => ({ path }))
    const reply = await github.attributesFiles(app, marked.sha, changed)
    const found = reply.ok ? reply.value : []
    expect(found.filter(({ text }) => text)).toEqual([
      { folder: '', text: '* text' },
      { folder: 'é/b/', text: 'é' },
    ])
    expect([found.length, hub.requests.length]).toEqual([500, 5])
  })

  it('a tree that GitHub cuts is marked as incomplete', async () => {
    const { github } = await startRaw({ truncated: true, tree: [] })
    expect(await github.changedPaths(app, first.sha, topic.sha)).toMatchObject({ value: { isCut: true } })
  })
})

describe('missing values', () => {
  it('an empty repository has no history', async () => {
    const { github } = await start({ repositories: [new Repository({ name: app })] })
    expect(await github.history(app, ['Docs'], null)).toMatchObject({
      value: { branch: '', commits: [], next: null },
    })
  })

  const page = { pageInfo: { hasNextPage: false } }
  it.each([
    ['the default branch', null, { nodes: [] }],
    ['its target', { target: null }, { nodes: [] }],
    ['the history', { target: { history: { ...page, nodes: null } } }, { nodes: [null] }],
    ['the list of pull requests', null, { nodes: null }],
    ['a commit', null, { nodes: [{ commits: { nodes: [null] } }] }],
  ])('the list of statuses is empty if GitHub returns null for %s', async (_, defaultBranchRef, pulls) => {
    const { github } = await startQueried({ defaultBranchRef, pullRequests: { ...page, ...pulls } })
    expect(await github.recentStatuses(app, time)).toEqual({ ok: true, value: { items: [], isCut: false } })
  })

  it('a merged pull request can lack its merge commit and its author', async () => {
    const base = { ref: 'main', repo: { id: repositoryId(app) } }
    const found = { number: 7, user: null, head: { sha: 'a', repo: null }, base, merged_at: at }
    const { github } = await startRaw(found)
    const value = { state: 'merged', mergeCommit: null, author: null }
    expect(await github.pull(pull)).toMatchObject({ ok: true, value })
  })

  it.each([
    ['the default branch, and the commit', { defaultBranchRef: null, p0: null }],
    ['the commit’s pull requests', { defaultBranchRef: null, p0: { ofCommit: null } }],
    ['one of them', { defaultBranchRef: null, p0: { ofCommit: { nodes: [null] } } }],
  ])('a commit has no pull requests if GitHub returns null for %s', async (_, repository) => {
    const { github } = await startQueried(repository)
    expect(await github.pullsOf(app, ['a'])).toEqual({ ok: true, value: [[]] })
  })

  it('the pull requests of at most 500 commits are read, a hundred with each query', async () => {
    const { hub, github } = await start()
    const names = Array.from({ length: 501 }, (_, index) => `${index}`.padStart(40, '0'))
    expect(await github.pullsOf(app, names)).toMatchObject({ value: { length: 501 } })
    expect(hub.requests).toHaveLength(5)
  })
})
