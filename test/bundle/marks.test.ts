import { expect, it } from 'vitest'
import { runStep } from '../../sandbox/runner/step.ts'
import { createSteering, id, markOf } from '../steps/marks-world.ts'

const { byComment, byStatus } = createSteering(runStep)

// test/steps/marks.test.ts covers every mark; these check that the bundle is wired the same way.
it.concurrent.each([
  ["a stranger's comment directs no command", () => byComment(markOf(id), 'mallory'), false],
  ['a status of this step and run directs a re-run', () => byStatus(), true],
])('a mark in %s', async (_, steer, isSteered) => {
  expect(await steer()).toMatchObject(isSteered ? { isSteered } : { isSteered, jobs: 1, outcome: 'detached' })
})
