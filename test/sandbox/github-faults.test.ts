import { expect, onTestFinished, test } from 'vitest'
import type { GitHubFault, GitHubFaultAction } from '../../sandbox/github/faults.ts'
import { type GitHub, sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'

async function start(faults: GitHubFault[]): Promise<GitHub> {
  const gitHub = await startGitHub({ faults })
  onTestFinished(() => gitHub.close())
  return gitHub
}

/** Makes a comment, and gives the status; the name of what went wrong if there was no reply, or none that could be read. */
async function comment({ url }: GitHub, patience = 2_000): Promise<number | string> {
  try {
    const reply = await fetch(`${url}/repos/acme/docs/issues/3/comments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandboxGitHubToken}`, 'user-agent': 'test', connection: 'close' },
      body: JSON.stringify({ body: 'x' }),
      signal: AbortSignal.timeout(patience),
    })
    await reply.text()
    return reply.status
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    return cause?.code ?? name
  }
}

test.each<[string, GitHubFaultAction, unknown, number]>([
  ['a reset before the effect', { kind: 'reset', when: 'before' }, 'ECONNRESET', 0],
  ['a reset after the effect', { kind: 'reset', when: 'after' }, 'ECONNRESET', 1],
  ['silence before the effect', { kind: 'hang', when: 'before' }, 'TimeoutError', 0],
  ['silence after the effect', { kind: 'hang', when: 'after' }, 'TimeoutError', 1],
  ['a body that breaks off', { kind: 'cut' }, expect.stringMatching(/^UND_ERR/), 1],
  ['an odd body', { kind: 'raw', body: '<html>' }, 201, 1],
  ['an odd body and status', { kind: 'raw', body: '[]', status: 418 }, 418, 1],
  ['a huge body', { kind: 'huge', bytes: 1_000 }, 201, 1],
  ['a slow reply', { kind: 'slow', ms: 1 }, 201, 1],
])('%s', async (_, action, outcome, made) => {
  const gitHub = await start([{ on: 'issues/create-comment', times: 1, do: action }])
  const patience = action.kind === 'hang' ? 200 : 5_000
  expect([await comment(gitHub, patience), gitHub.comments.length]).toEqual([outcome, made])
  expect(await comment(gitHub)).toBe(201)
})

test('hit the n-th call, whatever it is for', async () => {
  const gitHub = await start([{ after: 1, times: 1, status: 502 }])
  expect([await comment(gitHub), await comment(gitHub), await comment(gitHub)]).toEqual([201, 502, 201])
  const name = 'issues/create-comment'
  const call = { name, method: 'POST' }
  expect(gitHub.calls).toEqual([
    { ...call, number: 0, status: 201 },
    { ...call, number: 1, status: 502 },
    { ...call, number: 2, status: 201 },
  ])
})

test.each([0, 1])('connections are refused from call %i on, until they are accepted again', async (after) => {
  const gitHub = await start([{ after, do: { kind: 'refused' } }])
  for (let number = 0; number < after; number++) expect(await comment(gitHub)).toBe(201)
  expect([await comment(gitHub), await comment(gitHub)]).toEqual(['ECONNREFUSED', 'ECONNREFUSED'])
  await gitHub.accept()
  expect([await comment(gitHub), await comment(gitHub)]).toEqual([201, 201])
  expect(gitHub.calls).toHaveLength(after + 2)
})

test.each([
  ['before', 0],
  ['after', 1],
] as const)('something else can happen %s the effect', async (when, seen) => {
  const counts: number[] = []
  const run = () => counts.push(gitHub.comments.length)
  const gitHub: GitHub = await start([{ times: 1, do: { kind: 'meanwhile', when, run } }])
  expect(await comment(gitHub)).toBe(201)
  expect(counts).toEqual([seen])
})
