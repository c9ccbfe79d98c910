/**
 * Whose changes start a job, and when code is merged. test/core/sources.test.ts and test/run/merge.test.ts have the
 * complete tables.
 */
import { expect, it } from 'vitest'
import { type Commit, commit } from '../../sandbox/github/commits.ts'
import type { GitHubFault } from '../../sandbox/github/server.ts'
import { issueComment, pullRequest, pushed, scheduled } from '../../sandbox/payloads.ts'
import { agent, createWorld, second } from './world.ts'

const repository = 'acme/docs'

/** The last of some new commits on a branch. */
const after = (parent: Commit, count: number, name: string): Commit =>
  Array.from({ length: count }).reduce<Commit>((tip, _, index) => {
    return commit({ parents: [tip], message: name, files: { [`${name}${index}.md`]: name } })
  }, parent)

/** The agent's pull request, whose commits were rebased onto a branch that then has this tip. */
function rebased(base: Commit, tip: Commit) {
  const head = { branch: 'docs', commit: after(second, 1, 'docs') }
  return { number: 101, user: agent, head, base: { commit: base }, merged: { commit: tip } }
}

const direct = after(second, 1, 'direct')
const unanswered: GitHubFault = { on: 'graphql/each', status: 502 }

it.concurrent.each<[push: string, outcome: string, base: Commit, tip: Commit, faults?: GitHubFault[]]>([
  ["25 commits of the agent's merge", 'skipped', second, after(second, 25, 'docs')],
  [
    "5 direct commits, then 20 of the agent's merge",
    'detached',
    after(second, 5, 'code'),
    after(after(second, 5, 'code'), 20, 'docs'),
  ],
  ["a direct commit, then the agent's merge", 'detached', direct, after(direct, 1, 'docs')],
  ["the agent's merge, if GitHub does not answer", 'error', second, after(second, 1, 'docs'), [unanswered]],
])('a push of %s: %s', async (_, outcome, base, tip, faults = []) => {
  const pulls = [rebased(base, tip)]
  const { run, prompts } = await createWorld({
    repository: { branches: { main: tip }, pulls },
    github: { faults },
  })
  const { outputs } = await run(pushed({ before: second, after: tip, repository }), { wait: 'false' })
  expect([outputs.outcome, prompts().length]).toEqual([outcome, outcome === 'detached' ? 1 : 0])
  for (const text of prompts()) expect(text).toContain('- #101: your own pull request')
})

const code = after(second, 1, 'code')
const inFeature = commit({ parents: [second, code], message: 'Merge #12' })
const squash = commit({ parents: [second], message: 'Merge #13', files: { 'code0.md': 'code' } })
const twelve = {
  number: 12,
  head: { branch: 'code', commit: code },
  base: { branch: 'feature', commit: second },
}
/** Pull request 12 is merged into the branch of pull request 13. */
const stacked = [
  { ...twelve, merged: { commit: inFeature } },
  { number: 13, head: { branch: 'feature', commit: inFeature }, base: { commit: second } },
]
const abandoned = stacked.map((pull) => ({ ...pull, state: 'closed' as const }))
const landed = stacked.map((pull) => ({ merged: { commit: squash }, ...pull }))

it.concurrent.each([
  ['is not on main', 'skipped', stacked, second],
  ['is on main with a squash of its parent', 'detached', landed, squash],
] as const)('the event of a merge whose code %s: %s', async (_, outcome, pulls, main) => {
  const branches = { main, feature: inFeature }
  const { run } = await createWorld({ repository: { branches, pulls } })
  const head = { branch: 'code', sha: code.sha }
  const event = { action: 'closed', head, base: 'feature', merged: inFeature, repository } as const
  const { outputs, text } = await run(pullRequest(event), { wait: 'false' })
  expect(outputs.outcome).toBe(outcome)
  if (outcome === 'skipped') expect(text).toContain('it was merged into feature, not yet into main')
})

it.concurrent('a hold follows its code through the branch that it was stacked on', async () => {
  const command = issueComment({ number: 12, isPullRequest: true })
  const world = await createWorld({
    repository: { branches: { main: second, feature: second }, pulls: [twelve] },
    events: [command],
    platform: { readsUntilEnd: 0 },
  })
  await world.run(command, { hold: 'merge' })
  const settled = async () => {
    const { text } = await world.settle(scheduled(repository))
    const holds = world.hub.statuses.filter(({ context }) => context === 'Docs agent / hold')
    return [holds.at(-1)?.state, /ends at #\d+/.exec(text)?.[0]]
  }
  const states: unknown[] = []
  for (const pulls of [stacked, abandoned, landed]) {
    for (const pull of pulls) world.home.setPull(pull)
    world.home.setBranch('main', pulls === landed ? squash : second)
    states.push(await settled())
  }
  expect(states).toEqual([
    ['pending', 'ends at #13'],
    ['failure', 'ends at #13'],
    ['success', undefined],
  ])
})
