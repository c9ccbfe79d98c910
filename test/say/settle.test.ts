import { describe, expect, it } from 'vitest'
import type { SettledJob, SettleResult } from '../../src/core/settle.ts'
import { describeSettled, settleSummary } from '../../src/say/settle.ts'
import { jobRef } from './samples.ts'

const server = 'https://github.com'
const repository = 'acme/docs'
const since = Date.UTC(2026, 10, 2, 10, 5)
const thread = { repository, number: 7, isPullRequest: false, reviewRoot: null }
const onThread = { kind: 'thread', thread, request: 'comment:1' } as const
const onPull = { ...onThread, thread: { ...thread, number: 8, isPullRequest: true } }
const onCommit = { kind: 'commit', repository, commit: 'b'.repeat(40) } as const

function row(job: string, more: Partial<SettledJob>): SettledJob {
  return { job, since, link: onThread, state: 'settled', outcome: null, prLink: null, ...more }
}

const prLink = 'https://github.com/acme/docs/pull/101'
const jobs = [
  row('job_1', { outcome: 'pull-request', prLink }),
  row('job_2', { outcome: 'failed', link: onPull }),
  row('job_3', { outcome: 'out-of-bounds', prLink, link: onCommit }),
  row('job_4', { outcome: 'error' }),
  row('job_5', { state: 'unreported', outcome: 'no-changes' }),
  row('job_6', { state: 'pending' }),
  row('job_7', { state: 'left' }),
]
const result = (more: Partial<SettleResult> = {}): SettleResult => ({
  outcome: 'settled',
  jobs,
  pulls: [],
  isCut: false,
  problem: null,
  ...more,
})

const logOf = (of: SettleResult, failOn: Parameters<typeof describeSettled>[2] = new Set()) =>
  describeSettled(of, jobRef, failOn, server)

describe('the summary', () => {
  it('the summary has a row for each job', () => {
    expect(settleSummary(result(), jobRef, server)).toMatchSnapshot()
  })

  it.each<[name: string, of: SettleResult, says: string]>([
    ['no jobs', result({ jobs: [] }), 'No open jobs'],
    ['a cancel', result({ outcome: 'cancelled' }), 'Cancelled'],
    ['a list that was cut', result({ isCut: true }), 'Older open jobs may be missing.'],
    [
      'a rejection',
      result({
        outcome: 'error',
        jobs: [],
        problem: {
          type: 'unread',
          reading: 'open-jobs',
          rejection: { status: 403, message: 'no', kind: 'permission' },
        },
      }),
      '`issues: write`',
    ],
    [
      'very many jobs',
      result({ jobs: Array.from({ length: 300 }, () => jobs[5] as SettledJob) }),
      'And 100 more',
    ],
  ])('the summary reports %s', (_, of, says) => {
    expect(settleSummary(of, jobRef, server)).toContain(says)
  })

  it('the summary shows outside text as text', () => {
    const evil = 'https://github.com/acme/docs/pull/1|<img src=x onerror=1>'
    const summary = settleSummary(
      result({ jobs: [row('job_1', { outcome: 'pull-request', prLink: evil })] }),
      jobRef,
      server,
    )
    expect(summary).not.toContain('<img')
  })
})

describe('the log', () => {
  it('the log has a line for each job, and a total', () => {
    expect(logOf(result()).map(({ level, text }) => `${level}: ${text}`)).toMatchSnapshot()
  })

  it('the log ends with an error only if the step fails', () => {
    expect(logOf(result(), new Set(['failed'])).at(-1)).toMatchObject({ level: 'error' })
    expect(logOf(result(), new Set(['archived'])).at(-1)).toMatchObject({ level: 'info' })
  })
})
