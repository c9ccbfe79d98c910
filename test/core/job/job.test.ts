import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isKnownStatus,
  isPathSegment,
  isTerminal,
  type Job,
  outcomeOfJob,
  parseJob,
  pullRequestNumber,
} from '../../../src/core/job/job.ts'
import { aJob, hostileText } from '../samples.ts'

const link = 'https://github.com/acme/docs/pull/7'

describe('the outcomeOfJob on a job', () => {
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
  ])('%s with the link %s is %s', (status, prLink, outcome) => {
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
  ])('knows %j: %s, and takes it for an end: %s', (status, known, terminal) => {
    expect(isKnownStatus(status)).toBe(known)
    expect(isTerminal(status)).toBe(terminal)
  })

  it('is there for the ends and for nothing else, whatever the word', () => {
    fc.assert(
      fc.property(hostileText, (status) => {
        expect(outcomeOfJob(aJob({ status })) !== undefined).toBe(isTerminal(status))
      }),
    )
  })
})

describe('a job in a reply', () => {
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
    ['with fields that nobody knows', { ...whole, more: [1] }, read],
    ['of nothing but id and status', { id: 'job_1', status: 'completed' }, bare],
    ['of nulls', { ...whole, source: null, model: null, prLink: null, createdAt: null }, bare],
    ['of other types', { ...whole, source: 'x', model: 1, prLink: {}, createdAt: [], archivedAt: 5 }, bare],
    ['with half a source', { ...whole, source: { ref: 'main' } }, { ...read, repository: null }],
    ['with a ref that is null', { ...whole, source: { ...whole.source, ref: null } }, { ...read, ref: null }],
    [
      'with empty texts',
      { ...whole, model: '', prLink: '', createdAt: '' },
      { ...read, model: null, prLink: null, createdAt: null },
    ],
    ['with a script for a link', { ...whole, prLink: 'javascript:alert(1)' }, { ...read, prLink: null }],
    ['with a path for a link', { ...whole, prLink: '/acme/docs/pull/7' }, { ...read, prLink: null }],
    ['with a line break in a text', { ...whole, model: 'a\nb=c' }, { ...read, model: null }],
    ['with an endless text', { ...whole, model: 'm'.repeat(2001) }, { ...read, model: null }],
    ['with an unknown status', { ...whole, status: 'queued' }, { ...read, status: 'queued' }],
  ])('is read: %s', (_, json, job) => {
    expect(parseJob(json)).toEqual(job)
  })

  it.each([
    ['null', null],
    ['a text', 'job_1'],
    ['a list', [whole]],
    ['nothing', {}],
    ['no id', { ...whole, id: undefined }],
    ['an id that is a number', { ...whole, id: 7 }],
    ['no status', { ...whole, status: undefined }],
    ['an empty status', { ...whole, status: '' }],
    ['a status that is null', { ...whole, status: null }],
    ['a status with a line break', { ...whole, status: 'active\n::error::' }],
    ['a wrapped job', { job: whole }],
  ])('is none: %s', (_, json) => {
    expect(parseJob(json)).toBeUndefined()
  })

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
    'x'.repeat(201),
  ])('is none with the id %j', (id) => {
    expect(isPathSegment(id)).toBe(false)
    expect(parseJob({ ...whole, id })).toBeUndefined()
  })

  it.each(['job_1', '...', '.a', 'a?b#c%2e', 'Ünï', '漢字', 'x'.repeat(200)])(
    'is one with the id %j',
    (id) => {
      expect(isPathSegment(id)).toBe(true)
      expect(parseJob({ ...whole, id })?.id).toBe(id)
    },
  )

  it('is read out of any JSON without throwing, and only with one-line texts', () => {
    const likeJob = fc.record(
      {
        id: fc.oneof(fc.constant('job_1'), hostileText, fc.jsonValue()),
        status: fc.oneof(fc.constant('active'), hostileText, fc.jsonValue()),
        source: fc.oneof(fc.record({ repository: hostileText, ref: fc.jsonValue() }), fc.jsonValue()),
        prLink: fc.oneof(hostileText, fc.webUrl(), fc.jsonValue()),
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
      { numRuns: 1000 },
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
    [`${link}x`, null],
    ['https://github.com/acme/docs/issues/7', null],
    ['https://github.com/acme/docs/pull/', null],
    ['https://gitlab.com/acme/docs/-/merge_requests/7', null],
    ['http://github.com/acme/docs/pull/7', null],
    [null, null],
    ['', null],
  ])('in %j is %j', (prLink, number) => {
    expect(pullRequestNumber(prLink)).toBe(number)
  })
})
