import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import type { FaultAction } from '../../sandbox/platform/faults.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { create, jobs, open, prompt, read, start } from './platform.calls.ts'

describe('faults', () => {
  const onCreate = (action: FaultAction) => start({ faults: [{ on: 'create', do: action }] })

  test('hit the scripted calls', async () => {
    const platform = await start({
      faults: [
        { on: 'create', after: 1, times: 2, do: { kind: 'status', status: 503, process: false } },
        { on: 'create', after: 2, do: { kind: 'status', status: 429, headers: { 'retry-after': '7' } } },
      ],
    })
    const replies = [
      await create(platform),
      await create(platform),
      await create(platform),
      await create(platform),
    ]
    expect(replies.map(({ status }) => status)).toEqual([201, 503, 503, 429])
    expect(replies[3]?.headers['retry-after']).toBe('7')
    expect((await read(platform)).status).toBe(200)
  })

  test.each([
    [{ status: 418 }, 0],
    [{ status: 500 }, 1],
    [{ status: 500, process: false }, 0],
    [{ status: 409, process: true }, 1],
  ])('status %o leaves %i jobs', async (action, count) => {
    const platform = await onCreate({ kind: 'status', ...action })
    const { status, json } = await create(platform)
    expect([status, json]).toEqual([action.status, { error: expect.any(String) }])
    expect(platform.jobs.size).toBe(count)
  })

  test.each([
    ['before-processing', 0],
    ['after-processing', 1],
  ] as const)('reset %s leaves %i jobs', async (when, count) => {
    const platform = await onCreate({ kind: 'reset', when })
    await expect(create(platform)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(platform.jobs.size).toBe(count)
    expect(platform.requests).toHaveLength(1)
  })

  test('hang at the headers, until the platform closes', async () => {
    const platform = await onCreate({ kind: 'hang', at: 'headers' })
    const reply = request(`${platform.url}${jobs}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandboxKey}`, 'content-type': 'application/json' },
      body: prompt('x'),
      headersTimeout: 50,
    })
    await expect(reply).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' })
    const waiting = expect(create(platform)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
    await expect.poll(() => platform.jobs.size).toBe(2)
    await platform.close()
    await waiting
  })

  test('truncated', async () => {
    const platform = await onCreate({ kind: 'truncated' })
    const { statusCode, body } = await open(platform, { method: 'POST', body: prompt('x') })
    expect(statusCode).toBe(201)
    await expect(body.text()).rejects.toMatchObject({
      code: expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/),
    })
    expect(platform.jobs.size).toBe(1)
  })

  test('the key, echoed in many forms', async () => {
    const key = 'mint_a/b"c+d'
    const platform = await onCreate({ kind: 'echo-key' })
    const { status, json } = await create(platform, { key })
    expect(status).toBe(400)
    for (const form of [key, 'mint_a%2Fb%22c%2Bd', 'mint_a/b\\"c+d', Buffer.from(key).toString('base64')]) {
      expect(json.error).toContain(form)
    }
    expect(platform.jobs.size).toBe(0)
  })
})
