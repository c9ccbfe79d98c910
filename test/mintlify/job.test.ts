import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathSegment } from '../../src/core/http.ts'
import { pullRequestThread, threadName } from '../../src/core/thread.ts'
import { isKnownStatus, isTerminal, outcomeOfJob, parseJob, toRequest } from '../../src/mintlify/job.ts'
import { aJob, hostileText, rowsOf, runs, webUrl } from '../core/samples.ts'

const link = 'https://github.com/acme/docs/pull/7'

describe('the outcome of a job', () => {
  it.each([
    ['active', undefined, undefined],
    ['completed', 'no-changes', 'pull-request'],
    ['archived', 'archived', 'archived'],
    ['failed', 'failed', 'failed'],
    ['Completed', undefined, undefined],
    ['constructor', undefined, undefined],
    [null, undefined, undefined],
  ])('a job with the status %j has the outcome %s, and %s with a link', (status, outcome, linked) => {
    expect(outcomeOfJob(aJob({ status }))).toBe(outcome)
    expect(outcomeOfJob(aJob({ status, prLink: link }))).toBe(linked)
    expect(isTerminal(status)).toBe(outcome !== undefined)
    expect(isKnownStatus(status)).toBe(outcome !== undefined || status === 'active')
  })
})

describe('a job in a response', () => {
  const source = { repository: 'https://github.com/acme/docs', ref: 'main' }
  const same = {
    id: 'job_1',
    status: 'completed',
    model: 'm',
    prLink: link,
    createdAt: 'Nov',
    archivedAt: null,
  }
  const whole = { ...same, source }
  const read = { ...same, ...source }
  const bare = { ...read, repository: null, ref: null, model: null, prLink: null, createdAt: null }

  it.each([
    [{ more: [1] }, {}],
    [{ status: 7 }, { status: null }],
    [{ status: '' }, { status: null }],
    [{ status: 'active\n::error::' }, { status: null }],
    [{ status: 'queued' }, { status: 'queued' }],
    [{ source: { ref: 'main' } }, { repository: null }],
    [{ source: { ...source, ref: null } }, { ref: null }],
    [{ source: 'x', model: 1, prLink: {}, createdAt: [], archivedAt: 5 }, bare],
    [{ prLink: 'javascript:alert(1)' }, { prLink: null }],
    [{ prLink: '/acme/docs/pull/7' }, { prLink: null }],
    [{ model: 'a\nb=c' }, { model: null }],
    [{ model: 'm'.repeat(2001) }, { model: null }],
  ])('a job with %j is read with %j', (more, fields) => {
    expect(parseJob({ ...whole, ...more })).toEqual({ ...read, ...fields })
  })

  it.each([null, 'job_1', [whole], {}, { ...whole, id: undefined }, { ...whole, id: 7 }, { job: whole }])(
    'a response to a create contains no job: %j',
    (json) => {
      expect(parseJob(json)).toBeUndefined()
      const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
      expect(parseJob(json, 'job_2')?.id).toBe(isObject ? 'job_2' : undefined)
    },
  )

  it.each([
    ...['', '.', '..', 'a/b', '../x', 'a\\b', 'a b', 'a\nb', 'a\u202Eb', 'a\u200B', '\uD800', 'a\0'],
    // GitHub would evaluate this expression in the step that resumes the job.
    '\u0024{{github.token}}',
    'x'.repeat(201),
  ])('a job cannot have the id %j', (id) => {
    expect(pathSegment.test(id)).toBe(false)
    expect(parseJob({ ...whole, id })).toBeUndefined()
  })

  it.each(['job_1', '...', '.a', 'a?b#c%2e', 'Ünï', '漢字', 'x'.repeat(200)])(
    'a job can have the id %j',
    (id) => {
      expect(pathSegment.test(id)).toBe(true)
      expect(parseJob({ ...whole, id })?.id).toBe(id)
    },
  )

  it('a job is read from any JSON without throwing, and its strings are on one line', () => {
    const any = fc.oneof(fc.constant('job_1'), hostileText, webUrl, fc.jsonValue())
    const job = fc.record(
      { id: any, status: any, source: any, prLink: any, model: any },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), job), (json) => {
        const { prLink, ...others } = parseJob(json) ?? aJob()
        expect(Object.keys(others).length).toBe(7)
        for (const value of Object.values(others)) expect(value ?? 'none').toMatch(/^[^\p{Cc}]+$/u)
        expect(prLink ?? 'https://').toMatch(/^\s*https?:[^\p{Cc}]+$/iu)
      }),
      runs(300),
    )
  })
})

it.each(
  rowsOf(`
    https://github.com/acme/docs/pull/7               | https://github.com       | acme/docs#7
    https://github.com/acme/docs/pull/7/files#r1      | https://github.com/      | acme/docs#7
    https://github.com/acme/docs/pull/7?a=b           | https://github.com       | acme/docs#7
    https://GHE.example:8443/acme/docs/pull/7         | https://ghe.example:8443 | acme/docs#7
    https://github.com/acme/docs/pull/7               | https://ghe.example      |
    https://github.com/acme/docs/pull/7               |                          |
    https://github.com@evil.example/acme/docs/pull/7  | https://github.com       |
    http://github.com/acme/docs/pull/7                | https://github.com       |
    https://github.com:8443/acme/docs/pull/7          | https://github.com       |
    https://github.com/../docs/pull/7                 | https://github.com       |
    https://github.com/acme/%2e%2e/pull/7             | https://github.com       |
    https://github.com/acme/docs/pull/0               | https://github.com       |
    https://github.com/acme/docs/pull/99999999999999999999 | https://github.com  |
    https://github.com/acme/docs/pull/7x              | https://github.com       |
    https://github.com/acme/docs/issues/7             | https://github.com       |
    https://github.com/x/acme/docs/pull/7             | https://github.com       |
                                                      | https://github.com       |
  `),
)('the link “%s” on the server “%s” is the thread “%s”', (link = '', server = '', name = '') => {
  const thread = pullRequestThread(link, server)
  expect(thread === null ? '' : threadName(thread)).toBe(name)
  expect(thread?.isPullRequest ?? true).toBe(true)
})

describe('an operation', () => {
  const period = { from: '2026-10-26', to: '2026-11-02T00:00+01:00' }
  it.each([
    [
      { name: 'create', projectId: 'docs', prompt: 'Fix it' },
      { method: 'POST', path: '/v2/agent/docs/job', body: { prompt: 'Fix it' } },
    ],
    [
      { name: 'read', projectId: 'a?b#c', jobId: 'd%2Fe' },
      { method: 'GET', path: '/v2/agent/a%3Fb%23c/job/d%252Fe' },
    ],
    [
      { name: 'list', projectId: 'docs', period, path: 'feedback', query: { limit: 100, source: 'agent' } },
      {
        method: 'GET',
        path: '/v1/analytics/docs/feedback?dateFrom=2026-10-26&dateTo=2026-11-02T00%3A00%2B01%3A00&limit=100&source=agent',
      },
    ],
  ] as const)('the operation %j becomes the request %j', (operation, request) => {
    expect(toRequest(operation)).toEqual(request)
  })

  it('the path of an operation contains exactly its ids, for all accepted ids', () => {
    const odd = fc.constantFrom('%2e%2e', '..%2f', '...', ';x', '@', 'é')
    const id = fc.oneof(hostileText, odd).filter((text) => pathSegment.test(text))
    fc.assert(
      fc.property(id, id, hostileText, (projectId, jobId, prompt) => {
        const { path, ...rest } = toRequest({ name: 'message', projectId, jobId, prompt })
        expect(rest).toEqual({ method: 'POST', body: { prompt } })
        const url = new URL(`https://api.example${path}`)
        expect([url.search, url.hash, url.host]).toEqual(['', '', 'api.example'])
        const parts = url.pathname.split('/').map(decodeURIComponent)
        expect(parts).toEqual(['', 'v2', 'agent', projectId, 'job', jobId, 'message'])
      }),
    )
  })
})
