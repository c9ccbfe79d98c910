/** `allowed-paths` with real HTTP. test/core/pull-changes.test.ts has the table of its rules. */
import { expect, it } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { dispatched } from '../../sandbox/payloads.ts'
import { agent, createWorld, second } from './world.ts'

it('3,000 files in 3,000 folders take at most 70 requests', async () => {
  const names = Array.from({ length: 2_999 }, (_, at) => [`docs/${at}/page.md`, `${at}`])
  const head = commit({
    parents: [second],
    files: Object.fromEntries([...names, ['docs/x/link', '../a']]),
    modes: { 'docs/x/link': '120000' },
  })
  const pulls = [{ number: 101, user: agent, head: { branch: 'docs', commit: head } }]
  const { run, hub } = await createWorld({ repository: { branches: { main: second, docs: head }, pulls } })
  const { outputs, text } = await run(dispatched({ repository: 'acme/docs' }), { 'allowed-paths': 'docs/**' })
  expect([outputs.outcome, outputs.changedFiles]).toEqual(['out-of-bounds', '3000'])
  expect(text).toContain('docs/x/link')
  expect(hub.requests.length).toBeLessThanOrEqual(70)
})

it.each([
  ['a symbolic link', '**', 'docs/link', { 'docs/link': '120000' }],
  ['a name that Windows reads as .github', '**,!.github/**', 'GITHUB~1/ci.yml', {}],
] as const)('allowed-paths does not allow %s', async (_, globs, path, modes) => {
  const head = commit({
    parents: [second],
    author: agent,
    files: { 'docs/a.md': 'a', [path]: '../a' },
    modes,
  })
  const pulls = [{ number: 101, user: agent, head: { branch: 'docs', commit: head } }]
  const { run, hub } = await createWorld({ repository: { branches: { main: second, docs: head }, pulls } })
  const { outputs, summary } = await run(dispatched({ repository: 'acme/docs' }), {
    'allowed-paths': globs.replace(',', '\n'),
  })
  expect([outputs.outcome, outputs.changedFiles]).toEqual(['out-of-bounds', '2'])
  expect(summary).toContain(`- ${'`'}${path}${'`'}`)
  expect(hub.statuses.at(-1)).toMatchObject({
    state: 'failure',
    description: expect.stringMatching(/^Some files are outside the allowed paths · [0-9a-f]{8}$/),
  })
})
