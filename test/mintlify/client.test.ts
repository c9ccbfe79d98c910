/** What each call sends over the wire, and when a caller can end its attempts. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Exchange, WireRequest } from '../../src/core/http.ts'
import { pathSegment } from '../../src/core/text.ts'
import { createMintlify } from '../../src/mintlify/mintlify.ts'
import { hostileText } from '../core/samples.ts'
import { quiet, Stage } from '../run/step.ts'
import { answer } from '../run/world.ts'

const key = 'mint_0123456789'
const period = { from: '2026-10-26', to: '2026-11-02T00:00+01:00' }
const always = () => true

/** The calls of a project, the requests that they send, and how often a failure was reported. */
function mintlifyFor(
  projectId: string,
  respond: () => Exchange = () => answer(400),
  cancelled = quiet.cancelled,
) {
  const sent: WireRequest[] = []
  const seen = { failures: 0 }
  const mintlify = createMintlify({
    wire: async (request) => {
      sent.push(request)
      return respond()
    },
    baseUrl: 'https://proxy.example:8443/mintlify',
    apiKey: key,
    projectId,
    serverUrl: 'https://github.com',
    clock: new Stage().clock,
    deadline: 600_000,
    random: () => 0.5,
    cancelled,
    log() {},
    onFailure: () => void seen.failures++,
  })
  return { mintlify, sent, seen }
}

describe('a call', () => {
  const common = { authorization: `Bearer ${key}`, accept: 'application/json' }
  const send = { method: 'POST', headers: { ...common, 'content-type': 'application/json' } }
  const read = { method: 'GET', headers: common }

  it('a call sends its request to the project, with the key', async () => {
    const { mintlify, sent } = mintlifyFor('a?b#c')
    await mintlify.createJob('Fix it')
    await mintlify.sendFollowUp('d%2Fe', 'More')
    await mintlify.readJob('d%2Fe')
    await mintlify.checkAccess()
    const reading = mintlify.analytics(period, always)
    await reading.visitors(1)
    await reading.votes()
    for (const source of ['page', 'code', 'agent'] as const) await reading.comments(source)
    await reading.searches()
    await reading.questions()
    const jobs = 'https://proxy.example:8443/mintlify/v2/agent/a%3Fb%23c/job'
    const analytics = 'https://proxy.example:8443/mintlify/v1/analytics/a%3Fb%23c'
    const lastDay = 'dateFrom=2026-11-01&dateTo=2026-11-02'
    const dates = 'dateFrom=2026-10-26&dateTo=2026-11-02T00%3A00%2B01%3A00'
    expect(sent).toEqual([
      { ...send, url: jobs, body: '{"prompt":"Fix it"}' },
      { ...send, url: `${jobs}/d%252Fe/message`, body: '{"prompt":"More"}' },
      { ...read, url: `${jobs}/d%252Fe` },
      { ...read, url: `${analytics}/visitors?${lastDay}&limit=1&offset=0` },
      { ...read, url: `${analytics}/visitors?${dates}&limit=250&offset=250` },
      { ...read, url: `${analytics}/feedback/by-page?${dates}&limit=100` },
      { ...read, url: `${analytics}/feedback?${dates}&limit=100&source=contextual` },
      { ...read, url: `${analytics}/feedback?${dates}&limit=100&source=code_snippet` },
      { ...read, url: `${analytics}/feedback?${dates}&limit=100&source=agent` },
      { ...read, url: `${analytics}/searches?${dates}&limit=100` },
      { ...read, url: `${analytics}/assistant?${dates}&limit=500` },
    ])
  })

  it('the path of a call contains exactly its ids, for all accepted ids', async () => {
    const odd = fc.constantFrom('%2e%2e', '..%2f', '...', ';x', '@', 'é')
    const id = fc.oneof(hostileText, odd).filter((text) => pathSegment.test(text))
    await fc.assert(
      fc.asyncProperty(id, id, hostileText, async (projectId, jobId, prompt) => {
        const { mintlify, sent } = mintlifyFor(projectId)
        await mintlify.sendFollowUp(jobId, prompt)
        const [{ method, url, body } = { url: '' }] = sent as Partial<WireRequest>[]
        expect([method, JSON.parse(body ?? '')]).toEqual(['POST', { prompt }])
        const { search, hash, host, pathname } = new URL(url ?? '')
        expect([search, hash, host]).toEqual(['', '', 'proxy.example:8443'])
        const parts = pathname.split('/').map(decodeURIComponent)
        expect(parts).toEqual(['', 'mintlify', 'v2', 'agent', projectId, 'job', jobId, 'message'])
      }),
    )
  })
})

it.each([
  ['may repeat it', true, false, 3, 2],
  ['may not repeat it', false, false, 1, 1],
  ['was cancelled', true, true, 1, 0],
])(
  'a failed call is repeated only if its caller allows it: the caller %s',
  async (_, may, isCancelled, requests, failures) => {
    const controller = new AbortController()
    const respond = () => {
      if (isCancelled) controller.abort()
      return answer(503)
    }
    const { mintlify, sent, seen } = mintlifyFor('docs', respond, controller.signal)
    const { ok } = await mintlify.analytics(period, () => may).votes()
    expect([ok, sent.length, seen.failures]).toEqual([false, requests, failures])
  },
)
