import { describe, expect, it } from 'vitest'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import { issueComment } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { startStep } from '../../sandbox/runner/step.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import { signWith } from '../../src/adapters/sign.ts'
import { onTestFinished } from '../running.ts'
import { inputsFor, platformFor } from '../service.ts'
import { runBundle } from './run.ts'

const write = { permission: 'write', role_name: 'write' } as const

/** Runs a command. The step is killed at the first line for which `onLine` returns true. */
async function command(who: string, more: StepOptions = {}, onLine?: (text: string) => boolean) {
  const event = issueComment({ author: who })
  const thread = { number: 7, reviewRoot: null }
  const comments = [
    { id: 1001, thread, body: '/docs fix it', user: who },
    { id: 950, thread, body: 'Earlier', user: 'github-actions[bot]' },
  ]
  const hub = await startGitHub({ roles: { mona: write }, comments })
  onTestFinished(() => hub.close())
  const platform = await platformFor({ ends: 'never' })
  const step = startStep({
    with: { ...inputsFor(platform.url), command: '/docs' },
    githubToken: sandboxGitHubToken,
    eventName: event.name,
    event: event.payload,
    env: { GITHUB_API_URL: hub.url, ...more.env },
    onLine: ({ text }) => void (onLine?.(text) && step.kill('SIGKILL')),
  })
  return { result: await step.done, hub, platform }
}

describe.concurrent('the state for the post step', () => {
  const mark = {
    role: 'reply',
    request: 'comment:1',
    step: 'x',
    project: 'x',
    state: 'job',
    job: 'job_1',
    outcome: null,
    prLink: null,
    since: 0,
    by: null,
  }
  const saved = {
    thread: { repository: 'acme/docs', number: 7, isPullRequest: false, reviewRoot: null },
    working: 950,
    mark,
    told: { text: 'Download https://evil.example', mark, isEdit: true },
  }
  const text = JSON.stringify(saved)

  it('the state for the post step is accepted from the main step', async () => {
    const { hub } = await command('mona', {}, (line) => line.includes('job_0001'))
    const last = hub.comments.at(-1)
    expect(last?.body).toContain('The run ended before the agent finished')
    expect(last?.edits).toBeGreaterThan(0)
  })

  // test/adapters/sign.test.ts has the whole table.
  it('the state for the post step is not accepted from an earlier step', async () => {
    const state = `${signWith('mint_somebody_elses')(`state\n${text}`)} ${text}`
    // Anything that a step writes to GITHUB_ENV is in the environment of later steps.
    const { result, hub } = await command('mallory', { env: { STATE_reply: state } })
    expect(result.outputs.outcome).toBe('skipped')
    expect(hub.comments.find(({ id }) => id === 950)?.body).toBe('Earlier')
    expect(JSON.stringify(hub.requests)).not.toContain('evil.example')
    expect(result.log.map(({ text }) => text).join('\n')).toContain('another step of the job')
  })
})

describe.concurrent('the secrets', () => {
  it('the secrets are masked before anything else is printed, even if the inputs are invalid', async () => {
    const { rawStdout } = await runBundle(
      { mode: 'nonsense', 'api-key': sandboxKey },
      {},
      { githubToken: sandboxGitHubToken },
    )
    const [first, second] = rawStdout.split('\n')
    expect([first, second]).toEqual([`::add-mask::${sandboxKey}`, `::add-mask::${sandboxGitHubToken}`])
  })
})
