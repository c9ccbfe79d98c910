import { describe, expect, test } from 'vitest'
import { platformFor } from '../service.ts'
import { type Call, call, create, prompt, week } from './platform.calls.ts'

describe('rejected requests', () => {
  test.each<[string, Call]>([
    ['an empty prompt', { body: prompt('') }],
    ['no prompt', { body: '{}' }],
    ['a prompt that is not text', { body: '{"prompt": 1}' }],
    ['an extra field', { body: '{"prompt": "x", "branch": "main"}' }],
    ['a body that is not JSON', { body: '{"prompt": ' }],
    ['no body', { body: '' }],
    ['another content type', { headers: { 'content-type': 'text/plain' } }],
  ])('a request with %s gets a 400', async (_, more) => {
    const platform = await platformFor()
    const { status, json } = await create(platform, more)
    expect(status).toBe(400)
    expect(json).toEqual({ error: expect.any(String) })
    expect(platform.jobs.size).toBe(0)
  })

  const keys = {
    mint_both: { scopes: ['read', 'write'] },
    mint_read: { scopes: ['read'] },
    mint_write: { scopes: ['write'] },
    mint_old: { scopes: ['read', 'write'], expired: true },
  } as const

  test.each([
    ['mint_both', 201, 200],
    ['mint_read', 403, 200],
    ['mint_write', 201, 403],
    ['mint_old', 401, 401],
    ['mint_unknown', 401, 401],
    ['toString', 401, 401],
  ])('the key %s gets a %i for a new job and a %i for visitors', async (key, created, visited) => {
    const platform = await platformFor({ keys })
    expect((await create(platform, { key })).status).toBe(created)
    expect((await call(platform, { path: week, key })).status).toBe(visited)
  })

  test("a request without a key gets a 401 even if its body is invalid; a request for someone else's project gets a 403", async () => {
    const platform = await platformFor()
    const noKey = await create(platform, { headers: { authorization: '' }, body: '{}' })
    expect([noKey.status, noKey.json]).toEqual([401, { error: expect.any(String) }])
    expect((await create(platform, { path: '/v2/agent/other/job' })).status).toBe(403)
  })
})
