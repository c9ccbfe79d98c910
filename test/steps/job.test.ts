/** The network. */
import { describe, expect, it } from 'vitest'
import { pushed } from '../../sandbox/payloads.ts'
import { remoteName } from '../../sandbox/tls.ts'
import { platformFor, proxyFor } from '../service.ts'
import { createWorld, first, runAlone, second } from './world.ts'

const prompt = 'Fix the install page'

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

  it('a redirect to another host is not followed, so the key is not sent there', async () => {
    const elsewhere = await platformFor()
    const headers = { location: `${elsewhere.url}/v2/agent/x/job` }
    const redirect = { status: 307, headers } as const
    const { outputs } = await runAlone({ prompt }, { faults: [{ on: 'create', ...redirect }] })
    expect([outputs.outcome, elsewhere.requests]).toEqual(['error', []])
  })
})
