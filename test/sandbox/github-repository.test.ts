import { OpenAPIBackend } from 'openapi-backend'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository, type RepositoryOptions } from '../../sandbox/github/repository.ts'
import { type GitHubOptions, sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'

const first = commit({ files: { 'README.md': '# App\n' } })
const topic = commit({ parents: [first], files: { 'docs/b.md': 'new\n' } })
const acme: RepositoryOptions = {
  name: 'acme/app',
  branches: { main: first, topic },
  pulls: [{ number: 12, head: { branch: 'topic', commit: topic } }],
}
const paths = [
  ...['/compare/main...topic', '/commits/main', '/contents/README.md'],
  ...['/commits/topic/pulls', '/pulls', '/pulls/12', '/pulls/12/files'],
]

const start = (more: Partial<RepositoryOptions>, others: GitHubOptions = {}) =>
  startGitHub({ repository: 'acme/app', repositories: [new Repository({ ...acme, ...more })], ...others })

async function get(url: string, path: string, accept = 'application/vnd.github+json'): Promise<number> {
  const headers = { authorization: `Bearer ${sandboxGitHubToken}`, 'user-agent': 'test', accept }
  return (await fetch(`${url}/repos/acme/app${path}`, { headers })).status
}

describe('a token', () => {
  async function statuses(more: Partial<RepositoryOptions>, others?: GitHubOptions) {
    const gitHub = await start(more, others)
    // Rejects where a reply was not as GitHub's description has it.
    onTestFinished(() => gitHub.close())
    return Promise.all(paths.map((path) => get(gitHub.url, path)))
  }
  const repeated = (status: number, times: number) => Array<number>(times).fill(status)

  test.each([
    [[], repeated(200, 7)],
    [['contents: read'], [...repeated(403, 3), ...repeated(200, 4)]],
    [['pull-requests: read'], [...repeated(200, 3), ...repeated(403, 4)]],
    [['pull-requests', 'issues'], repeated(200, 7)],
  ] as const)('a token that lacks %j may read the rest', async (lacks, expected) => {
    expect(await statuses({}, { lacks })).toEqual(expected)
    expect(await statuses({ isPrivate: false }, { lacks })).toEqual(repeated(200, 7))
  })

  test('a token that was not given for a private repository finds nothing there', async () => {
    expect(await statuses({ isReachable: false })).toEqual(repeated(404, 7))
    expect(await statuses({ isReachable: false, isPrivate: false })).toEqual(repeated(200, 7))
  })
})

test('another form than the double knows is a mistake of its own, not a wrong answer', async () => {
  const gitHub = await start({})
  expect(await get(gitHub.url, '/commits/main', 'application/vnd.github.patch')).toBe(500)
  await expect(gitHub.close()).rejects.toThrow("doesn't know how to answer this as patch")
})

test.each(['github/openapi.json', 'platform/openapi.yaml'])('%s is valid OpenAPI', async (name) => {
  const definition = `${import.meta.dirname}/../../sandbox/${name}`
  await new OpenAPIBackend({ definition, strict: true, validate: false }).init()
})
