import fc from 'fast-check'
import { it } from 'vitest'
import { anyAnswerOfGitHub, anyReply } from './replies.ts'
import { runStep } from './run.ts'

it('no reply of the platform makes a step crash, hang, or send twice', { timeout: 180_000 }, async () => {
  await fc.assert(anyReply(runStep, '1m'))
})

it('no answer of GitHub does so either, or lets anyone in', { timeout: 180_000 }, async () => {
  await fc.assert(anyAnswerOfGitHub(runStep, '1m'), { numRuns: 40 })
})
