/** The sections with the embedded platform over HTTP; only time is simulated. */
import { describe, expect, it } from 'vitest'
import type { FaultAction } from '../../../sandbox/faults.ts'
import { demoReaders } from '../../../sandbox/platform/demo-readers.ts'
import type { Fault } from '../../../sandbox/platform/server.ts'
import { type PlatformOptions, sandboxKey } from '../../../sandbox/platform/server.ts'
import { createHttp } from '../../../src/adapters/http.ts'
import type { ListName } from '../../../src/core/job/operation.ts'
import { readProxies } from '../../../src/core/proxy.ts'
import type { ReportProgress } from '../../../src/visitors/core/progress.ts'
import type { Listing, Missing } from '../../../src/visitors/core/sections/lists.ts'
import { type SectionName, sectionNames } from '../../../src/visitors/core/sections/rules.ts'
import { Requests } from '../../../src/visitors/usecases/requests.ts'
import { readSections } from '../../../src/visitors/usecases/sections.ts'
import { lists } from '../../core/samples.ts'
import { platformFor } from '../../service.ts'

const began = Date.UTC(2026, 10, 23, 6)
const period = { from: '2026-11-16', to: '2026-11-23' }
const readers = demoReaders('2026-11-23')

interface Asking {
  chosen?: readonly SectionName[]
  requests?: number
  /** Milliseconds until the deadline. */
  left?: number
  rejected?: Missing
  isCancelled?: boolean
  withComments?: boolean
}

async function read(
  options: PlatformOptions,
  { chosen = sectionNames, requests: limit = 40, left = 60_000, rejected, isCancelled, ...more }: Asking = {},
) {
  const platform = await platformFor({ readers, ...options })
  const cancelled = isCancelled ? AbortSignal.abort() : new AbortController().signal
  const progress: ReportProgress[] = []
  let now = began
  const ports = {
    http: createHttp({
      baseUrl: platform.url,
      apiKey: sandboxKey,
      proxy: readProxies({}).proxy,
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
    onProgress: (seen: ReportProgress) => void progress.push(seen),
  }
  const requests = new Requests(limit, ports)
  requests.rejected = rejected ?? null
  const fixed = { projectId: 'sandbox-docs', withComments: true }
  const request = { ...fixed, chosen: new Set(chosen), period, requests, ...more }
  const sections = await readSections(request, ports)
  const listings: Record<ListName, Listing<unknown> | null> = {
    'feedback-by-page': sections.feedback?.votes ?? null,
    feedback: sections.feedback?.comments ?? null,
    searches: sections.searches,
    assistant: sections.questions,
  }
  const paths = platform.requests.map(({ path }) => path.replace('/v1/analytics/sandbox-docs/', ''))
  return {
    sections,
    listings,
    paths,
    queries: platform.requests.map(({ query }) => query),
    used: requests.used,
    progress,
  }
}

const whyMissing = (listing: Listing<unknown> | null) =>
  listing?.kind === 'missing' ? listing.gap.why : listing?.kind

describe('sections', () => {
  it.each<[SectionName[], string[]]>([
    [[], []],
    [['feedback'], ['feedback/by-page', 'feedback', 'feedback', 'feedback']],
    [['searches'], ['searches']],
    [['questions'], ['assistant']],
    [
      ['feedback', 'searches', 'questions'],
      ['feedback/by-page', 'feedback', 'feedback', 'feedback', 'searches', 'assistant'],
    ],
  ])('the sections %j are read with the requests %j', async (chosen, asked) => {
    const { paths, used, queries } = await read({}, { chosen })
    expect(paths.toSorted()).toEqual(asked.toSorted())
    expect(used).toBe(asked.length)
    for (const query of queries) expect(query).toMatchObject({ dateFrom: '2026-11-16', dateTo: '2026-11-23' })
  })

  it('sections contain what readers said in the period', async () => {
    const { sections, progress } = await read({})
    expect(sections).toMatchObject({
      feedback: { votes: { kind: 'read', seen: 9, hasMore: false }, comments: { kind: 'read', seen: 9 } },
      searches: { kind: 'read', seen: 10, hasMore: false },
      questions: { kind: 'read', seen: 11, hasMore: false },
    })
    expect(progress.map(({ type }) => type)).toEqual(Array(4).fill('list-read'))
  })

  it('comments are requested by source, because a list of all sources is full of votes', async () => {
    const { queries, paths } = await read({}, { chosen: ['feedback'] })
    const sources = queries.filter((_, at) => paths[at] === 'feedback').map(({ source }) => source)
    expect(sources).toEqual(['contextual', 'code_snippet', 'agent'])
  })

  it('comments are not read for the previous period', async () => {
    const { paths } = await read({}, { withComments: false })
    expect(paths.toSorted()).toEqual(['assistant', 'feedback/by-page', 'searches'])
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
    const { sections } = await read({ readers: many })
    expect(sections.searches).toMatchObject({ seen: 100, hasMore: true })
  })
})

describe('a list', () => {
  type Odd = [string, FaultAction, attempts: number]
  const odd: Odd[] = [
    ['403', { kind: 'status', status: 403 }, 1],
    ['404', { kind: 'status', status: 404 }, 1],
    ['429 without Retry-After', { kind: 'status', status: 429 }, 1],
    ['429 with Retry-After', { kind: 'status', status: 429, headers: { 'retry-after': '5' } }, 2],
    [
      '429 with a Retry-After beyond the deadline',
      { kind: 'status', status: 429, headers: { 'retry-after': '3600' } },
      1,
    ],
    ['a redirect', { kind: 'status', status: 302, headers: { location: 'https://evil.example/' } }, 1],
    ['a reset', { kind: 'reset', when: 'after' }, 2],
    ['half a response', { kind: 'cut' }, 1],
    ['a response that is not JSON', { kind: 'raw', body: '<html>' }, 1],
    ['a response of 10 MB', { kind: 'raw', body: ' '.repeat(10_000_000) }, 1],
  ]
  const own: Odd[] = [
    ['500', { kind: 'status', status: 500 }, 2],
    ['an odd shape', { kind: 'raw', body: '{"feedback":{},"searches":"x","conversations":null}' }, 1],
    ['unusable rows', { kind: 'raw', body: '{"feedback":[1],"searches":[[]],"conversations":[{}]}' }, 1],
  ]
  // The rules for responses are the same for every list (test/core/job/retry.test.ts). The rules for rows differ.
  const cases = [
    ...odd.map((each, at) => [lists[at % lists.length] ?? 'searches', ...each] as const),
    ...lists.flatMap((list) => own.map((each) => [list, ...each] as const)),
  ]

  it.each(cases)(
    'a list (%s) is missing after %s, and the others are read',
    async (list, _, action, attempts) => {
      const fault: Fault = { on: list, do: action }
      const { listings, used, paths } = await read({ faults: [fault] })
      expect(listings[list]).toMatchObject({
        kind: 'missing',
        gap: { why: 'failed', problem: { operation: list } },
      })
      for (const other of lists) if (other !== list) expect(listings[other]?.kind).toBe('read')
      const others = list === 'feedback' ? 3 : 5
      expect([used, paths.length]).toEqual([others + attempts, others + attempts])
    },
  )

  it.each(lists)('a list (%s) is requested again after one failure', async (list) => {
    const fault: Fault = { on: list, times: 1, do: { kind: 'status', status: 503 } }
    const { listings, used } = await read({ faults: [fault] })
    expect([listings[list]?.kind, used]).toEqual(['read', 7])
  })
})

describe('the budget', () => {
  it.each([
    [0, ['budget', 'budget', 'budget', 'budget']],
    [1, ['read', 'budget', 'budget', 'budget']],
    [3, ['read', 'read', 'read', 'budget']],
    [4, ['read', 'read', 'read', 'read']],
    [6, ['read', 'read', 'read', 'read']],
  ])('a budget of %i requests leaves the lists in the states %j', async (requests, kinds) => {
    const { listings, paths } = await read({}, { requests })
    expect(lists.map((list) => whyMissing(listings[list]))).toEqual(kinds)
    expect(paths).toHaveLength(requests)
  })

  it('the budget is not exceeded by retries', async () => {
    const faults = lists.map((on): Fault => ({ on, do: { kind: 'status', status: 500 } }))
    expect((await read({ faults }, { requests: 6 })).paths).toHaveLength(6)
  })
})

it.each<[string, Asking, string]>([
  ['the timeout was reached', { left: 0 }, 'timeout'],
  ['the step is cancelled', { isCancelled: true }, 'timeout'],
  ['the hourly limit has already ended the reading', { rejected: { why: 'budget' } }, 'budget'],
])('nothing is requested if %s', async (_, asking, why) => {
  const { listings, paths, progress } = await read({}, asking)
  expect(paths).toEqual([])
  expect(lists.map((list) => whyMissing(listings[list]))).toEqual(Array(4).fill(why))
  expect(progress.map(({ type }) => type)).toEqual(Array(4).fill('list-missing'))
})
