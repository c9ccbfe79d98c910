/** For workflows that post to Slack: a mock of its webhook, and scripts that run. */
import { execFile } from 'node:child_process'
import { text as bodyOf } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { serveHttp } from '../../sandbox/wire.ts'
import { onTestFinished } from '../running.ts'
import type { Texts } from './world.ts'

/** A mock of Slack's incoming webhook, which keeps the text of each message. */
export async function startWebhook() {
  const posts: string[] = []
  const { url, close } = await serveHttp(async (request, response) => {
    posts.push((JSON.parse(await bodyOf(request)) as { text: string }).text)
    response.end('ok')
  })
  onTestFinished(close)
  return { posts, url: `${url}/` }
}

/** Runs a step's script, as GitHub does on Linux. */
export async function runInBash(script: string, env: Texts): Promise<Record<string, string>> {
  await promisify(execFile)('bash', ['-e', '-c', script], { env: { ...process.env, ...env } })
  return {}
}
