import { describe, expect, it } from 'vitest'
import { describeKilled, killedSummary } from '../../src/render/killed.ts'
import { step } from './samples.ts'

describe('the post step of a step that was killed', () => {
  it.each([
    ['before it sent anything', null, '', /^Nothing was sent\.$/, false],
    ['while it created a job', null, 'create', /^A job may have been created\.$/, false],
    ['while it waited for its job', 'job_1', '', /^Job `job_1` continues on Mintlify\.$/, true],
    ['while it sent a follow-up', 'job_1', 'message', /^Job `job_1` may have the follow-up\.$/, true],
  ])(
    'the post step of a step that was killed %s reports how far it got',
    (_, jobId, sending, says, resumes) => {
      const left = { jobId, sending }
      const entry = describeKilled(left, step)
      expect(entry.level).toBe('warning')
      expect(entry.text.split('\n')[1]).toMatch(says)
      expect(entry.text.includes('job-id: job_1')).toBe(resumes)
      expect(killedSummary(left, step).includes('job-id: job_1')).toBe(resumes)
    },
  )
})
