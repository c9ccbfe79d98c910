/** A dry run in every mode: what it requests, what it reports, and what it would do. */
import { expect, it } from 'vitest'
import { dispatched, issueComment, pullRequest } from '../../sandbox/payloads.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { examples, runExample } from './examples-world.ts'
import { createWorld, type Texts } from './world.ts'

const dry = { 'dry-run': 'true' }
const manual = dispatched({ repository: 'acme/docs' })
const command = issueComment()
const all: [name: string, event: RawEvent, inputs: Texts][] = [
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
    const list = summary.replace(/http:\S+/g, 'URL')
    expect(list).toMatchSnapshot()
    for (const [, line = ''] of list.matchAll(/^- (.*)/gm)) expect(text).toContain(line)
  },
)

it.each([
  [
    'names the job that a second command would go to',
    issueComment({ id: 1002 }),
    {},
    'Prompt for job job_0001',
  ],
  ['reports nothing in mode settle', manual, { mode: 'settle' }, 'Nothing was sent or written.'],
])('a dry run after a detached command %s', async (_, event, inputs, says) => {
  const { run, service, hub } = await createWorld()
  await run(command, { wait: 'false' })
  const before = structuredClone(hub.comments)
  const { summary, text } = await run(event, { ...dry, ...inputs })
  expect(`${text}${summary}`).toContain(says)
  expect(service.jobs.get('job_0001')?.messages).toEqual([])
  expect(hub.comments).toEqual(before)
})

/** The permissions in a dry run's summary, with the marks of those that were used. */
const listed = (summary: string) =>
  [...summary.matchAll(/^- (.) (`.*?`) \(/gm)].map(([, mark, name]) => `${mark} ${name}`)

it.each([
  ['comment.yml', 'comment', ['✅ `contents: read`', '➖ `issues: write`', '➖ `pull-requests: write`']],
  ['push.yml', 'push', ['✅ `contents: read`', '➖ `pull-requests: write`', '➖ `statuses: write`']],
  ['daily.yml', 'schedule', ['✅ `contents: read`', '➖ `pull-requests: write`', '➖ `statuses: write`']],
  ['schedule.yml', 'schedule', []],
  ['visitors.yml', 'schedule', ['➖ `issues: write`']],
  [
    'wrapper-caller.yml',
    'comment',
    ['✅ `contents: read`', '➖ `issues: write`', '➖ `pull-requests: write`', '➖ `statuses: write`'],
  ],
])('a dry run of %s on “%s” lists the permissions of a real run: %j', async (name, event, permissions) => {
  const { runs } = await runExample(name, event, dry)
  expect(runs.map(({ summary }) => listed(summary))).toEqual([permissions])
})

it('a dry run in mode settle for a pull request lists `contents: read` as not checked, because it reads no commit', async () => {
  const { run } = await createWorld()
  const { summary } = await run(pullRequest({ repository: 'acme/docs' }), { ...dry, mode: 'settle' })
  expect(listed(summary)[0]).toBe('➖ `contents: read`')
})

const onCommit = ['`contents: read`', '`pull-requests: write`', '`statuses: write`']
const everywhere = ['`contents: read`', '`issues: write`', '`pull-requests: write`', '`statuses: write`']

it.each<[string, RawEvent, Texts, string[]]>([
  ['a prompt only', manual, {}, []],
  ['labels for the pull request', manual, { 'pull-request-labels': 'docs' }, ['`pull-requests: write`']],
  ['reviewers', manual, { reviewers: 'mona' }, ['`pull-requests: write`']],
  ['a limit on open pull requests', manual, { 'open-limit': '3' }, ['`pull-requests: write`']],
  ['allowed paths', manual, { 'allowed-paths': 'docs/**' }, onCommit],
  ['a command and allowed paths', command, { 'allowed-paths': 'docs/**' }, everywhere],
  ['a command and a hold', command, { hold: 'merge' }, everywhere],
  ['reviewers, but no token', manual, { reviewers: 'mona', 'github-token': '' }, []],
])(
  'a dry run of a step with %s lists the permissions that a real run needs',
  async (_, event, inputs, names) => {
    const { run } = await createWorld()
    const { summary } = await run(event, { ...dry, ...inputs })
    expect(listed(summary).map((line) => line.slice(2))).toEqual(names)
  },
)

it.each(examples.filter(([, , outcome]) => outcome !== ''))(
  'a dry run of %s on “%s” lists only permissions that the workflow has',
  async (name = '', event = '') => {
    const { runs } = await runExample(name, event, dry)
    for (const { summary, granted } of runs)
      for (const line of listed(summary)) expect(granted).toContain(line.slice(2))
  },
)
