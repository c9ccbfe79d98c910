import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isKnownStatus,
  isPathSegment,
  isTerminal,
  type Job,
  outcomeOfJob,
  parseJob,
  pullRequestThread,
} from '../../../src/core/job/job.ts'
import { pullRequestNumber } from '../../../src/core/thread.ts'
import { aJob, hostileText, runs, webUrl } from '../samples.ts'

const link = 'https://github.com/acme/docs/pull/7'

describe('the outcome of a job', () => {
  it.each([
    ['active', null, undefined],
    ['active', link, undefined],
    ['completed', link, 'pull-request'],
    ['completed', null, 'no-changes'],
    ['archived', null, 'archived'],
    ['archived', link, 'archived'],
    ['failed', null, 'failed'],
    ['failed', link, 'failed'],
    ['queued', null, undefined],
    ['Completed', link, undefined],
    [null, link, undefined],
  ])('the outcome of a job with status %s and link %s is %s', (status, prLink, outcome) => {
    expect(outcomeOfJob(aJob({ status, prLink }))).toBe(outcome)
  })

  it.each([
    ['active', true, false],
    ['completed', true, true],
    ['archived', true, true],
    ['failed', true, true],
    ['queued', false, false],
    ['', false, false],
    ['constructor', false, false],
    [null, false, false],
  ])('the status %j is known: %s, and terminal: %s', (status, known, terminal) => {
    expect(isKnownStatus(status)).toBe(known)
    expect(isTerminal(status)).toBe(terminal)
  })

  it('an outcome exists for terminal statuses only', () => {
    fc.assert(
      fc.property(hostileText, (status) => {
        expect(outcomeOfJob(aJob({ status })) !== undefined).toBe(isTerminal(status))
      }),
    )
  })
})

describe('a job in a response', () => {
  const whole = {
    id: 'job_1',
    status: 'completed',
    source: { repository: 'https://github.com/acme/docs', ref: 'main' },
    model: 'm',
    prLink: link,
    createdAt: '2026-11-02T10:00:00Z',
    archivedAt: null,
  }
  const read: Job = {
    id: 'job_1',
    status: 'completed',
    repository: 'https://github.com/acme/docs',
    ref: 'main',
    model: 'm',
    prLink: link,
    createdAt: '2026-11-02T10:00:00Z',
    archivedAt: null,
  }
  const bare: Job = { ...read, repository: null, ref: null, model: null, prLink: null, createdAt: null }

  it.each([
    ['whole', whole, read],
    ['with unknown fields', { ...whole, more: [1] }, read],
    ['with only an id and a status', { id: 'job_1', status: 'completed' }, bare],
    ['with only an id', { id: 'job_1' }, { ...bare, status: null }],
    ['with a status of another type', { ...whole, status: 7 }, { ...read, status: null }],
    ['with an empty status', { ...whole, status: '' }, { ...read, status: null }],
    ['with a status of two lines', { ...whole, status: 'active\n::error::' }, { ...read, status: null }],
    ['with nulls', { ...whole, source: null, model: null, prLink: null, createdAt: null }, bare],
    [
      'with values of other types',
      { ...whole, source: 'x', model: 1, prLink: {}, createdAt: [], archivedAt: 5 },
      bare,
    ],
    ['with half a source', { ...whole, source: { ref: 'main' } }, { ...read, repository: null }],
    ['with a ref that is null', { ...whole, source: { ...whole.source, ref: null } }, { ...read, ref: null }],
    [
      'with empty strings',
      { ...whole, model: '', prLink: '', createdAt: '' },
      { ...read, model: null, prLink: null, createdAt: null },
    ],
    ['with a script as its link', { ...whole, prLink: 'javascript:alert(1)' }, { ...read, prLink: null }],
    ['with a path as its link', { ...whole, prLink: '/acme/docs/pull/7' }, { ...read, prLink: null }],
    ['with a line break in a string', { ...whole, model: 'a\nb=c' }, { ...read, model: null }],
    ['with a very long string', { ...whole, model: 'm'.repeat(2001) }, { ...read, model: null }],
    ['with an unknown status', { ...whole, status: 'queued' }, { ...read, status: 'queued' }],
  ])('a job in a response is read: %s', (_, json, job) => {
    expect(parseJob(json)).toEqual(job)
  })

  it.each([
    ['null', null],
    ['a string', 'job_1'],
    ['a list', [whole]],
    ['an empty object', {}],
    ['no id', { ...whole, id: undefined }],
    ['an id that is a number', { ...whole, id: 7 }],
    ['a wrapped job', { job: whole }],
  ])('a response to a create contains no job: %s', (_, json) => {
    expect(parseJob(json)).toBeUndefined()
  })

  it.each([
    ['no fields', {}, null],
    ['no id', { status: 'active' }, 'active'],
    ['an unusable id', { id: '../x', status: 'active' }, 'active'],
    ['an error', { error: 'later' }, null],
  ])('a job has the requested id if the response to a poll or follow-up has %s', (_, json, status) => {
    expect(parseJob(json, 'job_1')).toEqual({ ...bare, id: 'job_1', status })
  })

  it.each([[null], ['ok'], [[]], [7]])(
    'a response that is not an object (%j) contains no job, even if the id is known',
    (json) => {
      expect(parseJob(json, 'job_1')).toBeUndefined()
    },
  )

  it.each([
    '',
    '.',
    '..',
    'a/b',
    '../x',
    'a\\b',
    'a b',
    'a\nb',
    'a\u202Eb',
    'a\u200B',
    '\uD800',
    'a\0',
    // GitHub would evaluate this expression in the step that resumes the job.
    '\u0024{{github.token}}',
    'x'.repeat(201),
  ])('a job cannot have the id %j', (id) => {
    expect(isPathSegment(id)).toBe(false)
    expect(parseJob({ ...whole, id })).toBeUndefined()
  })

  it.each(['job_1', '...', '.a', 'a?b#c%2e', 'Ünï', '漢字', 'x'.repeat(200)])(
    'a job can have the id %j',
    (id) => {
      expect(isPathSegment(id)).toBe(true)
      expect(parseJob({ ...whole, id })?.id).toBe(id)
    },
  )

  it('a job is read from any JSON without throwing, and its strings are on one line', () => {
    const likeJob = fc.record(
      {
        id: fc.oneof(fc.constant('job_1'), hostileText, fc.jsonValue()),
        status: fc.oneof(fc.constant('active'), hostileText, fc.jsonValue()),
        source: fc.oneof(fc.record({ repository: hostileText, ref: fc.jsonValue() }), fc.jsonValue()),
        prLink: fc.oneof(hostileText, webUrl, fc.jsonValue()),
        model: fc.jsonValue(),
        createdAt: hostileText,
        archivedAt: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), likeJob), (json) => {
        const job = parseJob(json)
        if (job === undefined) return
        expect(Object.keys(job).toSorted()).toEqual(Object.keys(read).toSorted())
        for (const value of Object.values(job)) expect(value ?? 'none').toMatch(/^[^\p{Cc}]+$/u)
        expect(job.prLink ?? 'https://').toMatch(/^\s*https?:/i)
      }),
      runs(300),
    )
  })
})

describe("a pull request's number", () => {
  it.each([
    [link, '7'],
    [`${link}/files`, '7'],
    [`${link}#discussion`, '7'],
    [`${link}?a=b`, '7'],
    ['https://ghe.example/acme/docs/pull/12', '12'],
    [`https://github.com/acme/docs/pull/1${'0'.repeat(30)}`, `1${'0'.repeat(30)}`],
    [`${link}x`, null],
    ['https://github.com/acme/docs/issues/7', null],
    ['https://github.com/acme/docs/pull/', null],
    ['https://gitlab.com/acme/docs/-/merge_requests/7', null],
    ['http://github.com/acme/docs/pull/7', null],
    [null, null],
    ['', null],
  ])('the pull request number in %j is %j', (prLink, number) => {
    expect(pullRequestNumber(prLink)).toBe(number)
  })
})

describe("a pull request's thread", () => {
  const thread = { repository: 'acme/docs', number: 7, isPullRequest: true, reviewRoot: null }

  it.each([
    [link, 'https://github.com', true],
    [`${link}/files#r1`, 'https://github.com/', true],
    ['https://GHE.example:8443/acme/docs/pull/7', 'https://ghe.example:8443', true],
    ['https://ghe.example/acme/docs/pull/7', 'https://github.com', false],
    [link, 'https://ghe.example', false],
    ['https://github.com.evil.example/acme/docs/pull/7', 'https://github.com', false],
    ['https://github.com@evil.example/acme/docs/pull/7', 'https://github.com', false],
    ['http://github.com/acme/docs/pull/7', 'https://github.com', false],
    ['https://github.com:8443/acme/docs/pull/7', 'https://github.com', false],
    ['https://github.com/../docs/pull/7', 'https://github.com', false],
    ['https://github.com/acme/%2e%2e/pull/7', 'https://github.com', false],
    ['https://github.com/acme/docs/pull/0', 'https://github.com', false],
    ['https://github.com/acme/docs/pull/99999999999999999999', 'https://github.com', false],
    ['https://github.com/acme/docs/issues/7', 'https://github.com', false],
    [link, '', false],
    [null, 'https://github.com', false],
  ])('the thread of the pull request %j is found on the server %j: %s', (prLink, serverUrl, isFound) => {
    expect(pullRequestThread(prLink, serverUrl)).toEqual(isFound ? thread : null)
  })
})
