import { expect, it } from 'vitest'
import { demoReaders } from '../../sandbox/platform/demo-readers.ts'
import {
  type Platform,
  type PlatformOptions,
  sandboxKey,
  startPlatform,
} from '../../sandbox/platform/server.ts'
import { platformFor } from '../service.ts'

const today = '2026-11-23'
const job = '/v2/agent/sandbox-docs/job'
const list = (name: string, more = '') =>
  `/v1/analytics/sandbox-docs/${name}?dateFrom=2026-11-16&dateTo=${today}${more}`
const visitors = list('visitors')
const lists = ['feedback/by-page', 'feedback', 'searches', 'assistant'].map((name) => list(name))
const words = demoReaders(today)('2026-11-16', today)

/** A GET or, with a body, a POST. */
async function call(
  { url }: Platform,
  path: string,
  key = sandboxKey,
  body?: string,
  type = 'application/json',
) {
  const headers = { authorization: key && `Bearer ${key}`, 'content-type': type }
  const request = body === undefined ? {} : { method: 'POST', body }
  const reply = await fetch(`${url}${path}`, { ...request, headers })
  return { status: reply.status, json: await reply.json() }
}

const error = expect.any(String)

it.each([
  ['an empty prompt', '{"prompt": ""}'],
  ['an extra field', '{"prompt": "x", "branch": "main"}'],
  ['a body that is not JSON', '{"prompt": '],
  ['another content type', '{"prompt": "x"}', 'text/plain'],
])('the platform rejects a request with %s', async (_, body, type?: string) => {
  const platform = await platformFor()
  expect(await call(platform, job, sandboxKey, body, type)).toEqual({ status: 400, json: { error } })
  expect(platform.jobs.size).toBe(0)
})

it.each([
  visitors.replace('2026-11-16', '16.11.2026'),
  ...['&limit=0', '&limit=251', '&offset=-1', '&page=2'].map((query) => visitors + query),
  ...lists.flatMap((path) => [`${path}&limit=0`, `${path}&page=2`]),
])('the platform rejects %s with details', async (path) => {
  const details = expect.arrayContaining([{ message: error }])
  expect(await call(await platformFor(), path)).toEqual({ status: 400, json: { error, details } })
})

it.each(['mint_unknown', ''])('the key “%s” is rejected', async (key) => {
  const platform = await platformFor()
  expect((await call(platform, job, key, '{"prompt": "x"}')).status).toBe(401)
  for (const path of [visitors, ...lists]) expect((await call(platform, path, key)).status).toBe(401)
})

it("a request for someone else's project gets a 403", async () => {
  expect((await call(await platformFor(), '/v2/agent/other/job', sandboxKey, '{"prompt": "x"}')).status).toBe(
    403,
  )
})

it('counts can be fractions, and the file and language of a snippet can be null', async () => {
  const comment = { ...words.comments[0], source: 'code_snippet', code: 'x', filename: null, lang: null }
  const votes = [{ ...words.votes[0], thumbsUp: 1.5 }]
  const platform = await platformFor({
    readers: () => ({ ...words, votes, comments: [comment] }) as typeof words,
  })
  expect((await call(platform, list('feedback/by-page'))).status).toBe(200)
  expect((await call(platform, list('feedback'))).json).toMatchObject({ feedback: [comment] })
})

const counts = { human: 1, ai: 1, total: 2 }
const noData = () => {
  throw new Error('no data')
}
const yesterday = () => Object.assign(new Date(0), { toISOString: () => 'yesterday' })

it.each<[string, object]>([
  ['a count that is text', { visitors: () => ({ totals: { ...counts, total: '2' }, rows: [] }) }],
  ['a missing field', { visitors: () => ({ totals: counts, rows: [{ path: '/', human: 1, ai: 1 }] }) }],
  ['a source that throws', { visitors: noData }],
  ['an invalid date', { now: yesterday }],
  [
    'an invalid time',
    { readers: () => ({ ...words, conversations: [{ ...words.conversations[0], timestamp: 'now' }] }) },
  ],
])('the contract catches %s: the platform responds 500, and close() rejects', async (_, odd) => {
  const platform = await startPlatform(odd as PlatformOptions)
  const paths = [visitors, ...lists]
  const replies = await Promise.all([
    call(platform, job, sandboxKey, '{"prompt": "x"}'),
    ...paths.map((path) => call(platform, path)),
  ])
  expect(replies.filter(({ status }) => status === 500)).toHaveLength(1)
  await expect(platform.close()).rejects.toThrow(/ContractViolation|no data/)
})
