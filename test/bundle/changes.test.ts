/** Whose changes start a job, in the committed bundle. test/core/sources.test.ts has the complete tables. */
import { expect, it } from 'vitest'
import { type Commit, commit } from '../../sandbox/github/commits.ts'
import type { GitHubFault } from '../../sandbox/github/server.ts'
import { pushed } from '../../sandbox/payloads.ts'
import { agent, second } from '../steps/world.ts'
import { bundle } from './run.ts'

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
const unanswered: GitHubFault = { on: 'graphql/pullsOf', status: 502 }

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
  const { run, prompts } = await bundle.createWorld({
    repository: { branches: { main: tip }, pulls },
    github: { faults },
  })
  const { outputs } = await run(pushed({ before: second, after: tip, repository }), { wait: 'false' })
  expect([outputs.outcome, prompts().length]).toEqual([outcome, outcome === 'detached' ? 1 : 0])
  for (const text of prompts()) expect(text).toContain('- #101: your own pull request')
})
