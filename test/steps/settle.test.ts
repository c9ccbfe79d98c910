import { describe, expect, it } from 'vitest'
import { demoPullRequest, demoPush, repository } from '../../sandbox/demo.ts'
import type { GitHub } from '../../sandbox/github/server.ts'
import { issueComment, scheduled } from '../../sandbox/payloads.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import type { Setting } from './comment-world.ts'
import { runStep } from './run.ts'
import { createDetached } from './settle-world.ts'

const command = issueComment()

async function world(setting: Setting = {}) {
  const made = await createDetached(runStep, setting)
  return { ...made, shown: () => shownOn(made.hub) }
}

/** What people see, without the parts that differ between runs. */
const shownOn = ({ comments, reactions, statuses }: GitHub) => ({
  comments: comments.map(({ thread, body }) => `#${thread.number} ${plain(body)}`).sort(),
  reactions: reactions.map(({ content }) => content),
  statuses: statuses.map(({ state, description, targetUrl }) => [state, description, targetUrl]).at(-1),
})

const plain = (body: string) => body.replace(/\n\n<!-- docs-agent:.*$/s, '').replace(/Took [^·]+ · /, '')

describe('a job that no step waited for', () => {
  it.each<[name: string, event: WorkflowEvent, inputs: Record<string, string>]>([
    ['a command', command, { command: '/docs' }],
    ['a push', demoPush(), { prompt: 'Update the docs', command: '/docs' }],
  ])('a detached job is reported as if a step had waited for it: %s', async (_, event, inputs) => {
    const waited = await world()
    await waited.ask(event, inputs)

    const { ask, settle, shown, service } = await world()
    expect((await ask(event, { ...inputs, wait: 'false' })).outputs.outcome).toBe('detached')
    const before = shown()
    const swept = await settle(scheduled(repository))
    expect([swept.outputs.settled, swept.outputs.pending, swept.exitCode]).toEqual(['0', '1', 0])
    expect(shown()).toEqual(before)

    const { outputs, exitCode, summary } = await settle(demoPullRequest())
    expect(outputs).toMatchObject({ outcome: 'settled', settled: '1', pending: '0', jobId: '' })
    expect(exitCode).toBe(0)
    expect(summary).toContain('1 result reported')
    expect(shown()).toEqual(waited.shown())
    expect(service.jobs.size).toBe(1)
    expect((await settle(demoPullRequest())).outputs).toMatchObject({ settled: '0', pending: '0' })
  })
})

describe('allowed-paths', () => {
  const asking: [name: string, event: WorkflowEvent, inputs: Record<string, string>][] = [
    ['a command', command, { command: '/docs', wait: 'false' }],
    ['a push', demoPush(), { prompt: 'Update the docs', wait: 'false' }],
  ]
  /** The same time in every world, because statuses contain it. */
  const now = Date.now()
  const later = async () => {
    const age = { ms: 0 }
    const made = await createDetached((step) => runStep({ ...step, date: now + age.ms }), {
      platform: { readsUntilEnd: 0 },
    })
    return { ...made, age, shown: () => shownOn(made.hub) }
  }
  const globs = { 'allowed-paths': 'guides/**' }

  it.each(asking)(
    'settle with the same allowed-paths reports as if the step had waited: %s',
    async (_, event, inputs) => {
      const waited = await world()
      await waited.ask(event, { ...inputs, ...globs, command: '/docs', wait: 'true' })
      const { ask, settle, shown, age } = await later()
      await ask(event, { ...inputs, ...globs, command: '/docs' })
      age.ms = 60 * 60_000
      expect((await settle(scheduled(repository), globs)).outputs).toMatchObject({
        outcome: 'settled',
        settled: '1',
      })
      expect(shown()).toEqual(waited.shown())
      expect(JSON.stringify(shown())).toContain('utside the allowed paths')
    },
  )

  it.each(asking)(
    'settle without allowed-paths leaves the result to another step for 24 hours, and then ends red: %s',
    async (_, event, inputs) => {
      const { ask, settle, shown, age } = await later()
      await ask(event, { ...inputs, ...globs })
      const before = shown()
      age.ms = 23 * 60 * 60_000
      const early = await settle(scheduled(repository))
      expect([early.outputs, early.exitCode]).toMatchObject([
        { outcome: 'settled', settled: '0', pending: '1' },
        0,
      ])
      expect(early.summary).toContain('Left to a settle step with the same')
      expect(shown()).toEqual(before)
      age.ms = 25 * 60 * 60_000
      const late = await settle(scheduled(repository))
      expect([late.outputs, late.exitCode]).toMatchObject([
        { outcome: 'error', settled: '1', pending: '0' },
        1,
      ])
      expect(late.summary).toContain('## ❌ A pull request was not checked')
      const after = JSON.stringify(shown())
      expect(after).toContain('Not checked')
      expect(after).not.toContain('ready')
    },
  )
})

it.each([
  ['failed', 1],
  ['none', 0],
])('`fail-on: %s` ends the step with exit code %i after a failed job', async (failOn, exitCode) => {
  const { ask, settle } = await world({ platform: { ends: 'failed' } })
  await ask(command, { command: '/docs', wait: 'false' })
  expect(await settle(demoPullRequest(), { 'fail-on': failOn })).toMatchObject({ exitCode })
})

it("a failed job for a push fails the step with `fail-on: failed`, and the commit's status is red", async () => {
  const { ask, settle, hub } = await createDetached(runStep, { platform: { ends: 'failed' } })
  await ask(demoPush(), { prompt: 'Update the docs', wait: 'false' })
  expect(await settle(demoPullRequest(), { 'fail-on': 'failed' })).toMatchObject({ exitCode: 1 })
  expect(hub.statuses.at(-1)?.state).toBe('failure')
})

it('a token that cannot read statuses ends the step with an error that says what to do', async () => {
  const { settle } = await world({ github: { lacks: ['statuses: read'] } })
  const { outputs, log, exitCode } = await settle(scheduled(repository))
  expect([outputs.outcome, exitCode]).toEqual(['error', 1])
  expect(log.map(({ text }) => text).join('\n')).toContain('and `statuses: write`')
})
