/** A dry run in every mode: what it requests, what it reports, and when it fails. */
import { describe, expect, it } from 'vitest'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import { dispatched, issueComment } from '../../sandbox/payloads.ts'
import { type PlatformOptions, sandboxKey } from '../../sandbox/platform/server.ts'
import { onTestFinished } from '../running.ts'
import { createWorld, type Setting } from './comment-world.ts'
import { runAlone, runStep } from './run.ts'

const prompt = 'Fix the install page.'
const modes = {
  agent: { prompt },
  visitors: { mode: 'visitors', 'report-dir': 'report', 'issue-number': '7' },
  settle: { mode: 'settle' },
}

async function dryRun(inputs: Record<string, string>, platform: PlatformOptions = {}) {
  const hub = await startGitHub({})
  onTestFinished(() => hub.close())
  const env = { GITHUB_API_URL: hub.url, GITHUB_REPOSITORY: 'acme/docs' }
  const run = await runAlone({ 'dry-run': 'true', ...inputs }, platform, {
    githubToken: sandboxGitHubToken,
    env,
  })
  const writes = hub.requests.filter(
    ({ method, path }) => method !== 'GET' && !['/graphql', '/markdown'].includes(path),
  )
  return { ...run, writes }
}

describe.each(Object.entries(modes))('mode %s', (_, inputs) => {
  it('a dry run reads one row of analytics, writes nothing, and says what it checked', async () => {
    const run = await dryRun(inputs)
    expect([run.outputs.outcome, run.exitCode, run.warnings, run.writes]).toEqual(['dry-run', 0, [], []])
    expect(run.platform.requests).toMatchObject([
      { method: 'GET', path: '/v1/analytics/sandbox-docs/visitors', query: { limit: '1', offset: '0' } },
    ])
    const list = run.summary.split('<details>')[0]?.replace(/http:\S+/g, 'URL') ?? ''
    expect(list).toMatchSnapshot()
    for (const line of list.split('\n').filter((each) => each.startsWith('- ')))
      expect(run.log.at(-1)?.text).toContain(line.slice(2))
  })

  it.each<[status: number, says: string, inputs: Record<string, string>, options: PlatformOptions]>([
    [401, 'Mintlify rejected the API key (401)', { 'api-key': 'mint_expired_0123456789' }, {}],
    [403, 'the scope `read`', {}, { keys: { [sandboxKey]: { scopes: ['write'] } } }],
    [
      404,
      'Mintlify has no project `sandbox-docs`',
      {},
      { faults: [{ on: 'visitors', do: { kind: 'status', status: 404, body: { error: 'Not found' } } }] },
    ],
    [
      400,
      'Mintlify rejected the request for visitors',
      {},
      { faults: [{ on: 'visitors', do: { kind: 'status', status: 400, body: { error: 'No analytics' } } }] },
    ],
  ])('a dry run fails after a %i, and explains it', async (_, says, more, options) => {
    const run = await dryRun({ ...inputs, ...more }, options)
    expect([run.outputs.outcome, run.exitCode, run.writes]).toEqual(['dry-run', 1, []])
    expect(run.summary).toContain('## ❌ Dry run: 1 check failed')
    expect(run.summary).toContain('- ❌ ')
    expect(run.summary).toContain(says)
    expect(run.log.at(-1)).toMatchObject({ level: 'error', title: 'Dry run: 1 check failed' })
  })
})

it('a missing prompt file is a failed check, and the key is still checked', async () => {
  const run = await dryRun({ 'prompt-file': 'nowhere.md' })
  expect([run.outputs.outcome, run.exitCode]).toEqual(['dry-run', 1])
  expect(run.summary).toContain('✅ Mintlify accepts')
  expect(run.summary).toContain('`nowhere.md` does not exist.')
})

it('a dry run shows the prompt, and where it would be sent', async () => {
  const { text, summary, platform } = await dryRun({ prompt })
  expect(text).toContain(`Prompt (21 B) for project sandbox-docs at ${new URL(platform.url).host}`)
  expect(summary).toContain(prompt)
})

it('a dry run of a step that only waits for a job does not wait', async () => {
  const { outputs, platform } = await dryRun({ 'job-id': 'job_1' })
  expect([outputs.outcome, platform.requests.map(({ path }) => path)]).toEqual([
    'dry-run',
    ['/v1/analytics/sandbox-docs/visitors'],
  ])
})

describe('a dry run on a thread', () => {
  const world = (setting: Setting = {}) => createWorld(runStep, setting)
  const inputs = { 'dry-run': 'true' }

  it('a dry run on a thread reads it, writes nothing, and leaves nothing for the post step', async () => {
    const { hub, service, command } = await world()
    const { outputs, exitCode, state } = await command(issueComment(), inputs)
    expect([outputs.outcome, exitCode]).toEqual(['dry-run', 0])
    expect(service.requests.map(({ method }) => method)).toEqual(['GET'])
    expect(
      hub.requests.filter(
        ({ method, path }) => method !== 'GET' && !['/graphql', '/markdown'].includes(path),
      ),
    ).toEqual([])
    expect(state.reply ?? '').toBe('')
  })

  it('a dry run of a second command names the job that it would go to', async () => {
    const { service, command } = await world()
    await command(issueComment())
    const { text } = await command(issueComment({ id: 1002 }), inputs)
    expect(text).toContain('for job job_0001 of project')
    expect(service.jobs.get('job_0001')?.messages).toEqual([])
  })

  it("a dry run fails if the commenter's role is unknown", async () => {
    const { command } = await world({
      github: { faults: [{ on: 'repos/get-collaborator-permission-level', status: 403 }] },
    })
    const { exitCode, summary } = await command(issueComment(), inputs)
    expect(exitCode).toBe(1)
    expect(summary).toContain("❌ Could not check mona's role")
  })

  it('a dry run for someone without the required role is skipped, and writes nothing', async () => {
    const { hub, service, command } = await world()
    const before = hub.comments.length
    const { outputs } = await command(issueComment({ author: 'rita' }), inputs)
    expect([outputs.outcome, hub.comments.length, service.requests]).toEqual(['skipped', before, []])
  })

  it('a dry run of settle lists the open jobs, and leaves them', async () => {
    const { hub, command } = await world()
    await command(issueComment(), { wait: 'false' })
    const before = structuredClone(hub.comments)
    const settled = await command(dispatched(), { mode: 'settle', command: '', ...inputs })
    expect(settled.outputs).toMatchObject({ outcome: 'dry-run', settled: '' })
    expect(settled.summary).toContain('Without `dry-run`, this run would have done this:')
    expect(settled.summary).toContain('job_0001')
    expect(hub.comments).toEqual(before)
  })
})
