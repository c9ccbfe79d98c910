/**
 * The repository is renamed between two runs, and another repository takes its name: the second run does what it would do
 * without that, and asks the other repository nothing. test/bundle/rename.test.ts has renames alone.
 */
import { expect, it } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import { issue, issueComment, pushed, scheduled } from '../../sandbox/payloads.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { createWorld, first, second, type Texts } from './world.ts'

const [oldName, newName] = ['acme/docs', 'acme/handbook']
const topic = commit({ parents: [second], files: { 'src/topic.ts': 'new\n' } })
const merge = commit({ parents: [second, topic], message: 'Merge pull request #12' })
const code = { number: 12, head: { branch: 'topic', commit: topic } }
const repository = { branches: { main: second, topic }, pulls: [code] }
const merged = { branches: { main: merge, v1: merge }, pulls: [{ ...code, merged: { commit: merge } }] }
const releases = [{ tag: 'v1', publishedAt: '2026-11-02T11:00:00Z' }]
const onCode = issueComment({ number: 12, isPullRequest: true })

/** A world whose first run is over, and whose repository has another name. Its old name is another repository's. */
async function renamedAfter(event: RawEvent, inputs: Texts) {
  const world = await createWorld({ repository, events: [issueComment(), onCode] })
  await world.run(event, inputs)
  world.hub.rename(oldName, newName)
  world.hub.create(new Repository({ ...repository, name: oldName, id: 7 }))
  const from = world.hub.requests.length
  // Mintlify's link has the old name.
  const isAboutLink = (path: string) => path.endsWith('/pulls/101')
  const asked = () =>
    world.hub.requests.slice(from).filter(({ path }) => path.includes(`/${oldName}/`) && !isAboutLink(path))
  return { ...world, asked }
}

it.each<[what: string, event: RawEvent, inputs: Texts]>([
  ['comment', issueComment(), {}],
  ['label', issue(), { label: 'docs' }],
  ['push', pushed({ before: first, after: second, repository: oldName }), {}],
])('a re-run of a %s waits for the job', async (_, event, inputs) => {
  const { run, service, asked } = await renamedAfter(event, { ...inputs, wait: 'false' })
  // A re-run has the payload of the first run, and so the old name.
  const env = { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'mona', GITHUB_REPOSITORY: newName }
  const { outputs } = await run(event, inputs, env)
  expect([outputs.outcome, service.jobs.size, asked()]).toEqual(['pull-request', 1, []])
})

it.each(['merge', 'release'])('settle lifts a hold that waits for a %s', async (hold) => {
  const { run, home, hub, asked } = await renamedAfter(onCode, { hold })
  for (const [branch, tip] of Object.entries(merged.branches)) home.setBranch(branch, tip)
  for (const pull of merged.pulls) home.setPull(pull)
  home.releases.push(...releases)
  await run(scheduled(newName), { mode: 'settle' }, { GITHUB_REPOSITORY: newName })
  expect(hub.statuses.at(-1)).toMatchObject({ context: 'Docs agent / hold', state: 'success' })
  expect(asked()).toEqual([])
})
