/** A dry run in every mode: what it requests, what it reports, and when it fails. */
import { describe, expect, it } from 'vitest'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import { issueComment } from '../../sandbox/payloads.ts'
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
    expect(list.replace(/Would read.*/s, 'Would read …')).toMatchSnapshot()
  })

  it.each<[status: number, says: string, inputs: Record<string, string>, options: PlatformOptions]>([
    [401, 'Mintlify rejected the API key (401)', { 'api-key': 'mint_expired_0123456789' }, {}],
    [403, 'lack the scope `read`', {}, { keys: { [sandboxKey]: { scopes: ['write'] } } }],
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
  expect(text).toContain(`Would send this prompt (21 B) to project sandbox-docs at ${platform.url}`)
  expect(summary).toContain(prompt)
})

it('a dry run of a step that only waits for a job checks no prompt', async () => {
  const { summary } = await dryRun({ 'job-id': 'job_1' })
  expect(summary).not.toMatch(/prompt|Only a real run/)
})

describe('a dry run on a thread', () => {
  const world = (setting: Setting = {}) => createWorld(runStep, setting)

  it('the reply has the same list as the summary, and nothing is recorded', async () => {
    const { hub, service, command } = await world()
    const { outputs, summary, exitCode } = await command(issueComment(), { 'dry-run': 'true' })
    expect([outputs.outcome, exitCode]).toEqual(['dry-run', 0])
    expect(service.requests.map(({ method }) => method)).toEqual(['GET'])
    const writes = hub.requests.filter(
      ({ method, path }) => method !== 'GET' && !['/graphql', '/markdown'].includes(path),
    )
    expect(writes).toHaveLength(1)
    const body = hub.comments.at(-1)?.body ?? ''
    expect(body).toMatchSnapshot()
    for (const line of body.split('\n').filter((each) => each.startsWith('- ')))
      expect(summary).toContain(line)
    expect(summary).toContain('✅ The workflow can comment on the thread.')
  })

  it('the reply explains a wrong key', async () => {
    const { hub, command } = await world()
    const { exitCode } = await command(issueComment(), { 'dry-run': 'true', 'api-key': 'mint_wrong_012345' })
    expect(exitCode).toBe(1)
    expect(hub.comments.at(-1)?.body).toContain('❌ Mintlify rejected the API key (401)')
  })

  it('a token that cannot comment is a failed check', async () => {
    const { command } = await world({ github: { lacks: ['issues'] } })
    const { exitCode, summary } = await command(issueComment(), { 'dry-run': 'true' })
    expect(exitCode).toBe(1)
    expect(summary).toContain('❌ Could not write the comment that records the job')
  })

  it('someone whose role is unknown gets no reply', async () => {
    const { hub, command } = await world({
      github: { faults: [{ on: 'repos/get-collaborator-permission-level', status: 403 }] },
    })
    const before = hub.comments.length
    const { exitCode, summary } = await command(issueComment(), { 'dry-run': 'true' })
    expect([exitCode, hub.comments.length]).toEqual([1, before])
    expect(summary).toContain("❌ Could not check mona's role")
  })

  it('someone without the required role is skipped, and gets no reply', async () => {
    const { hub, service, command } = await world()
    const before = hub.comments.length
    const { outputs } = await command(issueComment({ author: 'rita' }), { 'dry-run': 'true' })
    expect([outputs.outcome, hub.comments.length, service.requests]).toEqual(['skipped', before, []])
  })

  it('`reply: false` prevents the reply', async () => {
    const { hub, command } = await world()
    const before = hub.comments.length
    await command(issueComment(), { 'dry-run': 'true', reply: 'false' })
    expect(hub.comments).toHaveLength(before)
  })
})
