import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJob } from '../../src/core/job/job.ts'
import { outputNames, outputsOf } from '../../src/say/outputs.ts'
import { aJob, hostileText } from '../core/samples.ts'
import { aResult } from './samples.ts'

describe('the outputs', () => {
  it("the outputs of a pull request repeat the job's fields", () => {
    const job = aJob({
      status: 'completed',
      prLink: 'https://github.com/acme/docs/pull/7',
      archivedAt: '2026-11-02',
    })
    expect(outputsOf(aResult({ outcome: 'pull-request', job }))).toEqual({
      ...Object.fromEntries(outputNames.map((name) => [name, ''])),
      outcome: 'pull-request',
      jobId: 'job_1',
      status: 'completed',
      prLink: 'https://github.com/acme/docs/pull/7',
      prNumber: '7',
      repository: 'https://github.com/acme/docs',
      ref: 'docs-agent/job_1',
      model: 'docs-writer-2',
      createdAt: '2026-11-02T10:00:00Z',
      archivedAt: '2026-11-02',
    })
  })

  it('the outputs that do not apply are empty, and none is missing', () => {
    const outputs = outputsOf(aResult({ outcome: 'unconfirmed', jobId: null, job: null }))
    expect(Object.keys(outputs).toSorted()).toEqual(outputNames.toSorted())
    const { outcome, ...rest } = outputs
    expect(outcome).toBe('unconfirmed')
    expect(new Set(Object.values(rest))).toEqual(new Set(['']))
  })

  it('the outputs contain the id of a job that was never polled', () => {
    expect(outputsOf(aResult({ outcome: 'cancelled', job: null }))).toMatchObject({
      jobId: 'job_1',
      status: '',
    })
  })

  it('the outputs are one line each, never null or undefined, whatever the platform sends', () => {
    const json = fc.record({
      status: hostileText,
      prLink: hostileText,
      model: hostileText,
      createdAt: hostileText,
    })
    fc.assert(
      fc.property(json, (fields) => {
        const job = parseJob({ id: 'job_1', ...fields }) ?? null
        for (const value of Object.values(outputsOf(aResult({ job })))) expect(value).toMatch(/^[^\n\r]*$/)
      }),
    )
  })
})
