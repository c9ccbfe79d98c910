import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Fault } from '../../sandbox/faults.ts'
import { dispatched, issue, issueComment, pushed } from '../../sandbox/payloads.ts'
import { FastClock } from '../../sandbox/runner/fast-clock.ts'
import { makeCertificate, remoteName, startTls } from '../../sandbox/tls.ts'
import { listen } from '../../sandbox/wire.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { onTestFinished, temporaryFolder } from '../running.ts'
import { platformFor, proxyFor } from '../service.ts'
import { first, prompt, second, type Texts } from '../steps/world.ts'
import { bundle, stoppable } from './run.ts'

// On Windows, a signal from another process kills the step.
const withSignals = it.skipIf(process.platform === 'win32')

const manual = dispatched({ repository: 'acme/docs' })
const command = issueComment()
const labeled = issue()
const push = pushed({ before: first, after: second, repository: 'acme/docs' })
const never = new Promise(() => {})
/** When a step is stopped: at a line of the log, or during a call, which then gets no response. */
type Moment = 'Created job' | 'create' | 'markdown/render' | 'repos/compare-commits-with-basehead'

withSignals.concurrent.each<
  [how: 'cancel' | 'kill', at: Moment, event: RawEvent, jobId: string, says: string]
>([
  ['cancel', 'Created job', command, 'job_0001', 'Cancelled'],
  ['cancel', 'create', manual, '', 'Mintlify may have it'],
  ['cancel', 'repos/compare-commits-with-basehead', push, '', 'The run was cancelled.\nNo job'],
  ['kill', 'Created job', manual, 'job_0001', 'job-id: job_0001'],
  ['kill', 'Created job', command, 'job_0001', 'The run ended before the agent finished'],
  ['kill', 'create', manual, '', 'Mintlify may have the request.'],
  ['kill', 'markdown/render', labeled, '', 'To retry, remove the label `docs` and add it again.'],
])('a step explains what it left: %s at “%s”', async (how, at, event, jobId, says) => {
  const isLine = at === 'Created job'
  const { createWorld, stop } = stoppable(how, isLine ? at : undefined)
  const run = () => {
    stop()
    return never
  }
  const faults: Fault<never>[] = isLine ? [] : [{ on: at as never, kind: 'meanwhile', run }]
  // The post step waits for GitHub's lists.
  const world = await createWorld({
    clock: how === 'kill' ? new FastClock() : new FastClock(5, 5),
    platform: { ends: 'never', faults },
    github: { faults },
  })
  const step = await world.run(event, event === labeled ? { label: 'docs' } : {})
  expect(`${step.text}${step.summary}${world.written()}`).toContain(says)
  expect(step.outputs.jobId ?? '').toBe(jobId)
  if (event === push) expect(world.service.requests).toEqual([])
  // The runner's second signal would come after 7.5 s, but the first one is enough.
  if (how === 'cancel') expect([step.outputs.outcome, step.signal]).toEqual(['cancelled', null])
})

/** Preloads code into the step. */
const preload = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
})

it.concurrent('a timeout means exit code 1, and its deadline does not move if the wall clock is set back by an hour', async () => {
  const env = preload(
    `let calls = 0; const now = Date.now; Date.now = () => now() + (calls++ > 3 ? -3600000 : 0)`,
  )
  const run = await bundle.runAlone({ prompt, timeout: '3s' }, { ends: 'never' }, { env })
  expect([run.outputs.outcome, run.exitCode, run.signal]).toEqual(['timed-out', 1, null])
  expect(`${run.text}\n${run.summary}`).toContain('job-id: job_0001')
  expect(run.platform.requests.length).toBeGreaterThan(2)
})

it.concurrent('an older Node.js stops the step with an error that names the required version', async () => {
  const env = preload(
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })",
  )
  const run = await bundle.runAlone({ prompt }, {}, { env, hasPost: true })
  expect([run.exitCode, run.outputs, run.platform.requests]).toEqual([1, { outcome: 'error' }, []])
  expect(run.text).toContain('This action needs Node.js 24 or newer. This is 20.20.2.')
})

it.skipIf(process.platform !== 'linux').concurrent(
  'nothing is sent if the state cannot be saved',
  async () => {
    const run = await bundle.runAlone({ prompt }, {}, { env: { GITHUB_STATE: '/dev/full' } })
    expect([run.outputs.outcome, run.platform.requests]).toEqual(['error', []])
    expect(run.text).toContain("Could not save the step's state on the runner.")
  },
)

const certificate = await makeCertificate()

/** A platform behind TLS, under a name that only a proxy can resolve. */
async function remotePlatform() {
  const platform = await platformFor({ readsUntilEnd: 0 })
  const tls = await startTls(Number(new URL(platform.url).port), certificate)
  onTestFinished(() => tls.close())
  return { platform, port: tls.port }
}

// test/steps/job.test.ts has what can be tested without a process.
describe.concurrent('the network', () => {
  const run = (url: string, env: Texts, more: Texts = {}) =>
    bundle.runAlone({ 'base-url': url, prompt, ...more }, {}, { env })

  it('the step connects through an https_proxy tunnel, with a custom certificate authority', async () => {
    const { platform, port } = await remotePlatform()
    const proxy = await proxyFor()
    const at = `${remoteName}:${port}`
    const caFile = join(temporaryFolder(), 'ca.pem')
    writeFileSync(caFile, certificate.cert)
    const env = { https_proxy: proxy.url, NODE_EXTRA_CA_CERTS: caFile }
    expect((await run(`https://${at}`, env)).outputs.outcome).toBe('pull-request')
    expect(proxy.log).toEqual(platform.requests.map(() => `CONNECT ${at}`))
  })

  it('the step rejects an untrusted certificate, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const { platform, port } = await remotePlatform()
    const step = await run(`https://localhost:${port}`, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })
    expect([step.outputs.outcome, platform.requests]).toEqual(['error', []])
    expect(step.text).toContain('NODE_EXTRA_CA_CERTS')
    expect(step.annotations).toContainEqual(
      expect.objectContaining({ kind: 'warning', title: 'NODE_TLS_REJECT_UNAUTHORIZED is ignored' }),
    )
  })

  it.each(['CONNECT', 'TLS'])(
    'the step gives up at the deadline if the server is silent from %s on',
    async (stage) => {
      const silent = createServer()
      onTestFinished(() => void silent.close())
      const address = `127.0.0.1:${await listen(silent)}`
      const fast = { NODE_OPTIONS: new FastClock(5, 5).options }
      const step = await (stage === 'TLS'
        ? run(`https://${address}`, fast, { timeout: '1s' })
        : run(`https://${remoteName}:1`, { ...fast, https_proxy: `http://${address}` }, { timeout: '1s' }))
      expect(step.outputs.outcome).toBe('error')
    },
  )
})
