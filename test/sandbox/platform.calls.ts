/** Calls to the embedded platform over HTTP, for its tests. Every platform is closed after its test. */
import { request } from 'undici'
import { afterEach } from 'vitest'
import {
  type Platform,
  type PlatformOptions,
  sandboxKey,
  startPlatform,
} from '../../sandbox/platform/server.ts'

const started: Platform[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map((platform) => platform.close()))
})

export async function start(options?: PlatformOptions): Promise<Platform> {
  const platform = await startPlatform(options)
  started.push(platform)
  return platform
}

export interface Call {
  method?: 'GET' | 'POST' | 'DELETE'
  path?: string
  key?: string
  headers?: Record<string, string>
  body?: string
}

const jobs = '/v2/agent/sandbox-docs/job'
export const week = '/v1/analytics/sandbox-docs/visitors?dateFrom=2026-08-03&dateTo=2026-08-10'

function open(platform: Platform, { method = 'GET', path = jobs, key = sandboxKey, headers, body }: Call) {
  return request(`${platform.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: body ?? null,
  })
}

export async function call(platform: Platform, options: Call) {
  const { statusCode, headers, body } = await open(platform, options)
  const text = await body.text()
  return { status: statusCode, headers, text, json: parsed(text) }
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const prompt = (text: string) => JSON.stringify({ prompt: text })
export const create = (platform: Platform, more?: Call) =>
  call(platform, { method: 'POST', body: prompt('Document it'), ...more })
