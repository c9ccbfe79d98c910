/** Events with a change: which start a job, with which diff, and what happens on GitHub. */
import { expect, it } from 'vitest'
import { type Commit, commit } from '../../sandbox/github/commits.ts'
import type { PullRequestOptions, RepositoryOptions } from '../../sandbox/github/repository.ts'
import {
  type PullRequestEventOptions,
  type PushOptions,
  pullRequest,
  pushed,
} from '../../sandbox/payloads.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { agent, createWorld, first, second, short } from './world.ts'

const repository = 'acme/docs'
const child = (files: Record<string, string>, options: { parents?: Commit[]; author?: string } = {}) =>
  commit({ parents: [second], files, ...options })
const topic = child({ 'src/flag.ts': 'on\n' })
const docs = child({ 'docs/install.md': 'Install globally.\n' }, { author: agent })
const squash = child({ 'src/flag.ts': 'on\n' })
const docsAfter = child({ 'docs/b.md': 'b\n' }, { parents: [squash], author: 'mona' })

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

// test/core/trigger/trigger.test.ts and test/request/change.test.ts have the complete tables.
it.each<[title: string, event: RawEvent, sends: string, repository?: Partial<RepositoryOptions>]>([
  ['a push', base, `main, ${short(first)}…${short(second)}`],
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
])('an event starts a job with its change: %s', async (_, event, sends, repository = {}) => {
  const { run, prompts } = await createWorld({ repository })
  const { outputs, warnings } = await run(event, { wait: 'false' })
  expect([outputs.outcome, warnings]).toEqual(['detached', []])
  expect(prompts()[0]).toContain(`repository acme/docs, ref ${sends}.`)
  expect(prompts()[0]).toMatch(/^\+(new|on)$/m)
})

it('a merge into a branch without the history of the default branch is skipped', async () => {
  const page = commit({ files: { 'page.html': 'a\n' } })
  const merge = commit({ parents: [page], files: { 'page.html': 'b\n' } })
  const pages = { ...twelve, base: { branch: 'pages', commit: page }, merged: { commit: merge } }
  const { run } = await createWorld({
    repository: { branches: { main: second, pages: merge }, pulls: [pages] },
  })
  const { outputs, text } = await run(pull({ action: 'closed', base: 'pages', merged: merge }))
  expect(outputs.outcome).toBe('skipped')
  expect(text).toContain('it was merged into pages, not yet into main')
})

it('the diff lists generated and binary files by name', async ({ expect }) => {
  const wide = commit({
    parents: [second],
    files: {
      '.gitattributes': 'src/** linguist-generated\nsrc/core/** !linguist-generated\n',
      'a.ts': 'a\n',
      'logo.png': '\0\x01',
      'src/api/client.ts': 'a\n',
      'src/core/a.ts': 'a\n',
      'web/.gitattributes': '*.ts linguist-generated\n',
      'web/routes.ts': 'a\n',
      'z.test.ts': 'a\n',
    },
  })
  const { run, prompts } = await createWorld({ repository: onMain(wide) })
  await run(push(wide), { wait: 'false', 'context-paths': '**\n!**/*.test.*' })
  expect(prompts()[0]?.split('Left out or truncated:')[1]).toMatchInlineSnapshot(`
    "
    - logo.png (binary or empty)
    - src/api/client.ts (generated or vendored, as .gitattributes says)
    - web/routes.ts (generated or vendored, as .gitattributes says)"
  `)
})
