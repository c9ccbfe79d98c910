/** Events with a change: which start a job, with which diff, and what happens on GitHub. */
import { expect, it } from 'vitest'
import { type Commit, commit } from '../../sandbox/github/commits.ts'
import type { PullRequestOptions, RepositoryOptions } from '../../sandbox/github/repository.ts'
import type { GitHubOptions } from '../../sandbox/github/server.ts'
import {
  type PullRequestEventOptions,
  type PushOptions,
  pullRequest,
  pushed,
  releasePublished,
} from '../../sandbox/payloads.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { agent, createWorld, first, prompt, second, short, type Texts } from './world.ts'

const repository = 'acme/docs'
const child = (files: Record<string, string>, options: { parents?: Commit[]; author?: string } = {}) =>
  commit({ parents: [second], files, ...options })
const topic = child({ 'src/flag.ts': 'on\n' })
const docs = child({ 'docs/install.md': 'Install globally.\n' }, { author: agent })
const docsMerge = commit({ parents: [second, docs], message: 'Merge' })
const squash = child({ 'src/flag.ts': 'on\n' })
const docsAfter = child({ 'docs/b.md': 'b\n' }, { parents: [squash], author: 'mona' })
const rewritten = child({ 'src/install.ts': 'newer\n' }, { parents: [first] })

const push = (after: Commit, more: PushOptions = {}) => pushed({ before: second, after, repository, ...more })
const pull = (more: PullRequestEventOptions = {}) =>
  pullRequest({ head: { sha: topic.sha }, repository, ...more })
const twelve = { number: 12, head: { branch: 'topic', commit: topic }, base: { commit: second } }
const ofAgent = { number: 101, user: agent, head: { branch: 'docs', commit: docs }, base: { commit: second } }
/** The repository after a push to main, and after the merges of pull requests. */
const onMain = (tip: Commit, ...merged: PullRequestOptions[]) => ({
  branches: { main: tip },
  pulls: merged.map((pull) => ({ merged: { commit: tip }, ...pull })),
})

const base = push(second, { before: first })

// test/core/trigger/change.test.ts and test/usecases/change.test.ts have the complete tables.
it.each<[title: string, event: WorkflowEvent, sends: string, repository?: Partial<RepositoryOptions>]>([
  ['a push', base, `main, ${short(first)}…${short(second)}`],
  [
    'a new branch',
    push(topic, { before: null, ref: 'refs/heads/a/b' }),
    `a/b, main…${short(topic)}`,
    { branches: { main: second, 'a/b': topic } },
  ],
  [
    'a force push, if GitHub still has the old commit',
    push(rewritten),
    `main, ${short(second)}…${short(rewritten)}`,
    { ...onMain(rewritten), loose: [second] },
  ],
  ['a pull request', pull(), `main, pull request #12, at ${short(topic)}`, { pulls: [twelve] }],
  [
    'a pull request that is merged',
    pull({ action: 'closed', merged: squash }),
    `main, pull request #12, at ${short(squash)}`,
    onMain(squash, twelve),
  ],
  [
    'a person’s merge and one of the agent’s work, in one push',
    push(docsAfter),
    `main, ${short(second)}…${short(docsAfter)}`,
    onMain(docsAfter, { ...twelve, merged: { commit: squash } }, { ...ofAgent, base: { commit: squash } }),
  ],
  ['a tag', push(second, { before: null, ref: 'refs/tags/v1' }), ''],
])('an event starts a job with its change: %s', async (_, event, sends, repository = {}) => {
  const { run, prompts } = await createWorld({ repository })
  const { outputs, warnings } = await run(event, { wait: 'false' })
  expect([outputs.outcome, warnings]).toEqual(['detached', []])
  if (sends === '') return expect(prompts()).toEqual([prompt])
  expect(prompts()[0]).toContain(`repository acme/docs, ref ${sends}.`)
  expect(prompts()[0]).toMatch(/^\+(new|newer|on)$/m)
})

const unmatched =
  'context-paths (**, !src/**, !*.json) matches none of the changed files: package-lock.json, src/install.ts'

it.each([
  ['files that context-paths excludes', base, unmatched, {}, { 'context-paths': '**\n!src/**\n!*.json' }],
  [
    'a fork’s pull request',
    pull({ head: { repository: 'eve/docs' } }),
    "a fork's pull request",
    {},
    { 'api-key': '' },
  ],
  ['a merge of the agent’s work', push(docsMerge), `comes from \`${agent}\``, onMain(docsMerge, ofAgent), {}],
])('an event is skipped: %s', async (_, event, says, repository, inputs) => {
  const { service, run, writes } = await createWorld({ repository })
  const { outputs, text, exitCode } = await run(event, inputs)
  expect([outputs.outcome, exitCode, service.requests, writes()]).toEqual(['skipped', 0, [], []])
  expect(text).toContain(says)
})

it('the diff lists generated, binary and oversized files by name', async ({ expect }) => {
  const wide = commit({
    parents: [second],
    files: {
      '.gitattributes': 'src/api/** linguist-generated\n',
      'a.ts': 'a\n',
      'huge.json': `${'x'.repeat(600_000)}\n`,
      'logo.png': new Uint8Array([0, 1, 2]),
      'src/api/client.ts': 'a\n',
      ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`z/${index}.test.ts`, 'a\n'])),
    },
  })
  const { run, prompts } = await createWorld({ repository: onMain(wide) })
  const { warnings } = await run(push(wide), { wait: 'false', 'context-paths': '**\n!**/*.test.*' })
  expect(prompts()[0]?.split('Also changed')[1]).toMatchInlineSnapshot(`
    ", but not shown:
    - huge.json (too large for GitHub to show)
    - logo.png (binary or empty)
    - src/api/client.ts (generated, as .gitattributes says)"
  `)
  expect(warnings).toEqual([expect.stringMatching(/^1 item is missing from the prompt/)])
})

it.each<[title: string, says: string[], github?: GitHubOptions, event?: WorkflowEvent, env?: Texts]>([
  [
    '404 after a force push',
    ['(404: Not Found', 'the earlier commit may be gone', 'Start the workflow manually'],
    {},
    push(second, { before: rewritten }),
  ],
  [
    '403 without contents: read',
    ["Could not read the change's files (403", 'Give the workflow job `contents: read`'],
    { lacks: ['contents: read'] },
  ],
  [
    'no connection',
    ['The connection failed (ECONNREFUSED)', 'GitHub may be unavailable'],
    {},
    base,
    { GITHUB_API_URL: 'http://127.0.0.1:9' },
  ],
])(
  'a request that fails prevents the job, and the log says what to do: %s',
  async (_, says, github = {}, event = base, env = {}) => {
    const { service, run } = await createWorld({ github })
    const { outputs, text, exitCode } = await run(event, {}, env)
    expect([outputs.outcome, exitCode, service.requests]).toEqual(['error', 1, []])
    for (const words of [...says, 'The request was not sent']) expect(text).toContain(words)
  },
)

it('an unreadable change is only a warning with `context-diff: false`', async () => {
  const lacks = ['contents: read', 'pull-requests: read', 'issues', 'pull-requests'] as const
  const { run, prompts } = await createWorld({ github: { lacks } })
  const { warnings } = await run(base, { wait: 'false', 'context-diff': 'false' })
  expect(prompts()).toEqual([prompt])
  expect(warnings).toEqual([
    expect.stringContaining('Give the workflow job `contents: read` and `pull-requests: write`'),
  ])
})

it.each([
  ['a file', '100644', 'pull-request', 'success'],
  ['a symbolic link', '120000', 'out-of-bounds', 'failure'],
] as const)('allowed-paths checks the files of the pull request: %s', async (_, mode, outcome, state) => {
  const file = 'docs/new.md'
  const head = commit({ parents: [second], author: agent, files: { [file]: 'x' }, modes: { [file]: mode } })
  const pulls = [{ ...ofAgent, head: { branch: 'docs', commit: head } }]
  const { run, hub } = await createWorld({ repository: { pulls } })
  const { outputs } = await run(base, { 'allowed-paths': 'docs/**' })
  const light = hub.statuses.find(({ context }) => context === 'Docs agent / allowed paths')
  expect([outputs.outcome, light?.state]).toEqual([outcome, state])
})

it('the next change at open-limit becomes a follow-up, and a re-run continues the job', async () => {
  const { run, prompts, written, hub } = await createWorld({ repository: onMain(squash) })
  await run(base)
  const next = async (env: Texts) =>
    (await run(push(squash), { 'open-limit': '1' }, { GITHUB_RUN_ID: '2', ...env })).outputs
  const result = {
    outcome: 'pull-request',
    jobId: 'job_0001',
    prLink: 'https://github.com/acme/docs/pull/101',
  }
  expect(await next({})).toMatchObject(result)
  expect(await next({ GITHUB_RUN_ATTEMPT: '2' })).toMatchObject(result)
  expect(prompts()).toEqual([
    expect.stringContaining(short(first)),
    expect.stringContaining(`${short(second)}…${short(squash)}`),
  ])
  expect(written(101)).toEqual([expect.stringContaining(`/commit/${second.sha}`)])
  for (const { sha } of [second, squash])
    expect(hub.statuses.findLast((status) => status.sha === sha)).toMatchObject({
      state: 'success',
      targetUrl: result.prLink,
    })
})
