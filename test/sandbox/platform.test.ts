import { describe, expect, test } from 'vitest'
import type { Platform } from '../../sandbox/platform/server.ts'
import { type Call, call, create, message, prompt, read, start, week } from './platform.calls.ts'

/** The statuses and links that a job shows over a number of reads. */
async function readOn(platform: Platform, times: number): Promise<string[]> {
  const seen: string[] = []
  for (let time = 0; time < times; time++) {
    const { json } = await read(platform)
    seen.push(json.prLink ? `${json.status}+link` : json.status)
  }
  return seen
}

describe('jobs', () => {
  test.each([
    { options: {}, seen: ['active', 'active', 'completed+link', 'completed+link'] },
    { options: { readsUntilEnd: 0 }, seen: ['completed+link'] },
    {
      options: { linkLate: true },
      seen: ['active', 'active', 'completed', 'completed+link', 'completed+link'],
    },
    { options: { ends: 'no-changes' }, seen: ['active', 'active', 'completed', 'completed'] },
    { options: { ends: 'archived' }, seen: ['active', 'active', 'archived', 'archived'] },
    { options: { ends: 'failed', readsUntilEnd: 1 }, seen: ['active', 'failed'] },
    { options: { ends: 'never' }, seen: ['active', 'active', 'active', 'active', 'active'] },
  ] as const)('reads with $options show $seen', async ({ options, seen }) => {
    const platform = await start(options)
    await create(platform)
    expect(await readOn(platform, seen.length)).toEqual(seen)
    expect(platform.jobs.get('job_0001')?.reads).toBe(seen.length)
  })

  test('jobs are active again at once after a follow-up', async () => {
    const platform = await start({ readsUntilEnd: 1 })
    await create(platform)
    await readOn(platform, 2)
    const { status, json } = await message(platform)
    expect([status, json.status, json.prLink]).toEqual([200, 'active', null])
    expect(await readOn(platform, 2)).toEqual(['active', 'completed+link'])
    expect(platform.jobs.get('job_0001')?.messages).toEqual(['And the changelog'])
  })

  test('show only what they must in sparse replies', async () => {
    const platform = await start({ readsUntilEnd: 1, isSparse: true })
    expect((await create(platform)).json).toEqual({ id: 'job_0001' })
    expect((await read(platform)).json).toEqual({})
    const end = { status: 'completed', prLink: 'https://github.com/acme/docs/pull/101' }
    expect((await read(platform)).json).toEqual(end)
    expect((await message(platform)).json).toEqual({})
  })

  test('show the old end for a while after a follow-up with stale reads', async () => {
    const platform = await start({ readsUntilEnd: 1, staleReads: 2 })
    await create(platform)
    await readOn(platform, 2)
    expect((await message(platform)).json.status).toBe('completed')
    expect(await readOn(platform, 4)).toEqual([
      'completed+link',
      'completed+link',
      'active',
      'completed+link',
    ])
  })
})

describe('rejected requests', () => {
  test.each<[string, Call]>([
    ['an empty prompt', { body: prompt('') }],
    ['no prompt', { body: '{}' }],
    ['a prompt that is no text', { body: '{"prompt": 1}' }],
    ['a field more', { body: '{"prompt": "x", "branch": "main"}' }],
    ['a body that is not JSON', { body: '{"prompt": ' }],
    ['no body', { body: '' }],
    ['another content type', { headers: { 'content-type': 'text/plain' } }],
  ])('%s is a 400', async (_, more) => {
    const platform = await start()
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
    mint_elsewhere: { scopes: ['read', 'write'], ipBlocked: true },
    mint_dsc_1: { scopes: ['read', 'write'] },
    mint_us_1: { scopes: ['read', 'write'] },
  } as const

  test.each([
    ['mint_both', 201, 200],
    ['mint_read', 403, 200],
    ['mint_write', 201, 403],
    ['mint_old', 401, 401],
    ['mint_elsewhere', 403, 403],
    ['mint_dsc_1', 401, 401],
    ['mint_us_1', 401, 401],
    ['mint_unknown', 401, 401],
    ['toString', 401, 401],
  ])('the key %s: create %i, visitors %i', async (key, created, visited) => {
    const platform = await start({ keys })
    expect((await create(platform, { key })).status).toBe(created)
    expect((await call(platform, { path: week, key })).status).toBe(visited)
  })

  test("no key is a 401 even if the body would be a 400; someone else's project is a 403", async () => {
    const platform = await start()
    const noKey = await create(platform, { headers: { authorization: '' }, body: '{}' })
    expect([noKey.status, noKey.json]).toEqual([401, { error: expect.any(String) }])
    expect((await create(platform, { path: '/v2/agent/other/job' })).status).toBe(403)
  })
})

describe('limits', () => {
  test('the limits apply to creates in any hour, and count only those that were carried out', async () => {
    let now = new Date('2026-08-03T10:00:00Z')
    const platform = await start({ createLimit: 2, retryAfter: '120', now: () => now })
    await create(platform, { body: '{}' })
    await create(platform)
    now = new Date('2026-08-03T10:30:00Z')
    await create(platform)
    const third = await create(platform)
    expect([third.status, third.headers['retry-after']]).toEqual([429, '120'])
    expect(third.json).toEqual({ error: 'Rate limit exceeded' })
    now = new Date('2026-08-03T11:00:00Z')
    expect((await create(platform)).status).toBe(201)
    expect((await create(platform)).status).toBe(429)
    expect(platform.jobs.size).toBe(3)
  })

  test('limits are 100 jobs by default, without a Retry-After; reads have none', async () => {
    const platform = await start({ ends: 'never' })
    const statuses = await Promise.all(
      Array.from({ length: 101 }, async () => (await create(platform)).status),
    )
    expect(statuses.filter((status) => status === 201)).toHaveLength(100)
    expect((await create(platform)).headers).not.toHaveProperty('retry-after')
    const reads = await Promise.all(Array.from({ length: 120 }, async () => (await read(platform)).status))
    expect(new Set(reads)).toEqual(new Set([200]))
  })
})
