/** `npm run serve` as a process: it can be reached, it responds, it ends. */
import { type ChildProcess, exec, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { parsePairs } from '../../sandbox/runner/files.ts'
import { runStep } from '../steps/run.ts'

interface Served {
  child: ChildProcess
  /** The server's outputs, as a later step reads them. */
  places: Record<string, string>
  printed: () => string
}

async function serve(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'serve-test-'))
  const output = join(folder, 'output')
  const child = spawn(process.execPath, [join(projectDir, 'sandbox/serve.ts')], {
    env: { ...process.env, GITHUB_OUTPUT: output },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (piece) => {
      printed += piece
      if (printed.includes('ready\n')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`It ended with ${code} before it was ready.`)))
  })
  return { child, places: parsePairs(readFileSync(output, 'utf8')), printed: () => printed }
}

it('the server prints its outputs and a command that works, serves every mode, and ends on a signal', async () => {
  const { child, places, printed } = await serve()
  for (const [name, value] of Object.entries(places)) expect(printed()).toContain(`${name}=${value}\n`)
  const account = {
    'project-id': places['project-id'] ?? '',
    'api-key': places['api-key'] ?? '',
    'base-url': places['platform-url'] ?? '',
  }

  const agent = { ...account, 'poll-interval': '1s' }
  const created = await runStep({ with: { ...agent, prompt: 'Fix it.', wait: 'false' } })
  expect(created.outputs).toMatchObject({ outcome: 'detached', jobId: expect.stringMatching(/./) })
  const resumed = await runStep({ with: { ...agent, 'job-id': created.outputs.jobId ?? '' } })
  expect(resumed.outputs.outcome).toBe('pull-request')

  const [command = ''] = /^ {2}env [\s\S]*?index\.js$/m.exec(printed()) ?? []
  const { stdout } = await promisify(exec)(command, { cwd: projectDir, shell: 'bash' })
  const [link = 'no link'] = /https:\S+\/pull\/\d+/.exec(stdout) ?? []
  const thread = await fetch(`${places['github-url']}/repos/acme/docs/issues/7/comments`, {
    headers: { authorization: `token ${places['github-token']}` },
  })
  const comments = (await thread.json()) as { body: string }[]
  expect(comments).toHaveLength(2)
  expect(comments[1]?.body).toContain(link)

  const visitors = await runStep({ with: { ...account, mode: 'visitors' } })
  expect(visitors.outputs).toMatchObject({ outcome: 'reported', complete: 'true' })

  // Not `exit`, which may come before the last output.
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  const [code] = await closed
  // Windows has no signals: the process is killed.
  if (process.platform === 'win32') return
  expect(printed()).toMatch(/^ended: \d+ requests to the platform, \d+ to GitHub, no mistake$/m)
  expect(code).toBe(0)
  expect(existsSync(places['comment-event'] ?? '')).toBe(false)
})
