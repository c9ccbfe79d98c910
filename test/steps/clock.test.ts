/** A machine whose date differs from GitHub's. */
import { expect, it } from 'vitest'
import { repositoryId } from '../../sandbox/github/repository.ts'
import { issueComment, scheduled } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { signWith } from '../../src/adapters/sign.ts'
import { minuteMs } from '../../src/core/units.ts'
import { readComment } from '../../src/record/format.ts'
import { rowsOf } from '../core/samples.ts'
import { runStep } from './run.ts'
import { second, worldsOf } from './world.ts'

const noon = Date.UTC(2026, 10, 2, 12)
const repository = 'acme/docs'
const leave = { wait: 'false', 'context-diff': 'false' }

/** A world on a machine that is some minutes ahead of GitHub. It is noon on GitHub. */
async function worldAhead(minutes: number) {
  const time = { passed: 0 }
  const { createWorld } = worldsOf((step) =>
    runStep({ ...step, date: noon + (time.passed + minutes) * minuteMs }),
  )
  const now = () => new Date(noon + time.passed * minuteMs)
  return { time, ...(await createWorld({ github: { now }, platform: { readsUntilEnd: 0 } })) }
}

it.each(
  rowsOf(`
    90 min ahead     | 90
    3.5 min ahead    | 3.5
    on time          | 0
    3.5 min behind   | -3.5
    90 min behind    | -90
  `),
)("a record has GitHub's time, even if the machine's clock is %s", async (_, minutes) => {
  const { run, written } = await worldAhead(Number(minutes))
  await run(issueComment(), leave)
  const thread = {
    repository,
    repositoryId: String(repositoryId(repository)),
    number: 7,
    isPullRequest: false,
    reviewRoot: null,
  }
  const whose = { author: 'docs-bot', viewer: 'docs-bot' }
  const comment = { id: 1, nodeId: '', createdAt: noon, thread, body: written()[0] ?? '', ...whose }
  const since = readComment(comment, signWith(sandboxKey))?.entry.since ?? 0
  // Time passes while the step runs.
  expect(Math.abs(since - noon)).toBeLessThan(minuteMs)
})

it.each(
  rowsOf(`
    20 min ahead     | 20
    on time          | 0
    20 min behind    | -20
  `),
)(
  "settle reports a job once it is old enough by GitHub's time, even if the machine's clock is %s",
  async (_, minutes) => {
    const { run, settle, time } = await worldAhead(Number(minutes))
    await run(scheduled(repository), leave, { GITHUB_SHA: second.sha })
    const counts = []
    for (time.passed of [9, 11]) {
      const { outputs } = await settle(scheduled(repository))
      counts.push([outputs.settled, outputs.pending])
    }
    expect(counts).toEqual([
      ['0', '1'],
      ['1', '0'],
    ])
  },
)
