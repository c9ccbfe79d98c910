/** A record that another account wrote: the step and settle leave it as it is, and send nothing for it. */
import { expect, it } from 'vitest'
import { repository } from '../../sandbox/demo.ts'
import { issue, issueComment, pushed, scheduled } from '../../sandbox/payloads.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { createWorld, first, second, type Texts } from './world.ts'

const rerun = { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'mona' }
const command = issueComment()
const labeled = issue()
const push = pushed({ before: first, after: second, repository })
const stopped =
  'This request was recorded by `acme-app[bot]`, and this token belongs to `github-actions[bot]`.'
it.concurrent.each<[what: string, says: string, event: RawEvent, later: RawEvent, more?: Texts]>([
  ['the re-run of a comment', stopped, command, command],
  ['the re-run of a label', stopped, labeled, labeled, { command: '', label: 'docs' }],
  ['the re-run of a push', stopped, push, push],
  ['a second command', 'so the step leaves it alone', command, issueComment({ id: 1002 })],
])('after a run with another account, %s says “%s”', async (_, says, event, later, more) => {
  const { run, settle, hub, service } = await createWorld()
  const env = { GITHUB_SHA: second.sha, GITHUB_RUN_ID: '7' }
  const inputs = { wait: 'false', 'context-diff': 'false', ...more }
  hub.become('acme-app[bot]')
  await run(event, inputs, env)
  hub.become('github-actions[bot]')
  const records = structuredClone([hub.comments, hub.statuses])
  const settled = await settle(scheduled(repository))
  const again = await run(later, inputs, { ...env, ...(event === later && rerun) })
  expect(settled.outputs).toMatchObject({ settled: '0', pending: '1' })
  expect(settled.text).toContain('recorded by `acme-app[bot]`')
  expect(again.outputs.outcome).toBe(says === stopped ? 'unconfirmed' : 'detached')
  expect(again.text).toContain(says)
  expect(service.jobs.size).toBe(says === stopped ? 1 : 2)
  // What the other account wrote is still there.
  expect([hub.comments, hub.statuses].map((now, at) => now.slice(0, records[at]?.length))).toEqual(records)
})
