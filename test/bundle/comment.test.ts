import { describe, expect, it } from 'vitest'
import { issueComment } from '../../sandbox/payloads.ts'
import { runStep, startStep } from '../../sandbox/runner/step.ts'
import { createWorld, onPull } from '../steps/comment-world.ts'

const rerunBy = (login: string) => ({ GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: login })

// test/steps/comment.test.ts has the complete tables; this checks that the bundle is wired in the same way.
it.concurrent('skips a re-run by a reader', async () => {
  const { hub, service, command } = await createWorld(runStep)
  const { outputs, exitCode } = await command(issueComment(), { wait: 'false' }, rerunBy('rita'))
  const reactions = hub.reactions.map(({ content }) => content)
  expect([outputs.outcome, exitCode, reactions]).toEqual(['skipped', 0, ['confused']])
  expect(service.jobs.size).toBe(0)
})

it.concurrent('a command, its re-run and a command on its pull request make one job with one follow-up', async () => {
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
  await command(onPull)
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

  // Windows has no SIGINT between processes: there it kills.
  it.skipIf(process.platform === 'win32')(
    'a run that is cancelled says so in its working comment',
    async () => {
      expect(await ending('SIGINT')).toEqual([expect.stringContaining('Cancelled')])
    },
  )

  it('the post step of a killed run says so in its working comment', async () => {
    const [body] = await ending('SIGKILL')
    expect(body).toContain('The run ended before the agent finished')
    expect(body).toContain("The agent's job continues on Mintlify")
  })
})
