import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { sandboxGitHubToken } from '../../sandbox/github/server.ts'
import { pushed } from '../../sandbox/payloads.ts'
import { runStep, startStep } from '../../sandbox/runner/step.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import { makeCertificate, remoteName, startTls } from '../../sandbox/tls.ts'
import { runs } from '../core/samples.ts'
import { onTestFinished } from '../running.ts'
import { finishedJob, inputsFor, platformFor, proxyFor } from '../service.ts'
import { anyGitHubReply, anyReply } from '../steps/replies.ts'
import { runBundle } from './run.ts'

const prompt = 'Fix the install page'
const folder = mkdtempSync(join(tmpdir(), 'ca-'))
afterAll(() => rmSync(folder, { recursive: true }))
const certificate = await makeCertificate()
const caFile = join(folder, 'ca.pem')
writeFileSync(caFile, certificate.cert)

/** A platform behind TLS, under a name that only a proxy can resolve. */
async function remotePlatform() {
  const platform = await platformFor({ readsUntilEnd: 0 })
  const tls = await startTls(Number(new URL(platform.url).port), certificate)
  onTestFinished(() => tls.close())
  return { platform, at: `${remoteName}:${tls.port}`, port: tls.port }
}

// On Windows, a SIGINT from another process kills the step.
const withSignals = it.skipIf(process.platform === 'win32')

describe.concurrent('a cancelled step', () => {
  withSignals('a cancelled step names the job that continues, and how to wait for it', async () => {
    const platform = await platformFor({ ends: 'never' })
    const step = startStep({
      with: { ...inputsFor(platform.url), prompt },
      onLine: ({ text }) => text.startsWith('Created job') && step.kill('SIGINT'),
    })
    const { outputs, summary, log } = await step.done
    expect(outputs).toMatchObject({ outcome: 'cancelled', jobId: 'job_0001', status: 'active' })
    expect(summary).toContain('job-id: job_0001')
    expect(log.map(({ text }) => text).join('\n')).toContain('Job `job_0001` continues on Mintlify')
  })

  it('a killed step is explained by its post step', async () => {
    const platform = await platformFor({ ends: 'never' })
    const step = startStep({
      with: { ...inputsFor(platform.url), prompt },
      onLine: ({ text }) => text.startsWith('Created job') && step.kill('SIGKILL'),
    })
    const { outputs, log, summary } = await step.done
    expect(outputs.jobId).toBe('job_0001')
    expect(log.find(({ stage, kind }) => stage === 'post' && kind === 'warning')?.text).toContain(
      'job-id: job_0001',
    )
    expect(summary).toContain('job-id: job_0001')
  })

  it.each([
    ['create', {}, 'A job may have been created.'],
    ['message', { 'job-id': 'job_0001' }, 'Job `job_0001` may have the follow-up.'],
  ] as const)('a step killed during a %s is explained by its post step', async (on, inputs, text) => {
    const platform = await platformFor({ faults: [{ on, do: { kind: 'hang', at: 'headers' } }] })
    if (on === 'message') await finishedJob(platform)
    const before = platform.requests.length
    const step = startStep({ with: { ...inputsFor(platform.url), prompt, ...inputs } })
    const hung = setInterval(() => {
      if (!platform.requests.slice(before).some(({ method }) => method === 'POST')) return
      clearInterval(hung)
      step.kill('SIGKILL')
    }, 20)
    const { log } = await step.done
    expect(log.find(({ stage, kind }) => stage === 'post' && kind === 'warning')?.text).toContain(text)
  })

  withSignals('a cancelled step ends at once if GitHub does not respond, and sends nothing', async () => {
    const platform = await platformFor()
    const silent = createSocketServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const { name, payload } = pushed({ before: commit(), after: commit({ files: { 'a.ts': 'a' } }) })
    const step = startStep({
      with: { ...inputsFor(platform.url), prompt },
      eventName: name,
      event: payload,
      githubToken: sandboxGitHubToken,
      env: { GITHUB_API_URL: `http://127.0.0.1:${port}` },
    })
    silent.once('connection', () => step.cancel())
    const { outputs, signal } = await step.done
    expect(outputs.outcome).toBe('cancelled')
    // The runner's second signal would come after 7.5 s, but the first one was enough.
    expect(signal).toBeNull()
    expect(platform.requests).toEqual([])
  })

  withSignals(
    'a cancelled step keeps the job if the response to its create request comes after the cancel',
    async () => {
      // The response takes about 1.5 s. A cancelled step waits up to 5 s for it.
      const slow = { kind: 'slow-body', bytesPerSecond: 160 } as const
      const platform = await platformFor({ faults: [{ on: 'create', do: slow }] })
      const step = startStep({ with: { ...inputsFor(platform.url), prompt } })
      const sent = setInterval(() => {
        if (platform.requests.length === 0) return
        clearInterval(sent)
        step.kill('SIGINT')
      }, 20)
      const { outputs } = await step.done
      expect(outputs).toMatchObject({ outcome: 'cancelled', jobId: 'job_0001' })
    },
  )

  withSignals(
    'a cancelled step says that the job may exist if its create request got no response',
    async () => {
      const platform = await platformFor({ faults: [{ on: 'create', do: { kind: 'hang', at: 'headers' } }] })
      const step = startStep({ with: { ...inputsFor(platform.url), prompt } })
      const hung = setInterval(() => {
        if (platform.requests.length > 0) step.kill('SIGINT')
      }, 20)
      const { outputs, log } = await step.done
      clearInterval(hung)
      expect(outputs).toMatchObject({ outcome: 'cancelled', jobId: '' })
      expect(log.map(({ text }) => text).join('\n')).toContain('The job may exist')
    },
  )
})

// test/usecases/wait.test.ts also sets the clock forward.
it.concurrent('the deadline does not move if the wall clock is set back by an hour', async () => {
  const platform = await platformFor({ ends: 'never' })
  const jump = `let calls = 0; const now = Date.now; Date.now = () => now() + (calls++ > 3 ? -3600000 : 0)`
  const { outputs, signal } = await runStep({
    with: { ...inputsFor(platform.url), prompt, timeout: '6s' },
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(jump)}` },
  })
  expect(outputs.outcome).toBe('timed-out')
  expect(signal).toBeNull()
  expect(platform.requests.length).toBeGreaterThan(2)
})

it.skipIf(process.platform !== 'linux').concurrent(
  'the step sends nothing if the state cannot be saved',
  async () => {
    const run = await runBundle({ prompt }, {}, { env: { GITHUB_STATE: '/dev/full' } })
    expect(run.outputs).toMatchObject({ outcome: 'error', jobId: '' })
    expect(run.text).toContain("Could not save the step's state on the runner.")
    expect(run.platform.requests).toEqual([])
  },
)

// test/steps/network.test.ts covers what can be tested without a process.
describe.concurrent('the network', () => {
  it('the step connects through an https_proxy tunnel, with a custom certificate authority', async () => {
    const { platform, at } = await remotePlatform()
    const proxy = await proxyFor()
    const { outputs } = await runStep({
      with: { ...inputsFor(`https://${at}`), prompt },
      env: { https_proxy: proxy.url, NODE_EXTRA_CA_CERTS: caFile },
    })
    expect(outputs.outcome).toBe('pull-request')
    expect(proxy.log).toEqual(platform.requests.map(() => `CONNECT ${at}`))
  })

  it('the step rejects an untrusted certificate, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const { platform, port } = await remotePlatform()
    const { outputs, log } = await runStep({
      with: { ...inputsFor(`https://localhost:${port}`), prompt },
      env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    })
    expect(outputs.outcome).toBe('error')
    expect(log.map(({ text }) => text).join('\n')).toContain('NODE_EXTRA_CA_CERTS')
    expect(platform.requests).toEqual([])
    const title = 'NODE_TLS_REJECT_UNAUTHORIZED is ignored'
    const lines = log.filter((line) => JSON.stringify(line).includes('NODE_TLS_REJECT_UNAUTHORIZED'))
    expect(lines).toMatchObject([{ kind: 'warning', title }])
  })

  withSignals.each(['CONNECT', 'TLS'])(
    'the step gives up at the deadline if the server is silent from %s on, and at once after a cancel',
    async (stage) => {
      const silent = createSocketServer()
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void silent.close())
      const { port } = silent.address() as AddressInfo
      const env = stage === 'CONNECT' ? { https_proxy: `http://127.0.0.1:${port}` } : {}
      const inputs = {
        ...inputsFor(stage === 'CONNECT' ? `https://${remoteName}:1` : `https://127.0.0.1:${port}`),
        prompt,
      }
      const timedOut = await runStep({ with: { ...inputs, timeout: '1s' }, env })
      expect(timedOut.outputs.outcome).toBe('error')

      const step = startStep({ with: inputs, env })
      silent.once('connection', () => step.cancel())
      const cancelled = await step.done
      expect(cancelled.outputs.outcome).toBe('cancelled')
      // The runner's second signal would come after 7.5 s, but the first one was enough.
      expect(cancelled.signal).toBeNull()
    },
  )
})

async function runQuietly(options: StepOptions) {
  const run = await runStep(options)
  expect([run.rejectedCommands, run.rawStderr]).toEqual([[], ''])
  return run
}

// test/steps/fuzz.test.ts has more runs.
it.concurrent('the bundle never crashes, hangs or runs a workflow command, whatever the platform responds', async () => {
  await fc.assert(anyReply(runQuietly, '1s'), runs(1))
})

it.concurrent('the bundle never crashes, hangs or runs a workflow command, whatever GitHub responds', async () => {
  await fc.assert(anyGitHubReply(runQuietly, '2s'), runs(1))
})
