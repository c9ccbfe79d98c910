/** What a step prints if GitHub rejects a request: one annotation for one cause, and a remedy that follows from GitHub's words. */
import { expect, it } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { issueComment, pullRequest, pushed } from '../../sandbox/payloads.ts'
import { reasons } from '../../src/say/rejections.ts'
import { createWorld, first, type Setting, second, webPage } from './world.ts'

const command = issueComment()
const push = pushed({ before: first, after: second, repository: 'acme/docs' })

/** The calls that GitHub rejects for a reason. */
function callsFor(words: string, remedy: string) {
  if (remedy.includes('`reviewers`')) return ['pulls/request-reviewers'] as const
  if (words.includes('statuses')) return ['repos/create-commit-status'] as const
  return ['reactions/create-for-issue-comment', 'issues/create-comment'] as const
}

const all = reasons.flatMap(([words, remedy, ...statuses]) =>
  statuses.map((status) => [words, status, remedy] as const),
)

it.each<readonly [words: string, status: number, remedy: string]>([
  ...all,
  ['Resource not accessible by integration', 403, 'Give the workflow `contents: read`,'],
  ['You have exceeded a secondary rate limit', 403, 'for this token is reached. Wait 1 minute'],
])('the reason “%s” (%i) is one annotation, with the remedy “%s”', async (words, status, remedy) => {
  const calls = callsFor(words, remedy)
  const faults = calls.map((on) => ({ on, status, message: words }))
  const { run } = await createWorld({ github: { faults } })
  const event = words.includes('statuses') ? push : command
  const { log, outputs } = await run(event, { 'fail-on': 'none', reviewers: 'requester, mary' })
  expect(outputs.outcome).toBe(calls[0] === 'pulls/request-reviewers' ? 'pull-request' : 'error')
  const annotations = log.flatMap((entry) => (/warning|error/.test(entry.level) ? [entry.text] : []))
  expect(annotations).toEqual([expect.stringContaining(words)])
  expect(annotations.join().replaceAll('\n', ' ')).toContain(remedy)
  if (outputs.outcome === 'error') expect(annotations[0]).toMatch(/\n\S+\/TROUBLESHOOTING\.md#[a-z-]+$/)
})

it.each([
  ['words that are unknown', { status: 403, message: 'No pineapple' }],
  [
    'a header that also comes with successes',
    { status: 403, message: 'No', headers: { 'x-accepted-github-permissions': 'issues=write' } },
  ],
])('a rejection with %s gets no remedy about permissions', async (_, fault) => {
  const { run } = await createWorld({ github: { faults: [{ on: 'issues/create-comment', ...fault }] } })
  const { text } = await run(command)
  expect(text).toContain(fault.message)
  expect(text).not.toContain('Give the workflow')
})

it("a limit is one annotation, although GitHub adds each request's ID to its words", async () => {
  const faults = callsFor('', '').map((on, id) => {
    return { on, status: 403, message: `You have exceeded a secondary rate limit. Request ID ${id}.` }
  })
  const { run } = await createWorld({ github: { faults } })
  const { log } = await run(command, { timeout: '1m' })
  expect(log.filter(({ level }) => /warning|error/.test(level))).toHaveLength(1)
})

it.each([
  ['a limit', { status: 403, message: 'API rate limit exceeded' }],
  ['an archive', { status: 403, message: 'Repository was archived so is read-only.' }],
])(
  'files that could not be read have no remedy about tokens, but a reason in the log: %s',
  async (_, fault) => {
    const { run } = await createWorld({ github: { faults: [{ on: 'pulls/get', ...fault }] } })
    const { log, text, outputs } = await run(push, { 'allowed-paths': 'docs/**', timeout: '1m' })
    expect(outputs.outcome).toBe('out-of-bounds')
    expect(text).toContain(fault.message)
    const [problem] = log.flatMap((entry) => (/warning|error/.test(entry.level) ? [entry.text] : []))
    expect(problem).toContain('The log says why')
  },
)

it('a hold that cannot be recorded is a warning, because the agent’s pull request does not wait', async () => {
  const { run, hub, home } = await createWorld({
    github: { permissions: { 'pull-requests': 'read', issues: 'read' } },
  })
  home.setPull({ number: 12, head: { branch: 'topic', commit: second }, base: { commit: first } })
  const event = pullRequest({
    number: 12,
    repository: 'acme/docs',
    head: { branch: 'topic', sha: second.sha },
  })
  const { outputs, warnings } = await run(event, { hold: 'merge' })
  expect(outputs.outcome).toBe('pull-request')
  expect(hub.statuses.filter(({ context }) => context === 'Docs agent / hold')).toEqual([])
  expect(warnings).toEqual([
    expect.stringContaining('Could not hold acme/docs#101 (403: Resource not accessible'),
  ])
})

it('the remedy for a command on a pull request names the permissions of a command, and no others', async () => {
  const { run, home } = await createWorld({ github: { permissions: { 'pull-requests': 'none' } } })
  home.setPull({ number: 12, head: { branch: 'topic', commit: second }, base: { commit: first } })
  const { text } = await run(issueComment({ number: 12, isPullRequest: true }))
  expect(text).toContain('Give the workflow `contents: read`, `issues: write` and `pull-requests: write`.')
})

it('a rejected request for a review is one warning, and the result is still the pull request', async () => {
  const { run } = await createWorld()
  const { outputs, warnings } = await run(command, { reviewers: 'nobody' })
  expect(outputs.outcome).toBe('pull-request')
  expect(warnings).toEqual([expect.stringContaining('name only people and teams with access')])
})

it('an archived repository gets one annotation, although all writes fail', async () => {
  const faults = [{ status: 403, message: 'Repository was archived so is read-only.' }]
  const { run } = await createWorld({ github: { faults } })
  const { outputs, log } = await run(command)
  expect(outputs.outcome).toBe('error')
  expect(log.flatMap((entry) => (/warning|error/.test(entry.level) ? [entry.text] : []))).toEqual([
    expect.stringContaining('Unarchive the repository'),
  ])
})

const page = (status: number) => ({ kind: 'raw', status, body: webPage }) as const

it.each<[service: string, setting: Setting]>([
  ['GitHub (403)', { github: { faults: [{ on: 'markdown/render', ...page(403) }] } }],
  ['GitHub (200)', { github: { faults: [{ on: 'markdown/render', times: 4, ...page(200) }] } }],
  ['Mintlify (403)', { platform: { faults: [{ on: 'create', ...page(403) }] } }],
  ['Mintlify (503)', { platform: { faults: [{ on: 'create', ...page(503) }] } }],
])('a web page from %s is named on a thread, and only the log has its title', async (_, setting) => {
  const { run, written } = await createWorld(setting)
  const { log, summary, outputs, text } = await run(command)
  const shown = [...written(), summary, ...Object.values(outputs)].join('\n')
  expect(shown).toContain('a web page instead of JSON')
  expect(shown).not.toMatch(/Maintenance|Source/)
  expect(text).not.toContain('Source')
  const levels = log.filter((line) => line.text.includes('Maintenance')).map(({ level }) => level)
  expect([...new Set(levels)]).toEqual(['info'])
})

it('a command on a pull request without a diff starts a job with the names of its files', async () => {
  const orphan = commit({ files: { 'src/orphan.ts': 'new\n' } })
  const faults = [{ on: 'pulls/list-files', status: 422 }] as const
  const pulls = [{ number: 7, head: { branch: 'orphan', commit: orphan } }]
  const onPull = issueComment({ isPullRequest: true })
  const { run, prompts } = await createWorld({
    repository: { pulls },
    github: { faults },
    events: [onPull],
  })
  const { outputs } = await run(onPull)
  expect(outputs.outcome).toBe('pull-request')
  expect(prompts()).toEqual([expect.stringContaining('- src/orphan.ts (GitHub sent no diff of it)')])
})

it('a step waits for a limit that resets soon, and names the time of a later one', async () => {
  const run = async (seconds: number) => {
    const message = 'API rate limit exceeded for installation.'
    const reset = `${Math.round(Date.now() / 1000) + seconds}`
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
    const fault = { on: 'markdown/render', times: 1, status: 403, message, headers } as const
    const { run } = await createWorld({ github: { faults: [fault] } })
    return run(command)
  }
  const soon = await run(4)
  expect(soon.outputs.outcome).toBe('pull-request')
  expect(soon.text).toMatch(/rate limit for this token is reached. Waiting \d s/)
  const late = await run(2_990)
  expect(late.outputs.outcome).toBe('error')
  expect(late.log.find(({ level }) => level === 'error')?.text).toContain(
    'Wait 50 minutes, then re-run the workflow.',
  )
})
