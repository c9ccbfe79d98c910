/** Whose changes start a job, in the committed bundle. test/steps/whose-changes.test.ts has more. */
import { expect, it } from 'vitest'
import { type Commit, commit } from '../../sandbox/github/commits.ts'
import { pushed } from '../../sandbox/payloads.ts'
import { agent, second } from '../steps/world.ts'
import { bundle } from './run.ts'

const repository = 'acme/docs'
const code = commit({ parents: [second], message: 'code', files: { 'code.md': 'code' } })
const docs = commit({ parents: [second], message: 'docs', files: { 'docs.md': 'docs' } })

it.concurrent.each<[push: string, outcome: string, base: Commit, jobs: number]>([
  ["the agent's merge", 'skipped', second, 0],
  ["a direct commit, then the agent's merge", 'detached', code, 1],
])('a push of %s: %s', async (_, outcome, base, jobs) => {
  // The agent's commit was rebased onto the branch.
  const tip = commit({ parents: [base], message: 'docs', files: { 'docs.md': 'docs' } })
  const head = { branch: 'docs', commit: docs }
  const merged = { number: 101, user: agent, head, base: { commit: base }, merged: { commit: tip } }
  const { run, prompts } = await bundle.createWorld({
    repository: { branches: { main: tip }, pulls: [merged] },
  })
  const { outputs } = await run(pushed({ before: second, after: tip, repository }), { wait: 'false' })
  expect([outputs.outcome, prompts().length]).toEqual([outcome, jobs])
})
