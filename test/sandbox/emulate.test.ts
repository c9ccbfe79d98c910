/**
 * Compares the mock of GitHub with an independent one, over the routes that both have and the action uses. Left out, because
 * the other one differs from GitHub's description: lists of a repository's comments (404), answers to a review comment
 * (404), `in_reply_to_id: null`, files and counts of a pull request (none), and the permission `push`.
 */
import { createEmulator } from 'emulate'
import { expect, it, onTestFinished } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import { startGitHub, sandboxGitHubToken as token } from '../../sandbox/github/server.ts'
import { receive, send, serveHttp } from '../../sandbox/wire.ts'
import { createClock } from '../../src/adapters/clock.ts'
import { readProxies } from '../../src/core/proxy.ts'
import { createBudget } from '../../src/github/budget.ts'
import { createGitHubPorts } from '../../src/github/github.ts'

const app = 'mona/app'
const roles = {
  mona: { permission: 'admin', role_name: 'admin' },
  rita: { permission: 'write', role_name: 'write' },
} as const
const before = { 'a.md': 'one\ntwo\n', 'docs/old.md': 'a\nb\n' }
const after = {
  'a.md': 'one\n2\n',
  'docs/old.md': null,
  'docs/new.md': 'c\nd\n',
  'docs/.gitattributes': '*.md text\n*.ts text\n',
}

/** A mock, and its two commits. */
type Side = [url: string, first: string, second: string]

async function ours(): Promise<Side> {
  const first = commit({ files: before })
  const second = commit({ parents: [first], files: after })
  const home = new Repository({
    id: 1,
    name: app,
    branches: { main: first, topic: second },
    pulls: [{ number: 2, title: 'Docs', user: 'mona', head: { branch: 'topic', commit: second } }],
    releases: [{ tag: 'v1', publishedAt: '2026-11-02T10:00:00Z' }],
  })
  const hub = await startGitHub({ viewer: 'mona', repository: app, repositories: [home], roles })
  onTestFinished(() => hub.close())
  return [hub.url, first.sha, second.sha]
}

async function theirs(): Promise<Side> {
  const github = { users: [{ login: 'mona' }, { login: 'rita' }], repos: [{ owner: 'mona', name: 'app' }] }
  const tokens = { [token]: { login: 'mona', scopes: ['repo'] } }
  const hub = await createEmulator({ service: 'github', port: 0, seed: { tokens, github } })
  onTestFinished(() => hub.close())
  const send = async (method: string, path: string, body: object) => {
    const request = { method, headers: { authorization: `token ${token}` }, body: JSON.stringify(body) }
    const reply = await fetch(`${hub.url}/repos/${app}/${path}`, request)
    expect(reply.ok, path).toBe(true)
    return ((await reply.json()) as { sha: string }).sha
  }
  const treeOf = (files: Record<string, string | null>, base?: string) => {
    const tree = Object.entries(files).map(([path, content]) => {
      return { path, mode: '100644', type: 'blob', ...(content === null ? { sha: null } : { content }) }
    })
    return send('POST', 'git/trees', { tree, ...(base && { base_tree: base }) })
  }
  const base = await treeOf(before)
  const first = await send('POST', 'git/commits', { message: 'One', tree: base, parents: [] })
  const tree = await treeOf(after, base)
  const second = await send('POST', 'git/commits', { message: 'Two', tree, parents: [first] })
  await send('PATCH', 'git/refs/heads/main', { sha: first, force: true })
  await send('POST', 'git/refs', { ref: 'refs/heads/topic', sha: second })
  await send('POST', 'issues', { title: 'Question' })
  await send('POST', 'pulls', { title: 'Docs', head: 'topic', base: 'main' })
  await send('POST', 'releases', { tag_name: 'v1' })
  await send('PUT', 'collaborators/rita', { permission: 'push' })
  return [await withViewer(hub.url), first, second]
}

/** The emulator has no GraphQL, so a server in front of it says whose token it is. */
async function withViewer(url: string) {
  const front = await serveHttp(async (incoming, response) => {
    const { method, path, headers, body = null } = await receive(incoming)
    if (path === '/graphql')
      return send(response, { status: 200, body: { data: { viewer: { login: 'mona' } } } })
    const { authorization = '', 'content-type': type = '' } = headers
    const reply = await fetch(url + incoming.url, {
      method,
      body,
      headers: { authorization, 'content-type': type },
    })
    send(response, {
      status: reply.status,
      body: (await reply.text()).replaceAll(url, front.url),
      headers: { 'content-type': reply.headers.get('content-type') ?? 'text/plain' },
    })
  })
  onTestFinished(() => front.close())
  return front.url
}

/** What the action reads from the responses to the same requests. */
async function visit([apiUrl, first, second]: Side): Promise<unknown> {
  const cancelled = new AbortController().signal
  const clock = createClock()
  const [{ proxy }, deadline] = [readProxies({}), clock.now() + 60_000]
  const github = createGitHubPorts({
    token,
    apiUrl,
    proxy,
    cancelled,
    clock,
    deadline,
    onLimit() {},
    accepted: new Set(),
    onPage() {},
    budget: createBudget(),
  })
  const issue = { repository: app, repositoryId: '', number: 1, isPullRequest: false, reviewRoot: null }
  const made = await github.reply(issue, 'Working')
  const id = made.ok ? made.value : 0
  const replies = [
    (await github.edit(issue, id, 'Done')).ok,
    await github.comments(issue),
    await github.remove(issue, id),
    await github.remove(issue, id),
    await github.comments(issue),
    await github.role(app, { login: 'mona', id: null, isBot: null }),
    await github.role(app, { login: 'nobody', id: null, isBot: false }),
    await github.changedFiles(app, { by: 'compare', base: first, head: second }),
    await github.changedFiles(app, { by: 'commit', sha: second }),
    await github.changedPaths(app, first, second),
    await github.contains(app, 'topic', first),
    await github.contains(app, 'main', second),
    await github.openPulls(app),
    await github.pull({ repository: app, repositoryId: null, number: 2 }),
    await github.pull({ repository: app, repositoryId: null, number: 99 }),
    await github.addLabels(app, 2, ['docs']),
    await github.requestReview(app, 2, 'rita'),
    await github.releases(app, 0),
  ]
  // Ids, times and addresses differ, and so do the counts of a pull request.
  const own = /^(id|nodeId|userId|createdAt|changedFiles|additions|deletions)$/
  const json = JSON.stringify(replies, (key, value) => (own.test(key) ? null : value))
  const names = [
    [first, 'FIRST'],
    [second, 'SECOND'],
    [apiUrl, 'SERVER'],
    ['https://github.com', 'SERVER'],
  ] as const
  return JSON.parse(names.reduce((text, [own, name]) => text.replaceAll(own, name), json))
}

it('an independent mock of GitHub gives the same responses', async () => {
  expect(await visit(await ours())).toEqual(await visit(await theirs()))
})
