import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Failure, mayHaveArrived } from '../../src/core/http.ts'
import type { CallName } from '../../src/core/problems.ts'
import { isSend, retryAfter } from '../../src/mintlify/client.ts'
import { nextPoll } from '../../src/run/wait.ts'
import {
  anyFailure,
  broken,
  failures,
  operations,
  redirected,
  rejected,
  rowsOf,
  runs,
  unreadable,
} from '../core/samples.ts'

const ask = (name: CallName, failure: Failure, { attempt = 1, random = 0.5 } = {}) =>
  retryAfter(name, failure, attempt, random)
const isTried = (...question: Parameters<typeof ask>) => Number.isFinite(ask(...question))

/** Failures after which a request has certainly not arrived, and failures after which it may have arrived. */
const unsent = ['connection', 'proxy'].map((reason) => `unreachable (${reason})`)
const arrived = ['no response', 'unreadable', '408', '500', '502', '503', '504', '199']
const again: Record<CallName, string[]> = {
  create: [...unsent, '429'],
  message: [...unsent, '429'],
  read: [...unsent, ...arrived, '429'],
  analytics: [...unsent, ...arrived],
}

describe('a retry', () => {
  it.each(failures)('only operations that may be repeated are retried after “%s”', (name, failure) => {
    expect(mayHaveArrived(failure)).toBe(arrived.includes(name))
    for (const operation of operations)
      expect(isTried(operation, failure), operation).toBe(again[operation].includes(name))
  })

  // RFC 9110, 15.4: a server can respond with 303, or in practice 302, after it has acted on the request.
  it.each([302, 303])('a request redirected with %i may have arrived', (status) => {
    expect(mayHaveArrived({ ...redirected, status } as Failure)).toBe(true)
  })

  it.each(
    rowsOf(`
      create   | unreachable (connection) | 5
      message  | unreachable (connection) | 5
      analytics | 503       | 3
      analytics | 429       | 3
      read     | 503        | Infinity
    `),
  )('the operation %s is tried a limited number of times after %s: %s', (operation, name, tries) => {
    const failure = name === '429' ? rejected(429, 1000) : new Map(failures).get(name ?? '')
    for (const attempt of [1, 2, 4, 5, 6, 9999])
      expect(isTried(operation as CallName, failure ?? unreadable, { attempt })).toBe(attempt < Number(tries))
  })

  it('a send that may have arrived is never repeated, and any wait is positive', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operations),
        anyFailure,
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (operation, failure, attempt, random) => {
          const wait = ask(operation, failure, { attempt, random })
          if (isSend(operation) && mayHaveArrived(failure)) expect(wait).toBe(Number.POSITIVE_INFINITY)
          expect(wait).toBeGreaterThan(0)
        },
      ),
      runs(300),
    )
  })
})

describe('the wait', () => {
  it.each(
    rowsOf(`
      1    | 2000
      2    | 4000
      5    | 32000
      6    | 60000
      5000 | 60000
    `),
  )('the wait after attempt %s is between half and all of %s ms', (...row) => {
    const [attempt = 0, wait = 0] = row.map(Number)
    expect(ask('read', broken(500), { attempt, random: 0 })).toBe(wait / 2)
    expect(ask('read', broken(500), { attempt, random: 1 - Number.EPSILON })).toBe(wait)
  })

  it.each([[0], [1_000], [120_000], [31_536_000_000], [undefined]])(
    'a wait of %s ms that Mintlify asks for is kept, and analytics wait only if it asks',
    (asked) => {
      const wait = asked === undefined ? undefined : Math.max(asked, 1_500)
      for (const operation of ['create', 'message', 'read'] as const)
        expect(ask(operation, rejected(429, asked))).toBe(wait ?? 1_500)
      expect(ask('read', broken(503, asked))).toBe(wait ?? 1_500)
      expect(ask('analytics', rejected(429, asked))).toBe(wait ?? Number.POSITIVE_INFINITY)
    },
  )
})

it.each(
  rowsOf(`
    0       | 0  | 15000
    5000    | 0  | 10000
    60000   | 0  | 0
    15000   | 1  | 5000
    500000  | 40 | 5000
    600000  | 41 | 6000
    3600000 | 99 | 36000
  `),
)('the next poll of a job (age: %s ms, polls so far: %s) is in %s ms, give or take a tenth', (...row) => {
  const [age = 0, reads = 0, wait = 0] = row.map(Number)
  const polls = [0, 0.5, 1].map((random) => nextPoll('auto', age, reads, random))
  expect(polls).toEqual([wait * 0.9, wait, wait * 1.1].map(Math.round))
  expect(nextPoll(7_000, age, reads, 0)).toBe(7_000)
})
