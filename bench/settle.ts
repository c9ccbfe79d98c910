/** Counts the requests of mode settle, as the servers receive them. */
import { demoPullRequest, demoRepository, repository } from '../sandbox/demo.ts'
import { commit } from '../sandbox/github/commits.ts'
import { Repository } from '../sandbox/github/repository.ts'
import { startGitHub } from '../sandbox/github/server.ts'
import { issueComment, scheduled } from '../sandbox/payloads.ts'
import { accountOn, sandboxKey, startPlatform } from '../sandbox/platform/server.ts'
import { runStep } from '../sandbox/runner/step.ts'
import { stepOn } from '../sandbox/scene.ts'
import { signWith } from '../src/adapters/sign.ts'
import { type Mark, projectName, stateFields, writeMark } from '../src/core/mark.ts'
import { threadName } from '../src/core/thread.ts'
import type { WorkflowEvent } from '../src/core/trigger/event.ts'

export interface SettleRequests {
  github: number
  platform: number
  settled: string
}

/** Settles this many commands on separate threads: once while their jobs are active, and once when the first job has ended. */
export async function measureSettle(
  count: number,
): Promise<{ active: SettleRequests; ended: SettleRequests }> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const asked = numbers.map((number) => ({
    id: 1000 + number,
    thread: { number, reviewRoot: null },
    body: '/docs fix it',
    user: 'mona',
  }))
  const hub = await startGitHub({
    repository,
    repositories: [demoRepository()],
    comments: asked,
    roles: { mona: { permission: 'write', role_name: 'write' } },
  })
  const platform = await startPlatform({ readsUntilEnd: 1 })
  const run = (event: WorkflowEvent, inputs: Record<string, string>) =>
    runStep({ ...stepOn(event, hub.url), with: { ...accountOn(platform), command: '/docs', ...inputs } })
  const measure = async (event: WorkflowEvent): Promise<SettleRequests> => {
    const before = [hub.requests.length, platform.requests.length] as const
    const { outputs } = await run(event, { mode: 'settle' })
    return {
      github: hub.requests.length - before[0],
      platform: platform.requests.length - before[1],
      settled: outputs.settled ?? '',
    }
  }
  try {
    for (const number of numbers)
      await run(issueComment({ id: 1000 + number, number, body: '/docs fix it' }), { wait: 'false' })
    const active = await measure(scheduled(repository))
    // Settle ignores jobs that were created just now, except the job of the pull request in the event. So it reports one job.
    return { active, ended: await measure(demoPullRequest()) }
  } finally {
    await platform.close()
    await hub.close()
  }
}

/** Settles this many held agent pull requests: once while all wait for code, and once after the code of one is merged. */
export async function measureHeld(
  count: number,
): Promise<{ waiting: SettleRequests; merged: SettleRequests }> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const base = commit({ files: { 'a.md': 'a\n' } })
  const head = commit({ parents: [base], files: { 'a.md': 'b\n' }, author: 'mintlify[bot]' })
  const pull = (number: number, user: string) => ({
    number,
    user,
    head: { branch: `b${number}`, commit: head },
    base: { commit: base },
  })
  const home = new Repository({
    name: repository,
    branches: { main: base },
    pulls: numbers.flatMap((number) => [pull(number, 'mona'), pull(1000 + number, 'mintlify[bot]')]),
  })
  const createdAt = new Date().toISOString()
  const comments = numbers.map((number) => {
    const thread = { number: 1000 + number, reviewRoot: null }
    return {
      id: 5000 + number,
      thread,
      body: heldComment(number, head.sha),
      user: 'github-actions[bot]',
      createdAt,
    }
  })
  const hub = await startGitHub({ repository, repositories: [home], comments })
  const platform = await startPlatform({})
  const settle = async (): Promise<SettleRequests> => {
    const before = hub.requests.length
    const { outputs } = await runStep({
      ...stepOn(scheduled(repository), hub.url),
      with: { ...accountOn(platform), mode: 'settle' },
    })
    return { github: hub.requests.length - before, platform: 0, settled: outputs.settled ?? '' }
  }
  try {
    // The first run sets the statuses, so it is not counted.
    await settle()
    const waiting = await settle()
    home.changePull(1, { merged: { commit: head, by: 'mona' }, state: 'closed' })
    return { waiting, merged: await settle() }
  } finally {
    await platform.close()
    await hub.close()
  }
}

/** The action's comment on an agent pull request that waits for code. */
function heldComment(number: number, head: string): string {
  const thread = { repository, number: 1000 + number, isPullRequest: true, reviewRoot: null }
  const code = { repository, number, head, hold: 'merge', state: 'held' } as const
  const mark: Mark = {
    ...stateFields({ state: 'job', job: `job_${number}`, isLeft: true }),
    at: 5000 + number,
    role: 'provenance',
    request: `comment:${number}`,
    step: 's',
    project: projectName('sandbox-docs'),
    since: Date.now(),
    by: null,
    code,
  }
  return `Held.\n\n${writeMark(mark, threadName(thread), signWith(sandboxKey))}`
}
