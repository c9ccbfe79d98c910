/**
 * The first week of a team, as a script. Its snapshot has every request that Mintlify got and every word that a person saw:
 * read it as an editor would.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dispatched, issue, issueComment, releasePublished, scheduled } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { createWeek, firstKey, repository } from './first-week-world.ts'

// Reports end before today.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 9, 6, 17) }))
afterEach(() => vi.useRealTimers())

const manual = (inputs: Record<string, unknown>): WorkflowEvent => {
  const event = dispatched({ repository })
  return { ...event, payload: { ...(event.payload as object), inputs } }
}
const trial = (isDry: boolean) => manual({ prompt: 'Fix the typos on the install page.', 'dry-run': isDry })
const comment = (id: number, body: string) => issueComment({ repository, id, body })

// The runners that the workflows name have bash, jq and curl; Windows finds another bash first.
it.skipIf(process.platform === 'win32')('the first week has no false word', async () => {
  const { on, vars, secrets, expireFirstKey, told } = await createWeek()

  await on('Install: nothing is stored yet', 'try.yml', trial(true))
  vars.DOCS_PROJECT_ID = 'sandbox-docs'
  secrets.DOCS_AGENT_API_KEY = firstKey
  await on('Dry run', 'try.yml', trial(true))
  await on('A comment on an issue', 'comment.yml', comment(1001, '/docs! fix the install page'))
  await on('A question', 'comment.yml', comment(1002, '/docs help'))
  await on('A label', 'label.yml', issue({ repository, number: 8, label: 'docs' }))
  expireFirstKey()
  await on('The key is rejected', 'comment.yml', comment(1003, '/docs add a note on Node 24'))
  await on('The trial says why', 'try.yml', trial(true))
  secrets.DOCS_AGENT_API_KEY = sandboxKey
  await on('The key is replaced, and checked', 'try.yml', trial(true))
  await on('A release', 'release.yml', releasePublished({ repository, body: 'The command is now global.' }))
  await on('The schedule settles what is open', 'no-waiting.yml', scheduled(repository))
  vars.DOCS_REPORT_ISSUE = '9'
  await on('The report in an issue', 'visitors.yml', scheduled(repository))
  await on('The line in Slack', 'slack.yml', scheduled(repository))

  await expect(told()).toMatchFileSnapshot('__snapshots__/first-week.md')
})
