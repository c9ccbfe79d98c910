/** The sections with the embedded platform over HTTP; only time is simulated. */
import { describe, expect, it } from 'vitest'
import type { FaultAction } from '../../../sandbox/faults.ts'
import { demoReaders } from '../../../sandbox/platform/demo-readers.ts'
import type { ListName } from '../../../sandbox/platform/readers.ts'
import type { Fault } from '../../../sandbox/platform/server.ts'
import { type PlatformOptions, sandboxKey } from '../../../sandbox/platform/server.ts'
import { createHttp } from '../../../src/adapters/wire.ts'
import { readProxies } from '../../../src/core/proxy.ts'
import type { LogEntry } from '../../../src/say/messages.ts'
import type { Table } from '../../../src/visitors/core/blocks.ts'
import type { Missing } from '../../../src/visitors/core/gap.ts'
import { sections } from '../../../src/visitors/sections/index.ts'
import { Requests } from '../../../src/visitors/usecases/requests.ts'
import { platformFor } from '../../service.ts'
import { aSite } from '../samples.ts'

const began = Date.UTC(2026, 10, 23, 6)
const period = { from: '2026-11-16', to: '2026-11-23' }
const readers = demoReaders('2026-11-23')

interface Asking {
  chosen?: readonly string[]
  requests?: number
  /** Milliseconds until the deadline. */
  left?: number
  rejected?: Missing
  isCancelled?: boolean
}

async function read(
  options: PlatformOptions,
  {
    chosen = sections.map(({ name }) => name),
    requests: limit = 40,
    left = 60_000,
    rejected,
    isCancelled,
  }: Asking = {},
) {
  const platform = await platformFor({ readers, ...options })
  const cancelled = isCancelled ? AbortSignal.abort() : new AbortController().signal
  const progress: LogEntry[] = []
  let now = began
  const { proxy } = readProxies({})
  const ports = {
    http: createHttp({
      githubToken: null,
      baseUrl: platform.url,
      apiKey: sandboxKey,
      proxy,
      cancelled,
      keepAlive: true,
    }),
    clock: {
      now: () => now,
      date: () => now,
      async sleep(ms: number) {
        now += ms
      },
    },
    deadline: began + left,
    random: () => 0.5,
    cancelled,
    log: (...seen: LogEntry[]) => void progress.push(...seen),
  }
  const requests = new Requests(limit, 'sandbox-docs', ports)
  requests.rejected = rejected ?? null
  const parts = await Promise.all(
    sections
      .filter(({ name }) => chosen.includes(name))
      .map((section) => section.read((list) => requests.list(list, period), aSite({}))),
  )
  const tables = parts.flatMap(({ blocks }) =>
    blocks.filter((block): block is Table => block.kind === 'table'),
  )
  return {
    /** Why each table is incomplete. */
    gaps: Object.fromEntries(tables.map(({ id, gap }) => [id, gap ?? null])),
    sizes: Object.fromEntries(tables.map(({ id, size }) => [id, size])),
    paths: platform.requests.map(({ path }) => path.replace('/v1/analytics/sandbox-docs/', '')),
    queries: platform.requests.map(({ query }) => query),
    used: requests.used,
    progress,
  }
}

/** The table of each list. */
const tables: Record<ListName, string> = {
  'feedback-by-page': 'votes',
  feedback: 'comments',
  searches: 'searches',
  assistant: 'questions',
}
const lists = Object.keys(tables) as ListName[]

describe('sections', () => {
  it.each<[string[], string[]]>([
    [[], []],
    [['feedback'], ['feedback', 'feedback', 'feedback', 'feedback/by-page']],
    [['searches'], ['searches']],
    [['questions'], ['assistant']],
    [
      ['feedback', 'searches', 'questions'],
      ['assistant', 'feedback', 'feedback', 'feedback', 'feedback/by-page', 'searches'],
    ],
  ])('the sections %j are read with the requests %j', async (chosen, asked) => {
    const { paths, used, queries } = await read({}, { chosen })
    expect(paths.toSorted()).toEqual(asked)
    expect(used).toBe(asked.length)
    for (const query of queries) expect(query).toMatchObject({ dateFrom: '2026-11-16', dateTo: '2026-11-23' })
  })

  it('sections contain what readers said in the period', async () => {
    const { gaps, sizes, progress } = await read({})
    expect(gaps).toEqual({ votes: null, comments: null, searches: null, questions: null })
    expect(sizes).toEqual({ votes: 3, comments: 9, searches: 6, questions: 3 })
    expect(progress.map(({ text }) => text)).toEqual(Array(6).fill(expect.stringMatching(/^Read the /)))
  })

  it('comments are requested by source, because a list of all sources is full of votes', async () => {
    const { queries, paths } = await read({}, { chosen: ['feedback'] })
    const sources = queries.filter((_, at) => paths[at] === 'feedback').map(({ source }) => source)
    expect(sources.toSorted()).toEqual(['agent', 'code_snippet', 'contextual'])
  })

  it('sections say when the platform has more rows', async () => {
    const many = () => {
      const words = readers('2026-11-16', '2026-11-23')
      const searches = Array.from({ length: 120 }, (_, at) => ({
        ...words.searches[0],
        searchQuery: `term ${at}`,
      }))
      return { ...words, searches } as ReturnType<typeof readers>
    }
    const { gaps } = await read({ readers: many })
    expect(gaps.searches).toBe('Only the first 100 searches were read. There are more.')
  })
})

describe('a list', () => {
  type Odd = [string, FaultAction, attempts: number, says: RegExp]
  const odd: Odd[] = [
    ['403', { kind: 'status', status: 403 }, 1, /not available to this API key or plan \(403\)/],
    ['429 without Retry-After', { kind: 'status', status: 429 }, 1, /the hourly limit/],
    [
      '429 with Retry-After',
      { kind: 'status', status: 429, headers: { 'retry-after': '5' } },
      2,
      /the hourly limit/,
    ],
    ['a redirect', { kind: 'status', status: 302, headers: { location: 'https://evil.example/' } }, 1, /302/],
    ['a reset', { kind: 'reset', when: 'after' }, 2, /did not respond/],
    ['half a response', { kind: 'cut' }, 2, /could not be read/],
    ['a response of 10 MB', { kind: 'raw', body: ' '.repeat(10_000_000) }, 2, /could not be read/],
    ['500', { kind: 'status', status: 500 }, 2, /responded with 500/],
    [
      'an odd shape',
      { kind: 'raw', body: '{"feedback":{},"searches":"x","conversations":null}' },
      2,
      /could not be read/,
    ],
    [
      'unusable rows',
      { kind: 'raw', body: '{"feedback":[1],"searches":[[]],"conversations":[{}]}' },
      2,
      /could not be read/,
    ],
  ]
  const cases = odd.map((each, at) => [lists[at % lists.length] ?? 'searches', ...each] as const)

  it.each(cases)(
    'a list (%s) is missing after %s, and the others are read',
    async (list, _, action, attempts, says) => {
      const fault: Fault = { on: list, do: action }
      const { gaps, used, paths } = await read({ faults: [fault] })
      expect(gaps[tables[list]]).toMatch(says)
      for (const other of lists) if (other !== list) expect(gaps[tables[other]]).toBeNull()
      const requests = list === 'feedback' ? 3 + 3 * attempts : 5 + attempts
      expect([used, paths.length]).toEqual([requests, requests])
    },
  )

  it.each(lists)('a list (%s) is requested again after one failure', async (list) => {
    const fault: Fault = { on: list, times: 1, do: { kind: 'status', status: 503 } }
    const { gaps, used } = await read({ faults: [fault] })
    expect([gaps[tables[list]], used]).toEqual([null, 7])
  })
})

describe('the budget', () => {
  it.each([0, 1, 3, 5, 6])('a budget of %i requests is not exceeded, even by retries', async (requests) => {
    const { gaps, paths } = await read({}, { requests })
    expect(paths).toHaveLength(requests)
    expect(Object.values(gaps).every((gap) => gap === null)).toBe(requests === 6)
    const faults = lists.map((on): Fault => ({ on, do: { kind: 'status', status: 500 } }))
    expect((await read({ faults }, { requests })).paths).toHaveLength(requests)
  })
})

it.each<[string, Asking, RegExp]>([
  ['the timeout was reached', { left: 0 }, /the timeout was reached/],
  ['the step is cancelled', { isCancelled: true }, /the timeout was reached/],
  ['the hourly limit has already ended the reading', { rejected: { why: 'budget' } }, /max-requests/],
])('nothing is requested if %s', async (_, asking, why) => {
  const { paths, gaps } = await read({}, asking)
  expect(paths).toEqual([])
  for (const gap of Object.values(gaps)) expect(gap).toMatch(why)
})
