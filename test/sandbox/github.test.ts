import { OpenAPIBackend } from 'openapi-backend'
import { request } from 'undici'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type GitHub,
  type GitHubOptions,
  sandboxGitHubToken,
  startGitHub,
} from '../../sandbox/github/server.ts'
import type { SeedComment } from '../../sandbox/github/threads.ts'

const started: GitHub[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map((gitHub) => gitHub.close()))
})

async function start(options?: GitHubOptions): Promise<GitHub> {
  const gitHub = await startGitHub(options)
  started.push(gitHub)
  return gitHub
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

async function call(gitHub: GitHub, route: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = route.split(' ')
  const reply = await request(`${gitHub.url}/repos/${path.startsWith('/') ? `acme/docs${path}` : path}`, {
    method: method as Method,
    headers: { ...sent, ...headers },
    body: typeof body === 'object' ? JSON.stringify(body) : String(body ?? ''),
  })
  const text = await reply.body.text()
  // biome-ignore lint/suspicious/noExplicitAny: the tests' expectations check the responses.
  const json: any = text === '' ? undefined : JSON.parse(text)
  return { status: reply.statusCode, headers: reply.headers, json }
}

const sent = {
  authorization: `token ${sandboxGitHubToken}`,
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'test',
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
    ['GET /issues/3/comments?page=two', '', 'page'],
  ])('%s is rejected if its input is invalid (%#)', async (route, body, field) => {
    const reply = await call(await start({ comments }), route, body)
    expect(reply).toMatchObject({ status: 422, json: { message: 'Validation Failed', errors: [{ field }] } })
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
      'a missing field',
      'GET /collaborators/ann/permission',
      /-level 200: {2}?.*required property 'role_name'/,
    ],
  ])(
    'the server catches %s in its response: it responds 500, records it, and close() rejects',
    async (_, route, violation) => {
      const gitHub = await startGitHub({
        now: () => Object.assign(new Date(0), { toISOString: () => 'yesterday' }),
        comments: [{ ...onIssue, id: 1.5, thread: { number: 4, reviewRoot: null } }],
        roles: { ann: { permission: 'write' } as unknown as { permission: 'write'; role_name: string } },
      })
      expect((await call(gitHub, route, route.startsWith('POST') ? { body: 'x' } : '')).status).toBe(500)
      expect(gitHub.violations).toEqual([expect.stringMatching(violation)])
      await expect(gitHub.close()).rejects.toThrow('GitHubContractViolation')
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
