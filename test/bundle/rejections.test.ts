/** What the bundle does if GitHub or Mintlify rejects requests. test/steps/reasons.test.ts has all of GitHub's reasons. */
import { expect, it } from 'vitest'
import type { GitHubFault } from '../../sandbox/github/server.ts'
import { issueComment } from '../../sandbox/payloads.ts'
import { webPage } from '../steps/world.ts'
import { bundle } from './run.ts'

const command = issueComment()

it.concurrent.each<[why: string, remedy: string, fault: GitHubFault]>([
  [
    'a missing permission',
    'Give the workflow `contents: read`, `issues: write`',
    { on: 'issues/create-comment', status: 403 },
  ],
  ['a rejection with unknown words', '', { status: 403, message: 'No' }],
])('%s is one annotation, with the remedy “%s”', async (_, remedy, fault) => {
  const { run } = await bundle.createWorld({ github: { faults: [fault] } })
  const { annotations, outputs } = await run(command)
  expect(outputs.outcome).toBe('error')
  const problems = annotations.filter(({ kind }) => kind !== 'notice')
  expect(problems).toHaveLength(1)
  expect(problems[0]?.text.replaceAll('\n', ' ')).toContain(remedy)
  if (remedy === '') expect(problems[0]?.text).not.toContain('Give the workflow')
})

it.concurrent('a web page from Mintlify is named on a thread, and only the log has its title', async () => {
  const faults = [{ on: 'create', kind: 'raw', status: 503, body: webPage } as const]
  const { run, written } = await bundle.createWorld({ platform: { faults } })
  const { log, summary, outputs, text } = await run(command)
  const shown = [...written(), summary, ...Object.values(outputs)].join('\n')
  expect(shown).toContain('a web page instead of JSON')
  expect(shown).not.toMatch(/Maintenance|Source/)
  expect(text).not.toContain('Source')
  const kinds = log.filter((line) => line.text.includes('Maintenance')).map((line) => line.kind)
  expect([...new Set(kinds)]).toEqual(['text'])
})
