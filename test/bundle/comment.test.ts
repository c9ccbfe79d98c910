import { describe, expect, it } from 'vitest'
import { demoPullRequest, repository } from '../../sandbox/demo.ts'
import { issueComment, scheduled } from '../../sandbox/payloads.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import { runStep, startStep } from '../../sandbox/runner/step.ts'
import { createWorld, onPull } from '../steps/comment-world.ts'
import { examples, runExample } from '../steps/examples-world.ts'
import { createDetached } from '../steps/settle-world.ts'

const rerunBy = (login: string) => ({ GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: login })

// test/steps/comment.test.ts has the complete tables; this checks that the bundle is wired in the same way.
it.concurrent('a re-run by a reader is skipped', async () => {
  const { hub, service, command } = await createWorld(runStep)
  const { outputs, exitCode } = await command(issueComment(), { wait: 'false' }, rerunBy('rita'))
  const reactions = hub.reactions.map(({ content }) => content)
  expect([outputs.outcome, exitCode, reactions]).toEqual(['skipped', 0, ['confused']])
  expect(service.jobs.size).toBe(0)
})

it.concurrent("a command, its re-run, and a command on the agent's pull request make one job with one follow-up", async () => {
  const { hub, service, command, written } = await createWorld(runStep)
  const { outputs } = await command(issueComment())
  expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001' })
  expect(written(7).map(({ body }) => body)).toEqual([
    expect.stringMatching(/^✅ \*\*The agent's pull request is ready\.\*\* In reply to \[mona\]/),
  ])
  expect(hub.reactions.map(({ content }) => content)).toEqual(['eyes', 'rocket'])
  const again = await command(issueComment(), {}, rerunBy('mona'))
  expect(again.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001' })
  expect(written(7)).toHaveLength(1)
  expect(service.jobs.get('job_0001')?.messages).toEqual([])
  await command(onPull, { 'context-diff': 'false' })
  expect(service.jobs.size).toBe(1)
  expect(service.jobs.get('job_0001')?.messages).toHaveLength(1)
})

describe.concurrent('a run that ends before the job', () => {
  const ending = async (signal: 'SIGINT' | 'SIGKILL') => {
    const start = (options: Parameters<typeof startStep>[0]) => {
      // The line appears after the edit that names the job.
      const onLine = ({ text }: { text: string }) =>
        void (text.startsWith('Created job') && step.kill(signal))
      const step = startStep({ ...options, onLine })
      return step.done
    }
    const { command, written } = await createWorld(start, { platform: { ends: 'never' } })
    await command(issueComment())
    return written().map(({ body }) => body)
  }

  // On Windows, a SIGINT from another process kills the step.
  it.skipIf(process.platform === 'win32')(
    'a run that is cancelled says so in its working comment',
    async () => {
      expect(await ending('SIGINT')).toEqual([expect.stringContaining('Cancelled')])
    },
  )

  it('the post step of a killed run says in the working comment that the run ended', async () => {
    const [body] = await ending('SIGKILL')
    expect(body).toContain('The run ended before the agent finished')
    expect(body).toContain("The agent's job continues on Mintlify")
  })
})

// The explorer makes every call fail; this sample uses real signals and state files.
it.concurrent('a killed run leaves at most one job, and no reply that says it is still working', async () => {
  let step: ReturnType<typeof startStep> | undefined
  const start = (options: Parameters<typeof startStep>[0]) => {
    step = startStep(options)
    return step.done
  }
  // Kills the step once the platform has created the job.
  const kill = { kind: 'meanwhile', run: () => step?.kill('SIGKILL') } as const
  const platform: PlatformOptions = { faults: [{ on: 'create', times: 1, do: kill }] }
  const { command, service, written } = await createWorld(start, { platform })
  const killed = await command(issueComment())
  const rerun = await command(issueComment(), {}, rerunBy('mona'))
  const next = await command(issueComment({ id: 1002, body: '/docs fix the upgrade page' }))
  const outcomes = [killed, rerun, next].map(({ outputs }) => outputs.outcome ?? 'killed')
  expect(outcomes).toEqual(['killed', 'unconfirmed', 'pull-request'])
  const sent = [...service.jobs.values()].flatMap(({ prompt, messages }) => [prompt, ...messages])
  expect(sent.filter((prompt) => prompt.includes('fix the install page'))).toHaveLength(1)
  expect(written().filter(({ body }) => /^⏳/.test(body))).toEqual([])
})

// test/steps/settle.test.ts covers every case.
it.concurrent('the result of a detached job is reported once, in its comment, after the job ends', async () => {
  const { ask, settle, written } = await createDetached(runStep)
  await ask(issueComment(), { command: '/docs', wait: 'false' })
  expect((await settle(scheduled(repository))).outputs).toMatchObject({ settled: '0', pending: '1' })
  const { outputs, exitCode, summary } = await settle(demoPullRequest())
  expect(outputs).toMatchObject({ outcome: 'settled', settled: '1', pending: '0', jobId: '' })
  expect([exitCode, summary]).toEqual([0, expect.stringContaining('1 result reported')])
  expect(written().map(({ body }) => body)).toEqual([expect.stringContaining('pull request is ready')])
  expect((await settle(demoPullRequest())).outputs).toMatchObject({ settled: '0', pending: '0' })
})

// No other test of the bundle starts from a label.
const name = 'label.yml'

// test/steps/examples.test.ts runs every example.
it.concurrent(`the example ${name} runs`, async () => {
  const [, event, outcome] = examples.find(([example]) => example === name) ?? []
  if (event === undefined) throw new Error(`There is no ${name}`)
  expect(await runExample(name, event, runStep)).toEqual({ outcome, log: [] })
})
