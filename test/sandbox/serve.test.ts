/** `npm run serve` as a process: it can be reached, it responds, it ends. */
import { exec, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { parsePairs } from '../../sandbox/runner/files.ts'
import { onTestFinished, temporaryFolder } from '../running.ts'
import { runStep } from '../steps/run.ts'

it('the server prints its outputs and a command that works, serves reports, and ends on a signal', async () => {
  const output = join(temporaryFolder(), 'output')
  const child = spawn(process.execPath, [join(projectDir, 'sandbox/serve.ts')], {
    env: { ...process.env, GITHUB_OUTPUT: output },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => child.kill('SIGKILL'))
  // Not `exit`, which may come before the last output.
  const closed = once(child, 'close')
  let printed = ''
  const ready = Promise.withResolvers<void>()
  child.stdout.on('data', (piece) => {
    printed += piece
    if (printed.includes('ready\n')) ready.resolve()
  })
  await Promise.race([ready.promise, closed])

  const places = parsePairs(readFileSync(output, 'utf8'))
  for (const [name, value] of Object.entries(places)) expect(printed).toContain(`${name}=${value}\n`)
  const [command = ''] = /^ {2}env [\s\S]*?index\.js$/m.exec(printed) ?? []
  // The other terminal's Node.js can be too old, or missing.
  const env = { ...process.env, PATH: '/usr/bin:/bin' }
  const { stdout } = await promisify(exec)(command, { cwd: projectDir, shell: 'bash', env })
  const [link = 'no link'] = /https:\S+\/pull\/\d+/.exec(stdout) ?? []
  const thread = await fetch(`${places['github-url']}/repos/acme/docs/issues/7/comments`, {
    headers: { authorization: `token ${places['github-token']}` },
  })
  const comments = (await thread.json()) as { body: string }[]
  expect(comments).toHaveLength(2)
  expect(comments[1]?.body).toContain(link)
  const preview = readFileSync(join(projectDir, 'scripts/social-preview.html'), 'utf8')
  const [figures = 'none'] = /\d+ files \(.*?\)/.exec(preview) ?? []
  expect(comments[1]?.body).toContain(figures)

  const { 'project-id': project = '', 'api-key': key = '', 'platform-url': url = '' } = places
  const account = { 'project-id': project, 'api-key': key, 'base-url': url }
  const { outputs } = await runStep({ with: { ...account, mode: 'visitors' } })
  expect(outputs).toMatchObject({ outcome: 'reported', complete: 'true' })

  child.kill('SIGTERM')
  const [code] = await closed
  // Windows has no signals: the process is killed.
  if (process.platform === 'win32') return
  expect(printed).toMatch(/^ended: \d+ requests to the platform, \d+ to GitHub, no mistake$/m)
  expect(code).toBe(0)
  expect(existsSync(places['comment-event'] ?? '')).toBe(false)
})
