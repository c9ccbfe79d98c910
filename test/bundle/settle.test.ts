/** A sample; test/steps/settle.test.ts covers every case. */
import { expect, it } from 'vitest'
import { demoPullRequest, repository } from '../../sandbox/demo.ts'
import { issueComment, scheduled } from '../../sandbox/payloads.ts'
import { runStep } from '../../sandbox/runner/step.ts'
import { createDetached } from '../steps/settle-world.ts'

it('the result of a detached job is reported once, in its comment, after the job ends', async () => {
  const { ask, settle, written } = await createDetached(runStep)
  await ask(issueComment(), { command: '/docs', wait: 'false' })
  expect((await settle(scheduled(repository))).outputs).toMatchObject({ settled: '0', pending: '1' })
  const { outputs, exitCode, summary } = await settle(demoPullRequest())
  expect(outputs).toMatchObject({ outcome: 'settled', settled: '1', pending: '0', jobId: '' })
  expect([exitCode, summary]).toEqual([0, expect.stringContaining('1 result reported')])
  expect(written().map(({ body }) => body)).toEqual([expect.stringContaining('pull request is ready')])
  expect((await settle(demoPullRequest())).outputs).toMatchObject({ settled: '0', pending: '0' })
})
