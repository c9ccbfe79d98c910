import { describe, expect, test } from 'vitest'
import { demoReaders } from '../../sandbox/platform/demo-readers.ts'
import { startPlatform } from '../../sandbox/platform/server.ts'
import { platformFor } from '../service.ts'
import { call } from './platform.calls.ts'

const today = '2026-11-23'
const readers = demoReaders(today)
const dates = 'dateFrom=2026-11-16&dateTo=2026-11-23'
const list = (name: string, more = '') => ({ path: `/v1/analytics/sandbox-docs/${name}?${dates}${more}` })
const lists = ['feedback/by-page', 'feedback', 'searches', 'assistant']

const words = readers('2026-11-16', today)
const row = { ...words.conversations[0], resolutionStatus: 'answered' } as (typeof words.conversations)[0]

describe('the lists', () => {
  test.each(lists)(
    'the list %s needs a key with the right scope, and accepts only known parameters',
    async (name) => {
      const keys = { mint_r: { scopes: ['read'] }, mint_w: { scopes: ['write'] } } as const
      const platform = await platformFor({ keys, readers })
      const ask = async (key: string, more = '') =>
        (await call(platform, { ...list(name, more), key })).status
      expect([await ask('mint_r'), await ask('mint_w'), await ask('mint_x')]).toEqual([200, 403, 401])
      expect([await ask('mint_r', '&limit=0'), await ask('mint_r', '&page=2')]).toEqual([400, 400])
    },
  )

  test.each([
    ['a share over 100', { searches: [{ ...words.searches[0], ctr: 101 }] }],
    ['a vote that is text', { votes: [{ ...words.votes[0], thumbsDown: '1' }] }],
    ['an unknown source', { comments: [{ ...words.comments[0], source: 'mail' }] }],
    ['an invalid time', { conversations: [{ ...row, timestamp: 'now' }] }],
  ])('a list with %s is a contract violation', async (_, odd) => {
    const platform = await startPlatform({ readers: () => ({ ...words, ...odd }) as typeof words })
    const statuses = await Promise.all(lists.map(async (name) => (await call(platform, list(name))).status))
    expect(statuses.filter((status) => status === 500)).toHaveLength(1)
    await expect(platform.close()).rejects.toThrow('ContractViolation')
  })
})
