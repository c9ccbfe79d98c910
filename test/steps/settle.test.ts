/** Mode settle: what it reports about jobs that no step waited for. */
import { expect, it } from 'vitest'
import type { GitHub } from '../../sandbox/github/server.ts'
import { issueComment, pullRequest, pushed, scheduled } from '../../sandbox/payloads.ts'
import { agent, createWorld, first, second } from './world.ts'

const repository = 'acme/docs'
/** Settle and the steps that it settles for show the same command. */
const asking = { command: '/docs' }

const opened = pullRequest({ number: 101, user: agent, repository, head: { branch: 'docs-agent/job_0001' } })
/** The pull request of the push. */
const twelve = {
  number: 12,
  head: { branch: 'topic', commit: second },
  merged: { commit: second, by: 'mona' },
}

/** What people see, without the parts that differ between runs. */
const shownOn = ({ comments, reactions, statuses }: GitHub) => ({
  comments: comments.map(({ thread, body }) => `#${thread.number} ${plain(body)}`).sort(),
  reactions: reactions.map(({ content }) => content),
  statuses: statuses
    .map(({ state, description, targetUrl }) => [state, plain(description ?? ''), targetUrl])
    .at(-1),
})
const plain = (text: string) =>
  text
    .replace(/\n\n<!-- docs-agent:.*$/s, '')
    .replace(/Took [^·]+ · /, '')
    .replace(/ · run .*$/, '')

const command = issueComment()
const push = pushed({ before: first, after: second, repository })

// test/usecases/settle.test.ts has the rules.
it.each([
  ['command', command, asking],
  ['command', command, { ...asking, 'allowed-paths': 'guides/**' }],
  ['push', push, asking],
  ['push', push, { ...asking, 'allowed-paths': 'guides/**' }],
] as const)(
  'the detached job of a %s is reported once it has ended, as if a step had waited for it',
  async (_, event, inputs) => {
    const setting = { repository: { pulls: [twelve] } }
    const waited = await createWorld(setting)
    await waited.run(event, inputs)
    const { run, settle, hub, service } = await createWorld(setting)
    expect((await run(event, { ...inputs, wait: 'false' })).outputs.outcome).toBe('detached')
    const before = shownOn(hub)
    expect((await settle(scheduled(repository), inputs)).outputs).toMatchObject({
      settled: '0',
      pending: '1',
    })
    expect(shownOn(hub)).toEqual(before)
    const { outputs, summary } = await settle(opened, inputs)
    expect(outputs).toMatchObject({ outcome: 'settled', settled: '1', pending: '0', jobId: '' })
    expect(summary).toContain('1 result reported')
    expect(shownOn(hub)).toEqual(shownOn(waited.hub))
    expect((await settle(opened)).outputs).toMatchObject({ settled: '0', pending: '0' })
    expect(service.jobs.size).toBe(1)
  },
)
