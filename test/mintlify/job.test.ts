import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectDir, readAction } from '../../sandbox/runner/action.ts'
import { pathSegment } from '../../src/core/text.ts'
import { nameOf, pullOfLink } from '../../src/core/thread.ts'
import { outcomeOfJob, parseJob, statuses } from '../../src/mintlify/jobs.ts'
import { aJob, hostileText, rowsOf, runs, webUrl } from '../core/samples.ts'

const server = 'https://github.com'
const link = 'https://github.com/acme/docs/pull/7'

it.each([
  ['active', 'none', 'none'],
  ['completed', 'no-changes', 'pull-request'],
  ['archived', 'archived', 'archived'],
  ['failed', 'failed', 'failed'],
  ['Completed', 'none', 'none'],
  ['constructor', 'none', 'none'],
  [null, 'none', 'none'],
])('a job with the status %j has the outcome “%s”, and “%s” with a link', (status, outcome, linked) => {
  expect(outcomeOfJob(aJob({ status })) ?? 'none').toBe(outcome)
  expect(outcomeOfJob(aJob({ status, link })) ?? 'none').toBe(linked)
  expect(statuses.has(status)).toBe(outcome !== 'none' || status === 'active')
})

it('the code knows exactly the statuses in openapi.yaml, and action.yml names each', () => {
  const { components } = parse(readFileSync(join(projectDir, 'sandbox/platform/openapi.yaml'), 'utf8'))
  const documented: string[] = components.schemas.Job.properties.status.enum
  expect([...statuses.keys()]).toEqual(documented)
  const { description } = readAction().outputs.status ?? {}
  expect(documented.filter((status) => !description?.includes(`\`${status}\``))).toEqual([])
})

describe('a job in a response', () => {
  const source = { repository: 'https://github.com/acme/docs', ref: 'main' }
  const same = { id: 'job_1', status: 'completed', model: 'm' }
  const whole = { ...same, prLink: link, createdAt: 'Nov', archivedAt: 'Dec', source }
  const place = { repository: source.repository, branch: 'main' }
  const read = { ...same, ...place, link, creationTime: 'Nov', archiveTime: 'Dec' }
  const nothing = { repository: null, branch: null, link: null, creationTime: null, archiveTime: null }
  const bare = { ...read, ...nothing, model: null }

  it.each([
    [{ more: [1] }, {}],
    [{ status: 7 }, { status: null }],
    [{ status: '' }, { status: null }],
    [{ status: 'active\n::error::' }, { status: null }],
    [{ status: 'queued' }, { status: 'queued' }],
    [{ source: { ref: 'main' } }, { repository: null }],
    [{ source: { ...source, ref: null } }, { branch: null }],
    [{ source: 'x', model: 1, prLink: {}, createdAt: [], archivedAt: 5 }, bare],
    [{ prLink: 'javascript:alert(1)' }, { link: null }],
    [{ prLink: '/acme/docs/pull/7' }, { link: null }],
    [{ model: 'a\nb=c' }, { model: null }],
    [{ model: 'm'.repeat(2001) }, { model: null }],
  ])('a job with %j is read with %j', (more, fields) => {
    expect(parseJob({ ...whole, ...more }, server)).toEqual({ ...read, ...fields })
  })

  it.each([null, 'job_1', [whole], {}, { ...whole, id: undefined }, { ...whole, id: 7 }, { job: whole }])(
    'a response to a create contains no job: %j',
    (json) => {
      expect(parseJob(json, server)).toBeUndefined()
      const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
      expect(parseJob(json, server, 'job_2')?.id).toBe(isObject ? 'job_2' : undefined)
    },
  )

  it.each([
    ...['', '.', '..', 'a/b', '../x', 'a\\b', 'a b', 'a\nb', 'a\u202Eb', 'a\u200B', '\uD800', 'a\0'],
    // GitHub would evaluate this expression in the step that resumes the job.
    '\u0024{{github.token}}',
    'x'.repeat(201),
  ])('a job cannot have the id %j', (id) => {
    expect(pathSegment.test(id)).toBe(false)
    expect(parseJob({ ...whole, id }, server)).toBeUndefined()
  })

  it.each(['job_1', '...', '.a', 'a?b#c%2e', 'Ünï', '漢字', 'x'.repeat(200)])(
    'a job can have the id %j',
    (id) => {
      expect(pathSegment.test(id)).toBe(true)
      expect(parseJob({ ...whole, id }, server)?.id).toBe(id)
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
        const { link, ...others } = parseJob(json, server) ?? aJob()
        expect(Object.keys(others).length).toBe(7)
        for (const value of Object.values(others)) expect(value ?? 'none').toMatch(/^[^\p{Cc}]+$/u)
        expect(link ?? 'https://').toMatch(/^\s*https?:[^\p{Cc}]+$/iu)
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
  const pull = pullOfLink(link, server)
  expect(pull === null ? '' : nameOf(pull)).toBe(name)
})
