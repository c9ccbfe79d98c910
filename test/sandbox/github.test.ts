import { OpenAPIBackend } from 'openapi-backend'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import {
  type GitHub,
  type GitHubOptions,
  sandboxGitHubToken,
  startGitHub,
} from '../../sandbox/github/server.ts'
import type { SeedComment } from '../../sandbox/github/threads.ts'
import { nodeId } from '../../sandbox/github/views.ts'

async function start(options?: GitHubOptions): Promise<GitHub> {
  const gitHub = await startGitHub(options)
  onTestFinished(() => gitHub.close())
  return gitHub
}

async function call(gitHub: GitHub, route: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = route.split(' ')
  const reply = await fetch(`${gitHub.url}${path === '/graphql' ? path : `/repos/acme/docs${path}`}`, {
    method,
    headers: { authorization: `token ${sandboxGitHubToken}`, 'user-agent': 'test', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, json: await reply.json() }
}

const onIssue: SeedComment = { id: 11, thread: { number: 3, reviewRoot: null }, body: '/docs x', user: 'ann' }
const onPull: SeedComment = { id: 12, thread: { number: 7, reviewRoot: null }, body: '/docs y', user: 'ann' }
const root: SeedComment = { id: 13, thread: { number: 7, reviewRoot: 13 }, body: 'why?', user: null }
const comments = [onIssue, onPull, root]

describe('rejections', () => {
  test.each([
    ['POST /issues/3/comments', {}, 'body'],
    ['POST /issues/3/comments', { body: 1 }, 'body'],
    ['POST /issues/3/comments', { body: ' \n' }, 'body'],
    ['POST /issues/3/comments', { body: '📚'.repeat(65_537) }, 'body'],
    ['PATCH /pulls/comments/13', { body: 'x'.repeat(65_537) }, 'body'],
    ['POST /issues/comments/11/reactions', { content: 'wink' }, 'content'],
    ['GET /issues/3/comments?page=two', undefined, 'page'],
  ])('%s is rejected if its input is invalid (case %#)', async (route, body, field) => {
    const reply = await call(await start({ comments }), route, body)
    expect(reply).toMatchObject({ status: 422, json: { message: 'Validation Failed', errors: [{ field }] } })
  })
})

const first = commit({ files: { 'a.md': 'a\n' } })
const repositories = [new Repository({ name: 'acme/docs', branches: { main: first } })]

describe('a commit’s statuses', () => {
  test.each([
    ['a description of 141 characters', { description: 'x'.repeat(141) }, first.sha],
    ['an invalid URL', { target_url: 'javascript:x' }, first.sha],
    ['an unknown state', { state: 'done' }, first.sha],
    ['an unknown commit', {}, 'f'.repeat(40)],
  ])('a status with %s is rejected', async (_, body, sha) => {
    const gitHub = await start({ repositories })
    const status = { state: 'pending', context: 'Docs', ...body }
    expect((await call(gitHub, `POST /statuses/${sha}`, status)).status).toBe(422)
    expect(gitHub.statuses).toEqual([])
  })
})

describe('GraphQL', () => {
  const hide = (id: string) =>
    `mutation hide { minimizeComment(input: { subjectId: "${id}", classifier: OUTDATED }) { clientMutationId } }`
  const own = nodeId('IssueComment', 11)
  const history = (count: string) =>
    `query q { repository(owner: "acme", name: "docs") { defaultBranchRef { target { ... on Commit { history${count} { totalCount } } } } } }`

  test.each([
    ['a field that GitHub does not have', 'query q { viewer { name2 } }', undefined, []],
    [
      'an unknown repository',
      'query q { repository(owner: "a", name: "b") { __typename } }',
      'NOT_FOUND',
      [],
    ],
    ['an unknown comment', hide('IC_x'), 'NOT_FOUND', []],
    ['a missing permission', hide(own), 'FORBIDDEN', ['issues']],
    ['a list without a length', history(''), 'MISSING_PAGINATION_BOUNDARIES', []],
    ['a list that is too long', history('(first: 101)'), 'EXCESSIVE_PAGINATION', []],
  ] as const)('GraphQL responds 200 and reports %s', async (_, query, type, lacks) => {
    const gitHub = await start({ repositories, comments, lacks: [...lacks] })
    const { status, json } = await call(gitHub, 'POST /graphql', { query })
    const [error] = (json as { errors: { type?: string; message: string }[] }).errors
    expect([status, error?.type]).toEqual([200, type])
    expect(error?.message).toEqual(expect.any(String))
  })
})

describe('the server', () => {
  test.each([
    ['an invalid time', 'POST /issues/3/comments', /issues\/create-comment 201: \/created_at must match/],
    [
      'an id that is not an integer',
      'GET /issues/4/comments',
      /issues\/list-comments 200: \/0\/id must be integer/,
    ],
    [
      'a role that is not text',
      'GET /collaborators/ann/permission',
      /-level 200: \/role_name must be string/,
    ],
  ])(
    'the server catches %s in its response: it responds 500, records the violation, and close() rejects',
    async (_, route, violation) => {
      const gitHub = await startGitHub({
        now: () => Object.assign(new Date(0), { toISOString: () => 'yesterday' }),
        comments: [{ ...onIssue, id: 1.5, thread: { number: 4, reviewRoot: null } }],
        roles: { ann: { permission: 'write', role_name: 1 as unknown as string } },
      })
      expect((await call(gitHub, route, route.startsWith('POST') ? { body: 'x' } : undefined)).status).toBe(
        500,
      )
      expect(gitHub.violations).toEqual([expect.stringMatching(violation)])
      await expect(gitHub.close()).rejects.toThrow('ContractViolation')
    },
  )

  test('the server rejects a query parameter that GitHub documents but the double does not support', async () => {
    const gitHub = await startGitHub({ pullRequests: [3] })
    expect((await call(gitHub, 'GET /pulls/3/comments?sort=created')).status).toBe(500)
    await expect(gitHub.close()).rejects.toThrow("doesn't know how to list by sort")
  })

  test('the server rejects a media type that the double does not support', async () => {
    const gitHub = await startGitHub()
    const headers = { accept: 'application/vnd.github.patch' }
    expect((await call(gitHub, 'GET /commits/main', undefined, headers)).status).toBe(500)
    await expect(gitHub.close()).rejects.toThrow("doesn't know how to answer this as patch")
  })
})

test.each(['github/openapi.json', 'platform/openapi.yaml'])('%s is valid OpenAPI', async (name) => {
  const definition = `${import.meta.dirname}/../../sandbox/${name}`
  await new OpenAPIBackend({ definition, strict: true, validate: false }).init()
})
