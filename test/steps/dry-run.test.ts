/** A dry run in every mode: what it requests, what it reports, and when it fails. */
import { describe, expect, it } from 'vitest'
import type { GitHubOptions } from '../../sandbox/github/server.ts'
import { dispatched, issueComment } from '../../sandbox/payloads.ts'
import { type PlatformOptions, sandboxKey } from '../../sandbox/platform/server.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { createWorld, type Texts } from './world.ts'

const dry = { 'dry-run': 'true' }
const manual = dispatched({ repository: 'acme/docs' })
const command = issueComment()
const all: [name: string, event: WorkflowEvent, inputs: Texts][] = [
  ['agent', manual, {}],
  ['agent, with a command', command, {}],
  ['agent, with a job to wait for', manual, { prompt: '', 'job-id': 'job_1' }],
  ['visitors', manual, { mode: 'visitors', 'report-dir': 'report', 'issue-number': '7' }],
  ['settle', manual, { mode: 'settle' }],
]

it.each(all)(
  'a dry run (mode %s) reads one row of analytics, writes nothing, and says what it checked',
  async (_, event, inputs) => {
    const { run, service, writes } = await createWorld()
    const { outputs, exitCode, warnings, summary, text, state } = await run(event, { ...dry, ...inputs })
    expect([outputs.outcome, exitCode, warnings, writes(), state.reply ?? '']).toEqual([
      'dry-run',
      0,
      [],
      [],
      '',
    ])
    expect(service.requests).toMatchObject([
      { method: 'GET', path: '/v1/analytics/sandbox-docs/visitors', query: { limit: '1', offset: '0' } },
    ])
    const list = summary.split('<details>')[0]?.replace(/http:\S+/g, 'URL') ?? ''
    expect(list).toMatchSnapshot()
    for (const [, line = ''] of list.matchAll(/^- (.*)/gm)) expect(text).toContain(line)
  },
)

const rejected = (status: number): PlatformOptions => ({
  faults: [{ on: 'visitors', do: { kind: 'status', status, body: { error: 'No analytics' } } }],
})
const unknownRole: GitHubOptions = {
  faults: [{ on: 'repos/get-collaborator-permission-level', status: 403 }],
}

it.each<
  [says: string, event: WorkflowEvent, inputs: Texts, platform?: PlatformOptions, github?: GitHubOptions]
>([
  ['Mintlify rejected the API key (401)', manual, { 'api-key': 'mint_expired_0123456789' }],
  ['the scope `read`', manual, {}, { keys: { [sandboxKey]: { scopes: ['write'] } } }],
  ['Mintlify has no project `sandbox-docs`', manual, { mode: 'visitors' }, rejected(404)],
  ['Mintlify rejected the request for visitors', manual, { mode: 'settle' }, rejected(400)],
  ['`nowhere.md` does not exist.', manual, { prompt: '', 'prompt-file': 'nowhere.md' }],
  ["Could not check mona's role", command, {}, {}, unknownRole],
])('a dry run fails if a check does, and says “%s”', async (says, event, inputs, platform, github) => {
  const { run, writes } = await createWorld({ ...(platform && { platform }), ...(github && { github }) })
  const { outputs, exitCode, summary, log } = await run(event, { ...dry, ...inputs })
  expect([outputs.outcome, exitCode, writes()]).toEqual(['dry-run', 1, []])
  expect(summary).toMatch(/^## ❌ Dry run: 1 check failed[\s\S]*- ❌ /)
  expect(summary).toContain(says)
  expect(log.at(-1)).toMatchObject({ level: 'error', title: 'Dry run: 1 check failed' })
})

describe('a dry run after a detached command', () => {
  it.each([
    [
      'names the job that a second command would go to',
      issueComment({ id: 1002 }),
      {},
      'for job job_0001 of project',
    ],
    ['lists the jobs that settle would report', manual, { mode: 'settle' }, 'this run would have done this:'],
  ])('a dry run after a detached command %s', async (_, event, inputs, says) => {
    const { run, service, hub } = await createWorld()
    await run(command, { wait: 'false' })
    const before = structuredClone(hub.comments)
    const { summary, text } = await run(event, { ...dry, ...inputs })
    expect(`${text}${summary}`).toContain(says)
    expect(service.jobs.get('job_0001')?.messages).toEqual([])
    expect(hub.comments).toEqual(before)
  })
})
