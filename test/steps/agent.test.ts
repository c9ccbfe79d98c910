import { describe, expect, it } from 'vitest'
import { pullRequest } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { code } from '../../src/say/markdown.ts'
import { runAlone } from './run.ts'

const prompt = 'Fix the install page'

describe('one job', () => {
  it.each([
    { ends: 'failed', exitCode: 1, outcome: 'failed', says: 'gives no reason', level: 'error' },
    { ends: 'no-changes', exitCode: 0, outcome: 'no-changes', says: 'without a pull request', level: 'info' },
    { ends: 'archived', exitCode: 0, outcome: 'archived', says: 'was archived', level: 'warning' },
  ] as const)(
    'a job that ends as $ends has the outcome $outcome',
    async ({ ends, exitCode, outcome, says, level }) => {
      const run = await runAlone({ prompt }, { ends, readsUntilEnd: 0 })
      expect(run.outputs).toMatchObject({ outcome, prLink: '', jobId: 'job_0001' })
      expect(run.exitCode).toBe(exitCode)
      expect(run.log).toContainEqual(expect.objectContaining({ level, text: expect.stringContaining(says) }))
      expect(run.summary).toContain(code(outcome))
    },
  )

  it('a job that completed without a link is polled once more, so that a late link is found', async () => {
    const run = await runAlone({ prompt }, { readsUntilEnd: 0, linkLate: true })
    expect(run.outputs).toMatchObject({ outcome: 'pull-request', prNumber: '101' })
    expect(run.platform.requests).toHaveLength(3)
  })

  it('a job that never ends times out at the deadline, and the log shows how to wait for it', async () => {
    const run = await runAlone({ prompt, timeout: '10m', 'poll-interval': '60s' }, { ends: 'never' })
    expect(run.outputs).toMatchObject({ outcome: 'timed-out', status: 'active', jobId: 'job_0001' })
    expect(run.exitCode).toBe(1)
    expect(run.text).toContain('job-id: job_0001')
    expect(run.summary).toContain('job-id: job_0001')
    expect(run.summary).toContain(`base-url: "${run.platform.url}"`)
  })

  it('`wait: false` creates the job and never polls it', async () => {
    const run = await runAlone({ prompt, wait: 'false' })
    expect(run.outputs).toMatchObject({ outcome: 'detached', jobId: 'job_0001', status: 'active' })
    expect(run.platform.requests.map(({ method }) => method)).toEqual(['POST'])
  })

  it('a failed job does not fail the step with `fail-on: none`', async () => {
    const run = await runAlone({ prompt, 'fail-on': 'none' }, { ends: 'failed', readsUntilEnd: 0 })
    expect(run.outputs.outcome).toBe('failed')
    expect(run.exitCode).toBe(0)
  })
})

describe('a step that cannot send', () => {
  it('all invalid inputs are listed at once, and nothing is sent', async () => {
    const run = await runAlone({ prompt: 'a', 'prompt-file': 'b', 'api-key': '', timeout: 'soon' })
    expect(run.exitCode).toBe(1)
    expect(run.outputs).toMatchObject({ outcome: 'error' })
    for (const input of ['`api-key` got', '`timeout` got "soon"', '`prompt-file` got'])
      expect(run.text).toContain(input)
    expect(run.platform.requests).toEqual([])
  })

  it.each([
    [{ 'api-key': 'mint_dsc_0123456789' }, 'assistant key'],
    [{ 'api-key': 'mint_us_0123456789' }, 'index key'],
    [{ 'api-key': `mint_${'x'.repeat(20_000)}` }, '`api-key` got'],
    [{ 'context-files': '{a,b}'.repeat(24) }, '`context-files` got'],
    [{ 'context-files': '*a'.repeat(30) }, '`context-files` got'],
    [{ 'base-url': 'http://example.com' }, '`base-url` got "http://example.com"'],
    [{ 'context-files': '../../etc/passwd' }, '`context-files` got "../../etc/passwd"'],
    [{ 'prompt-file': '../../etc/passwd', prompt: '' }, 'outside the workspace'],
  ])('invalid inputs are rejected before any request: %j', async (inputs, says) => {
    const run = await runAlone({ prompt, ...inputs })
    expect(run.outputs.outcome).toBe('error')
    expect(run.text).toContain(says)
    expect(run.platform.requests).toEqual([])
  })

  it('a step without a key is skipped on a pull request from a fork', async () => {
    const { payload } = pullRequest({ head: { repository: 'eve/docs' } })
    const run = await runAlone({ prompt, 'api-key': '' }, {}, { eventName: 'pull_request', event: payload })
    expect(run.outputs.outcome).toBe('skipped')
    expect(run.exitCode).toBe(0)
    expect(run.summary).toContain('withholds secrets')
  })
})

describe('a create that the platform rejects', () => {
  it.each([
    [400, 'error', 'Shorten the prompt'],
    [401, 'error', 'Create an admin key'],
    [403, 'error', 'the scope `write`'],
    [404, 'error', 'has no project'],
    [500, 'unconfirmed', 'The job may exist'],
  ])(
    'a create that gets a %i has the outcome %s, and the log says what to do',
    async (status, outcome, says) => {
      const fault = {
        on: 'create',
        do: { kind: 'status', status, body: { error: 'the platform’s own words' } },
      } as const
      const run = await runAlone({ prompt }, { faults: [fault] })
      expect(run.outputs).toMatchObject({ outcome, jobId: '' })
      expect(run.exitCode).toBe(1)
      expect(run.text).toContain(says)
      expect(run.text).toContain('the platform’s own words')
      expect(run.platform.requests).toHaveLength(1)
    },
  )

  it('a create that is rejected with 429 waits as Retry-After says, and creates one job', async () => {
    const fault = {
      on: 'create',
      times: 1,
      do: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
    } as const
    const run = await runAlone({ prompt, wait: 'false' }, { faults: [fault] })
    expect(run.outputs.outcome).toBe('detached')
    expect(run.platform.jobs.size).toBe(1)
  })

  it('a create whose Retry-After is beyond the timeout ends with an error that names the Retry-After', async () => {
    const fault = {
      on: 'create',
      do: { kind: 'status', status: 429, headers: { 'retry-after': '7200' } },
    } as const
    const run = await runAlone({ prompt }, { faults: [fault] })
    expect(run.outputs.outcome).toBe('error')
    expect(run.text).toContain('Retry-After: 7200')
  })
})

it.each([285, 295, 985, 995])(
  'no part of the key is shown if the platform’s message is cut within the key, which starts after %i characters',
  async (before) => {
    const body = { error: `${'x'.repeat(before)}${sandboxKey}` }
    const fault = { on: 'create', do: { kind: 'status', status: 400, body } } as const
    const run = await runAlone({ prompt }, { faults: [fault] })
    const shown = `${run.text}\n${run.summary}`
    expect(shown).toContain('xxx')
    expect(shown).not.toContain(sandboxKey.slice(0, 4))
  },
)
