/** Commands in the committed bundle: runs, re-runs, kills and settle. */
import { expect, it } from 'vitest'
import { issueComment, pullRequest, scheduled } from '../../sandbox/payloads.ts'
import { agent } from '../steps/world.ts'
import { bundle, FastClock, stoppable } from './run.ts'

const rerun = { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'mona' }
const command = issueComment()

// The explorer makes every call fail; this sample uses real signals and state files.
it.concurrent('a killed run leaves at most one job, and no reply that says it is still working', async () => {
  const { createWorld, stop } = stoppable('kill')
  // Kills the step once the platform has created the job.
  const kill = { on: 'create', times: 1, kind: 'meanwhile', run: stop } as const
  const { run, prompts, written } = await createWorld({
    clock: new FastClock(),
    platform: { faults: [kill] },
  })
  const outcomes = [
    await run(command),
    await run(command, {}, rerun),
    await run(issueComment({ id: 1002, body: '/docs fix the upgrade page' })),
  ].map(({ outputs }) => outputs.outcome ?? 'killed')
  expect(outcomes).toEqual(['killed', 'unconfirmed', 'pull-request'])
  expect(prompts().filter((prompt) => prompt.includes('fix the install page'))).toHaveLength(1)
  expect(written().filter((body) => body.startsWith('⏳'))).toEqual([])
})

it.concurrent("a detached command, settle, a re-run, and a command on the agent's pull request make one job with one follow-up", async () => {
  const onPull = issueComment({ id: 1003, number: 101, isPullRequest: true })
  const world = await bundle.createWorld({ clock: new FastClock(), events: [command, onPull] })
  const { run, settle, written, reactions, prompts } = world
  expect((await run(command, { wait: 'false' })).outputs.outcome).toBe('detached')
  const head = { branch: 'docs-agent/job_0001' }
  const opened = pullRequest({ number: 101, user: agent, repository: 'acme/docs', head })
  // The job is still active when settle looks first.
  expect((await settle(scheduled('acme/docs'))).outputs).toMatchObject({ settled: '0', pending: '1' })
  expect((await settle(opened)).outputs).toMatchObject({ outcome: 'settled', settled: '1', pending: '0' })
  expect(written()).toEqual([
    expect.stringMatching(/^✅ \*\*The agent's pull request is ready\.\*\* In reply to \[mona\]/),
  ])
  expect(reactions()).toEqual(['eyes', 'rocket'])
  const again = await run(command, {}, rerun)
  expect(again.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001' })
  expect(written()).toHaveLength(1)
  await run(onPull, { 'context-diff': 'false' })
  expect([world.service.jobs.size, prompts().length]).toEqual([1, 2])
})
