/** Commands and labels: who may start a job, what GitHub shows, and what is in the prompt. */
import { expect, it } from 'vitest'
import type { GitHubFault, GitHubOptions } from '../../sandbox/github/server.ts'
import {
  dispatched,
  type EventOptions,
  issue,
  issueComment,
  releasePublished,
  reviewComment,
  reviewSubmitted,
} from '../../sandbox/payloads.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { asked, exampleOf } from '../webhooks.ts'
import { createWorld, type Texts } from './world.ts'

const comment = (options: EventOptions = {}) => issueComment(options)
const bot = comment({ author: 'renovate[bot]' })
const faulty = (on: NonNullable<GitHubFault['on']>, status: number): GitHubOptions => ({
  faults: [{ on, status }],
})

type Result = [outcome: string, ...reactions: string[]]
const starts: Result = ['detached', 'eyes']

// test/usecases/gate.test.ts and test/core/trigger have the complete tables.
it.each<
  [
    title: string,
    event: WorkflowEvent,
    /** '' if a job starts; otherwise, what the log says. */
    says: string,
    result?: Result,
    more?: { inputs?: Texts; env?: Texts; github?: GitHubOptions },
  ]
>([
  ['a writer', comment(), ''],
  [
    "a writer's reply in a review",
    reviewComment({}, { in_reply_to_id: 900 }),
    '',
    starts,
    { inputs: { 'context-diff': 'false' } },
  ],
  ['a bot on the list', bot, '', starts, { inputs: { allowed: 'write, renovate[bot]' } }],
  [
    'a manual run with a prompt',
    dispatched(),
    '',
    ['detached'],
    { inputs: { prompt: 'x', command: '/docs' } },
  ],
  [
    'a reader with the association OWNER',
    comment({ author: 'rita', association: 'OWNER' }),
    '`rita` does not have the `write` role',
    ['skipped', 'confused'],
  ],
  ["a writer's text, sent by a reader", comment({ sender: 'rita' }), '`rita` does', ['skipped', 'confused']],
  ['a bot', bot, '`allowed` does not list it', ['skipped', 'confused']],
  ['an ordinary comment', comment({ body: 'Thanks!' }), 'does not start with', ['skipped']],
  ['a command without a prompt', comment({ body: '/docs' }), 'has no text after', ['skipped']],
  [
    'a 500 for the role',
    comment(),
    "Could not check mona's role (500",
    ['error'],
    { github: faulty('repos/get-collaborator-permission-level', 500) },
  ],
  ['no `issues: write`', comment(), '`issues: write`', ['error'], { github: { lacks: ['issues'] } }],
])(
  'only an allowed request starts a job: %s',
  async (_, event, says, result = starts, { inputs, env, github = {} } = {}) => {
    const { service, run, reactions } = await createWorld({ github, events: [event] })
    const { outputs, text } = await run(event, { wait: 'false', ...inputs }, env)
    expect([outputs.outcome, ...reactions()]).toEqual(result)
    expect(text).toContain(says)
    expect(service.requests).toHaveLength(says === '' ? 1 : 0)
  },
)

// test/core/trigger/examples.test.ts has all events.
it.each<[name: string, isChecked: boolean]>([
  ['issue_comment', true],
  ['pull_request_review_comment', true],
  ['pull_request_review', true],
  ['issues', true],
  ['discussion_comment', false],
  ['pull_request_target', false],
  ['a_new_event', false],
])(
  "a stranger's `%s` event starts nothing, even if the step has a command, a label and a prompt",
  async (name, isChecked) => {
    const { hub, service, run } = await createWorld({ github: { roles: {} } })
    const { payload, actor } = exampleOf(name) ?? { payload: {}, actor: '' }
    const inputs = { ...asked, prompt: 'Document what changed.', wait: 'false' }
    const { outputs } = await run({ name, actor, payload }, inputs, { GITHUB_ACTOR: actor })
    expect(outputs.outcome).toMatch(/^(skipped|error)$/)
    expect(service.requests).toEqual([])
    if (isChecked) expect(hub.requests[0]?.path).toMatch(/\/collaborators\/[^/]+\/permission$/)
    else expect(hub.requests).toEqual([])
  },
)

// The first week shows replies; test/usecases/command.test.ts has more commands and re-runs.
it('a command makes these calls, and its result is a new comment', async () => {
  const { hub, run, written, prompts, reactions } = await createWorld({
    github: faulty('reactions/create-for-issue-comment', 403),
  })
  const { warnings } = await run(comment())
  expect(prompts()).toMatchSnapshot()
  expect(hub.requests.map(({ name }) => name)).toMatchSnapshot()
  expect(written()).toEqual([
    expect.stringContaining('[acme/docs#101](https://github.com/acme/docs/pull/101)'),
  ])
  expect([written(101).length, reactions()]).toEqual([1, []])
  // A missing reaction does no harm.
  expect(warnings[0]).toContain('`issues: write`')
})

it('requests for an Enterprise server are sent to its own URL', async () => {
  const { hub, run } = await createWorld({ github: { basePath: '/api/v3' } })
  expect((await run(comment(), { wait: 'false' })).outputs.outcome).toBe('detached')
  expect(hub.requests.every(({ path }) => /^\/api\/(v3\/|graphql$)/.test(path))).toBe(true)
})

const image = 'It is wrong. ![x](/x)'
const release = releasePublished({ repository: 'acme/docs', body: image })
const read = { label: 'docs', 'context-diff': 'true', wait: 'false' }

it.each([
  ['a comment', comment({ text: image }), 'issue text'],
  ['a label', issue({ text: image }), 'issue text'],
  ['a release', release, 'release notes'],
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

const page = (body: string): GitHubOptions => ({
  faults: [{ on: 'markdown/render', do: { kind: 'raw', body, headers: { 'content-type': 'text/html' } } }],
})

it.each<[why: string, github: GitHubOptions, says: string, event?: WorkflowEvent]>([
  ['lets the token read no contents', { lacks: ['contents: read'] }, '`contents: read`'],
  ['is unavailable', faulty('markdown/render', 503), 'GitHub may be unavailable', release],
  ['responds with a page', page('<!DOCTYPE html>'), 'documents'],
  ['responds with too much', page(' '.repeat(21 * 1024 * 1024)), '20 MiB'],
  [
    "renders only a review's text",
    {
      comments: [
        { id: 2001, thread: { number: 7, reviewRoot: 2001 }, body: 'x', user: 'mona', review: 1001 },
      ],
      faults: [{ on: 'markdown/render', after: 1, status: 503 }],
    },
    'GitHub may be unavailable',
    reviewSubmitted(),
  ],
])('nothing is sent if GitHub %s', async (_, github, says, event = comment()) => {
  const { service, run } = await createWorld({ github })
  const { outputs, text } = await run(event, read)
  expect([outputs.outcome, service.jobs.size]).toEqual(['error', 0])
  expect(text).toContain('GitHub did not render the text')
  expect(text).toContain(says)
})

it('text over 400 KB is left out, because GitHub does not render it', async () => {
  const { prompts, run } = await createWorld()
  await run(comment({ text: 'é'.repeat(200_001) }), read)
  expect(prompts()[0]).toContain('- issue text (over the 400 KB that GitHub renders)')
})
