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
const empty = commit({ parents: [second] })
const locked = child({ 'package-lock.json': '3\n' })

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

// test/core/trigger/change.test.ts and test/usecases/change.test.ts have the complete tables.
it.each<
  [
    title: string,
    event: WorkflowEvent,
    /** The change as the prompt names it, '' if the prompt has no diff, or why the step is skipped. */
    expected: string | { skipped: string },
    repository?: Partial<RepositoryOptions>,
    inputs?: Texts,
  ]
>([
  ['a push', push(second, { before: first }), `main, ${short(first)}…${short(second)}`],
  ['a person’s merge', push(squash), `main, ${short(second)}…${short(squash)}`, onMain(squash, twelve)],
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
  ['a release', releasePublished({ repository }), '', {}, { 'context-diff': 'false' }],
  ['a tag', push(second, { before: null, ref: 'refs/tags/v1' }), ''],
  ['an empty commit', push(empty), '', onMain(empty)],
  ['a push of only lock files', push(locked), '', onMain(locked)],
  [
    'a deleted branch',
    pushed({ ref: 'refs/heads/topic', before: first, repository }),
    { skipped: 'topic was deleted' },
  ],
  [
    'files that context-paths excludes',
    push(second, { before: first }),
    { skipped: 'context-paths (**, !src/**, !*.json) matches none of the changed files: package-lock.json' },
    {},
    { 'context-paths': '**\n!src/**\n!*.json' },
  ],
  [
    'a fork’s pull request',
    pull({ head: { repository: 'eve/docs', sha: topic.sha } }),
    { skipped: "secrets from runs for a fork's pull request" },
    {},
    { 'api-key': '' },
  ],
  ['the agent’s push', push(docs, { pusher: agent }), { skipped: `comes from \`${agent}\`` }],
  ['the agent’s pull request', pull({ number: 101, user: agent }), { skipped: `comes from \`${agent}\`` }],
  ['a merge of the agent’s work', push(docsMerge), { skipped: 'comes from' }, onMain(docsMerge, ofAgent)],
  [
    'a person’s merge and one of the agent’s work, in one push',
    push(docsAfter),
    `main, ${short(second)}…${short(docsAfter)}`,
    onMain(docsAfter, { ...twelve, merged: { commit: squash } }, { ...ofAgent, base: { commit: squash } }),
  ],
])('an event starts a job or is skipped: %s', async (_, event, expected, repository = {}, inputs = {}) => {
  const { service, run, writes, prompts } = await createWorld({ repository })
  const { outputs, text, exitCode, warnings } = await run(event, { wait: 'false', ...inputs })
  expect([exitCode, warnings]).toEqual([0, []])
  if (typeof expected === 'object') {
    expect(text).toContain(expected.skipped)
    expect([outputs.outcome, service.requests, writes()]).toEqual(['skipped', [], []])
    return
  }
  expect(outputs.outcome).toBe('detached')
  if (expected === '') return expect(prompts()).toEqual([prompt])
  expect(prompts()[0]).toContain(`repository acme/docs, ref ${expected}.`)
  expect(prompts()[0]).toMatch(/^\+(new|newer|on)$/m)
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
    - src/api/client.ts (generated or vendored, as .gitattributes says)"
  `)
  expect(warnings).toEqual([expect.stringMatching(/^1 item is missing from the prompt/)])
})

const base = push(second, { before: first })

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
    '403 without pull-requests: read',
    ["whether the push is the agent's own work (403", '`pull-requests: write` and `statuses: write`'],
    { lacks: ['pull-requests: read'] },
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

it.each<[file: string, mode: '100644' | '120000' | '160000', outcome: string, state: string]>([
  ['docs/new.md', '100644', 'pull-request', 'success'],
  ['docs/new.md', '120000', 'out-of-bounds', 'failure'],
  ['docs/kit', '160000', 'out-of-bounds', 'failure'],
  ['docs/Keys/a.md', '100644', 'out-of-bounds', 'failure'],
])(
  'allowed-paths flags the pull request if it changes %s (mode %s): %s',
  async (file, mode, outcome, state) => {
    const head = commit({
      parents: [second],
      author: agent,
      files: { [file]: 'new' },
      modes: { [file]: mode },
    })
    const pulls = [{ ...ofAgent, head: { branch: 'docs', commit: head } }]
    const { run, hub } = await createWorld({ repository: { pulls } })
    const { outputs } = await run(base, { 'allowed-paths': 'docs/**\n!docs/keys/**' })
    const light = hub.statuses.find(({ context }) => context === 'Docs agent / allowed paths')
    expect([outputs.outcome, light?.state]).toEqual([outcome, state])
  },
)

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
