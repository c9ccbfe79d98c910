/** The repository is renamed between two runs: the second does what it would do without that. */
import { expect } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { issue, issueComment, pushed, scheduled } from '../../sandbox/payloads.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { agent, first, type Setting, second, type Texts, type worldsOf } from './world.ts'

export const [oldName, newName] = ['acme/docs', 'acme/handbook'] as const
const third = commit({ parents: [second], files: { 'src/install.ts': 'newer\n' } })
const topic = commit({ parents: [second], files: { 'src/topic.ts': 'new\n' }, message: 'Topic' })
export const merge = commit({ parents: [second, topic], message: 'Merge pull request #12' })
const docs = commit({ parents: [third], files: { 'docs/a.md': 'New\n' } })
/** The agent's pull request, which can exist before its job ends, and the code's. */
export const opened = { number: 101, user: agent, head: { branch: 'docs-agent/job_0001', commit: docs } }
export const code = { number: 12, head: { branch: 'topic', commit: topic } }
export const repository = { branches: { main: third, topic }, pulls: [code] }

/** What a new event says. A re-run can have the payload of the first run. */
const renamed = { repository: newName }
const detached = { wait: 'false' }
const label = { label: 'docs' }
const daily = { 'context-diff': 'since-last' }
export const settle = { mode: 'settle', command: '/docs', timeout: '20m' }
const rerun = { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'mona' }
export const next = { GITHUB_RUN_ID: '2' }
const onThird = { GITHUB_SHA: third.sha }

export const onCode = issueComment({ number: 12, isPullRequest: true })
const push = pushed({ before: first, after: second, repository: oldName })
const nextPush = pushed({ before: second, after: third, ...renamed })
export const schedule = scheduled(oldName)
const upstream = { id: 5, event: 'push', conclusion: 'success', head_sha: topic.sha, head_branch: 'topic' }
const workflow_run = { ...upstream, head_repository: { id: 1 }, actor: { login: 'mona' } }
const payload = { repository: { id: 1, full_name: oldName }, workflow_run }
const afterRun: RawEvent = { name: 'workflow_run', actor: 'mona', payload }

type Run = [event: RawEvent, inputs: Texts, env?: Texts]
export type Rename = [what: string, before: Run, after: Run, outcome: string, sent: number]

export const renames: readonly Rename[] = [
  ['a comment', [issueComment(), detached], [issueComment(renamed), {}, rerun], 'pull-request', 1],
  [
    'a second comment',
    [issueComment(), {}],
    [issueComment({ id: 1002, ...renamed }), {}, next],
    'pull-request',
    2,
  ],
  ['a push', [push, detached], [push, {}, rerun], 'pull-request', 1],
  ['a label', [issue(), { ...label, ...detached }], [issue(renamed), label, rerun], 'pull-request', 1],
  ['a daily run', [schedule, daily, onThird], [schedule, daily, { ...next, ...onThird }], 'skipped', 1],
  ['a push at the limit', [push, detached], [nextPush, { 'open-limit': '1' }, next], 'pull-request', 2],
  ['an upstream run', [afterRun, detached], [afterRun, {}, next], 'pull-request', 1],
  ['a settle', [push, detached], [schedule, settle, next], 'settled 1 0', 1],
  ['a hold', [onCode, { hold: 'merge' }], [schedule, settle, next], 'settled 0 0', 1],
]

type Told = { outputs: Record<string, string>; text: string }
type CreateWorld = ReturnType<typeof worldsOf<Told>>['createWorld']
type MovedClock = NonNullable<Setting['clock']> & { ahead: number }

/** Carries out a row: two runs, with a rename and the merge of the code between them. */
export async function expectSame(createWorld: CreateWorld, clock: MovedClock, row: Rename): Promise<void> {
  const [, [event, ...before], after, outcome, sent] = row
  clock.ahead = Date.UTC(2026, 10, 3) - Date.now()
  const platform = { readsUntilEnd: 0 }
  const events = [issueComment(), issueComment({ id: 1002 }), onCode]
  const world = await createWorld({ clock, platform, repository, events })
  const { hub, home, service } = world
  await world.run(event, ...before)
  clock.ahead += 20 * 60_000
  if (home.pull(101) === undefined) home.setPull(opened)
  home.setBranch('main', merge)
  home.setPull({ ...code, merged: { commit: merge } })
  hub.rename(oldName, newName)
  const [nextEvent, inputs, env] = after
  const { outputs, text } = await world.run(nextEvent, inputs, { ...env, GITHUB_REPOSITORY: newName })
  const { settled = '', pending = '' } = outputs
  expect(`${outputs.outcome} ${settled} ${pending}`.trim()).toBe(outcome)
  expect([service.jobs.size, world.prompts().length]).toEqual([1, sent])
  if (event === onCode)
    expect(hub.statuses.at(-1)).toMatchObject({ context: 'Docs agent / hold', state: 'success' })
  expect(text).not.toContain('key')
}
