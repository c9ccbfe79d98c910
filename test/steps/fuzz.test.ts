import fc from 'fast-check'
import { it } from 'vitest'
import { runs } from '../core/samples.ts'
import { anyGitHubReply, anyReply } from './replies.ts'
import { runStep } from './run.ts'

it('a step never crashes, hangs or sends twice, whatever the platform responds', {
  timeout: 180_000,
}, async () => {
  await fc.assert(anyReply(runStep, '1m'), runs(30))
})

it('a step never crashes, hangs or trusts strangers, whatever GitHub responds', {
  timeout: 180_000,
}, async () => {
  await fc.assert(anyGitHubReply(runStep, '1m'), runs(10))
})
