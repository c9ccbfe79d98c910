import { expect, it } from 'vitest'
import { runStep } from '../../sandbox/runner/step.ts'
import { createSteering, id, markOf } from '../steps/marks-world.ts'

const { byComment, byStatus } = createSteering(runStep)

// All marks are in test/steps/marks.test.ts; these prove that the bundle is wired the same.
it.each([
  ['its own comment directs a later command', () => byComment(markOf(id)), true],
  ["a stranger's comment directs none", () => byComment(markOf(id), 'mallory'), false],
  ['a status of this step and run directs a re-run', () => byStatus(), true],
  ["a stranger's status directs none", () => byStatus({ creator: 'mallory' }), false],
])('a mark in %s', async (_, steer, isSteered) => {
  expect(await steer()).toMatchObject(isSteered ? { isSteered } : { isSteered, jobs: 1, outcome: 'detached' })
})
