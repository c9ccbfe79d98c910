import { describe, expect, it } from 'vitest'
import type { GitHubOptions } from '../../sandbox/github/server.ts'
import { renderFragment } from '../../sandbox/page.ts'
import { dispatched, type EventOptions, issueComment, reviewComment } from '../../sandbox/payloads.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import type { LogEntry } from '../../src/say/messages.ts'
import { createWorld, type Setting } from './comment-world.ts'
import { runStep } from './run.ts'

const world = (setting: Setting = {}) => createWorld(runStep, setting)

describe('a request', () => {
  type Row = [
    name: string,
    event: WorkflowEvent,
    expected: 'started' | string,
    more?: { inputs?: Record<string, string>; env?: Record<string, string>; github?: GitHubOptions },
  ]
  const comment = (options: EventOptions) => issueComment(options)
  const bot = { author: 'renovate[bot]' }
  const rerun = (by: string) => ({ env: { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: by } })
  const noRole = (status: number): { github: GitHubOptions } => ({
    github: { faults: [{ on: 'repos/get-collaborator-permission-level', status }] },
  })
  // test/usecases/gate.test.ts and test/core/trigger have the complete decision tables; this one checks the wiring.
  const table: Row[] = [
    ['a writer on an issue', comment({}), 'started'],
    [
      "a writer's reply in a review",
      reviewComment({}, { in_reply_to_id: 900 }),
      'started',
      { inputs: { 'context-diff': 'false' } },
    ],
    [
      'a command in addition to the input `prompt`',
      comment({}),
      'started',
      { inputs: { prompt: 'In British English.' } },
    ],
    ['a bot on the list', comment(bot), 'started', { inputs: { allowed: 'write, renovate[bot]' } }],
    ['a re-run by a maintainer', comment({}), 'started', rerun('mary')],
    ['a manual run with a prompt', dispatched(), 'started', { inputs: { prompt: 'Fix it' } }],
    ['a manual run without a prompt', dispatched(), '`prompt` got nothing'],
    [
      'a reader with the association OWNER',
      comment({ author: 'rita', association: 'OWNER' }),
      '`rita` does not have the `write` role',
    ],
    [
      "a reader's comment, sent by a writer",
      comment({ author: 'rita', sender: 'mona' }),
      '`rita` does not have',
    ],
    ["a writer's comment, sent by a reader", comment({ sender: 'rita' }), '`rita` does not have'],
    ['a bot', comment(bot), '`allowed` does not list it'],
    ['a re-run by a reader', comment({}), '`rita` does not have', rerun('rita')],
    ['an ordinary comment', comment({ body: 'Thanks!' }), 'does not start with'],
    ['a command without a prompt', comment({ body: '/docs' }), 'has no text after'],
    ['a 500 from GitHub', comment({}), "Could not check mona's role (500", noRole(500)],
  ]

  it.each(table)(
    'only an allowed request starts a job: %s',
    async (_, event, expected, { inputs = {}, env = {}, github = {} } = {}) => {
      const { hub, service, command } = await world({ github, events: [event] })
      const { outputs, log, exitCode, warnings } = await command(event, { wait: 'false', ...inputs }, env)
      if (expected === 'started') {
        expect(outputs.outcome).toBe('detached')
        expect(service.jobs.size).toBe(1)
        expect(warnings).toEqual([])
      } else {
        expect(log.map(({ text }) => text).join('\n')).toContain(expected)
        expect(service.requests).toEqual([])
        const isRed = /Could not|got nothing/.test(expected)
        expect([outputs.outcome, exitCode]).toEqual(isRed ? ['error', 1] : ['skipped', 0])
        const isDenied = /does not/.test(expected) && !/start with/.test(expected)
        expect(hub.reactions.map(({ content }) => content)).toEqual(isDenied ? ['confused'] : [])
      }
    },
  )
})

// test/usecases/command.test.ts has more commands and re-runs.
describe('a command', () => {
  it('a command makes one job; its result is a new comment, and the “working” comment is deleted', async () => {
    const { hub, service, command, written } = await world()
    const { outputs } = await command(issueComment())
    expect(outputs.outcome).toBe('pull-request')
    expect(service.jobs.size).toBe(1)
    expect(service.jobs.get('job_0001')?.prompt).toMatchSnapshot()
    expect(hub.requests.map(({ name }) => name)).toMatchSnapshot()
    expect(written(7).map(({ body }) => body)).toEqual([
      expect.stringMatching(/^✅ \*\*The agent's pull request is ready\.\*\* In reply to \[mona\]/),
    ])
    expect(written(7)[0]?.body).toContain('[acme/docs#101](https://github.com/acme/docs/pull/101)')
    expect(hub.reactions.map(({ content }) => content)).toEqual(['eyes', 'rocket'])
    // The action's comment on the agent's pull request lets a later command there continue the job.
    expect(written(101)).toHaveLength(1)
  })
})

describe('a token without a permission', () => {
  const told = (log: LogEntry[], level: LogEntry['level']) =>
    log.flatMap((entry) => (entry.level === level ? [entry.text] : [])).join('\n')

  it('a token that cannot react causes a warning that names the missing permission, but the job continues', async () => {
    const { service, command } = await world({
      github: { faults: [{ on: 'reactions/create-for-issue-comment', status: 403 }] },
    })
    const { outputs, log } = await command(issueComment())
    expect([outputs.outcome, service.jobs.size]).toEqual(['pull-request', 1])
    expect(told(log, 'warning')).toContain('`issues: write`')
  })

  it('a token that cannot comment prevents the job, because no later run could find it', async () => {
    const { service, command } = await world({ github: { lacks: ['issues'] } })
    const { outputs, log, exitCode } = await command(issueComment())
    expect([outputs.outcome, exitCode, service.requests]).toEqual(['error', 1, []])
    expect(told(log, 'error')).toContain('`issues: write`')
  })
})

it('requests for an Enterprise server are sent to its own URL', async () => {
  const { hub, command } = await world({ github: { basePath: '/api/v3' } })
  const { outputs } = await command(issueComment(), { wait: 'false' })
  expect(outputs.outcome).toBe('detached')
  expect(hub.requests.every(({ path }) => /^\/api\/(v3\/|graphql$)/.test(path))).toBe(true)
})

it("the platform's text creates no link, mention, HTML or table in a result", async () => {
  const hostile =
    '@mona #1 https://evil.example www.evil.example </code></td><b>x</b> | a | b |\n![x](https://e.example/x) `_*~[y](z) GH-1'
  const body = JSON.stringify({
    id: 'job_1',
    status: 'archived',
    model: hostile.replace('\n', ' '),
    source: { ref: hostile.replace('\n', ' ') },
  })
  const faults = (['create', 'read'] as const).map(
    (on) => ({ on, do: { kind: 'raw', body, status: 200 } }) as const,
  )
  const { command, written } = await world({ platform: { faults } })
  await command(issueComment({ body: `/docs ${hostile}` }))
  const html = await renderFragment(written()[0]?.body ?? '')
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  expect(links).toEqual([
    'https://github.com/acme/docs/issues/7#issuecomment-1001',
    'https://github.com/acme/docs/actions/runs/1000001',
  ])
  expect(html).not.toMatch(/<(img|b|table|td|em|del)\b/)
  expect(html.replace(/<code>[^<]*<\/code>/g, '')).not.toContain('@mona')
})
