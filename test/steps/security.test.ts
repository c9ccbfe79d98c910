import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import { issue, issueComment } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { onTestFinished } from '../running.ts'
import { bodyOf, workspaceWith } from './files-world.ts'
import { runAlone } from './run.ts'

describe('the secrets', () => {
  it.each([
    ['the key', sandboxKey, 'API key'],
    ['the token, in Base64', btoa(`x-access-token:${sandboxGitHubToken}`), 'GitHub token'],
  ])('the secrets are never sent in a prompt: %s', async (_, secret, name) => {
    const folder = workspaceWith({ 'notes.md': `Sign in with ${secret}.\n` })
    const hub = await startGitHub()
    onTestFinished(() => hub.close())
    const run = await runAlone(
      { prompt: 'Fix it', 'context-files': '*.md' },
      {},
      { githubToken: sandboxGitHubToken, workspace: folder, env: { GITHUB_API_URL: hub.url } },
    )
    expect(run.outputs.outcome).toBe('error')
    expect(run.text).toContain(`The prompt contains the ${name}`)
    expect(run.text).toContain('The request was not sent')
    expect(run.summary).not.toContain(secret)
    expect(run.platform.requests).toEqual([])
    expect(JSON.stringify(hub.requests.map(({ path, body }) => [path, body]))).not.toContain(secret)
  })
})

it("other people's tokens in a prompt are masked, and the log says so", async () => {
  const token = `ghp_${'a1'.repeat(18)}`
  const folder = workspaceWith({ 'notes.md': `Sign in with ${token}.\n` })
  const inputs = { prompt: 'Fix it', 'context-files': '*.md', wait: 'false' }
  const run = await runAlone(inputs, {}, { workspace: folder })
  expect(bodyOf(run)).toContain('Sign in with ghp_***.')
  expect(run.text).toContain('Masked 1 token in the prompt')
  expect(`${bodyOf(run)}${run.text}${run.summary}`).not.toContain(token)
})

it.each([
  ['an event that starts nothing', {}, 'star', {}],
  ['another comment', { command: '/docs' }, 'issue_comment', issueComment({ body: 'hello' }).payload],
  ['another label', { label: 'docs' }, 'issues', issue({ action: 'labeled', label: 'bug' }).payload],
])('%s is ignored, even if the key and the prompt are missing', async (_, inputs, eventName, event) => {
  const run = await runAlone({ prompt: '', 'api-key': '', ...inputs }, {}, { eventName, event })
  expect(run.outputs.outcome).toBe('skipped')
  expect(run.exitCode).toBe(0)
})

describe('a prompt-file', () => {
  const inside = (temp: string) => join(temp, 'prompt.md')

  it("a prompt-file may be in the runner's temporary folder", async () => {
    const temp = workspaceWith({ 'prompt.md': 'Fix it' })
    const run = await runAlone({ 'prompt-file': inside(temp), wait: 'false' }, {}, { runnerTemp: temp })
    expect(run.outputs.outcome).toBe('detached')
  })

  it.each([
    ['by its absolute path', (elsewhere: string) => inside(elsewhere)],
    ['by `..`', () => '../prompt.md'],
    ['by `..` in the middle', () => 'a/../../prompt.md'],
    ['by a link', () => 'link.md'],
    ['by a linked folder', () => 'linked/prompt.md'],
  ])('a prompt-file outside the workspace is not read: %s', async (_, pathOf) => {
    const elsewhere = workspaceWith({ 'prompt.md': 'topsecret' })
    const workspace = workspaceWith({})
    symlinkSync(inside(elsewhere), join(workspace, 'link.md'))
    symlinkSync(elsewhere, join(workspace, 'linked'))
    const run = await runAlone({ 'prompt-file': pathOf(elsewhere) }, {}, { workspace })
    expect(run.outputs.outcome).toBe('error')
    expect(run.text).toContain('outside the workspace')
    expect(run.platform.requests).toEqual([])
  })
})

describe('context-files', () => {
  it.each([
    ['by `..`', '../*/prompt.md'],
    ['by `..` in the middle', 'a/../../*/prompt.md'],
    ['by an absolute glob', join(tmpdir(), '*/prompt.md')],
    ['by a link', '*.md'],
    ['by a linked folder', 'linked/*.md'],
    ['in .GIT', '.GIT/*'],
  ])('context-files outside the workspace or in .git are not read: %s', async (_, globs) => {
    const elsewhere = workspaceWith({ 'prompt.md': 'topsecret' })
    const workspace = workspaceWith({})
    symlinkSync(join(elsewhere, 'prompt.md'), join(workspace, 'link.md'))
    symlinkSync(elsewhere, join(workspace, 'linked'))
    mkdirSync(join(workspace, '.GIT'))
    writeFileSync(join(workspace, '.GIT', 'config'), 'topsecret')
    const run = await runAlone({ prompt: 'x', 'context-files': globs, wait: 'false' }, {}, { workspace })
    expect(JSON.stringify(run.platform.requests)).not.toContain('topsecret')
    expect(run.text).toMatch(/outside the workspace|not absolute and without|matches no file/)
  })
})
