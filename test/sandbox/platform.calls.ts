/** Calls to the embedded platform over HTTP, for its tests. */
import { type Platform, sandboxKey } from '../../sandbox/platform/server.ts'

export interface Call {
  method?: 'GET' | 'POST'
  path?: string
  key?: string
  headers?: Record<string, string>
  body?: string
}

const jobs = '/v2/agent/sandbox-docs/job'
export const week = '/v1/analytics/sandbox-docs/visitors?dateFrom=2026-08-03&dateTo=2026-08-10'

export async function call({ url }: Platform, { path = jobs, key = sandboxKey, headers, ...more }: Call) {
  const reply = await fetch(`${url}${path}`, {
    ...more,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  })
  return { status: reply.status, json: await reply.json() }
}

export const prompt = (text: string) => JSON.stringify({ prompt: text })
export const create = (platform: Platform, more?: Call) =>
  call(platform, { method: 'POST', body: prompt('Document it'), ...more })
