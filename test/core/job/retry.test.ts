import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAnalytics, isSend, type OperationName } from '../../../src/core/job/job.ts'
import { type Failure, mayHaveArrived } from '../../../src/core/job/response.ts'
import { type RetryQuestion, retryAfter } from '../../../src/core/job/schedule.ts'
import { anyFailure, broken, failures, operations, rejected, runs, unreachable } from '../samples.ts'

const date = Date.UTC(2026, 10, 2, 10, 0, 0)
const ask = (operation: OperationName, failure: Failure, more: Partial<RetryQuestion> = {}) =>
  retryAfter({ operation, failure, attempt: 1, date, random: 0.5, ...more })

/** The failures after which an analytics request is retried. */
const analyticsAgain = [
  ...['unreachable (connection)', 'unreachable (name)', 'unreachable (tls)', 'unreachable (proxy)'],
  ...['no response', 'unreadable', '408', '500', '502', '503', '504', '199'],
]

/** The failures after which each operation is retried. */
const again: Record<OperationName, string[]> = {
  create: [
    'unreachable (connection)',
    'unreachable (name)',
    'unreachable (tls)',
    'unreachable (proxy)',
    '429',
  ],
  message: [
    'unreachable (connection)',
    'unreachable (name)',
    'unreachable (tls)',
    'unreachable (proxy)',
    '429',
  ],
  read: [
    ...['unreachable (connection)', 'unreachable (name)', 'unreachable (tls)', 'unreachable (proxy)'],
    ...['no response', 'unreadable', '408', '429', '500', '502', '503', '504', '199'],
  ],
  visitors: analyticsAgain,
  list: analyticsAgain,
}

describe.each(operations)('the operation %s', (operation) => {
  it.each(
    failures.map(([name, failure]): [string, boolean, Failure] => [
      name,
      again[operation].includes(name),
      failure,
    ]),
  )(`the operation ${operation} is retried after “%s”: %s`, (_, isTried, failure) => {
    expect(ask(operation, failure) !== undefined).toBe(isTried)
  })
})

describe('the wait', () => {
  it.each([
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [4, 16_000],
    [5, 32_000],
    [6, 60_000],
    [20, 60_000],
    [5000, 60_000],
  ])('the wait after attempt %i is between half and all of %i ms', (attempt, wait) => {
    expect(ask('read', broken(500), { attempt, random: 0 })).toBe(wait / 2)
    expect(ask('read', broken(500), { attempt, random: 0.5 })).toBe(wait * 0.75)
    expect(ask('read', broken(500), { attempt, random: 1 - Number.EPSILON })).toBe(wait)
  })

  const year = 365 * 86_400
  it.each([
    ['seconds', '120', 120_000],
    ['seconds with spaces around them', ' 120 ', 120_000],
    ['zero seconds', '0', 1_500],
    ['fewer seconds than the back-off', '1', 1_500],
    ['a date', 'Mon, 02 Nov 2026 10:05:00 GMT', 300_000],
    ['a date in another form', '2030-01-01', 1_500],
    ['a date in the past', 'Mon, 02 Nov 2026 09:00:00 GMT', 1_500],
    ['a year in seconds', `${year}`, year * 1000],
    ['a year as a date', 'Tue, 02 Nov 2027 10:00:00 GMT', year * 1000],
    ['nothing', '', 1_500],
    ['a word', 'soon', 1_500],
    ['a negative number', '-120', 1_500],
    ['a fraction', '120.5', 1_500],
    ['exponential notation', '1e3', 1_500],
    ['an invalid date', 'Mon, 99 Foo 2026', 1_500],
    ['a number that looks like a year', '2030', 2_030_000],
  ])('the wait with a Retry-After of %s (%j) is %i ms', (_, header, wait) => {
    const ofJobs = operations.filter((operation) => !isAnalytics(operation))
    for (const operation of ofJobs) expect(ask(operation, rejected(429, header))).toBe(wait)
    expect(ask('read', broken(503, header))).toBe(wait)
  })

  it.each([
    ['60', 60_000],
    ['Mon, 02 Nov 2026 09:00:00 GMT', 1_500],
    ['', undefined],
    ['soon', undefined],
  ])('an analytics request is retried after a 429 only with a valid Retry-After (%j)', (header, wait) => {
    expect(ask('visitors', rejected(429, header))).toBe(wait)
    expect(ask('visitors', rejected(429, '1'), { attempt: 5 })).toBe(undefined)
    expect(ask('list', rejected(429, header))).toBe(wait)
    expect(ask('list', rejected(429, '1'), { attempt: 2 })).toBe(undefined)
  })

  it('the wait, if there is one, is positive for any operation, failure and attempt', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operations),
        anyFailure,
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (operation, failure, attempt, random) => {
          const wait = ask(operation, failure, { attempt, random }) ?? 1
          expect(wait).toBeGreaterThan(0)
          expect(Number.isNaN(wait)).toBe(false)
        },
      ),
    )
  })
})

describe('a send', () => {
  it.each(['create', 'message'] as const)('a send (%s) is tried at most five times', (operation) => {
    const tries = [1, 2, 3, 4, 5, 6].map(
      (attempt) => ask(operation, unreachable('connection'), { attempt }) !== undefined,
    )
    expect(tries).toEqual([true, true, true, true, false, false])
  })

  it('a send that may have arrived is never repeated', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operations),
        anyFailure,
        fc.nat(100),
        fc.option(fc.nat(60_000), { nil: undefined }),
        (operation, failure, attempt, missingFor) => {
          fc.pre(isSend(operation) && mayHaveArrived(failure))
          const missing = missingFor === undefined ? {} : { missingFor }
          expect(ask(operation, failure, { attempt: attempt + 1, ...missing })).toBeUndefined()
        },
      ),
      runs(200),
    )
  })

  it('a send that is rejected with 404 is never repeated, even if the job exists', () => {
    expect(ask('message', rejected(404), { missingFor: 0 })).toBeUndefined()
    expect(ask('create', rejected(404), { missingFor: 0 })).toBeUndefined()
  })
})

describe('a read', () => {
  it('a read of visitors is tried at most five times', () => {
    const tries = [4, 5].map((attempt) => ask('visitors', broken(503), { attempt }) !== undefined)
    expect(tries).toEqual([true, false])
  })

  it('a response that cannot be read, and any list, is requested at most twice', () => {
    const unreadable: Failure = { kind: 'unreadable', status: 200, problem: 'its body is not JSON' }
    for (const [operation, failure] of [
      ['visitors', unreadable],
      ['list', broken(503)],
    ] as const)
      expect([1, 2].map((attempt) => ask(operation, failure, { attempt }) !== undefined)).toEqual([
        true,
        false,
      ])
  })

  it.each([
    [0, true],
    [59_999, true],
    [60_000, false],
    [undefined, false],
  ])('a read of a known job that has been missing for %s ms is retried: %s', (missingFor, isTried) => {
    expect(ask('read', rejected(404), missingFor === undefined ? {} : { missingFor }) !== undefined).toBe(
      isTried,
    )
  })

  it.each([400, 401, 403])(
    'a read that is rejected with %i is not retried, even if the job is known',
    (status) => {
      expect(ask('read', rejected(status), { missingFor: 0 })).toBeUndefined()
    },
  )

  it('a read is retried without limit as long as waiting may help', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (attempt) => {
        expect(ask('read', broken(503), { attempt })).toBeGreaterThan(0)
      }),
    )
  })
})
