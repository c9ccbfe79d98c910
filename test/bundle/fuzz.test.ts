/** Whatever the platform and GitHub answer, the bundle ends in time, and commands nothing (test/steps/fuzz.test.ts has more). */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runStep } from '../../sandbox/runner/step.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import { anyAnswerOfGitHub, anyReply } from '../steps/replies.ts'

async function runQuietly(options: StepOptions) {
  const run = await runStep(options)
  expect([run.rejectedCommands, run.rawStderr]).toEqual([[], ''])
  return run
}

it.each([1, 2])('no reply makes it crash, hang, or command the runner (part %i)', async () => {
  await fc.assert(anyReply(runQuietly, '1s'), { numRuns: 6 })
})

it.each([1, 2, 3])('no answer of GitHub does so either (part %i)', async () => {
  await fc.assert(anyAnswerOfGitHub(runQuietly, '2s'), { numRuns: 2 })
})
