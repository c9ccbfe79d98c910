import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FaultAction } from '../../sandbox/faults.ts'
import { commit, commits } from '../../sandbox/github/commits.ts'
import type { CallName } from '../../sandbox/github/handlers.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import { type GitHubFault, type GitHubOptions, startGitHub } from '../../sandbox/github/server.ts'
import type { SeedComment } from '../../sandbox/github/threads.ts'
import { nodeId } from '../../sandbox/github/views.ts'
import type { Thread } from '../../src/core/thread.ts'
import type { CommitStatus, GitHubPorts } from '../../src/usecases/ports.ts'
import { connect, sleepyClock } from './github.ts'

const app = 'acme/app'
const first = commit({ files: { 'a.md': 'one\n', 'b/c.md': 'two\n', 'old.md': 'old\n' } })
const second = commit({ parents: [first], files: { 'a.md': '1\n', 'b/new.md': 'new\n', 'old.md': null } })
const topic = commit({ parents: [first], files: { 'b/c.md': 'topic\n' }, message: 'Topic' })
const repository = () =>
  new Repository({
    name: app,
    branches: { main: second, topic },
    releases: [
      { tag: 'v1', publishedAt: '2026-11-02T10:00:00Z' },
      { tag: 'v2-rc', publishedAt: '2026-11-02T11:00:00Z', isPrerelease: true },
    ],
    pulls: [{ number: 7, title: 'Docs', user: 'mintlify[bot]', head: { branch: 'topic', commit: topic } }],
  })

const issue: Thread = { repository: app, number: 3, isPullRequest: false, reviewRoot: null }
const pull: Thread = { repository: app, number: 7, isPullRequest: true, reviewRoot: null }
const review: Thread = { ...pull, reviewRoot: 13 }
const comments: SeedComment[] = [
  { id: 11, thread: { number: 3, reviewRoot: null }, body: '/docs x', user: 'ann' },
  { id: 12, thread: { number: 7, reviewRoot: null }, body: 'y', user: 'github-actions[bot]' },
  { id: 13, thread: { number: 7, reviewRoot: 13 }, body: 'why?', user: null },
  { id: 14, thread: { number: 7, reviewRoot: 99 }, body: 'other', user: 'ann' },
]
const createdAt = Date.parse('2026-11-02T10:00:00Z')
const status: CommitStatus = {
  context: 'Docs',
  state: 'pending',
  description: 'job',
  targetUrl: 'https://x.y/z',
}

async function start(options: GitHubOptions = {}, own: Parameters<typeof connect>[1] = {}) {
  const home = repository()
  const hub = await startGitHub({
    repository: app,
    repositories: [home],
    comments,
    roles: { ann: { permission: 'write', role_name: 'maintain', userId: 77 } },
    ...options,
  })
  onTestFinished(() => hub.close())
  const clock = sleepyClock()
  return { hub, home, clock, github: connect(hub.url, { clock, ...own }) }
}

type Ask = (github: GitHubPorts) => Promise<{ ok: boolean }>

/** Every call that can be repeated, and a way to make it. */
const repeatables: [on: CallName, ask: Ask][] = [
  ['repos/get-collaborator-permission-level', (github) => github.role(app, 'ann')],
  ['graphql/viewer', (github) => github.viewer()],
  ['issues/list-comments', (github) => github.comments(issue)],
  ['pulls/list-review-comments', (github) => github.comments(review)],
  ['issues/update-comment', (github) => github.edit(issue, 11, 'new')],
  ['pulls/update-review-comment', (github) => github.edit(review, 13, 'new')],
  ['issues/delete-comment', (github) => github.remove(issue, 11)],
  ['pulls/delete-review-comment', (github) => github.remove(review, 13)],
  ['reactions/create-for-issue', (github) => github.react(issue, null, 'eyes')],
  ['reactions/create-for-issue-comment', (github) => github.react(issue, 11, 'eyes')],
  ['reactions/create-for-pull-request-review-comment', (github) => github.react(review, 13, 'eyes')],
  ['graphql/hide', (github) => github.hide(nodeId('IssueComment', 12))],
  ['issues/list-comments-for-repo', (github) => github.recentComments(app, 'issue', createdAt)],
  ['pulls/list-review-comments-for-repo', (github) => github.recentComments(app, 'review', createdAt)],
  ['repos/list-commit-statuses-for-ref', (github) => github.statuses(app, second.sha)],
  ['repos/create-commit-status', (github) => github.setStatus(app, second.sha, status)],
  ['graphql/recentStatuses', (github) => github.recentStatuses(app, createdAt)],
  ['graphql/history', (github) => github.history(app, ['Docs'], null)],
  ['repos/compare-commits-with-basehead', (github) => github.changedFiles(app, compare)],
  ['repos/get-commit', (github) => github.changedFiles(app, { by: 'commit', sha: second.sha })],
  ['pulls/list-files', (github) => github.changedFiles(app, { by: 'pull', number: 7 })],
  ['repos/get-content', (github) => github.file(app, 'a.md', second.sha)],
  ['repos/list-pull-requests-associated-with-commit', (github) => github.pullsOf(app, second.sha)],
  ['pulls/list', (github) => github.openPulls(app)],
  ['pulls/get', (github) => github.pull(app, 7)],
  ['issues/add-labels', (github) => github.addLabels(app, 7, ['docs'])],
  ['pulls/request-reviewers', (github) => github.requestReviews(app, 7, { logins: ['ann'], teams: [] })],
  ['repos/list-releases', (github) => github.releases(app, 0)],
  ['graphql/pullViews', (github) => github.pullViews(app, [7])],
  ['pulls/list-review-comments', (github) => github.reviewComments(app, 7, 5)],
  ['git/get-tree', (github) => github.changedPaths(app, first.sha, second.sha)],
  ['git/get-tree', (github) => github.links(app, first.sha, [])],
]
const compare = { by: 'compare', base: first.sha, head: second.sha } as const

const creates: [on: CallName, ask: Ask][] = [
  ['issues/create-comment', (github) => github.reply(issue, 'Working')],
  ['pulls/create-reply-for-review-comment', (github) => github.reply(review, 'Working')],
]

const faultyOnce = (
  on: CallName,
  fault: { status: number; headers?: Record<string, string>; process?: boolean } | FaultAction,
) => [{ on, times: 1, ...('kind' in fault ? { do: fault } : fault) }] as GitHubFault[]

const limited = { status: 403, headers: { 'retry-after': '7' } }
const reset = (when: 'before' | 'after') => ({ kind: 'reset', when }) as const

/** A read and a write through each of GitHub's APIs: REST and GraphQL. */
const samples = repeatables.filter(([on]) =>
  ['issues/list-comments', 'issues/update-comment', 'graphql/viewer', 'graphql/hide'].includes(on),
)

describe.each(samples)('%s', (on, ask) => {
  it.each([
    ['500', { status: 500 }],
    ['429', { status: 429 }],
    ['403 with Retry-After', limited],
    ['a connection reset before processing', reset('before')],
    ['a connection reset after processing', reset('after')],
    ['a response that breaks off', { kind: 'cut' } as const],
  ])('a repeatable call is retried after %s', async (_, fault) => {
    const { hub, github } = await start({ faults: faultyOnce(on, fault) })
    expect(await ask(github)).toMatchObject({ ok: true })
    expect(hub.requests.filter(({ name }) => name === on).length).toBeGreaterThan(1)
  })

  it('a repeatable call is tried at most four times, with waits that triple', async () => {
    const { hub, clock, github } = await start({ faults: [{ on, status: 503, message: 'Not now' }] })
    const message = expect.stringContaining('Not now')
    expect(await ask(github)).toMatchObject({ ok: false, rejection: { status: 503, message } })
    expect([hub.requests.length, clock.waits]).toEqual([4, [300, 900, 2700]])
  })
})

it.each(repeatables)('%s is retried unless GitHub rejects it', async (on, ask) => {
  const { hub, github } = await start({ faults: faultyOnce(on, { status: 502, process: true }) })
  expect(await ask(github)).toMatchObject({ ok: true })
  expect(hub.requests.filter(({ name }) => name === on).length).toBeGreaterThan(1)
  const rejecting = await start({ faults: [{ on, status: 403 }] })
  expect(await ask(rejecting.github)).toMatchObject({
    ok: false,
    rejection: { status: 403, kind: 'permission' },
  })
  expect(rejecting.hub.requests).toHaveLength(1)
})

describe.each(creates)('%s', (on, ask) => {
  it.each([
    ['429', { status: 429 }],
    ['403 with Retry-After', limited],
  ])(
    'a call that creates something is retried after %s, because GitHub has rejected it',
    async (_, fault) => {
      const { hub, github } = await start({ faults: faultyOnce(on, fault) })
      expect(await ask(github)).toMatchObject({ ok: true })
      expect(hub.requests.map(({ name }) => name)).toEqual([on, on])
    },
  )

  it('a call that creates something is retried if the connection is refused, because nothing was sent', async () => {
    const { hub, clock, github } = await start()
    hub.refuse()
    const sleep = clock.sleep
    clock.sleep = async (ms, signal) => {
      await hub.accept()
      await sleep(ms, signal)
    }
    expect(await ask(github)).toMatchObject({ ok: true })
    expect(hub.comments).toHaveLength(comments.length + 1)
  })

  it.each([
    ['500', { status: 500 }, 500, 0],
    ['502, even if GitHub carried it out', { status: 502, process: true }, 502, 1],
    ['a connection reset before processing', reset('before'), null, 0],
    ['a connection reset after processing', reset('after'), null, 1],
    ['a response that breaks off', { kind: 'cut' } as const, null, 1],
    ['an HTML page from a proxy', { kind: 'raw', body: '<html>' } as const, 200, 1],
  ])(
    'a call that creates something is not retried after %s, and its result is uncertain',
    async (_, fault, status, made) => {
      const { hub, github } = await start({ faults: faultyOnce(on, fault) })
      expect(await ask(github)).toMatchObject({ ok: false, rejection: { status, isUncertain: true } })
      expect([hub.requests.length, hub.comments.length]).toEqual([1, comments.length + made])
    },
  )

  it.each([403, 404, 422])('a call rejected with %i certainly created nothing', async (status) => {
    const { hub, github } = await start({ faults: [{ on, status }] })
    const reply = await ask(github)
    expect(reply).toMatchObject({ ok: false, rejection: { status } })
    expect(reply).not.toHaveProperty('rejection.isUncertain')
    expect(hub.requests).toHaveLength(1)
  })
})

describe('rate limits', () => {
  const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
  const spent = (seconds: number) => ({
    'x-ratelimit-remaining': '0',
    date,
    'x-ratelimit-reset': String(Date.parse(date) / 1000 + seconds),
  })
  const ask = (faults: GitHubFault[], deadline = 600_000) =>
    start({ faults }, { deadline }).then(async (started) => ({
      ...started,
      reply: await started.github.viewer(),
    }))

  it.each([
    ['Retry-After', 403, { 'retry-after': '7' }, 7_000],
    ['Retry-After with a 429', 429, { 'retry-after': '7' }, 7_000],
    ['Retry-After with a 503', 503, { 'retry-after': '7' }, 7_000],
    ['an hourly limit that resets soon', 403, spent(30), 30_000],
    ['no headers', 429, {}, 60_000],
  ])('a rate limit is waited out: %s', async (_, status, headers, wait) => {
    const { reply, clock } = await ask([{ times: 1, status, headers }])
    expect([reply.ok, clock.waits]).toEqual([true, [wait]])
  })

  it.each([
    ['Retry-After is past the deadline', 403, { 'retry-after': '61' }],
    ['the hourly limit resets after the deadline', 403, spent(1_800)],
    ['GitHub does not say when the hourly limit resets', 429, { 'x-ratelimit-remaining': '0' }],
  ])('a rate limit is not waited out if %s', async (_, status, headers) => {
    const { reply, hub, clock } = await ask([{ status, headers }], 60_000)
    expect(reply).toMatchObject({ ok: false, rejection: { status, kind: 'rate-limit' } })
    expect([hub.requests.length, clock.waits]).toEqual([1, []])
  })

  it('a rate limit is recognized in GraphQL, too', async () => {
    const body = JSON.stringify({ errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] })
    const fault = { do: { kind: 'raw', body } } as const
    const { reply, hub } = await ask([fault])
    expect(reply).toMatchObject({ ok: false, rejection: { kind: 'rate-limit' } })
    expect(hub.requests).toHaveLength(4)
    expect((await ask([{ ...fault, times: 1 }])).reply).toMatchObject({ ok: true })
  })
})

describe('time', () => {
  it('no call is sent after the deadline', async () => {
    const { hub, github } = await start({}, { deadline: 0 })
    expect(await github.edit(issue, 11, 'late')).toMatchObject({ ok: false, rejection: { status: null } })
    expect(hub.requests).toEqual([])
  })

  it('no call waits past the deadline', async () => {
    const { hub, clock, github } = await start({ faults: [{ status: 500 }] }, { deadline: 1_000 })
    expect(await github.viewer()).toMatchObject({ ok: false, rejection: { status: 500 } })
    expect([hub.requests.length, clock.waits]).toEqual([2, [300]])
  })

  it('a call without a response ends at the deadline', async () => {
    const { github } = await start({ faults: [{ do: { kind: 'hang', at: 'request' } }] }, { deadline: 50 })
    const message = 'GitHub did not respond in time'
    expect(await github.viewer()).toMatchObject({ ok: false, rejection: { status: null, message } })
  })

  it('a cancel ends a call in progress after the grace period, and a wait immediately', async () => {
    const cancel = new AbortController()
    const faults: GitHubFault[] = [
      { times: 1, status: 429, headers: { 'retry-after': '60' } },
      { do: { kind: 'hang', at: 'request' } },
    ]
    let passed = 0
    const clock = {
      now: () => performance.now() + passed,
      date: () => 0,
      // The step is cancelled while it waits.
      sleep: async () => cancel.abort(),
    }
    const own = {
      clock,
      cancelled: cancel.signal,
      deadline: Number.POSITIVE_INFINITY,
      graceAfterCancel: 1_000,
    }
    const { hub, github } = await start({ faults }, own)
    expect(await github.viewer()).toMatchObject({ ok: false, rejection: { status: null } })
    expect(hub.requests).toHaveLength(2)
    // A timer may fire a fraction of a millisecond early.
    passed = 1
    expect(await github.viewer()).toMatchObject({ ok: false, rejection: { message: 'No time is left' } })
    expect(hub.requests).toHaveLength(2)
  })

  it('a cancelled step waits between its attempts', async () => {
    const cancelled = AbortSignal.abort()
    const waits: [ms: number, isEnded: boolean][] = []
    const sleep = async (ms: number, signal: AbortSignal) => void waits.push([ms, signal.aborted])
    const faults = [{ times: 2, status: 503 }]
    const { github } = await start({ faults }, { cancelled, clock: { ...sleepyClock(), sleep } })
    expect(await github.viewer()).toMatchObject({ ok: true })
    expect(waits).toEqual([
      [300, false],
      [900, false],
    ])
  })

  it('a step that is already cancelled still has the grace period', async () => {
    const { github } = await start({}, { cancelled: AbortSignal.abort() })
    expect(await github.edit(issue, 11, 'Cancelled')).toMatchObject({ ok: true })
  })
})

describe('a response', () => {
  it('a response over 20 MiB is rejected', async () => {
    const faults = [{ do: { kind: 'raw', body: ' '.repeat(21 * 1024 * 1024) } }] as const
    const { hub, github } = await start({ faults })
    const message = expect.stringContaining('20 MiB')
    expect(await github.comments(issue)).toMatchObject({ ok: false, rejection: { message } })
    expect(hub.requests).toHaveLength(1)
  })

  it('a response cannot redirect the token to another server', async () => {
    const other = await start()
    const link = `<${other.hub.url}/repos/acme/app/issues/3/comments?page=2>; rel="next"`
    const body = JSON.stringify([])
    const { github } = await start({ faults: [{ do: { kind: 'raw', body, headers: { link } } }] })
    expect(await github.comments(issue)).toMatchObject({
      ok: false,
      rejection: { message: 'GitHub points elsewhere' },
    })
    expect(other.hub.requests).toEqual([])
  })

  it.each([
    ['a read', 301, 'pulls/get', (github: GitHubPorts) => github.pull(app, 7)],
    ['a write', 307, 'issues/create-comment', (github: GitHubPorts) => github.reply(issue, 'Done')],
  ] as const)('%s follows the redirect of a renamed repository', async (_, status, on, ask) => {
    const headers = { location: '' }
    const { hub, github } = await start({ faults: [{ on, times: 1, status, headers }] })
    const path = on === 'pulls/get' ? 'pulls/7' : 'issues/3/comments'
    headers.location = `${hub.url}/repos/ACME/app/${path}`
    expect(await ask(github)).toMatchObject({ ok: true })
    expect(hub.requests.map(({ name }) => name)).toEqual([on, on])
  })

  it.each([
    ['a redirect to a sign-in page', 302, '/login'],
    ['a redirect to another server', 301, 'http://127.0.0.1:9/repos/acme/app/pulls/7'],
    ['a second redirect', 301, '/repos/ACME/app/pulls/7'],
  ])('%s is not followed', async (_, status, location) => {
    const { github } = await start({ faults: [{ status, headers: { location } }] })
    const rejection = { status, message: 'GitHub points elsewhere' }
    expect(await github.pull(app, 7)).toEqual({ ok: false, rejection })
  })

  it('a 409 is not treated as an empty list', async () => {
    const { github } = await start({ faults: [{ status: 409 }] })
    expect(await github.openPulls(app)).toMatchObject({ ok: false, rejection: { status: 409 } })
  })

  it.each([
    ['a read', (github: GitHubPorts) => github.comments(issue)],
    ['a write', (github: GitHubPorts) => github.reply(issue, 'Done')],
    ['a query', (github: GitHubPorts) => github.viewer()],
  ])('a response with an HTML page from a proxy is a rejection of %s', async (_, ask) => {
    const { github } = await start({ faults: [{ do: { kind: 'raw', body: '<html>' } }] })
    expect(await ask(github)).toMatchObject({
      ok: false,
      rejection: { message: expect.stringContaining('documents') },
    })
  })

  it('an error message never contains the token', async () => {
    const { github } = await start({ faults: [{ status: 400, message: 'Bad ghs_sandbox0123456789' }] })
    expect(JSON.stringify(await github.viewer())).not.toContain('ghs_sandbox0123456789')
  })

  it.each([
    ['issues', issue],
    ['pull-requests', review],
  ] as const)('a rejection says that a permission is missing (%s)', async (lack, thread) => {
    const { github } = await start({ lacks: [lack] })
    const rejection = { status: 403, kind: 'permission' }
    expect(await github.reply(thread, 'x')).toMatchObject({ ok: false, rejection })
  })
})

it('each request names the API version', async () => {
  const versions: unknown[] = []
  const server = createServer(({ headers }, response) => {
    versions.push(headers['x-github-api-version'])
    response.end('[]')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const github = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  for (const [, ask] of [...repeatables, ...creates]) await ask(github)
  expect(versions).toHaveLength(repeatables.length + creates.length)
  expect(new Set(versions)).toEqual(new Set(['2022-11-28']))
})

describe('comments', () => {
  it('the comments of a thread belong to one issue or one review thread', async () => {
    const { github } = await start()
    const at = { createdAt, nodeId: expect.any(String) }
    const bot = { ...at, id: 12, body: 'y', author: 'github-actions[bot]' }
    expect(await github.comments(pull)).toEqual({ ok: true, value: { items: [bot], isCut: false } })
    const gone = { ...at, id: 13, body: 'why?', author: null }
    expect(await github.comments(review)).toEqual({ ok: true, value: { items: [gone], isCut: false } })
  })

  it.each([
    [3_000, 30, 3_000, false],
    [3_001, 30, 3_000, true],
  ])('%i comments take %i requests', async (count, requests, read, isCut) => {
    const many = Array.from({ length: count }, (_, index) => ({
      ...(comments[0] as SeedComment),
      id: index + 1,
    }))
    const { hub, github } = await start({ comments: many })
    const reply = await github.comments(issue)
    expect(reply).toMatchObject({ ok: true, value: { items: { length: read }, isCut } })
    expect(hub.requests).toHaveLength(requests)
  })

  it('comments are written, edited, hidden and deleted, and a missing one is recognized', async () => {
    const { hub, github } = await start()
    const made = await github.reply(issue, 'Working')
    const id = made.ok ? made.value : 0
    await github.edit(issue, id, 'Done')
    await github.hide(nodeId('IssueComment', id))
    const shown = { id, body: 'Done', user: 'github-actions[bot]', minimizedReason: 'outdated' }
    expect(hub.comments.at(-1)).toMatchObject(shown)
    expect(await github.remove(issue, id)).toEqual({ ok: true, value: 'deleted' })
    expect(await github.remove(issue, id)).toEqual({ ok: true, value: 'gone' })
    expect(hub.comments.map((comment) => comment.id)).not.toContain(id)
  })

  it('a comment counts as deleted by this call if the first attempt may have deleted it', async () => {
    const fault = { on: 'issues/delete-comment', times: 1, status: 502, process: true } as const
    const { github } = await start({ faults: [fault] })
    expect(await github.remove(issue, 11)).toEqual({ ok: true, value: 'deleted' })
  })

  it('reactions go to a comment, or to the issue itself', async () => {
    const { hub, github } = await start()
    await github.react(issue, null, 'eyes')
    await github.react(issue, 11, 'rocket')
    expect(hub.reactions).toMatchObject([
      { issue: 3, commentId: null, content: 'eyes' },
      { issue: null, commentId: 11, content: 'rocket' },
    ])
  })

  it('comments of the whole repository are listed newest first, each with its thread', async () => {
    const at = (minute: number) => `2026-11-03T10:0${minute}:00Z`
    const dated = comments.map((comment, index) => ({ ...comment, updatedAt: at(index) }))
    const { github } = await start({ comments: dated })
    const threads = async (kind: 'issue' | 'review', since: string) => {
      const reply = await github.recentComments(app, kind, Date.parse(since))
      return reply.ok ? reply.value.items.map(({ id, thread }) => ({ id, thread })) : reply
    }
    expect(await threads('issue', at(0))).toEqual([
      { id: 12, thread: pull },
      { id: 11, thread: issue },
    ])
    expect(await threads('issue', at(1))).toEqual([{ id: 12, thread: pull }])
    expect(await threads('review', at(0))).toEqual([
      { id: 14, thread: { ...review, reviewRoot: 99 } },
      { id: 13, thread: review },
    ])
  })

  it('at most 2,000 comments of the whole repository are read', async () => {
    const many = Array.from({ length: 2_001 }, (_, index) => ({
      ...(comments[0] as SeedComment),
      id: index + 1,
    }))
    const { hub, github } = await start({ comments: many })
    const reply = await github.recentComments(app, 'issue', createdAt)
    expect(reply).toMatchObject({ ok: true, value: { items: { length: 2_000 }, isCut: true } })
    expect(hub.requests).toHaveLength(20)
  })
})

describe('accounts', () => {
  it('the response about a role names the account', async () => {
    const { github } = await start()
    const role = { permission: 'write', roleName: 'maintain', userId: 77 }
    expect(await github.role(app, 'ann')).toEqual({ ok: true, value: role })
    expect(await github.role(app, 'nobody')).toEqual({ ok: true, value: null })
  })

  it('the token’s own account is requested once, and again after a rejection', async () => {
    const { hub, github } = await start({ viewer: 'mona', faults: [{ status: 404, times: 1 }] })
    expect(await github.viewer()).toMatchObject({ ok: false })
    for (let times = 1; times <= 2; times++)
      expect(await github.viewer()).toEqual({ ok: true, value: 'mona' })
    expect(hub.requests).toHaveLength(2)
  })

  it('the token’s own account is known without a request once it has written a comment', async () => {
    const { hub, github } = await start({ viewer: 'mona' })
    expect(await github.reply(issue, 'Hello')).toMatchObject({ ok: true })
    expect(await github.viewer()).toEqual({ ok: true, value: 'mona' })
    expect(hub.requests).toHaveLength(1)
  })
})

describe('statuses', () => {
  const seed = { ...status, repository: app, sha: topic.sha, creator: 'github-actions[bot]' }

  it('statuses of a commit are listed newest first', async () => {
    const { github } = await start({ statuses: [{ ...seed, creator: 'mona' }] })
    const done: CommitStatus = { ...status, state: 'success', targetUrl: '' }
    expect(await github.setStatus(app, topic.sha, done)).toEqual({ ok: true, value: expect.any(Number) })
    const items = [
      { ...done, id: expect.any(Number), creator: 'github-actions[bot]', createdAt: expect.any(Number) },
      { ...status, id: expect.any(Number), creator: 'mona', createdAt },
    ]
    expect(await github.statuses(app, topic.sha)).toEqual({ ok: true, value: { items, isCut: false } })
  })

  it.each(['', '/api/v3'])(
    'statuses of recent commits are the latest of each context, in one query that also names the viewer (API path “%s”)',
    async (basePath) => {
      const statuses = [
        { ...seed, sha: first.sha, context: 'Old', creator: 'mona' },
        { ...seed, state: 'pending' as const },
        { ...seed, state: 'success' as const },
      ]
      const { hub, github } = await start({ statuses, basePath })
      const items = [
        { ...status, commit: topic.sha, state: 'success', creator: 'github-actions[bot]', createdAt, id: 0 },
        { ...status, commit: first.sha, context: 'Old', creator: 'mona', createdAt, id: 0 },
      ]
      expect(await github.recentStatuses(app, createdAt)).toEqual({
        ok: true,
        value: { items, isCut: false },
      })
      expect(await github.viewer()).toEqual({ ok: true, value: 'github-actions[bot]' })
      expect(hub.requests.map(({ path }) => path)).toEqual([basePath === '' ? '/graphql' : '/api/graphql'])
    },
  )

  it('statuses of recent commits are limited to 50 commits', async () => {
    const main = commits(51)
    const long = new Repository({ name: app, branches: { main } })
    const { github } = await start({ repositories: [long], statuses: [{ ...seed, sha: main.sha }] })
    const cutAt = async (since: number) => {
      const reply = await github.recentStatuses(app, since)
      expect(reply).toMatchObject({ ok: true, value: { items: [{ commit: main.sha }] } })
      return reply.ok && reply.value.isCut
    }
    // Older commits have no statuses that matter.
    expect([await cutAt(0), await cutAt(Date.parse(main.date) + 1)]).toEqual([true, false])
  })

  it.each([
    ['after', true],
    ['before', false],
  ])(
    'statuses are incomplete only if the last pull request of a cut list was updated after the requested time: %s',
    async (when, isCut) => {
      const updatedAt = new Date(createdAt + (when === 'after' ? 1_000 : -1_000)).toISOString()
      const nodes = [{ updatedAt, commits: { nodes: [] } }]
      const repository = { defaultBranchRef: null, pullRequests: { pageInfo: { hasNextPage: true }, nodes } }
      const body = JSON.stringify({ data: { viewer: { login: 'mona' }, repository } })
      const { github } = await start({ faults: [{ do: { kind: 'raw', body } }] })
      expect(await github.recentStatuses(app, createdAt)).toMatchObject({ ok: true, value: { isCut } })
    },
  )

  it('an empty repository has no statuses', async () => {
    const { github } = await start({ repositories: [new Repository({ name: app })] })
    expect(await github.recentStatuses(app, createdAt)).toEqual({
      ok: true,
      value: { items: [], isCut: false },
    })
  })

  const page = { pageInfo: { hasNextPage: false } }
  it.each([
    ['the target of the default branch', { target: null }, { nodes: [] }],
    ['the history', { target: { history: { ...page, nodes: null } } }, { nodes: [null] }],
    ['the list of pull requests', null, { nodes: null }],
    ["the list of a pull request's commits", null, { nodes: [{ commits: { nodes: null } }] }],
    ['a commit', null, { nodes: [{ commits: { nodes: [null, { commit: null }] } }] }],
  ])('the list of statuses is empty if GitHub returns null for %s', async (_, defaultBranchRef, pulls) => {
    const data = {
      viewer: { login: 'mona' },
      repository: { defaultBranchRef, pullRequests: { ...page, ...pulls } },
    }
    const { github } = await start({ faults: [{ do: { kind: 'raw', body: JSON.stringify({ data }) } }] })
    expect(await github.recentStatuses(app, createdAt)).toEqual({
      ok: true,
      value: { items: [], isCut: false },
    })
  })

  it('statuses cannot be read without the permission', async () => {
    const { github } = await start({ lacks: ['statuses: read'], statuses: [seed] })
    const rejection = { status: 200, kind: 'permission', message: 'Resource not accessible by integration' }
    expect(await github.recentStatuses(app, createdAt)).toMatchObject({ ok: false, rejection })
    const needed = { status: 403, kind: 'permission' }
    expect(await github.statuses(app, topic.sha)).toMatchObject({ ok: false, rejection: needed })
  })
})

describe('pull requests and trees', () => {
  it('the comments of a review include their lines, but no comments of other reviews', async () => {
    const at = '2026-11-02T10:00:00Z'
    const on = { thread: { number: 7, reviewRoot: 31 }, body: 'Why?', user: 'ann', createdAt: at, review: 5 }
    const comments = [
      { ...on, id: 31 },
      { ...on, id: 32, user: null },
      { ...on, id: 33, review: 6 },
    ]
    const { github } = await start({ comments })
    const location = {
      path: 'docs/install.md',
      line: 2,
      hunk: '@@ -1,2 +1,2 @@\n # Install\n-npm i\n+npm ci',
    }
    const value = { author: 'ann', body: 'Why?', location, updatedAt: createdAt }
    expect(await github.reviewComments(app, 7, 5)).toEqual({
      ok: true,
      value: { items: [value, { ...value, author: null }], isCut: false },
    })
  })

  it('a pull request is read with its branch and counts, and is null if it does not exist', async () => {
    const { github } = await start()
    const url = 'https://github.com/acme/app/pull/7'
    const value = {
      number: 7,
      url,
      author: 'mintlify[bot]',
      title: 'Docs',
      isOpen: true,
      isMerged: false,
      mergeCommit: null,
      isFork: false,
      headBranch: 'topic',
      headCommit: topic.sha,
      headRepository: app,
      changedFiles: 1,
      additions: 1,
      deletions: 1,
    }
    expect(await github.pull(app, 7)).toEqual({ ok: true, value })
    expect(await github.pull(app, 8)).toEqual({ ok: true, value: null })
  })

  it('many pull requests are read at once, with their statuses', async () => {
    const statuses = [{ ...status, repository: app, sha: topic.sha, creator: 'github-actions[bot]' }]
    const { github, hub } = await start({ statuses: statuses.map((each) => ({ ...each, targetUrl: null })) })
    // There is no pull request 8.
    const seen = await github.pullViews(app, [7, 8])
    expect(seen).toMatchObject({
      ok: true,
      value: [
        {
          number: 7,
          state: 'open',
          head: topic.sha,
          mergeCommit: null,
          closedAt: null,
          statuses: [{ commit: topic.sha, context: 'Docs', creator: 'github-actions[bot]' }],
        },
      ],
    })
    expect(await github.viewer()).toEqual({ ok: true, value: 'github-actions[bot]' })
    expect(hub.requests).toHaveLength(1)
    expect(await github.pullViews('acme/none', [7])).toMatchObject({ ok: false })
  })

  it('a pull request is labeled, and gets reviewers', async () => {
    const roles = { rita: { permission: 'read', role_name: 'read' } } as const
    const { github, home } = await start({ roles, teams: ['writers'] })
    expect(await github.addLabels(app, 7, ['docs'])).toEqual({ ok: true, value: undefined })
    const ask = (logins: string[]) => github.requestReviews(app, 7, { logins, teams: ['writers'] })
    expect(await ask(['rita', 'nobody'])).toMatchObject({ ok: false, rejection: { status: 422 } })
    expect(await ask(['rita'])).toEqual({ ok: true, value: undefined })
    const { labels, reviewers } = home.pull(7) ?? {}
    expect({ labels, reviewers }).toEqual({ labels: ['docs'], reviewers: ['rita', 'team/writers'] })
  })

  it('releases since a time are listed in the order of publication, without drafts, prereleases and other pages', async () => {
    const at = (minute: number) => new Date(createdAt + minute * 60_000).toISOString()
    const many = Array.from({ length: 150 }, (_, index) => ({
      tag: `old${index}`,
      publishedAt: at(-index - 1),
    }))
    const releases = [
      { tag: 'late draft', publishedAt: at(9) },
      ...many,
      { tag: 'v2', publishedAt: at(2) },
      { tag: 'next', publishedAt: at(3), isPrerelease: true },
      { tag: 'v1', publishedAt: at(1) },
    ]
    const home = new Repository({ name: app, branches: { main: second }, releases })
    const { github } = await start({ repositories: [home] })
    const found = await github.releases(app, createdAt)
    expect(found.ok && found.value.map(({ tag }) => tag)).toEqual(['v1', 'v2', 'late draft'])
  })

  it.each([
    ['main', true],
    ['topic', false],
  ])('the branch %s contains a commit of main: %s', async (ref, contains) => {
    const { github } = await start()
    expect(await github.contains(app, ref, second.sha)).toEqual({ ok: true, value: contains })
  })

  it('a merged pull request without a known merge commit is recognized as merged', async () => {
    const view = { number: 7, html_url: 'https://x.y', user: null, head: { sha: 'a' } }
    const { github } = await start({
      faults: [
        { do: { kind: 'raw', body: JSON.stringify([{ ...view, merged_at: '2026-11-02T10:00:00Z' }]) } },
      ],
    })
    expect(await github.pullsOf(app, second.sha)).toMatchObject({
      ok: true,
      value: [{ isMerged: true, mergeCommit: null, author: null }],
    })
  })

  it('two trees differ in the added, changed and removed files', async () => {
    const { github } = await start()
    const value = { items: ['a.md', 'b/new.md', 'old.md'], isCut: false }
    expect(await github.changedPaths(app, first.sha, second.sha)).toEqual({ ok: true, value })
  })

  it('symbolic links and submodules are found by their modes', async () => {
    const files = { 'docs/a.md': 'a', 'docs/link': '../src', kit: '4f2c9a1' }
    const main = commit({ files, modes: { 'docs/link': '120000', kit: '160000' } })
    const home = new Repository({ name: app, branches: { main } })
    const { github } = await start({ repositories: [home] })
    const found = await github.links(app, main.sha, [...Object.keys(files), 'deleted'])
    expect(found).toEqual({ ok: true, value: ['docs/link', 'kit'] })
  })

  it('symbolic links are found folder by folder if GitHub cuts the list of the whole tree', async () => {
    const tree = (...entries: [path: string, mode: string, sha: string][]) =>
      entries.map(([path, mode, sha]) => ({ path, mode, sha, type: mode === '040000' ? 'tree' : 'blob' }))
    const bodies = [
      { truncated: true, tree: [] },
      { tree: tree(['docs', '040000', second.sha], ['a.md', '100644', 'f1']) },
      { tree: tree(['link', '120000', 'f2'], ['b.md', '100644', 'f3']) },
    ].map((body) => JSON.stringify({ sha: 'a', truncated: false, ...body }))
    const faults = bodies.map((body, after) => ({ after, times: 1, do: { kind: 'raw', body } }) as const)
    const { github, hub } = await start({ faults })
    const paths = ['a.md', 'docs/b.md', 'docs/link', 'gone/c.md']
    expect(await github.links(app, first.sha, paths)).toEqual({ ok: true, value: ['docs/link'] })
    expect(hub.requests.map(({ path }) => path.split('/').at(-1))).toEqual([first.sha, first.sha, second.sha])
  })

  it('a tree that GitHub cuts is marked as incomplete', async () => {
    const body = JSON.stringify({ sha: 'a', truncated: true, tree: [] })
    const { github } = await start({ faults: [{ times: 1, do: { kind: 'raw', body } }] })
    expect(await github.changedPaths(app, first.sha, second.sha)).toMatchObject({
      ok: true,
      value: { isCut: true },
    })
  })
})
