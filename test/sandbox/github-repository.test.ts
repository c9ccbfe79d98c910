import { OpenAPIBackend } from 'openapi-backend'
import { expect, onTestFinished, test } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'

const first = commit({ files: { 'README.md': '# App\n' } })
const topic = commit({ parents: [first], files: { 'docs/b.md': 'new\n' } })
const pulls = [{ number: 12, head: { branch: 'topic', commit: topic } }]

function start() {
  const app = new Repository({ name: 'acme/app', branches: { main: first, topic }, pulls })
  return startGitHub({ repository: 'acme/app', repositories: [app] })
}

async function get(url: string, path: string, accept = 'application/vnd.github+json'): Promise<number> {
  const headers = { authorization: `Bearer ${sandboxGitHubToken}`, 'user-agent': 'test', accept }
  return (await fetch(`${url}/repos/acme/app${path}`, { headers })).status
}

test.each([
  ...['/compare/main...topic', '/commits/main', '/contents/README.md'],
  ...['/commits/topic/pulls', '/pulls', '/pulls/12', '/pulls/12/files'],
])('GET %s succeeds and conforms', async (path) => {
  const gitHub = await start()
  // Rejects if a reply did not match GitHub's description.
  onTestFinished(() => gitHub.close())
  expect(await get(gitHub.url, path)).toBe(200)
})

test('another form than the double knows is a mistake of its own, not a wrong answer', async () => {
  const gitHub = await start()
  expect(await get(gitHub.url, '/commits/main', 'application/vnd.github.patch')).toBe(500)
  await expect(gitHub.close()).rejects.toThrow("doesn't know how to answer this as patch")
})

test.each(['github/openapi.json', 'platform/openapi.yaml'])('%s is valid OpenAPI', async (name) => {
  const definition = `${import.meta.dirname}/../../sandbox/${name}`
  await new OpenAPIBackend({ definition, strict: true, validate: false }).init()
})
