/** Mode settle: what it reports about jobs that no step waited for. */
import { describe, expect, it } from 'vitest'
import type { GitHub } from '../../sandbox/github/server.ts'
import { issueComment, pullRequest, pushed, scheduled } from '../../sandbox/payloads.ts'
import { runStep } from './run.ts'
import { agent, createWorld, first, type Setting, second, worldsOf } from './world.ts'

const repository = 'acme/docs'
/** Settle and the steps that it settles for show the same command. */
const asking = { command: '/docs' }
const globs = { 'allowed-paths': 'guides/**' }
const requests = [
  ['a command', issueComment()],
  ['a push', pushed({ before: first, after: second, repository })],
] as const

/** What people see, without the parts that differ between runs. */
const shownOn = ({ comments, reactions, statuses }: GitHub) => ({
  comments: comments.map(({ thread, body }) => `#${thread.number} ${plain(body)}`).sort(),
  reactions: reactions.map(({ content }) => content),
  statuses: statuses.map(({ state, description, targetUrl }) => [state, description, targetUrl]).at(-1),
})
const plain = (body: string) => body.replace(/\n\n<!-- docs-agent:.*$/s, '').replace(/Took [^·]+ · /, '')

/** A world whose steps run at the same time, because statuses contain it, until `age.hours` changes. */
async function later(setting: Setting = {}) {
  const age = { hours: 0 }
  const aged = worldsOf((step) => runStep({ ...step, date: start + age.hours * 3_600_000 }))
  const world = await aged.createWorld({ repository: { pulls: [twelve] }, ...setting })
  return {
    ...world,
    age,
    shown: () => shownOn(world.hub),
    sweep: (inputs = {}) => world.settle(scheduled(repository), inputs),
  }
}
const start = Date.now()
/** The pull request of the push. */
const twelve = {
  number: 12,
  head: { branch: 'topic', commit: second },
  merged: { commit: second, by: 'mona' },
}
const opened = pullRequest({ number: 101, user: agent, repository, head: { branch: 'docs-agent/job_0001' } })

describe.each(requests)('%s', (_, event) => {
  it.each([{}, globs])(
    'a detached job is reported once it has ended, as if a step had waited for it: %j',
    async (inputs) => {
      const waited = await later()
      await waited.run(event, { ...asking, ...inputs })
      const { run, sweep, settle, shown, service } = await later()
      expect((await run(event, { ...asking, ...inputs, wait: 'false' })).outputs.outcome).toBe('detached')
      const before = shown()
      expect((await sweep(inputs)).outputs).toMatchObject({ settled: '0', pending: '1' })
      expect(shown()).toEqual(before)
      const { outputs, summary } = await settle(opened, inputs)
      expect(outputs).toMatchObject({ outcome: 'settled', settled: '1', pending: '0', jobId: '' })
      expect(summary).toContain('1 result reported')
      expect(shown()).toEqual(waited.shown())
      expect((await settle(opened)).outputs).toMatchObject({ settled: '0', pending: '0' })
      expect(service.jobs.size).toBe(1)
    },
  )

  it('settle without the same allowed-paths leaves the result for 24 hours, and then ends red', async () => {
    const { run, sweep, shown, age } = await later({ platform: { readsUntilEnd: 0 } })
    await run(event, { ...asking, ...globs, wait: 'false' })
    const before = shown()
    age.hours = 23
    const early = await sweep()
    expect(early.outputs).toMatchObject({ outcome: 'settled', settled: '0', pending: '1' })
    expect(early.summary).toContain('Left to a settle step with the same')
    expect(shown()).toEqual(before)
    age.hours = 25
    const late = await sweep()
    expect([late.outputs, late.exitCode]).toMatchObject([{ outcome: 'error', settled: '1', pending: '0' }, 1])
    expect(late.summary).toContain('## ❌ A pull request was not checked')
    expect(JSON.stringify(shown())).toContain('Not checked')
    expect(JSON.stringify(shown())).not.toContain('ready')
  })

  it('a failed job ends settle with exit code 1, unless `fail-on` leaves it out', async () => {
    for (const [failOn, exitCode] of [
      ['failed', 1],
      ['none', 0],
    ] as const) {
      const { run, settle } = await createWorld({ platform: { ends: 'failed', readsUntilEnd: 0 } })
      await run(event, { wait: 'false' })
      expect(await settle(opened, { 'fail-on': failOn })).toMatchObject({ exitCode })
    }
  })
})
