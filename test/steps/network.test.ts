import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { sandboxGitHubToken } from '../../sandbox/github/server.ts'
import { pushed } from '../../sandbox/payloads.ts'
import { remoteName } from '../../sandbox/tls.ts'
import { onTestFinished } from '../running.ts'
import { finishedJob, inputsFor, platformFor, proxyFor } from '../service.ts'
import { runAlone, runStep } from './run.ts'

const prompt = 'Fix the install page'

describe('an earlier job', () => {
  it('a step with `job-id` waits for the earlier job, and sends nothing', async () => {
    const platform = await platformFor({ readsUntilEnd: 2 })
    const id = await finishedJob(platform)
    const before = platform.requests.length
    const { outputs } = await runStep({ with: { ...inputsFor(platform.url), 'job-id': id } })
    expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: id })
    expect(new Set(platform.requests.slice(before).map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  it('an earlier job that has completed gets one follow-up, and the step waits for its new result', async () => {
    const platform = await platformFor({ readsUntilEnd: 1, staleReads: 2 })
    const id = await finishedJob(platform, 2)
    const before = platform.requests.length
    const { outputs, log } = await runStep({ with: { ...inputsFor(platform.url), 'job-id': id, prompt } })
    expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: id })
    expect(platform.jobs.get(id)?.messages).toEqual([prompt])
    // A poll, the follow-up, two stale polls, an active one, and the last one.
    expect(
      platform.requests
        .slice(before)
        .map(({ method }) => method)
        .join(' '),
    ).toBe('GET POST GET GET GET GET')
    expect(log.map(({ text }) => text)).toContainEqual(expect.stringContaining('the job is active'))
  })

  it('an earlier job that the platform does not know is an error', async () => {
    const run = await runAlone({ 'job-id': 'job_9999' })
    expect(run.outputs).toMatchObject({ outcome: 'error', jobId: 'job_9999' })
    expect(run.text).toContain('has no job `job_9999` in project `sandbox-docs`')
    expect(run.text).not.toContain('To wait for the job')
    expect(run.platform.requests).toHaveLength(1)
  })
})

it('the step keeps its result and logs the problem if a proxy responds with a page instead of a list', async () => {
  const platform = await platformFor({ readsUntilEnd: 1 })
  // The push has no pull request.
  const github = createServer(({ url }, response) => {
    const list = url?.includes('/comments') ? '<html>Sign in</html>' : '[]'
    response.writeHead(200, { 'content-type': 'application/json' }).end(list)
  })
  await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void github.close())
  const { name, payload } = pushed({ before: commit(), after: commit({ files: { 'a.ts': 'a' } }) })
  const { outputs, exitCode, log } = await runStep({
    with: { ...inputsFor(platform.url), prompt, 'context-diff': 'false' },
    eventName: name,
    event: payload,
    githubToken: sandboxGitHubToken,
    env: { GITHUB_API_URL: `http://127.0.0.1:${(github.address() as AddressInfo).port}` },
  })
  expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001' })
  expect(outputs.prLink).not.toBe('')
  expect(exitCode).toBe(0)
  expect(log.map(({ text }) => text).join('\n')).toContain('not what GitHub documents')
})

it('the step works with a job that has only the fields that the API requires', async () => {
  const run = await runAlone({ prompt }, { isSparse: true, readsUntilEnd: 1 })
  expect(run.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001', status: 'completed' })
  const followUp = { ...inputsFor(run.platform.url), prompt, 'job-id': 'job_0001', wait: 'false' }
  expect((await runStep({ with: followUp })).outputs).toMatchObject({ outcome: 'detached', status: '' })
  expect(run.platform.jobs.get('job_0001')?.messages).toEqual([prompt])
})

describe('the network', () => {
  it.each(['http_proxy', 'HTTP_PROXY'])('plain HTTP requests go through the proxy in %s', async (name) => {
    const platform = await platformFor({ readsUntilEnd: 0 })
    const proxy = await proxyFor()
    const event = pushed({ before: commit(), after: commit({ files: { 'a.ts': 'a' } }) })
    await runStep({
      with: { ...inputsFor(platform.url), prompt, timeout: '5s', 'context-diff': 'false' },
      eventName: event.name,
      event: event.payload,
      githubToken: sandboxGitHubToken,
      env: { [name]: proxy.url, GITHUB_API_URL: 'http://github.example:1' },
    })
    // The platform is on this machine, so only GitHub is reached through the proxy.
    expect(proxy.log).not.toEqual([])
    for (const line of proxy.log) expect(line).toContain(' http://github.example:1/')
  })

  it.each(['no_proxy', 'NO_PROXY'])('requests to a host in %s bypass the proxy', async (name) => {
    const proxy = await proxyFor()
    // A reserved name, which does not resolve.
    const env = { https_proxy: proxy.url, [name]: remoteName }
    const inputs = { ...inputsFor(`https://${remoteName}:1`), prompt, timeout: '1s' }
    const { outputs } = await runStep({ with: inputs, env })
    expect(outputs.outcome).toBe('error')
    expect(proxy.log).toEqual([])
  })

  it('a malformed proxy URL is an error, and nothing is sent', async () => {
    const run = await runAlone({ prompt }, {}, { env: { https_proxy: 'user:secret@not a url' } })
    expect(run.outputs.outcome).toBe('error')
    expect(run.text).toContain('`https_proxy` got "…@not a url"')
    expect(run.text).not.toContain('secret')
    expect(run.platform.requests).toEqual([])
  })

  it('a redirect to another host is not followed, and the key is not sent there', async () => {
    const elsewhere = await platformFor()
    const fault = {
      on: 'create',
      do: { kind: 'status', status: 307, headers: { location: `${elsewhere.url}/v2/agent/x/job` } },
    } as const
    const run = await runAlone({ prompt }, { faults: [fault] })
    expect(run.outputs.outcome).toBe('error')
    expect(elsewhere.requests).toEqual([])
  })
})
