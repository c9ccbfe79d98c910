/** Files of the workspace in a prompt: which are read, and which secrets are not sent. */
import { symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandboxGitHubToken } from '../../sandbox/github/server.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { runAlone, workspaceWith } from './world.ts'

const detached = { prompt: 'Fix it', wait: 'false' }

it('context-files are appended under their paths, in order, and binary and missing files are listed', async () => {
  const workspace = workspaceWith({
    'docs/b.md': 'second\n',
    'docs/a.md': 'first ```\n',
    'docs/logo.png': Buffer.from([0x89, 0x50, 0, 1]),
    'docs/latin.md': Buffer.from('caf\xe9', 'latin1'),
    'docs/draft.md': 'not this\n',
    '.git/config': 'token = secret\n',
  })
  const globs = { 'context-files': '**\n!docs/draft.md\n.git/*\ndocz/*' }
  const run = await runAlone({ ...detached, ...globs }, {}, { workspace })
  expect(run.sent).toMatchSnapshot()
  expect(run.text).toContain('docs/logo.png (binary)')
})

// test/adapters/files.test.ts has all paths.
it.each([
  ['prompt-file', 'link.md', 'outside the workspace'],
  ['prompt-file', 'huge', 'larger than 8.0 MiB'],
  ['context-files', '*.md', 'outside the workspace'],
  ['context-files', 'linked/*.md', 'outside the workspace'],
  ['context-files', '*.txt', 'outside the workspace'],
])('a file outside the workspace, in .git or too large is not read: %s %s', async (input, path, says) => {
  const temp = workspaceWith({ 'prompt.md': 'topsecret' })
  const workspace = workspaceWith({ huge: '', '.git/config': 'topsecret' })
  truncateSync(join(workspace, 'huge'), 8 * 1024 ** 3)
  symlinkSync(join(temp, 'prompt.md'), join(workspace, 'link.md'))
  symlinkSync(temp, join(workspace, 'linked'))
  symlinkSync('.git/config', join(workspace, 'notes.txt'))
  const prompt = input === 'prompt-file' ? '' : detached.prompt
  const run = await runAlone({ ...detached, prompt, [input]: path }, {}, { workspace })
  expect(`${run.sent}${run.text}${run.summary}`).not.toContain('topsecret')
  expect(run.text).toContain(says)
})

const foreign = `ghp_${'a1'.repeat(18)}`

it.each([
  ['the key is not sent', sandboxKey, 'The prompt contains the API key', ''],
  [
    'the token in Base64 is not sent',
    btoa(`x-access-token:${sandboxGitHubToken}`),
    'The prompt contains the GitHub token',
    '',
  ],
  ['another token is masked', foreign, 'Masked 1 token in the prompt', 'Sign in with ghp_***.'],
])('a secret in a file stays on the runner: %s', async (_, secret, says, sent) => {
  const workspace = workspaceWith({ 'notes.md': `Sign in with ${secret}.\n` })
  const inputs = { ...detached, 'context-files': '*.md' }
  const githubToken = sent === '' ? sandboxGitHubToken : ''
  const run = await runAlone(inputs, {}, { workspace, githubToken, env: nowhere })
  expect(run.text).toContain(says)
  expect(run.sent).toContain(sent)
  expect(run.platform.jobs.size).toBe(sent === '' ? 0 : 1)
  expect(`${run.sent}${run.text}${run.summary}`).not.toContain(secret)
})

/** Nothing is read from GitHub. */
const nowhere = { GITHUB_API_URL: 'http://127.0.0.1:9' }
