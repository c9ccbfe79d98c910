/** Commands in the committed bundle: runs, re-runs, kills and settle. */
import { expect, it } from 'vitest'
import { issueComment, pullRequest, scheduled } from '../../sandbox/payloads.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { examples, runExample } from '../steps/examples-world.ts'
import { agent, type Texts } from '../steps/world.ts'
import { bundle, FastClock, stoppable } from './run.ts'

const rerunBy = (login: string) => ({ GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: login })
const command = issueComment()

// The explorer makes every call fail; this sample uses real signals and state files.
it.concurrent('a killed run leaves at most one job, and no reply that says it is still working', async () => {
  const { createWorld, stop } = stoppable('kill')
  // Kills the step once the platform has created the job.
  const kill = { on: 'create', times: 1, kind: 'meanwhile', run: stop } as const
  const { now, options } = new FastClock()
  const { run, prompts, written } = await createWorld({ platform: { now, faults: [kill] }, github: { now } })
  const env = { NODE_OPTIONS: options }
  const outcomes = [
    await run(command, {}, env),
    await run(command, {}, { ...rerunBy('mona'), ...env }),
    await run(issueComment({ id: 1002, body: '/docs fix the upgrade page' }), {}, env),
  ].map(({ outputs }) => outputs.outcome ?? 'killed')
  expect(outcomes).toEqual(['killed', 'unconfirmed', 'pull-request'])
  expect(prompts().filter((prompt) => prompt.includes('fix the install page'))).toHaveLength(1)
  expect(written().filter((body) => body.startsWith('⏳'))).toEqual([])
})

// test/steps/outcomes.test.ts has the complete tables; these check that the bundle is wired in the same way.
it.concurrent('a re-run by a reader is skipped', async () => {
  const { reactions, service, run } = await bundle.createWorld()
  const { outputs, exitCode } = await run(command, {}, rerunBy('rita'))
  expect([outputs.outcome, exitCode, reactions(), service.jobs.size]).toEqual(['skipped', 0, ['confused'], 0])
})

it.concurrent("a detached command, settle, a re-run, and a command on the agent's pull request make one job with one follow-up", async () => {
  const onPull = issueComment({ id: 1003, number: 101, isPullRequest: true })
  const { now, options } = new FastClock()
  const doubles = { platform: { now }, github: { now } }
  const world = await bundle.createWorld({ events: [command, onPull], ...doubles })
  const { written, reactions, prompts } = world
  const settles = { mode: 'settle', command: '/docs' }
  const env = { NODE_OPTIONS: options }
  const run = (event: WorkflowEvent, inputs: Texts, by = {}) => world.run(event, inputs, { ...env, ...by })
  expect((await run(command, { wait: 'false' })).outputs.outcome).toBe('detached')
  const head = { branch: 'docs-agent/job_0001' }
  const opened = pullRequest({ number: 101, user: agent, repository: 'acme/docs', head })
  // The job is still active when settle looks first.
  expect((await run(scheduled('acme/docs'), settles)).outputs).toMatchObject({ settled: '0', pending: '1' })
  expect((await run(opened, settles)).outputs).toMatchObject({
    outcome: 'settled',
    settled: '1',
    pending: '0',
  })
  expect(written()).toEqual([
    expect.stringMatching(/^✅ \*\*The agent's pull request is ready\.\*\* In reply to \[mona\]/),
  ])
  expect(reactions()).toEqual(['eyes', 'rocket'])
  const again = await run(command, {}, rerunBy('mona'))
  expect(again.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001' })
  expect(written()).toHaveLength(1)
  await run(onPull, { 'context-diff': 'false' })
  expect([world.service.jobs.size, prompts().length]).toEqual([1, 2])
})

// No other test of the bundle starts from a label.
it.concurrent('the example label.yml runs', async () => {
  const [name, event, outcome] = examples.find(([example]) => example === 'label.yml') ?? []
  if (name === undefined || event === undefined) throw new Error('The table has no label.yml')
  expect(await runExample(name, event, bundle)).toEqual({ outcome, log: [] })
})
