/** The network. */
import { describe, expect, it } from 'vitest'
import type { GitHubFault } from '../../sandbox/github/server.ts'
import { issueComment, pushed } from '../../sandbox/payloads.ts'
import { remoteName } from '../../sandbox/tls.ts'
import { platformFor, proxyFor } from '../service.ts'
import { createWorld, first, runAlone, second } from './world.ts'

const prompt = 'Fix the install page'

// test/bundle/resilience.test.ts has tunnels and certificates.
describe('the network', () => {
  const busy = { status: 503, headers: { 'retry-after': '25' } } as const
  it.each<[when: string, outcome: string, ...GitHubFault[]]>([
    ['from the first call on', 'error', busy],
    // The first comment says that the agent is working.
    [
      'once the job has ended',
      'pull-request',
      { ...busy, on: 'pulls/get' },
      { ...busy, on: 'issues/create-comment', after: 1 },
    ],
  ])('a step takes at most 30 s more than `timeout` if GitHub is busy %s', async (_, outcome, ...faults) => {
    const { run } = await createWorld({ github: { faults } })
    const { outputs, took } = await run(issueComment(), { timeout: '20s' })
    expect(outputs.outcome).toBe(outcome)
    // The rest is for a busy machine.
    expect(took).toBeLessThan(20_000 + 30_000 + 15_000)
  })

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

  it('a redirect to another host is not followed, so the key is not sent there', async () => {
    const elsewhere = await platformFor()
    const headers = { location: `${elsewhere.url}/v2/agent/x/job` }
    const redirect = { status: 307, headers } as const
    const { outputs } = await runAlone({ prompt }, { faults: [{ on: 'create', ...redirect }] })
    expect([outputs.outcome, elsewhere.requests]).toEqual(['error', []])
  })
})
