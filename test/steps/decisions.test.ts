/** Accounts, runs without secrets, and commands. test/request/gate.test.ts and test/core/trigger have the whole tables. */
import { expect, it } from 'vitest'
import { issueComment, pullRequest, pushed } from '../../sandbox/payloads.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { createWorld, first, second, type Texts } from './world.ts'

/** A command in an issue of its own, because a second one in an issue is a follow-up. */
const asked = (number: number, body = '/docs fix it', author = 'mona') =>
  issueComment({ id: 1000 + number, number, body, author })
const push = (pusher: string) => pushed({ pusher, before: first, after: second, repository: 'acme/docs' })
const noKey = { 'api-key': '' }
const rerun = { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'renovate[bot]' }

it.each<[name: string, event: RawEvent, inputs: Texts, says: string, env?: Texts]>([
  ['Copilot is listed', asked(1, undefined, 'Copilot'), { allowed: 'write, Copilot' }, 'Created job'],
  [
    'an entry lacks [bot]',
    asked(3, undefined, 'renovate[bot]'),
    { allowed: 'write, renovate' },
    'add `renovate[bot]` to `allowed`',
  ],
  ['a person is listed', asked(4, undefined, 'rita'), { allowed: 'write, rita' }, 'Only bots can be listed'],
  ['a bot re-runs', asked(6), {}, 'add `renovate[bot]` to `allowed`', rerun],

  ['Dependabot pushes', push('dependabot[bot]'), noKey, "Dependabot's runs only the Dependabot secrets"],
  ['Dependabot pushes, with a key', push('dependabot[bot]'), {}, 'Created job'],
  ["a fork's pull request", pullRequest({ head: { repository: 'eve/app' } }), noKey, 'withholds secrets'],
  ['a person pushes without a key', push('mona'), noKey, '`api-key` got nothing'],

  ['a wide colon', asked(11, '/docs：修正'), {}, 'Created job'],
  ['a hidden character before it', asked(13, '\u200b/docs fix it'), {}, 'Created job'],
  ['a hidden character after it', asked(14, '/docs\u200bhelp！'), {}, 'has no prompt after'],
  ['a longer word', asked(15, '/docs;fix it'), {}, 'does not start with /docs'],

  ['a thin payload', { ...push('mona'), payload: { ref: 'refs/heads/main' } }, {}, 'has no `repository`'],
])('the log has the decision about this case: %s', async (_, event, inputs, says, env) => {
  const { run } = await createWorld({ events: [event] })
  const { text } = await run(event, { wait: 'false', 'context-diff': 'false', ...inputs }, env)
  expect(text).toContain(says)
})
