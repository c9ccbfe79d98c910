import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPathSegment, isSend, toRequest } from '../../../src/core/job/job.ts'
import { hostileText } from '../samples.ts'

const period = { from: '2026-10-26', to: '2026-11-02' }
const dates = 'dateFrom=2026-10-26&dateTo=2026-11-02'

describe('an operation', () => {
  it.each([
    [
      { name: 'create', projectId: 'docs', prompt: 'Fix it' },
      { method: 'POST', path: '/v2/agent/docs/job', body: { prompt: 'Fix it' } },
    ],
    [
      { name: 'read', projectId: 'docs', jobId: 'job_1' },
      { method: 'GET', path: '/v2/agent/docs/job/job_1' },
    ],
    [
      { name: 'message', projectId: 'docs', jobId: 'job_1', prompt: 'More' },
      { method: 'POST', path: '/v2/agent/docs/job/job_1/message', body: { prompt: 'More' } },
    ],
    [
      { name: 'read', projectId: 'a?b#c', jobId: 'd%2Fe' },
      { method: 'GET', path: '/v2/agent/a%3Fb%23c/job/d%252Fe' },
    ],
    [
      { name: 'visitors', projectId: 'docs', period, path: 'visitors', query: { limit: 250, offset: 500 } },
      { method: 'GET', path: `/v1/analytics/docs/visitors?${dates}&limit=250&offset=500` },
    ],
    [
      { name: 'list', projectId: 'docs', period, path: 'feedback', query: { limit: 100, source: 'agent' } },
      { method: 'GET', path: `/v1/analytics/docs/feedback?${dates}&limit=100&source=agent` },
    ],
  ] as const)('the operation %j becomes the request %j', (operation, request) => {
    expect(toRequest(operation)).toEqual(request)
  })

  it.each([
    ['create', true],
    ['message', true],
    ['read', false],
  ] as const)('the operation %s changes something on the platform: %s', (name, changes) => {
    expect(isSend(name)).toBe(changes)
  })

  it('the path of an operation contains exactly its ids, for all accepted ids', () => {
    const id = fc
      .oneof(hostileText, fc.constantFrom('%2e%2e', '..%2f', '...', ';x', '@', 'é'))
      .filter(isPathSegment)
    fc.assert(
      fc.property(id, id, hostileText, (projectId, jobId, prompt) => {
        const { path } = toRequest({ name: 'message', projectId, jobId, prompt })
        const url = new URL(`https://api.example${path}`)
        expect([url.search, url.hash, url.host]).toEqual(['', '', 'api.example'])
        const parts = url.pathname.split('/').map(decodeURIComponent)
        expect(parts).toEqual(['', 'v2', 'agent', projectId, 'job', jobId, 'message'])
      }),
    )
  })
})
