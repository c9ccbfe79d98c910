import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { describe, expect, it } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { sandboxGitHubToken } from '../../sandbox/github/server.ts'
import { pushed } from '../../sandbox/payloads.ts'
import { type Platform, sandboxKey } from '../../sandbox/platform/server.ts'
import { startProxy } from '../../sandbox/proxy.ts'
import { runStep, startStep } from '../../sandbox/runner/step.ts'
import { inputsFor, onTestFinished, platformFor, runBundle } from './run.ts'

const prompt = 'Fix the install page'

async function proxyFor() {
  const proxy = await startProxy()
  onTestFinished(() => proxy.close())
  return proxy
}

/** A job that has come to its end before the step begins. */
async function finishedJob(platform: Platform): Promise<string> {
  const url = `${platform.url}/v2/agent/sandbox-docs/job`
  const headers = { authorization: `Bearer ${sandboxKey}`, 'content-type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body: '{"prompt":"Yesterday"}' })
  const { id } = (await reply.json()) as { id: string }
  await fetch(`${url}/${id}`, { headers })
  return id
}

describe('a job of before', () => {
  it('is waited for by its id alone, and nothing is sent', async () => {
    const platform = await platformFor({ readsUntilEnd: 2 })
    const id = await finishedJob(platform)
    const before = platform.requests.length
    const { outputs } = await runStep({ with: { ...inputsFor(platform.url), 'job-id': id } })
    expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: id })
    expect(new Set(platform.requests.slice(before).map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  it('that had completed gets one message, and its new end is waited for, not the old one', async () => {
    const platform = await platformFor({ readsUntilEnd: 1, staleReads: 2 })
    const id = await finishedJob(platform)
    await fetch(`${platform.url}/v2/agent/sandbox-docs/job/${id}`, {
      headers: { authorization: `Bearer ${sandboxKey}` },
    })
    const before = platform.requests.length
    const { outputs, log } = await runStep({ with: { ...inputsFor(platform.url), 'job-id': id, prompt } })
    expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: id })
    expect(platform.jobs.get(id)?.messages).toEqual([prompt])
    // The read before the message, the message, two stale reads, one that is active, and the end.
    expect(
      platform.requests
        .slice(before)
        .map(({ method }) => method)
        .join(' '),
    ).toBe('GET POST GET GET GET GET')
    expect(log.map(({ text }) => text)).toContainEqual(expect.stringContaining('the job is active'))
  })

  it('that the platform does not know is an error that says so', async () => {
    const run = await runBundle({ 'job-id': 'job_9999' })
    expect(run.outputs).toMatchObject({ outcome: 'error', jobId: 'job_9999' })
    expect(run.text).toContain('knows no job job_9999 in project sandbox-docs')
    expect(run.text).not.toContain('To wait for the job again')
    expect(run.platform.requests).toHaveLength(1)
  })
})

// Windows has no SIGINT that one process could send to another: there it kills.
const withSignals = it.skipIf(process.platform === 'win32')

it('a list of GitHub’s that nobody expects costs a warning, and not the job that is done', async () => {
  const platform = await platformFor({ readsUntilEnd: 1 })
  // No pull request belongs to the push; on the agent's own there is a comment that is none.
  const github = createHttpServer(({ url }, response) => {
    const list = url?.includes('/comments') ? '[null]' : '[]'
    response.writeHead(200, { 'content-type': 'application/json' }).end(list)
  })
  await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void github.close())
  const { name, payload } = pushed({ before: commit(), after: commit({ files: { 'a.ts': 'a' } }) })
  const { outputs, exitCode, annotations } = await runStep({
    with: { ...inputsFor(platform.url), prompt },
    ...{ eventName: name, event: payload, githubToken: sandboxGitHubToken },
    env: { GITHUB_API_URL: `http://127.0.0.1:${(github.address() as AddressInfo).port}` },
  })
  expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001' })
  expect(outputs.prLink).not.toBe('')
  expect(exitCode).toBe(0)
  expect(JSON.stringify(annotations)).toContain('The result stands')
})

describe('a cancelled step', () => {
  withSignals('says which job goes on, and how to wait for it again', async () => {
    const platform = await platformFor({ ends: 'never' })
    const step = startStep({
      with: { ...inputsFor(platform.url), prompt },
      onLine: ({ text }) => text.startsWith('Created job') && step.kill('SIGINT'),
    })
    const { outputs, summary, log } = await step.done
    expect(outputs).toMatchObject({ outcome: 'cancelled', jobId: 'job_0001', status: 'active' })
    expect(summary).toContain('job-id: job_0001')
    expect(log.map(({ text }) => text).join('\n')).toContain('Job job_0001 goes on at the platform')
  })

  it('that is killed has its post step say so', async () => {
    const platform = await platformFor({ ends: 'never' })
    const step = startStep({
      with: { ...inputsFor(platform.url), prompt },
      onLine: ({ text }) => text.startsWith('Created job') && step.kill('SIGKILL'),
    })
    const { outputs, log, postSummary } = await step.done
    expect(outputs.jobId).toBe('job_0001')
    expect(log.find(({ stage, kind }) => stage === 'post' && kind === 'warning')?.text).toContain(
      'job-id: job_0001',
    )
    expect(postSummary).toContain('job-id: job_0001')
  })

  withSignals(
    'cancelled while GitHub is silent about a push ends at once, and has sent nothing',
    async () => {
      const platform = await platformFor()
      const silent = createSocketServer()
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void silent.close())
      const { port } = silent.address() as AddressInfo
      const { name, payload } = pushed({ before: commit(), after: commit({ files: { 'a.ts': 'a' } }) })
      const step = startStep({
        with: { ...inputsFor(platform.url), prompt, 'context-diff': 'true' },
        ...{ eventName: name, event: payload, githubToken: sandboxGitHubToken },
        env: { GITHUB_API_URL: `http://127.0.0.1:${port}` },
      })
      silent.once('connection', () => step.cancel())
      const { outputs, signal } = await step.done
      expect(outputs.outcome).toBe('cancelled')
      // The runner's second signal comes after 7.5 s: the first one was enough.
      expect(signal).toBeNull()
      expect(platform.requests).toEqual([])
    },
  )

  withSignals('cancelled while the create is under way says that the job may exist', async () => {
    const platform = await platformFor({ faults: [{ on: 'create', do: { kind: 'hang', at: 'headers' } }] })
    const step = startStep({ with: { ...inputsFor(platform.url), prompt } })
    const hung = setInterval(() => {
      if (platform.requests.length > 0) step.kill('SIGINT')
    }, 20)
    const { outputs, log } = await step.done
    clearInterval(hung)
    expect(outputs).toMatchObject({ outcome: 'cancelled', jobId: '' })
    expect(log.map(({ text }) => text).join('\n')).toContain('may have been created all the same')
  })
})

describe('the network', () => {
  it.each(['http_proxy', 'HTTP_PROXY'])('all traffic goes through %s', async (name) => {
    const platform = await platformFor({ readsUntilEnd: 0 })
    const proxy = await proxyFor()
    const { outputs } = await runStep({
      with: { ...inputsFor(platform.url), prompt },
      env: { [name]: proxy.url },
    })
    expect(outputs.outcome).toBe('pull-request')
    expect(proxy.log).toHaveLength(platform.requests.length)
  })

  it.each(['no_proxy', 'NO_PROXY'])('none goes through the proxy for a host in %s', async (name) => {
    const platform = await platformFor({ readsUntilEnd: 0 })
    const proxy = await proxyFor()
    const env = { http_proxy: proxy.url, [name]: '127.0.0.1' }
    const { outputs } = await runStep({ with: { ...inputsFor(platform.url), prompt }, env })
    expect(outputs.outcome).toBe('pull-request')
    expect(proxy.log).toEqual([])
  })

  it('https goes through a CONNECT tunnel, and trusts an authority of one’s own', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    })
    const folder = mkdtempSync(join(tmpdir(), 'ca-'))
    writeFileSync(join(folder, 'ca.pem'), cert)
    const server = createServer({ key, cert }, (request, response) => {
      response.writeHead(request.method === 'POST' ? 201 : 200)
      response.end('{"id":"job_1","status":"failed"}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      rmSync(folder, { recursive: true })
    })
    const { port } = server.address() as AddressInfo
    const proxy = await proxyFor()
    const run = await runStep({
      with: { ...inputsFor(`https://localhost:${port}`), prompt },
      env: { https_proxy: proxy.url, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    })
    expect(run.outputs).toMatchObject({ outcome: 'failed', jobId: 'job_1' })
    expect(proxy.log).toEqual([`CONNECT localhost:${port}`, `CONNECT localhost:${port}`])
    const untrusted = await runStep({ with: { ...inputsFor(`https://localhost:${port}`), prompt } })
    expect(untrusted.outputs.outcome).toBe('error')
    expect(untrusted.log.map(({ text }) => text).join('\n')).toContain('NODE_EXTRA_CA_CERTS')
  })

  it('is reached through a proxy that is named without a scheme', async () => {
    const platform = await platformFor({ readsUntilEnd: 0 })
    const proxy = await proxyFor()
    const env = { http_proxy: new URL(proxy.url).host }
    const { outputs } = await runStep({ with: { ...inputsFor(platform.url), prompt }, env })
    expect(outputs.outcome).toBe('pull-request')
    expect(proxy.log).not.toEqual([])
  })

  it('is not asked through a proxy that is none, which is said', async () => {
    const run = await runBundle({ prompt }, {}, { env: { https_proxy: 'user:secret@not a url' } })
    expect(run.outputs.outcome).toBe('error')
    expect(run.text).toContain('https_proxy: got "…@not a url"')
    expect(run.text).not.toContain('secret')
    expect(run.platform.requests).toEqual([])
  })

  it.each(['__proto__', 'constructor', 'toString', 'zstd', 'gzip'])(
    'may answer in the encoding %s: the job may be there',
    async (encoding) => {
      const reply = {
        kind: 'raw',
        body: '{"id":"job_1","status":"active"}',
        headers: { 'content-encoding': encoding },
      } as const
      const run = await runBundle({ prompt }, { faults: [{ on: 'create', do: reply }] })
      expect(run.outputs.outcome).toBe('unconfirmed')
      expect(run.text).toContain('may have been created all the same')
    },
  )

  withSignals.each(['CONNECT', 'TLS'])(
    'that is silent from the start (%s) is given up at the deadline, and at once when cancelled',
    async (stage) => {
      const silent = createSocketServer()
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void silent.close())
      const { port } = silent.address() as AddressInfo
      const env = stage === 'CONNECT' ? { https_proxy: `http://127.0.0.1:${port}` } : {}
      const inputs = {
        ...inputsFor(stage === 'CONNECT' ? 'https://localhost:1' : `https://127.0.0.1:${port}`),
        prompt,
      }
      const timedOut = await runStep({ with: { ...inputs, timeout: '1s' }, env })
      expect(timedOut.outputs.outcome).toBe('error')

      const step = startStep({ with: inputs, env })
      silent.once('connection', () => step.cancel())
      const cancelled = await step.done
      expect(cancelled.outputs.outcome).toBe('cancelled')
      // The runner's second signal comes after 7.5 s, its last 2.5 s later: the first one was enough.
      expect(cancelled.signal).toBeNull()
    },
  )

  it('is never followed to another place: the key stays', async () => {
    const elsewhere = await platformFor()
    const fault = {
      on: 'create',
      do: { kind: 'redirect', status: 307, location: `${elsewhere.url}/v2/agent/x/job` },
    } as const
    const run = await runBundle({ prompt }, { faults: [fault] })
    expect(run.outputs.outcome).toBe('error')
    expect(elsewhere.requests).toEqual([])
  })
})
