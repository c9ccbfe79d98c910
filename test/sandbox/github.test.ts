import { OpenAPIBackend } from 'openapi-backend'
import { expect, it, onTestFinished } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import {
  type GitHub,
  type GitHubOptions,
  sandboxGitHubToken,
  startGitHub,
} from '../../sandbox/github/server.ts'
import { nodeId } from '../../sandbox/github/views.ts'

const first = commit({ files: { 'a.md': 'a\n' } })
const onIssue = { id: 11, thread: { number: 3, reviewRoot: null }, body: '/docs x', user: 'ann' }
const usual: GitHubOptions = {
  comments: [onIssue, { ...onIssue, id: 13, thread: { number: 7, reviewRoot: 13 } }],
  repositories: [new Repository({ name: 'acme/docs', branches: { main: first } })],
}

async function start(options: GitHubOptions = {}): Promise<GitHub> {
  const gitHub = await startGitHub({ ...usual, ...options })
  onTestFinished(() => gitHub.close())
  return gitHub
}

async function call({ url }: GitHub, route: string, body?: unknown) {
  const [method = '', path = ''] = route.split(' ')
  const reply = await fetch(`${url}${path === '/graphql' ? path : `/repos/acme/docs${path}`}`, {
    method,
    headers: { authorization: `token ${sandboxGitHubToken}`, 'user-agent': 'test' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, json: await reply.json() }
}

const status = (more: object) => ({ state: 'pending', context: 'Docs', ...more })

it.each([
  ['POST /issues/3/comments', {}],
  ['POST /issues/3/comments', { body: ' \n' }],
  ['POST /issues/3/comments', { body: '📚'.repeat(65_537) }],
  ['PATCH /pulls/comments/13', { body: 'x'.repeat(65_537) }],
  ['POST /issues/comments/11/reactions', { content: 'wink' }],
  ['GET /issues/3/comments?page=two', undefined],
  [`POST /statuses/${first.sha}`, status({ description: 'x'.repeat(141) })],
  [`POST /statuses/${first.sha}`, status({ target_url: 'javascript:x' })],
  [`POST /statuses/${'f'.repeat(40)}`, status({})],
])('%s is rejected if its input is invalid (case %#)', async (route, body) => {
  const gitHub = await start()
  expect(await call(gitHub, route, body)).toMatchObject({
    status: 422,
    json: { message: expect.any(String) },
  })
  expect([gitHub.comments.length, gitHub.statuses.length]).toEqual([2, 0])
})

const hide = (id: string) =>
  `mutation hide { minimizeComment(input: { subjectId: "${id}", classifier: OUTDATED }) { minimizedComment { isMinimized } } }`
const history = (count: string) =>
  `query q { repository(owner: "acme", name: "docs") { defaultBranchRef { target { ... on Commit { history${count} { nodes { oid } } } } } } }`

it.each<[string, string, string | undefined, GitHubOptions['permissions']?]>([
  ['a field that GitHub does not have', 'query q { viewer { name2 } }', undefined],
  ['an unknown repository', 'query q { repository(owner: "a", name: "b") { __typename } }', 'NOT_FOUND'],
  ['an unknown comment', hide('IC_x'), 'NOT_FOUND'],
  ['a missing permission', hide(nodeId('IssueComment', 11)), 'FORBIDDEN', { issues: 'read' }],
  ['a list without a length', history(''), 'MISSING_PAGINATION_BOUNDARIES'],
  ['a list that is too long', history('(first: 101)'), 'EXCESSIVE_PAGINATION'],
])('GraphQL responds 200 and reports %s', async (_, query, type, permissions = {}) => {
  const { status, json } = await call(await start({ permissions }), 'POST /graphql', { query })
  const [error] = (json as { errors: { type?: string; message: string }[] }).errors
  expect([status, error?.type, error?.message]).toEqual([200, type, expect.any(String)])
})

it.each([
  ['an invalid time', 'POST /issues/3/comments', /issues\/create-comment 201: \/created_at must match/],
  ['a role that is not text', 'GET /collaborators/ann/permission', /-level 200: \/role_name must be string/],
])('the mock of GitHub responds 500 to %s, and close() rejects', async (_, route, problem) => {
  const gitHub = await startGitHub({
    ...usual,
    now: () => Object.assign(new Date(0), { toISOString: () => 'yesterday' }),
    roles: { ann: { permission: 'write', role_name: 1 as unknown as string } },
  })
  const body = route.startsWith('POST') ? { body: 'x' } : undefined
  expect((await call(gitHub, route, body)).status).toBe(500)
  expect(gitHub.violations).toEqual([expect.stringMatching(problem)])
  await expect(gitHub.close()).rejects.toThrow(problem)
})

it.each(['github/openapi.json', 'platform/openapi.yaml'])('%s is valid OpenAPI', async (name) => {
  const definition = `${import.meta.dirname}/../../sandbox/${name}`
  await new OpenAPIBackend({ definition, strict: true, validate: false }).init()
})
