/** Records that another account or key made: a step never follows them. test/record/format.test.ts has all others. */
import { expect, it } from 'vitest'
import type { SeedStatus } from '../../sandbox/github/statuses.ts'
import type { SeedComment } from '../../sandbox/github/threads.ts'
import { issueComment, pushed } from '../../sandbox/payloads.ts'
import { createWorld, first, second, type Texts } from './world.ts'

const platform = { keys: new Set(['mint_first_key', 'mint_second_key']) }
const inputs = { wait: 'false', 'context-diff': 'false', 'api-key': 'mint_first_key' }
const otherKey = { 'api-key': 'mint_second_key' }
const rerun = { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'mona' }
const thread = { number: 7, reviewRoot: null }
const commands = [1001, 1002].map((id) => ({ id, thread, body: '/docs fix it', user: 'mona' }))
const push = pushed({ before: first, after: second, repository: 'acme/docs' })
/** The event whose run makes the record, and the event of the step that finds it. */
const runs = {
  'a later command': [issueComment(), issueComment({ id: 1002 }), {}],
  'a re-run of a command': [issueComment(), issueComment(), rerun],
  'a re-run of a push': [push, push, rerun],
} as const

type Copy = Partial<SeedComment & SeedStatus>

it.each<
  [who: keyof typeof runs, does: 'follows' | 'starts' | 'stops', title: string, copy?: Copy, inputs?: Texts]
>([
  ['a later command', 'follows', "by the token's own account"],
  ['a later command', 'starts', 'by a stranger', { user: 'mallory' }],
  ['a later command', 'starts', 'for another key', {}, otherKey],
  ['a re-run of a command', 'follows', "by the token's own account"],
  ['a re-run of a command', 'stops', 'by another account', { user: 'mallory' }],
  ['a re-run of a command', 'stops', 'for another key', {}, otherKey],
  ['a re-run of a push', 'follows', "by the token's own account"],
  ['a re-run of a push', 'stops', 'by another account', { creator: 'mallory' }],
  ['a re-run of a push', 'stops', 'for another key', {}, otherKey],
])('%s %s if it finds a record %s', async (who, does, _, copy, changed) => {
  const [asks, finds, attempt] = runs[who]
  const source = await createWorld({ platform })
  await source.run(asks, inputs)
  const comments = source
    .written()
    .map((body) => ({ id: 901, thread, body, user: 'github-actions[bot]', ...copy }))
  const statuses = source.hub.statuses.slice(-1).map((status) => ({ ...status, ...copy }))
  const { run, service } = await createWorld({
    platform,
    github: { comments: [...comments, ...commands], statuses },
  })
  const { outputs } = await run(finds, { ...inputs, ...changed }, attempt)
  const isNew = service.requests[0]?.path.endsWith('/job')
  const known = outputs.jobId === 'job_0001' ? 'follows' : 'stops'
  expect(isNew ? 'starts' : known).toBe(does)
})
