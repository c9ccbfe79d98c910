import { describe, expect, onTestFinished, test } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import {
  type GitHub,
  type GitHubOptions,
  sandboxGitHubToken,
  startGitHub,
} from '../../sandbox/github/server.ts'
import { nodeId } from '../../sandbox/github/views.ts'

const first = commit({ files: { 'a.md': 'a\n', 'b/c.md': 'c\n' } })
const repository = () => new Repository({ name: 'acme/docs', branches: { main: first } })

async function start(options: GitHubOptions = {}): Promise<GitHub> {
  const gitHub = await startGitHub({ repositories: [repository()], ...options })
  onTestFinished(() => gitHub.close())
  return gitHub
}

async function send({ url }: GitHub, method: string, path: string, body?: object) {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${sandboxGitHubToken}`, 'user-agent': 'test' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  // biome-ignore lint/suspicious/noExplicitAny: the tests' expectations check the responses.
  const json: any = text === '' ? undefined : JSON.parse(text)
  return { status: reply.status, headers: reply.headers, json }
}

const under = '/repos/acme/docs'
const graphql = (gitHub: GitHub, query: string, variables?: object) =>
  send(gitHub, 'POST', '/graphql', { query, variables })

describe('a commit’s statuses', () => {
  const make = (gitHub: GitHub, more: object = {}, sha = first.sha) =>
    send(gitHub, 'POST', `${under}/statuses/${sha}`, { state: 'pending', context: 'Docs', ...more })

  test.each([
    ['a description of 141 characters', { description: 'x'.repeat(141) }, first.sha],
    ['an invalid URL', { target_url: 'javascript:x' }, first.sha],
    ['an unknown state', { state: 'done' }, first.sha],
    ['an unknown commit', {}, 'f'.repeat(40)],
  ])('a commit’s status with %s is invalid', async (_, body, sha) => {
    const gitHub = await start()
    expect((await make(gitHub, body, sha)).status).toBe(422)
    expect(gitHub.statuses).toEqual([])
  })
})

describe('GraphQL', () => {
  const comments = [{ id: 1, thread: { number: 3, reviewRoot: null }, body: 'a', user: 'mona' }]
  const hide = (id: string) =>
    `mutation hide { minimizeComment(input: { subjectId: "${id}", classifier: OUTDATED }) { clientMutationId } }`
  const own = nodeId('IssueComment', 1)
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
    const { status, json } = await graphql(await start({ comments, lacks: [...lacks] }), query)
    expect([status, json.errors[0].type]).toEqual([200, type])
    expect(json.errors[0].message).toEqual(expect.any(String))
  })
})
