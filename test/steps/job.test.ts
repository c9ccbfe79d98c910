/** A step with a prompt or a job ID: how jobs end, what Mintlify rejects, which inputs are invalid, and the network. */
import { describe, expect, it } from 'vitest'
import { issue, issueComment, pushed } from '../../sandbox/payloads.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import { remoteName } from '../../sandbox/tls.ts'
import { inputsFor, platformFor, proxyFor } from '../service.ts'
import { runStep } from './run.ts'
import { createWorld, first, runAlone, second, type Texts } from './world.ts'

const prompt = 'Fix the install page'
const rejected = (status: number, headers: Texts = {}): PlatformOptions => ({
  faults: [{ on: 'create', do: { kind: 'status', status, headers, body: { error: 'Its own words' } } }],
})

// test/bundle/agent.test.ts has more rows.
it.each<
  [
    outcome: string,
    exitCode: number,
    requests: number,
    says: string,
    inputs?: Texts,
    platform?: PlatformOptions,
  ]
>([
  ['pull-request', 0, 3, 'acme/docs/pull/101', {}, { readsUntilEnd: 0, linkLate: true }],
  ['pull-request', 0, 2, 'acme/docs/pull/101', {}, { readsUntilEnd: 0, isSparse: true }],
  ['failed', 1, 2, 'gives no reason', {}, { ends: 'failed', readsUntilEnd: 0 }],
  ['failed', 0, 2, 'gives no reason', { 'fail-on': 'none' }, { ends: 'failed', readsUntilEnd: 0 }],
  ['no-changes', 0, 3, 'without a pull request', {}, { ends: 'no-changes', readsUntilEnd: 0 }],
  ['archived', 0, 2, 'was archived', {}, { ends: 'archived', readsUntilEnd: 0 }],
  ['detached', 0, 1, 'job_0001', { wait: 'false' }],
  ['error', 1, 1, 'has no job `job_9999` in project', { 'job-id': 'job_9999', prompt: '' }],
  ['error', 1, 1, 'Shorten the prompt', {}, rejected(400)],
  ['error', 1, 1, 'the scope `write`', {}, rejected(403)],
  ['error', 1, 1, 'has no project', {}, rejected(404)],
  ['unconfirmed', 1, 1, 'The job may exist', {}, rejected(500)],
  ['error', 1, 1, 'Retry-After: 7200', {}, rejected(429, { 'retry-after': '7200' })],
  ['error', 1, 0, '`timeout` got "soon"', { 'prompt-file': 'b', timeout: 'soon' }],
  ['error', 1, 0, '`prompt-file` got', { 'prompt-file': 'b', timeout: 'soon' }],
  ['error', 1, 0, 'assistant key', { 'api-key': 'mint_dsc_0123456789' }],
  ['error', 1, 0, '`base-url` got "http://example.com"', { 'base-url': 'http://example.com' }],
  ['error', 1, 0, '`context-files` got "../../etc/passwd"', { 'context-files': '../../etc/passwd' }],
])(
  'the outcome is %s with exit code %i after %i requests, and the log says “%s”: %j',
  async (outcome, exitCode, requests, says, inputs, options) => {
    const run = await runAlone({ prompt, ...inputs }, options)
    expect([run.outputs.outcome, run.exitCode, run.platform.requests.length]).toEqual([
      outcome,
      exitCode,
      requests,
    ])
    expect(run.text).toContain(says)
    if (options?.faults) expect(run.text).toContain('Its own words')
  },
)

it('a job that has completed gets one follow-up, and the step waits for its new result', async () => {
  const { platform } = await runAlone({ prompt }, { readsUntilEnd: 1, staleReads: 2 })
  const before = platform.requests.length
  const inputs = { ...inputsFor(platform.url), 'job-id': 'job_0001', prompt: 'Go on' }
  const { outputs } = await runStep({ with: inputs })
  expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001' })
  expect(platform.jobs.get('job_0001')?.messages).toEqual(['Go on'])
  // A poll, the follow-up, two stale polls, an active one, and the last one.
  const methods = platform.requests.slice(before).map(({ method }) => method)
  expect(methods.join(' ')).toBe('GET POST GET GET GET GET')
})

it.each([
  ['an event that starts nothing', {}, 'star', {}],
  ['another comment', { command: '/docs' }, 'issue_comment', issueComment({ body: 'hello' }).payload],
  ['another label', { label: 'docs' }, 'issues', issue({ label: 'bug' }).payload],
])('%s is ignored, even if the key and the prompt are missing', async (_, inputs, eventName, event) => {
  const run = await runAlone({ prompt: '', 'api-key': '', ...inputs }, {}, { eventName, event })
  expect([run.outputs.outcome, run.exitCode]).toEqual(['skipped', 0])
})

// test/bundle/resilience.test.ts has tunnels and certificates.
describe('the network', () => {
  it('requests to GitHub go through the proxy in HTTP_PROXY, and requests to this machine do not', async () => {
    const proxy = await proxyFor()
    const { run } = await createWorld()
    await run(
      pushed({ before: first, after: second }),
      { timeout: '5s', 'context-diff': 'false' },
      {
        HTTP_PROXY: proxy.url,
        GITHUB_API_URL: 'http://github.example:1',
      },
    )
    expect(proxy.log).not.toEqual([])
    for (const line of proxy.log) expect(line).toContain(' http://github.example:1/')
  })

  it('requests to a host in no_proxy bypass the proxy', async () => {
    const proxy = await proxyFor()
    // A reserved name, which does not resolve.
    const inputs = { 'base-url': `https://${remoteName}:1`, prompt, timeout: '1s' }
    const env = { https_proxy: proxy.url, no_proxy: remoteName }
    const { outputs } = await runAlone(inputs, {}, { env })
    expect([outputs.outcome, proxy.log]).toEqual(['error', []])
  })

  it('a malformed proxy URL is an error without its password, and nothing is sent', async () => {
    const run = await runAlone({ prompt }, {}, { env: { https_proxy: 'user:secret@not a url' } })
    expect([run.outputs.outcome, run.platform.requests]).toEqual(['error', []])
    expect(run.text).toContain('`https_proxy` got "…@not a url"')
    expect(run.text).not.toContain('secret')
  })

  it('a redirect to another host is not followed, so the key is not sent there', async () => {
    const elsewhere = await platformFor()
    const { outputs } = await runAlone(
      { prompt },
      rejected(307, { location: `${elsewhere.url}/v2/agent/x/job` }),
    )
    expect([outputs.outcome, elsewhere.requests]).toEqual(['error', []])
  })
})
