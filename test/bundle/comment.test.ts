import { describe, expect, it } from 'vitest'
import { type GitHubOptions, sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import type { SeedComment } from '../../sandbox/github/threads.ts'
import { renderFragment } from '../../sandbox/page.ts'
import { type CommentOptions, dispatched, issueComment, reviewComment } from '../../sandbox/payloads.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { runStep, type StepOptions, startStep } from '../../sandbox/runner/step.ts'
import { signWith } from '../../src/adapters/sign.ts'
import { writeMarker } from '../../src/core/marker.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { inputsFor, onTestFinished, platformFor } from './run.ts'

const role = (permission: 'admin' | 'write' | 'read' | 'none', role_name: string = permission) => ({
  permission,
  role_name,
})
const roles = {
  mona: role('write'),
  mary: role('write', 'maintain'),
  rita: role('read'),
}

/** The comment of an event, as it stands on GitHub when the event arrives; a review's thread with its first one. */
function standing(event: WorkflowEvent): SeedComment[] {
  const { comment, issue, pull_request } = event.payload as Payload
  if (comment === undefined) return []
  const number = (issue ?? pull_request)?.number ?? 0
  const root = pull_request ? (comment.in_reply_to_id ?? comment.id) : null
  const seed = (id: number) => ({
    id,
    thread: { number, reviewRoot: root },
    body: comment.body ?? '',
    user: 'mona',
  })
  return root === null || root === comment.id ? [seed(comment.id)] : [seed(root), seed(comment.id)]
}

interface Payload {
  comment?: { id: number; body: string; in_reply_to_id?: number }
  issue?: { number: number; pull_request?: object }
  pull_request?: { number: number }
}

const thread7 = [issueComment(), issueComment({ id: 1002 })]
const pull101 = issueComment({ id: 1003, number: 101, isPullRequest: true })

async function world(
  github: GitHubOptions = {},
  platform: PlatformOptions = {},
  events: WorkflowEvent[] = [...thread7, pull101],
) {
  const isPull = ({ payload }: WorkflowEvent) => (payload as Payload).issue?.pull_request !== undefined
  const pullRequests = [
    101,
    ...events.filter(isPull).map(({ payload }) => (payload as Payload).issue?.number ?? 0),
  ]
  const hub = await startGitHub({ roles, comments: events.flatMap(standing), pullRequests, ...github })
  onTestFinished(() => hub.close())
  const service = await platformFor({ readsUntilEnd: 1, ...platform })
  const command = (
    event: WorkflowEvent,
    inputs: Record<string, string> = {},
    step: Partial<StepOptions> = {},
  ) =>
    runStep({
      ...step,
      with: { ...inputsFor(service.url), command: '/docs', ...inputs },
      githubToken: sandboxGitHubToken,
      eventName: event.name,
      event: event.payload,
      env: { GITHUB_API_URL: hub.url, ...step.env },
    })
  /** What the action wrote on a thread. */
  const written = (number = 7) =>
    hub.comments.filter(({ thread, user }) => thread.number === number && user !== 'mona')
  return { hub, service, command, written }
}

describe('who, what and where', () => {
  type Row = [
    name: string,
    event: WorkflowEvent,
    expected: 'started' | string,
    more?: { inputs?: Record<string, string>; env?: Record<string, string>; github?: GitHubOptions },
  ]
  const comment = (options: CommentOptions) => issueComment(options)
  const bot = { author: 'renovate[bot]', type: 'Bot' } as const
  const rerun = (by: string) => ({ env: { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: by } })
  const noRole = (status: number): { github: GitHubOptions } => ({
    github: { faults: [{ on: 'repos/get-collaborator-permission-level', status }] },
  })
  // The whole decision table is in test/usecases/gate.test.ts and test/core/trigger; these prove that it is wired.
  const table: Row[] = [
    ['a writer on an issue', comment({}), 'started'],
    ['a writer in a review, in reply', reviewComment({ replyTo: 900 }), 'started'],
    ['a standing prompt beside it', comment({}), 'started', { inputs: { prompt: 'In British English.' } }],
    ['a bot on the list', comment(bot), 'started', { inputs: { 'allowed-bots': 'renovate[bot]' } }],
    ['a re-run by a maintainer', comment({}), 'started', rerun('mary')],
    ['a start by hand, with a prompt', dispatched(), 'started', { inputs: { prompt: 'Fix it' } }],
    ['a start by hand, without a prompt', dispatched(), 'prompt: got nothing'],
    [
      'a reader whom GitHub calls an owner',
      comment({ author: 'rita', association: 'OWNER' }),
      'rita may not give the command',
    ],
    ['a reader, sent by a writer', comment({ author: 'rita', sender: 'mona' }), 'rita may not'],
    ['a writer, sent by a reader', comment({ sender: 'rita' }), 'rita may not'],
    ['a bot', comment(bot), 'renovate[bot] may not'],
    ['a re-run by a reader', comment({}), 'rita may not', rerun('rita')],
    ['an ordinary comment', comment({ body: 'Thanks!' }), 'does not start with'],
    ['no instruction', comment({ body: '/docs' }), 'says no more than'],
    ['a GitHub that is broken (500)', comment({}), 'did not say what role mona has', noRole(500)],
  ]

  it.each(table)('%s', async (_, event, expected, { inputs = {}, env = {}, github = {} } = {}) => {
    const { hub, service, command } = await world(github, {}, [event])
    const { outputs, log, exitCode } = await command(event, { wait: 'false', ...inputs }, { env })
    const said = log.map(({ text }) => text).join('\n')
    if (expected === 'started') {
      expect(outputs.outcome).toBe('detached')
      expect(service.jobs.size).toBe(1)
      expect(log.filter(({ kind }) => kind === 'warning')).toEqual([])
    } else {
      expect(said).toContain(expected)
      expect(service.requests).toEqual([])
      const isRed = /did not say|got nothing/.test(expected)
      expect([outputs.outcome, exitCode]).toEqual(isRed ? ['error', 1] : ['skipped', 0])
      if (expected.includes('may not'))
        expect(hub.reactions.map(({ content }) => content)).toEqual(['confused'])
    }
  })
})

describe('one command', () => {
  it('makes one job and one reply, which is edited to the result; eyes, then a rocket', async ({
    expect,
  }) => {
    const { hub, service, command, written } = await world()
    const { outputs } = await command(issueComment())
    expect(outputs.outcome).toBe('pull-request')
    expect(service.jobs.size).toBe(1)
    expect(service.jobs.get('job_0001')?.prompt).toMatchSnapshot()
    const replies = written(7)
    expect(replies).toHaveLength(1)
    expect(replies[0]?.body).toContain("The agent's pull request is ready")
    expect(replies[0]?.body).toContain('https://github.com/acme/docs/pull/101')
    expect(hub.reactions.map(({ content }) => content)).toEqual(['eyes', 'rocket'])
    // The agent's pull request is in this repository, so a command there goes on with the job.
    expect(written(101)).toHaveLength(1)
  })

  it('and a second one make one job, with one message, and two replies', async () => {
    const { service, command, written } = await world()
    await command(issueComment())
    const { outputs } = await command(issueComment({ id: 1002, body: '/docs and the upgrade page' }))
    expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001' })
    expect(service.jobs.size).toBe(1)
    expect(service.jobs.get('job_0001')?.messages).toHaveLength(1)
    expect(written(7)).toHaveLength(2)
  })

  it('on the agent’s own pull request goes on with its job', async () => {
    const { service, command } = await world()
    await command(issueComment())
    await command(issueComment({ id: 1003, number: 101, isPullRequest: true }))
    expect(service.jobs.size).toBe(1)
    expect(service.jobs.get('job_0001')?.messages).toHaveLength(1)
  })

  it('and a re-run of its workflow make one job and no message', async () => {
    const { service, command, written } = await world()
    await command(issueComment())
    const again = { env: { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'mona' } }
    const { outputs } = await command(issueComment(), {}, again)
    expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001' })
    expect(service.jobs.size).toBe(1)
    expect(service.jobs.get('job_0001')?.messages).toEqual([])
    expect(written(7)).toHaveLength(1)
  })

  it('after a job that failed makes a new one, and says so', async () => {
    const { hub, service, command } = await world({}, { ends: 'failed' })
    await command(issueComment())
    const { log } = await command(issueComment({ id: 1002 }))
    expect(service.jobs.size).toBe(2)
    expect(log.map(({ text }) => text).join('\n')).toContain('a new one is made')
    const edits = hub.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => JSON.stringify(body))
    expect(edits.join()).toContain('The earlier job of this thread is over')
  })

  it('with follow-up switched off makes a job of its own', async () => {
    const { service, command } = await world()
    await command(issueComment())
    await command(issueComment({ id: 1002 }), { 'follow-up': 'false' })
    expect(service.jobs.size).toBe(2)
  })

  it.each([
    ['forged', 'acme/docs#7', 'mint_somebody_elses'],
    ['copied from another thread', 'acme/docs#8', sandboxKey],
  ])('is not led astray by a marker that is %s', async (_, thread, key) => {
    const elsewhere = issueComment({ id: 900, number: 8 })
    const { hub, service, command } = await world({}, {}, [...thread7, elsewhere])
    await command(elsewhere, { wait: 'false' })
    const marker = writeMarker({ thread, comment: 900, job: 'job_0001' }, signWith(key))
    const bait = await fetch(`${hub.url}/repos/acme/docs/issues/7/comments`, {
      method: 'POST',
      headers: { authorization: `token ${sandboxGitHubToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ body: `Look:\n${marker}` }),
    })
    expect(bait.status).toBe(201)
    await command(issueComment())
    expect(service.jobs.size).toBe(2)
    expect(service.jobs.get('job_0001')?.messages).toEqual([])
  })
})

it('a dry run asks who may, and writes and sends nothing', async () => {
  const { hub, service, command } = await world()
  const { outputs } = await command(issueComment(), { 'dry-run': 'true' })
  expect(outputs.outcome).toBe('dry-run')
  expect(hub.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  expect(service.requests).toEqual([])
})

describe('a token that lacks a permission', () => {
  it('costs a warning that names the line to add, and not the job', async () => {
    const { service, command } = await world({ lacks: ['reactions', 'issues'] })
    const { outputs, log } = await command(issueComment())
    expect(outputs.outcome).toBe('pull-request')
    expect(service.jobs.size).toBe(1)
    expect(
      log
        .filter(({ kind }) => kind === 'warning')
        .map(({ text }) => text)
        .join('\n'),
    ).toContain('`issues: write`')
  })
})

describe('a run that ends before the job', () => {
  const ending = (signal?: 'SIGINT' | 'SIGKILL') => async () => {
    const { hub, service, written } = await world({}, { ends: 'never' })
    const event = issueComment()
    const step = startStep({
      with: { ...inputsFor(service.url), command: '/docs', timeout: '2s' },
      githubToken: sandboxGitHubToken,
      eventName: event.name,
      event: event.payload,
      env: { GITHUB_API_URL: hub.url },
      // The reply has the job's marker by then: the line comes after it.
      onLine: ({ text }) => signal && /^1s: still|^Created job/.test(text) && step.kill(signal),
    })
    await step.done
    return written().map(({ body }) => body)
  }

  it('finishes its reply where it times out', async () => {
    expect(await ending()()).toEqual([expect.stringContaining('The time was up')])
  })

  // Windows has no SIGINT that one process could send to another: there it kills.
  it.skipIf(process.platform === 'win32')('finishes its reply where it is cancelled', async () => {
    expect(await ending('SIGINT')()).toEqual([expect.stringContaining('Cancelled')])
  })

  it('has the post step finish its reply where it is killed', async () => {
    const [body] = await ending('SIGKILL')()
    expect(body).toContain('The run was ended before it could finish')
    expect(body).toContain('job&#95;0001')
  })
})

it('an Enterprise server is spoken to at its own address', async () => {
  const { hub, command } = await world({ basePath: '/api/v3' })
  const { outputs } = await command(issueComment(), { wait: 'false' })
  expect(outputs.outcome).toBe('detached')
  expect(hub.requests.every(({ path }) => path.startsWith('/api/v3/'))).toBe(true)
})

it('what the platform says makes no link, mention, HTML or table in a reply that the action did not write', async () => {
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
  const { command, written } = await world({}, { faults })
  await command(issueComment({ body: `/docs ${hostile}` }))
  const html = await renderFragment(written()[0]?.body ?? '')
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  expect(links).toEqual(['https://github.com/acme/docs/actions/runs/1000001'])
  expect(html).not.toMatch(/<(img|b|table|td|em|del)\b/)
  expect(html.replace(/<code>[^<]*<\/code>/g, '')).not.toContain('@mona')
})
