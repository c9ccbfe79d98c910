/** What the bundle does if GitHub or Mintlify rejects requests. test/steps/reasons.test.ts has all of GitHub's reasons. */
import { expect, it } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import type { GitHubFault } from '../../sandbox/github/server.ts'
import { issueComment } from '../../sandbox/payloads.ts'
import type { Setting, Texts } from '../steps/world.ts'
import { bundle } from './run.ts'

const command = issueComment()
const all = { status: 403, message: 'No' } as const
const page = (status: number) => {
  const body = `<html><title>${'Maintenance '.repeat(20)}</title><body>Source</body></html>`
  return { kind: 'raw', status, body } as const
}

it.concurrent.each<[why: string, outcome: string, remedy: string, fault: GitHubFault, inputs?: Texts]>([
  [
    'a missing permission',
    'error',
    'Give the workflow `contents: read`, `issues: write`',
    { on: 'issues/create-comment', status: 403 },
  ],
  [
    'a lock',
    'error',
    'Unlock the conversation',
    {
      on: 'issues/create-comment',
      status: 403,
      message: 'Unable to create comment because issue is locked.',
    },
  ],
  [
    'an archive',
    'error',
    'Unarchive the repository',
    { status: 403, message: 'Repository was archived so is read-only.' },
  ],
  [
    'a deleted issue',
    'error',
    'Use another issue',
    { on: 'issues/create-comment', status: 410, message: 'This issue was deleted' },
  ],
  [
    'a stranger',
    'pull-request',
    'name only people and teams with access',
    { on: 'issues/create-comment', times: 0, status: 403 },
    { reviewers: 'nobody' },
  ],
  ['a rejection with unknown words', 'error', '', all],
])(
  '%s is one annotation, with the outcome %s and the remedy “%s”',
  async (_, outcome, remedy, fault, inputs) => {
    const { run } = await bundle.createWorld({ github: { faults: [fault] } })
    const { annotations, outputs } = await run(command, { ...inputs })
    expect(outputs.outcome).toBe(outcome)
    const problems = annotations.filter(({ kind }) => kind !== 'notice')
    expect(problems).toHaveLength(1)
    expect(problems[0]?.text.replaceAll('\n', ' ')).toContain(remedy)
    if (remedy === '') expect(problems[0]?.text).not.toContain('Give the workflow')
  },
)

it.concurrent.each<[service: string, setting: Setting]>([
  ['GitHub (403)', { github: { faults: [{ on: 'markdown/render', ...page(403) }] } }],
  ['GitHub (200)', { github: { faults: [{ on: 'markdown/render', times: 4, ...page(200) }] } }],
  ['Mintlify (403)', { platform: { faults: [{ on: 'create', ...page(403) }] } }],
  ['Mintlify (503)', { platform: { faults: [{ on: 'create', ...page(503) }] } }],
])('a web page from %s is named on a thread, and only the log has its title', async (_, setting) => {
  const { run, written } = await bundle.createWorld(setting)
  const { log, summary, outputs, text } = await run(command)
  const shown = [...written(), summary, ...Object.values(outputs)].join('\n')
  expect(shown).toContain('a web page instead of JSON')
  expect(shown).not.toMatch(/Maintenance|Source/)
  expect(text).not.toContain('Source')
  const kinds = log.filter((line) => line.text.includes('Maintenance')).map((line) => line.kind)
  expect([...new Set(kinds)]).toEqual(['text'])
})

it.concurrent('a command on a pull request without a diff starts a job with the names of its files', async () => {
  const orphan = commit({ files: { 'src/orphan.ts': 'new\n' } })
  const faults = [{ on: 'pulls/list-files', status: 422 }] as const
  const pulls = [{ number: 7, head: { branch: 'orphan', commit: orphan } }]
  const onPull = issueComment({ isPullRequest: true })
  const { run, prompts } = await bundle.createWorld({
    repository: { pulls },
    github: { faults },
    events: [onPull],
  })
  const { outputs } = await run(onPull)
  expect(outputs.outcome).toBe('pull-request')
  expect(prompts()).toEqual([expect.stringContaining('- src/orphan.ts (GitHub sent no diff of it)')])
})

it.concurrent('a step waits for a limit that resets soon, and names the time of a later one', async () => {
  const limit = (seconds: number) => {
    const message = 'API rate limit exceeded for installation.'
    const reset = `${Math.round(Date.now() / 1000) + seconds}`
    return { status: 403, message, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } }
  }
  const world = async (fault: GitHubFault) => {
    const { run } = await bundle.createWorld({ github: { faults: [{ on: 'markdown/render', ...fault }] } })
    return run(command)
  }
  const soon = await world({ times: 1, ...limit(4) })
  expect(soon.outputs.outcome).toBe('pull-request')
  expect(soon.text).toMatch(/rate limit for this token is reached. Waiting \d s/)
  const late = await world(limit(2_990))
  expect(late.outputs.outcome).toBe('error')
  expect(late.annotations[0]?.text).toContain('Wait 50 minutes, then re-run the workflow.')
})
