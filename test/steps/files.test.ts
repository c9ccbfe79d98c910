/** Files of the workspace in a prompt: which are read, and which secrets are not sent. */
import { symlinkSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

const elsewhere = (temp: string) => join(temp, 'prompt.md')

it.each<[how: string, input: 'prompt-file' | 'context-files', path: string | ((folder: string) => string)]>([
  ['by its absolute path', 'prompt-file', elsewhere],
  ['by `..`', 'prompt-file', '../prompt.md'],
  ['by a link', 'prompt-file', 'link.md'],
  ['that is 8 GiB long', 'prompt-file', 'huge'],
  ['in .git', 'prompt-file', '.git/config'],
  ['by `..`', 'context-files', '../*/prompt.md'],
  ['by an absolute glob', 'context-files', join(tmpdir(), '*/prompt.md')],
  ['by a link', 'context-files', '*.md'],
  ['by a linked folder', 'context-files', 'linked/*.md'],
  ['by a link to .git, where checkout leaves a token', 'context-files', '*.txt'],
  ['in .git', 'context-files', '.GIT/*'],
])('a file outside the workspace, in .git or too large is not read: %s (%s)', async (_, input, path) => {
  const temp = workspaceWith({ 'prompt.md': 'topsecret' })
  const workspace = workspaceWith({ huge: '', '.git/config': 'topsecret', '.GIT/config': 'topsecret' })
  truncateSync(join(workspace, 'huge'), 8 * 1024 ** 3)
  symlinkSync(elsewhere(temp), join(workspace, 'link.md'))
  symlinkSync(temp, join(workspace, 'linked'))
  symlinkSync('.git/config', join(workspace, 'notes.txt'))
  const given = typeof path === 'string' ? path : path(temp)
  const prompt = input === 'prompt-file' ? '' : detached.prompt
  const run = await runAlone({ ...detached, prompt, [input]: given }, {}, { workspace })
  expect(`${run.sent}${run.text}${run.summary}`).not.toContain('topsecret')
  expect(run.text).toMatch(
    /outside the workspace|not absolute and without|in `\.git`|matches no file|larger than 8\.0 MiB/,
  )
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
