/**
 * Whatever the platform and GitHub reply, the bundle ends in time and prints no workflow command from it.
 * test/steps/fuzz.test.ts has more runs.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runStep } from '../../sandbox/runner/step.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import { runs } from '../core/samples.ts'
import { anyGitHubReply, anyReply } from '../steps/replies.ts'

async function runQuietly(options: StepOptions) {
  const run = await runStep(options)
  expect([run.rejectedCommands, run.rawStderr]).toEqual([[], ''])
  return run
}

it.concurrent('no reply from the platform makes the bundle crash, hang or run a workflow command', async () => {
  await fc.assert(anyReply(runQuietly, '1s'), runs(1))
})

it.concurrent('no reply from GitHub makes the bundle crash, hang or run a workflow command', async () => {
  await fc.assert(anyGitHubReply(runQuietly, '2s'), runs(1))
})
