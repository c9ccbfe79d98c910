import { describe, expect, it } from 'vitest'
import { type Commit, commit } from '../../sandbox/github/commits.ts'
import { changesIn, type RepositoryOptions } from '../../sandbox/github/repository.ts'
import {
  type PullRequestEventOptions,
  type PushOptions,
  pullRequest,
  pushed,
  releasePublished,
} from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { byteLength } from '../../src/core/units.ts'
import { links, render, textOf } from '../say/github.ts'
import { codeBlocks, createWorld, first, prompt, type Setting, second } from './push-world.ts'
import { runStep } from './run.ts'

const agent = 'mintlify[bot]'
const agentWrites = { files: { 'docs/install.md': 'Install globally.\n' } }

const topic = commit({ parents: [second], message: 'Add a flag', files: { 'src/flag.ts': 'on\n' } })
const docs = commit({ parents: [second], message: 'Docs', author: agent, ...agentWrites })
const docsMerge = commit({ parents: [second, docs], message: 'Merge' })
const topicSquash = commit({ parents: [second], message: 'A flag (#12)', files: { 'src/flag.ts': 'on\n' } })
const docsSquash = commit({ parents: [second], message: 'Docs (#101)', author: agent, ...agentWrites })
const docsRebase = commit({ parents: [docsSquash], author: agent, files: { 'docs/b.md': 'b\n' } })
const rewritten = commit({ parents: [first], message: 'Again', files: { 'src/install.ts': 'newer\n' } })

const world = (setting: Setting = {}) => createWorld(setting, runStep)

const short = ({ sha }: { sha: string }) => sha.slice(0, 10)

describe('the event', () => {
  const app = 'acme/app'
  const push = (more: PushOptions = {}) => pushed({ before: first, after: second, ...more })
  const onMain = (after = second, before = second) => push({ before, after })
  const pull = (more: PullRequestEventOptions = {}) => pullRequest({ head: { sha: topic.sha }, ...more })
  const mine = { user: agent, number: 101 }
  const merged = (after = second, more: PullRequestEventOptions = {}) =>
    pull({ action: 'closed', merged: { sha: after.sha }, sender: 'mona', ...more })
  const twelve = { number: 12, head: { branch: 'topic', commit: topic }, base: { commit: second } }
  const docsPull = {
    number: 101,
    user: agent,
    head: { branch: 'docs', commit: docs },
    base: { commit: second },
  }
  /** The repository once the pull request is merged: `tip` is the merge commit, and the new head of main. */
  const onceMerged = (tip: typeof second, pull: typeof twelve) => ({
    branches: { main: tip },
    pulls: [{ ...pull, merged: { commit: tip } }],
  })
  const monas = commit({ parents: [second], files: { 'src/a.ts': 'new\n' }, author: 'mona' })
  const docsAfterMona = commit({ parents: [monas], files: { 'docs/b.md': 'b\n' }, author: 'mona' })
  const empty = commit({ parents: [second], message: 'Nothing' })
  const locked = commit({ parents: [second], files: { 'package-lock.json': '3\n' } })
  const fork = { repository: 'eve/app', sha: topic.sha }

  // test/core/trigger/change.test.ts and test/usecases/change.test.ts have the complete tables.
  type Row = [
    name: string,
    event: WorkflowEvent,
    /** The change as the prompt names it; '' if the prompt has no diff. */
    expected: string | { skipped: string },
    repository?: Partial<RepositoryOptions>,
    inputs?: Record<string, string>,
  ]
  const table: Row[] = [
    ['a push', push(), `main, ${short(first)}…${short(second)}`],
    [
      'a squash merge of a person’s pull request',
      onMain(topicSquash),
      `main, ${short(second)}…${short(topicSquash)}`,
      onceMerged(topicSquash, twelve),
    ],
    [
      'a new branch',
      push({ before: null, after: topic, ref: 'refs/heads/a/b' }),
      `a/b, main…${short(topic)}`,
      { branches: { main: second, 'a/b': topic } },
    ],
    [
      'a force push, if GitHub still has the old commit',
      onMain(rewritten),
      `main, ${short(second)}…${short(rewritten)}`,
      { branches: { main: rewritten }, loose: [second] },
    ],
    ['a pull request', pull(), `main, pull request #12, at ${short(topic)}`, { pulls: [twelve] }],
    [
      'a pull request that is merged',
      merged(topicSquash),
      `main, pull request #12, at ${short(topicSquash)}`,
      onceMerged(topicSquash, twelve),
    ],
    ['a release', releasePublished(), '', {}, { 'context-diff': 'false' }],
    ['a tag', pushed({ ref: 'refs/tags/v1', after: second }), ''],
    ['an empty commit', onMain(empty), '', { branches: { main: empty } }],
    ['a push of only lock files', onMain(locked), '', { branches: { main: locked } }],
    [
      'a deleted branch',
      pushed({ ref: 'refs/heads/topic', before: first }),
      { skipped: 'topic was deleted' },
    ],
    [
      'files that context-paths excludes',
      push(),
      {
        skipped:
          'context-paths (**, !src/**, !*.json) matches none of the changed files: package-lock.json, src/install.ts',
      },
      {},
      { 'context-paths': '**\n!src/**\n!*.json' },
    ],
    [
      'a fork’s pull request',
      pull({ head: fork }),
      { skipped: "secrets from runs for a fork's pull request" },
      {},
      { 'api-key': '' },
    ],
    [
      'the agent’s push',
      push({ pusher: agent, ref: 'refs/heads/docs' }),
      { skipped: `comes from \`${agent}\`` },
    ],
    ['the agent’s pull request', pull(mine), { skipped: `comes from \`${agent}\`` }],
    [
      'the merge commit of the agent’s pull request',
      push({ before: second, after: docsMerge }),
      { skipped: `comes from \`${agent}\`` },
      onceMerged(docsMerge, docsPull),
    ],
    [
      'a person’s merge and the agent’s, in one push',
      onMain(docsAfterMona),
      `main, ${short(second)}…${short(docsAfterMona)}`,
      {
        branches: { main: docsAfterMona },
        pulls: [
          { ...twelve, merged: { commit: monas } },
          { ...docsPull, base: { commit: monas }, merged: { commit: docsAfterMona } },
        ],
      },
    ],
    [
      'the rebase merge of the agent’s pull request',
      onMain(docsRebase),
      { skipped: `comes from \`${agent}\`` },
      onceMerged(docsRebase, docsPull),
    ],
    [
      'a push by the account in agent-login',
      push({ pusher: 'docs-writer' }),
      { skipped: 'comes from `docs-writer`' },
      {},
      { 'agent-login': 'docs-writer' },
    ],
  ]

  it.each(table)(
    'an event starts a job or is skipped: %s',
    async (_, event, expected, repository = {}, inputs = {}) => {
      const { service, run, writes, prompts } = await world({ name: app, repository })
      const { outputs, text, exitCode, warnings } = await run(event, { wait: 'false', ...inputs })
      expect([exitCode, writes(), warnings]).toEqual([0, [], []])
      if (typeof expected === 'object') {
        expect(text).toContain(expected.skipped)
        expect([outputs.outcome, service.requests]).toEqual(['skipped', []])
        return
      }
      expect(outputs.outcome).toBe('detached')
      const [sent = ''] = prompts()
      if (expected === '') return expect(sent).toBe(prompt)
      expect(sent).toContain(`repository acme/app, ref ${expected}.`)
      expect(codeBlocks(sent).join('\n')).toMatch(/^\+(new|newer|on)$/m)
    },
  )
})

describe('the diff', () => {
  const sizeOf = (of: Commit) => changesIn(of).reduce((sum, { patch = '' }) => sum + byteLength(patch), 0)
  /** A commit of files with 4 to 60 lines each, plus one file that makes the diff exactly `bytes` long. */
  function commitOf(bytes: number) {
    const text = (index: number) => `${String(index).padStart(79, 'x')}\n`.repeat(4 + ((index * 37) % 57))
    const names = Array.from({ length: 140 }, (_, index) => [`src/f${index}.ts`, text(index)])
    const made = (rest: number) =>
      commit({
        parents: [second],
        files: { ...Object.fromEntries(names), 'src/rest.ts': `${'z'.repeat(rest)}\n` },
      })
    return made(1 + bytes - sizeOf(made(1)))
  }

  it('a diff of 402,593 bytes is cut to the smallest files, up to 256 KiB, and the others are listed', async () => {
    const big = commitOf(402_593)
    const changes = changesIn(big).map(({ filename, patch = '' }) => ({ filename, patch }))
    expect(sizeOf(big)).toBe(402_593)
    const { run, prompts } = await world({ repository: { branches: { main: big } } })
    const { outputs, warnings, summary, text } = await run(
      pushed({ before: second, after: big, repository: 'acme/docs' }),
      { wait: 'false' },
    )
    expect(outputs.outcome).toBe('detached')
    const [sent = ''] = prompts()
    const shown = new Set(codeBlocks(sent))
    const left = changes.filter(({ patch }) => !shown.has(patch))
    const size = changes.reduce((sum, { patch }) => sum + (shown.has(patch) ? byteLength(patch) : 0), 0)
    const smallest = Math.min(...left.map(({ patch }) => byteLength(patch)))
    expect(size).toBeLessThanOrEqual(262_144)
    expect(size + smallest).toBeGreaterThan(262_144)
    expect(Math.max(...[...shown].map(byteLength))).toBeLessThanOrEqual(smallest)
    expect(sent).toContain(`repository acme/docs, ref main, ${short(second)}…${short(big)}.`)
    const names = [...sent.matchAll(/^- (.*) \(over the context limit of 256 KiB\)$/gm)].map(
      ([, name]) => name,
    )
    expect(names).toEqual(left.map(({ filename }) => filename))
    expect(warnings).toEqual([
      expect.stringContaining(`${left.length} items are missing from the prompt, or truncated`),
    ])
    expect(text).toContain(`Missing, truncated or excluded: ${left.length} items`)
    expect(summary).toContain('Missing from the prompt, or truncated')
  })

  it('the diff lists generated, binary and oversized files by name', async ({ expect }) => {
    const wide = commit({
      parents: [second],
      files: {
        '.gitattributes': 'src/api/** linguist-generated\n',
        'a.test.ts': 'a\n',
        'a.ts': 'a\n',
        'go.sum': 'h1\n',
        'huge.json': `${'x'.repeat(600_000)}\n`,
        'logo.png': new Uint8Array([0, 1, 2]),
        'site.min.css': 'a{}\n',
        'src/api/client.ts': 'a\n',
        'vendor/a.go': 'a\n',
        ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`z/${index}.test.ts`, 'a\n'])),
      },
    })
    const { run, prompts } = await world({ repository: { branches: { main: wide } } })
    const event = pushed({ before: second, after: wide, repository: 'acme/docs' })
    const { warnings } = await run(event, { wait: 'false', 'context-paths': '**\n!**/*.test.*' })
    const [, frame] = (prompts()[0] ?? '').split('Also changed')
    expect(frame).toMatchInlineSnapshot(`
      ", but not shown:
      - go.sum (lock file)
      - huge.json (too large for GitHub to show)
      - logo.png (binary or empty)
      - site.min.css (minified)
      - src/api/client.ts (generated, as .gitattributes says)
      - vendor/a.go (vendored)"
    `)
    expect(warnings).toEqual([expect.stringMatching(/^1 item is missing from the prompt/)])
  })

  it('a diff that contains the key is rejected, and nothing is sent', async () => {
    const leak = commit({ parents: [second], files: { 'src/env.ts': `const key = '${sandboxKey}'\n` } })
    const { run, service, writes } = await world({ repository: { branches: { main: leak } } })
    const event = pushed({ before: second, after: leak, repository: 'acme/docs' })
    const { outputs, text, summary } = await run(event)
    expect([outputs.outcome, service.requests, writes()]).toEqual(['error', [], []])
    expect(text).toMatch(/The prompt contains the API key.*the diff/s)
    expect(text + summary).not.toContain(sandboxKey)
  })
})

describe('what GitHub rejects', () => {
  const push = pushed({ before: first, after: second, repository: 'acme/docs' })
  const gone = pushed({ before: rewritten, after: second, repository: 'acme/docs' })
  type Row = [
    name: string,
    event: WorkflowEvent,
    says: string[],
    setting?: Setting,
    inputs?: Record<string, string>,
    env?: Record<string, string>,
  ]
  const later = 'GitHub may be unavailable'
  const table: Row[] = [
    [
      '404 after a force push',
      gone,
      [
        '(404: Not Found',
        'After a force push, the earlier commit may be gone',
        'Start the workflow manually',
      ],
    ],
    [
      '403 without contents: read',
      push,
      ["Could not read the change's files (403", 'Give the workflow job `contents: read`'],
      { github: { lacks: ['contents: read'] } },
    ],
    [
      '403 without pull-requests: read',
      push,
      ["whether the push is the agent's own work (403", '`pull-requests: write` and `statuses: write`'],
      { github: { lacks: ['pull-requests: read'] } },
    ],
    [
      '403 for the list of open pull requests',
      push,
      ['open pull requests (403', '`pull-requests: write` and `statuses: write`'],
      { github: { faults: [{ on: 'pulls/list', status: 403 }] } },
      { 'open-limit': '1' },
    ],
    [
      'no connection to GitHub',
      push,
      ['The connection failed (ECONNREFUSED)', later],
      {},
      {},
      { GITHUB_API_URL: 'http://127.0.0.1:9' },
    ],
  ]

  it.each(table)(
    'a failed request prevents the job, and the log says what to do: %s',
    async (_, event, says, setting, inputs, env) => {
      const { service, run } = await world(setting)
      const { outputs, text, exitCode } = await run(event, inputs, env)
      expect([outputs.outcome, exitCode, service.requests]).toEqual(['error', 1, []])
      for (const words of [...says, 'The request was not sent']) expect(text).toContain(words)
    },
  )

  it('an unreadable .gitattributes is ignored, because file names reveal most generated files', async () => {
    const { run } = await world({ github: { faults: [{ on: 'repos/get-content', status: 403 }] } })
    const { outputs, warnings } = await run(push, { wait: 'false' })
    expect([outputs.outcome, warnings]).toEqual(['detached', []])
  })

  it('an unreadable change is only a warning with `context-diff: false`', async () => {
    const lacks = ['contents: read', 'pull-requests: read', 'issues', 'pull-requests'] as const
    const { run, prompts } = await world({ github: { lacks } })
    const { outputs, warnings } = await run(push, { wait: 'false', 'context-diff': 'false' })
    expect([outputs.outcome, prompts()]).toEqual(['detached', [prompt]])
    expect(warnings).toEqual([
      expect.stringContaining('Give the workflow job `contents: read` and `pull-requests: write`'),
    ])
  })
})

// test/usecases/pulls.test.ts and rolling.test.ts have the complete tables.
describe('the pull requests', () => {
  const repository = 'acme/docs'
  const history = [second]
  for (const number of [1, 2, 3, 4])
    history.push(commit({ parents: history.slice(-1), files: { [`src/${number}.ts`]: 'a\n' } }))
  const [start = second, one = second, two = second, three = second, four = second] = history
  const push = (before: typeof second, after: typeof second) => pushed({ before, after, repository })
  const [pushOne, pushThree] = [push(start, one), push(two, three)]
  const ofAgent = (number: number) => ({
    number,
    user: agent,
    head: { branch: `docs-${number}`, commit: docs },
    base: { commit: second },
    createdAt: `2026-11-02T10:00:${number - 100}0Z`,
  })
  const setting: Setting = {
    repository: { branches: { main: four } },
    github: { pullRequests: [101, 102], repository },
  }
  const limit = { 'open-limit': '1' }
  const rerun = { GITHUB_RUN_ATTEMPT: '2' }
  const url = (number: number) => `https://github.com/${repository}/pull/${number}`

  it("the action's comment on the agent's pull request says which change it documents", async () => {
    const { run, written, writes } = await world(setting)
    await run(pushOne)
    expect(writes()).toHaveLength(1)
    const tree = render(written(101)[0]?.body ?? '')
    expect(links(tree)[0]).toBe(`https://github.com/${repository}/commit/${one.sha}`)
    expect(textOf(tree)).toContain(`${repository}@${one.sha.slice(0, 7)} by mona`)
  })

  it.each<[what: string, file: string, mode: '100644' | '120000' | '160000', globs: string, outcome: string]>(
    [
      ['a file inside', 'docs/new.md', '100644', 'docs/**', 'pull-request'],
      ['a symbolic link', 'docs/new.md', '120000', 'docs/**', 'out-of-bounds'],
      ['a submodule', 'docs/kit', '160000', 'docs/**', 'out-of-bounds'],
      ['a submodule that a glob names', 'docs/kit', '160000', 'docs/**\ndocs/kit', 'pull-request'],
      [
        'another spelling of an excluded folder',
        'docs/Keys/a.md',
        '100644',
        'docs/**\n!docs/keys/**',
        'out-of-bounds',
      ],
    ],
  )(
    'allowed-paths flags the pull request if it changes %s: %s (%s)',
    async (_, file, mode, globs, outcome) => {
      const parents = [four]
      const docs = commit({ parents, author: agent, files: { [file]: 'new' }, modes: { [file]: mode } })
      const pull = { ...ofAgent(101), head: { branch: 'docs-101', commit: docs }, base: { commit: four } }
      const repository = { branches: { main: four }, pulls: [pull] }
      const { run, hub } = await world({ ...setting, repository })
      const { outputs } = await run(pushOne, { 'allowed-paths': globs })
      expect(outputs.outcome).toBe(outcome)
      const light = hub.statuses.find(({ context }) => context === 'Docs agent / allowed paths')
      expect(light?.state).toBe(outcome === 'pull-request' ? 'success' : 'failure')
    },
  )

  it('the next change at open-limit becomes a follow-up, and the open pull request keeps its one comment', async () => {
    const { run, home, service, hub, written } = await world(setting)
    await run(pushOne)
    home.setPull(ofAgent(101))
    const { outputs } = await run(pushThree, limit, { GITHUB_RUN_ID: '2' })
    expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001', prLink: url(101) })
    // A re-run continues the job, and sends nothing.
    const again = await run(pushThree, limit, { GITHUB_RUN_ID: '2', ...rerun })
    expect(again.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_0001' })
    expect(service.jobs.size).toBe(1)
    const messages = service.jobs.get('job_0001')?.messages ?? []
    expect(messages).toEqual([expect.stringContaining(`${short(two)}…${short(three)}`)])
    expect(written(101)).toHaveLength(1)
    const documented = links(render(written(101)[0]?.body ?? '')).filter((link) => link.includes('/commit/'))
    expect(documented.map((link) => link.split('/').at(-1))).toEqual([one.sha])
    const told = hub.statuses.map(({ sha, state, targetUrl }) => [sha, state, targetUrl])
    for (const commit of [one, three])
      expect(told.findLast(([sha]) => sha === commit.sha)).toEqual([commit.sha, 'success', url(101)])
  })

  describe('the pull requests of a change', () => {
    const squash = { number: 12, head: { branch: 'x', commit: one }, base: { commit: start } }
    const merged: Setting = {
      repository: { branches: { main: four }, pulls: [{ ...squash, user: 'ann', merged: { commit: one } }] },
      github: { repository, pullRequests: [101, 102] },
    }

    it('a merged pull request gets one link and one job, even after a re-run', async () => {
      const { run, written, service } = await world(merged)
      const { warnings } = await run(pushOne)
      expect(warnings).toEqual([])
      const tree = render(written(101)[0]?.body ?? '')
      expect(textOf(tree)).toContain(`${repository}@${one.sha.slice(0, 7)} (${repository}#12) by ann`)
      await run(pushOne, {}, rerun)
      expect(service.jobs.size).toBe(1)
      expect(written(12).map(({ body }) => links(render(body)))).toEqual([[url(101)]])
      expect(written(101)).toHaveLength(1)
    })
  })
})
