/** Records of requests in the committed bundle: a kill, re-runs, and two runs at once. test/steps/accounts.test.ts has other accounts. */
import { expect, it } from 'vitest'
import { repository } from '../../sandbox/demo.ts'
import type { GitHubFault } from '../../sandbox/github/server.ts'
import { issueComment } from '../../sandbox/payloads.ts'
import { FastClock } from '../../sandbox/runner/fast-clock.ts'
import { second } from '../steps/world.ts'
import { bundle, stoppable } from './run.ts'

const rerun = { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'mona' }
const command = issueComment()

// The explorer covers all orders of calls; these samples use real processes, signals and state files.
it.concurrent('a killed run leaves at most one job, and no reply that says it is still working', async () => {
  const { createWorld, stop } = stoppable('kill')
  // Kills the step once the platform has created the job.
  const kill = { on: 'create', times: 1, kind: 'meanwhile', run: stop } as const
  const { run, prompts, written } = await createWorld({
    clock: new FastClock(),
    platform: { faults: [kill] },
  })
  const outcomes = [
    await run(command),
    await run(command, {}, rerun),
    await run(issueComment({ id: 1002, body: '/docs fix the upgrade page' })),
  ].map(({ outputs }) => outputs.outcome ?? 'killed')
  expect(outcomes).toEqual(['killed', 'unconfirmed', 'pull-request'])
  expect(prompts().filter((prompt) => prompt.includes('fix the install page'))).toHaveLength(1)
  expect(written().filter((body) => body.startsWith('⏳'))).toEqual([])
})

it.concurrent('a re-run with another account sends nothing, and leaves the record as it is', async () => {
  const { run, hub, service } = await bundle.createWorld({ clock: new FastClock() })
  const inputs = { wait: 'false', 'context-diff': 'false' }
  hub.become('acme-app[bot]')
  await run(command, inputs)
  hub.become('github-actions[bot]')
  const record = structuredClone(hub.comments)
  const { outputs, text } = await run(command, inputs, rerun)
  expect([outputs.outcome, service.jobs.size]).toEqual(['unconfirmed', 1])
  expect(text).toContain('recorded by `acme-app[bot]`, and this token belongs to `github-actions[bot]`')
  expect(hub.comments.slice(0, record.length)).toEqual(record)
})

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

it.concurrent('two runs after one upstream run make one job', async () => {
  const { run, service } = await bundle.createWorld({
    clock: new FastClock(),
    platform: { readsUntilEnd: 0 },
    github: { faults: [twoAtOnce()] },
  })
  const { sha } = second
  const upstream = { id: 5, event: 'push', conclusion: 'success', head_sha: sha, head_branch: 'main' }
  const workflow_run = { ...upstream, head_repository: { id: 1 }, actor: { login: 'mona' } }
  const payload = { repository: { id: 1, full_name: repository }, workflow_run }
  const event = { name: 'workflow_run', actor: 'mona', payload }
  const runs = ['1', '2'].map((id) => run(event, {}, { GITHUB_RUN_ID: id, GITHUB_SHA: sha }))
  const outcomes = (await Promise.all(runs)).map(({ outputs }) => outputs.outcome)
  expect([outcomes, service.jobs.size]).toEqual([['pull-request', 'pull-request'], 1])
})
