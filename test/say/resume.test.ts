import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isPathSegment } from '../../src/core/job/job.ts'
import { resumeStep } from '../../src/say/resume.ts'
import { hostileText } from '../core/samples.ts'
import { jobRef as anyRef } from './samples.ts'

const jobRef = { ...anyRef, baseUrl: 'https://api.mintlify.com' }
const read = (projectId: string, jobId: string) => parse(resumeStep({ ...jobRef, projectId }, jobId))[0].with

describe('the step that resumes', () => {
  it('the step that resumes a job is ready to paste', () => {
    expect(resumeStep(jobRef, 'job_1')).toMatchInlineSnapshot(`
      "- uses: acme/docs-agent-action@v1
        with:
          project-id: docs
          api-key: \${{ secrets.DOCS_AGENT_API_KEY }} # the name of your secret
          job-id: job_1"
    `)
  })

  it.each([
    'job_1',
    'null',
    'Null',
    'true',
    'no',
    '~',
    '1e3',
    '0x1F',
    '007',
    '1_000',
    '2026-11-02',
    '.5',
    '-',
    '- a',
    'a: b',
    'a#b',
    '"',
    "'",
    '*a',
    '&a',
    '!a',
    '@a',
    '%a',
    '`',
    '{}',
    '漢',
  ])('the step that resumes a job names the job %j unchanged', (jobId) => {
    expect(read('docs', jobId)['job-id']).toBe(jobId)
  })

  it('the step that resumes a job names project and job unchanged', () => {
    const id = hostileText.filter(isPathSegment)
    fc.assert(
      fc.property(id, id, (projectId, jobId) => {
        expect(read(projectId, jobId)).toMatchObject({ 'project-id': projectId, 'job-id': jobId })
      }),
    )
  })
})
