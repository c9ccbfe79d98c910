/**
 * Mistakes that earlier versions made with the records of requests, on the committed bundle. The explorer covers all
 * orders of calls; these rows show that the bundle is wired in the same way. Time runs faster than usual.
 */
import { expect, it } from 'vitest'
import { repository } from '../../sandbox/demo.ts'
import { commit } from '../../sandbox/github/commits.ts'
import { type GitHubFault, sandboxGitHubToken } from '../../sandbox/github/server.ts'
import type { SandboxStatus } from '../../sandbox/github/statuses.ts'
import { issueComment, pushed, scheduled } from '../../sandbox/payloads.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { bundle, FastClock } from './run.ts'

type Inputs = Record<string, string>

const detached = { wait: 'false' }
const begin = commit({ message: 'Begin', files: { 'src/a.ts': 'a\n' } })
const head = commit({ message: 'Change', parents: [begin], files: { 'src/b.ts': 'b\n' } })
const onPush = pushed({ before: begin, after: head, repository })

/** Two runs list the commit's statuses before either writes one. */
function twoAtOnce(): GitHubFault {
  const both = Promise.withResolvers<void>()
  let waiting = 0
  const run = () => {
    if (++waiting === 2) both.resolve()
    return both.promise
  }
  return { on: 'repos/list-commit-statuses-for-ref', times: 2, kind: 'meanwhile', run }
}

async function world(platform: PlatformOptions = {}, faults: GitHubFault[] = []) {
  const clock = new FastClock()
  const { now } = clock
  /** The times that the next lists show. */
  const shown: Date[] = []
  const lag = () => now().getTime() - (shown.shift() ?? now()).getTime()
  const { hub, home, service, run } = await bundle.createWorld({
    repository: { branches: { main: head } },
    clock,
    platform: { readsUntilEnd: 0, ...platform },
    github: { lag, faults },
  })
  /** Runs a step, and returns its outputs. */
  const step = async (event: RawEvent, inputs: Inputs, id: string, attempt = 1, { sha } = head) => {
    const identity = { GITHUB_RUN_ID: id, GITHUB_RUN_ATTEMPT: `${attempt}`, GITHUB_SHA: sha }
    return (await run(event, inputs, identity)).outputs
  }
  return {
    hub,
    home,
    now,
    shown,
    step,
    jobs: service.jobs,
    push: async (id: string, inputs: Inputs = {}, attempt = 1, event = onPush) =>
      (await step(event, { prompt: 'Do', ...inputs }, id, attempt)).outcome,
    /** Runs mode settle after the deadlines of all runs, and returns the numbers of settled and pending jobs. */
    async settle() {
      clock.ahead += 90 * 60_000
      const { settled, pending } = await step(
        scheduled(repository),
        { mode: 'settle', command: '/docs' },
        '9',
      )
      return [Number(settled), Number(pending)]
    },
    /** Another workflow of the token's account adds the commit's last status in this state once more. */
    async repost(wanted: SandboxStatus['state']) {
      const old = hub.statuses.findLast(({ state }) => state === wanted)
      if (old === undefined) throw new Error(`No status is ${wanted}`)
      const { context, state, description, targetUrl } = old
      await fetch(`${hub.url}/repos/${repository}/statuses/${head.sha}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandboxGitHubToken}` },
        body: JSON.stringify({ context, state, description, target_url: targetUrl }),
      })
    },
  }
}

it.concurrent("a run that does not see an earlier run on its commit does not hide that run's job", async () => {
  /** The first run, while the list that the second run has asked for is on its way. */
  const first = async () => {
    const before = now()
    await push('1', detached)
    shown.push(before)
  }
  const { push, settle, now, shown, hub } = await world({}, [
    { on: 'repos/list-commit-statuses-for-ref', times: 1, kind: 'meanwhile', run: first },
  ])
  expect(await push('2')).toBe('pull-request')
  expect([await settle(), await settle()]).toEqual([
    [1, 0],
    [0, 0],
  ])
  expect(hub.statuses.at(-1)?.description).toContain('job_0001')
})

it.concurrent('a re-run that reads an old list sends nothing twice, and loses no result', async () => {
  const { step, settle, now, shown, jobs } = await world({ ends: ['failed', 'no-changes'] })
  const ask = async (attempt: number, inputs: Inputs) =>
    (await step(issueComment(), { command: '/docs', ...inputs }, '1', attempt)).outcome
  const settled: number[][] = []
  for (const attempt of [1, 2, 3]) {
    expect(await ask(attempt, detached)).toBe('detached')
    const before = now()
    settled.push(await settle())
    // The second attempt sees the job, and only then its result.
    if (attempt === 1) shown.push(before)
  }
  expect([await ask(4, {}), settled, jobs.size]).toEqual([
    'no-changes',
    [
      [1, 0],
      [0, 0],
      [1, 0],
    ],
    2,
  ])
})

it.concurrent('two runs after one upstream run make one job', async () => {
  const { push, jobs } = await world({}, [twoAtOnce()])
  const upstream = { id: 5, event: 'push', conclusion: 'success', head_sha: head.sha, head_branch: 'main' }
  const run = { ...upstream, head_repository: { id: 1 }, actor: { login: 'mona' } }
  const payload = { repository: { id: 1, full_name: repository }, workflow_run: run }
  const event = { name: 'workflow_run', actor: 'mona', payload }
  const outcomes = await Promise.all([push('1', {}, 1, event), push('2', {}, 1, event)])
  expect([outcomes, jobs.size]).toEqual([['pull-request', 'pull-request'], 1])
})

it.concurrent('an old status that another workflow adds again has no effect', async () => {
  const { push, repost, settle, hub, jobs } = await world({
    faults: [{ on: 'create', status: 400, times: 1 }],
  })
  expect([await push('1'), await push('1', {}, 2)]).toEqual(['error', 'pull-request'])
  await repost('failure')
  expect([await push('1', {}, 3), jobs.size]).toEqual(['pull-request', 1])
  await repost('pending')
  const before = hub.comments.length
  expect(await settle()).toEqual([0, 0])
  expect([hub.comments.length, hub.statuses.at(-1)?.state]).toEqual([before, 'success'])
})

it.concurrent('one 404 for a job does not end it', async () => {
  const { push, settle, jobs } = await world({
    readsUntilEnd: 1,
    faults: [{ on: 'read', status: 404, times: 1 }],
  })
  expect(await push('1', detached)).toBe('detached')
  expect(await settle()).toEqual([0, 1])
  expect(await settle()).toEqual([1, 0])
  expect(jobs.size).toBe(1)
})

it.concurrent('a daily run sends the changes of a failed job again, although a later job has ended well', async () => {
  const { step, home, jobs, now } = await world({ ends: ['failed', 'no-changes'], readsUntilEnd: 1 })
  let tip = begin
  for (const day of ['1', '2', '3']) {
    const [files, date] = [{ [`src/day-${day}.ts`]: `${day}\n` }, `${now().toISOString().slice(0, 19)}Z`]
    tip = commit({ message: `Day ${day}`, parents: [tip], files, date })
    home.setBranch('main', tip)
    const inputs = { prompt: 'Do', 'context-diff': 'since-last', ...(day === '1' && detached) }
    await step(scheduled(repository), inputs, day, 1, tip)
  }
  const files = [...jobs.values()].map(({ prompt }) =>
    [...prompt.matchAll(/^### (\S+)/gm)].map(([, file]) => file),
  )
  expect(files).toEqual([
    ['src/day-1.ts'],
    ['src/day-2.ts'],
    ['src/day-1.ts', 'src/day-2.ts', 'src/day-3.ts'],
  ])
})
