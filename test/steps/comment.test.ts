/** Commands. The first week shows whole prompts. */
import { expect, it } from 'vitest'
import { issue, issueComment, pullRequest, releasePublished, scheduled } from '../../sandbox/payloads.ts'
import { agent, createWorld } from './world.ts'

const image = 'It is wrong. ![x](/x)'
const release = releasePublished({ repository: 'acme/docs', body: image })
const read = { label: 'docs', 'context-diff': 'true', wait: 'false' }

it.each([
  ['a comment', issueComment({ text: image }), 'issue text'],
  ['a label', issue({ text: image }), 'issue text'],
  ['a release', release, 'release text'],
])(
  'the text of %s is rendered by GitHub for the repository; the prompt and the log say what is missing',
  async (_, event, name) => {
    const { hub, run, prompts } = await createWorld()
    const { text, warnings } = await run(event, read)
    expect(hub.requests.flatMap(({ name, body }) => (name === 'markdown/render' ? [body] : []))).toEqual([
      { text: expect.stringContaining('![x](/x)'), mode: 'gfm', context: 'acme/docs' },
    ])
    expect(prompts()[0]).toContain(`- ${name} (without 1 image)`)
    expect(text).toContain(`Missing, truncated or excluded: 1 item ${name}: without 1 image`)
    expect(warnings).toEqual([])
  },
)

it("a detached command, settle, a re-run, and a command on the agent's pull request make one job with one follow-up", async () => {
  const command = issueComment()
  const onPull = issueComment({ id: 1003, number: 101, isPullRequest: true })
  const world = await createWorld({ events: [command, onPull] })
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
  const again = await run(command, {}, { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'mona' })
  expect(again.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001' })
  expect(written()).toHaveLength(1)
  await run(onPull, { 'context-diff': 'false' })
  expect([world.service.jobs.size, prompts().length]).toEqual([1, 2])
})
