import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pullRequest } from '../../sandbox/payloads.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import { projectDir } from '../../sandbox/runner/action.ts'
import { runStep } from '../../sandbox/runner/step.ts'
import { inputsFor, platformFor } from '../service.ts'
import { bodyOf, detached, workspaceWith } from '../steps/files-world.ts'
import { runBundle } from './run.ts'

const prompt = 'Fix the install page'

describe.concurrent('one job', () => {
  it('the step creates one job, polls it until it ends, and returns its result', async ({ expect }) => {
    const run = await runBundle({ prompt })
    expect(run.exitCode).toBe(0)
    expect(run.platform.requests).toMatchSnapshot()
    expect(run.outputs).toMatchSnapshot({ createdAt: expect.stringMatching(/^\d{4}-/) })
    expect(run.platform.jobs.size).toBe(1)
    expect(run.log).toContainEqual(
      expect.objectContaining({ kind: 'notice', text: expect.stringContaining('pull/101') }),
    )
    expect(run.rejectedCommands).toEqual([])
  })
})

const rejection = { kind: 'status', status: 401, body: { error: 'the platform’s own words' } } as const
const busy = { kind: 'status', status: 429, headers: { 'retry-after': '1' } } as const
const fork = pullRequest({ head: { repository: 'eve/docs' } }).payload as object

// test/steps/agent.test.ts covers every ending; these check that the bundle is wired in the same way.
it.concurrent.each<
  [outcome: string, exitCode: number, says: string, Record<string, string>, PlatformOptions?, object?]
>([
  ['timed-out', 1, 'job-id: job_0001', { timeout: '2s' }, { ends: 'never' }],
  ['detached', 0, 'job_0001', { wait: 'false' }, { faults: [{ on: 'create', times: 1, do: busy }] }],
  ['error', 1, 'the platform’s own words', {}, { faults: [{ on: 'create', do: rejection }] }],
  ['skipped', 0, 'withholds secrets', { 'api-key': '' }, {}, { eventName: 'pull_request', event: fork }],
])(
  'the outcome %s means exit code %i, and the log or the summary says “%s”',
  async (outcome, exitCode, says, inputs, options, step) => {
    const run = await runBundle({ prompt, ...inputs }, options, step)
    expect([run.outputs.outcome, run.exitCode]).toEqual([outcome, exitCode])
    expect(`${run.text}\n${run.summary}`).toContain(says)
  },
)

it.concurrent('an older Node.js stops the step with an error that names the required version', async () => {
  const older =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })"
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}` }
  const run = await runBundle({ prompt }, {}, { env })
  const line = 'This action needs Node.js 24 or newer. This is 20.20.2.'
  expect([run.exitCode, run.outputs, run.platform.requests]).toEqual([1, { outcome: 'error' }, []])
  expect(run.annotations.map(({ text }) => text)).toEqual([line, line])
})

describe.concurrent('the key', () => {
  it('the key appears in no log, summary or output, in any encoding', async () => {
    const key = 'mint_a/b"c+d\\e%f&g'
    const options = {
      keys: { [key]: { scopes: ['read', 'write'] } },
      faults: [{ on: 'create', do: { kind: 'echo-key' } }],
    } as const
    const run = await runBundle({ prompt, 'api-key': key }, options)
    expect(run.outputs.outcome).toBe('error')
    const shown = [
      run.rawStdout.replace(/^::add-mask::.*$/gm, ''),
      run.summary,
      ...Object.values(run.outputs),
    ].join('\n')
    const dresses = [
      key,
      encodeURIComponent(key),
      JSON.stringify(key).slice(1, -1),
      btoa(key),
      btoa(`Bearer ${key}`),
    ]
    for (const dress of dresses) expect(shown).not.toContain(dress.replace(/=+$/, ''))
    expect(shown).toContain('***')
  })
})

it.concurrent('a prompt-file of 5 MB is sent in full', async () => {
  const text = 'Rewrite this line.\n'.repeat(5_000_000 / 19)
  const run = await runBundle(
    { ...detached, 'prompt-file': 'long.md' },
    {},
    { workspace: workspaceWith({ 'long.md': text }) },
  )
  expect(run.outputs.outcome).toBe('detached')
  expect(bodyOf(run)).toBe(text.trim())
  expect(run.rawStdout.length).toBeLessThan(200_000)
  expect(run.summary.length).toBeLessThan(200_000)
})

// The actions in visitors/ and settle/ start the same bundle, each in its own mode.
it.concurrent('the action in visitors/ writes the report', async () => {
  const platform = await platformFor()
  const actionDir = join(projectDir, 'visitors')
  const run = await runStep({ actionDir, with: inputsFor(platform.url, 'visitors') })
  expect([run.outputs.outcome, run.exitCode, run.postExitCode]).toEqual(['reported', 0, 0])
})

it.concurrent('the action in settle/ runs mode settle, and warns about inputs that the action does not have', async () => {
  const platform = await platformFor()
  const actionDir = join(projectDir, 'settle')
  const run = await runStep({ actionDir, with: { ...inputsFor(platform.url, 'settle'), prompt: 'Fix it.' } })
  expect(run.annotations.map(({ text }) => text)).toContain("Unexpected input 'prompt'")
  // Mode settle fails without a token.
  expect(run.outputs.outcome).toBe('error')
})
