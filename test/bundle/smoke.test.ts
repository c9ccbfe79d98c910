import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { repository } from '../../sandbox/demo.ts'
import { sandboxGitHubToken } from '../../sandbox/github/server.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { FastClock } from '../../sandbox/runner/fast-clock.ts'
import { bundle } from './run.ts'

/** Runs it against the mocks. */
async function smoke(answer: string, isSet = true) {
  // Slower than usual: GitHub must list what was written within ten seconds, even on a busy machine.
  const clock = new FastClock(10)
  const { hub, service: platform } = await bundle.createWorld({
    clock,
    github: { viewer: 'mona', comments: [] },
    platform: { ends: 'no-changes', readsUntilEnd: 0 },
  })
  const own = { SMOKE_TOKEN: sandboxGitHubToken, SMOKE_REPOSITORY: repository, SMOKE_ISSUE: '7' }
  const account = { SMOKE_PROJECT: 'sandbox-docs', SMOKE_KEY: sandboxKey }
  const services = { GITHUB_API_URL: hub.url, MINTLIFY_URL: platform.url }
  const env = {
    PATH: process.env.PATH,
    NODE_OPTIONS: clock.options,
    ...account,
    ...services,
    ...(isSet && own),
  }
  const child = spawn(process.execPath, ['scripts/smoke.ts'], { env })
  child.stdin.end(answer)
  const exit = new Promise((resolve) => child.once('close', resolve))
  const said = await Promise.all([text(child.stdout), text(child.stderr)])
  return { hub, platform, said: said.join(''), code: await exit }
}

it.concurrent('the smoke test passes against the mocks, and leaves no comments', async () => {
  const { hub, platform, said, code } = await smoke('yes\n')
  expect([code, said.match(/[✅❌]/gu)]).toEqual([0, Array(6).fill('✅')])
  expect([hub.comments, platform.jobs.size]).toEqual([[], 2])
})

it.concurrent('the smoke test writes nothing without a yes, and says what it needs', async () => {
  const no = await smoke('no\n')
  expect(no.said).toContain('starts 2 jobs')
  const unset = await smoke('yes\n', false)
  expect([unset.code, unset.said]).toEqual([2, expect.stringContaining('SMOKE_ISSUE: ')])
  const writes = [no, unset].flatMap(({ hub }) => hub.requests.filter(({ method }) => method !== 'GET'))
  expect([writes, no.platform.requests]).toEqual([[], []])
})
