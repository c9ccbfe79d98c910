import fc from 'fast-check'
import { it } from 'vitest'
import { runs } from '../core/samples.ts'
import { anyGitHubReply, anyReply } from './replies.ts'
import { runStep } from './run.ts'

it('no response from the platform makes a step crash, hang or send twice', { timeout: 180_000 }, async () => {
  await fc.assert(anyReply(runStep, '1m'), runs(30))
})

it('no response from GitHub makes a step crash, hang or trust strangers', { timeout: 180_000 }, async () => {
  await fc.assert(anyGitHubReply(runStep, '1m'), runs(10))
})
