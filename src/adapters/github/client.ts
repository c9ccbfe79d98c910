/** Calls to GitHub by @actions/github, of which there is one client a step. */
import { type Dispatcher, request } from 'undici'
import type { ProxySettings } from '../../core/proxy.ts'
import type { GitHubReply } from '../../usecases/ports.ts'
import { openConnection, useConnection } from '../connection.ts'
import { startTimeout } from '../request-timeout.ts'

export interface GitHubOptions {
  token: string
  /** `GITHUB_API_URL`: an Enterprise server has its own. */
  apiUrl: string
  proxy: ProxySettings
  /** Once aborted, calls under way have little time left, and further ones no more than that. */
  cancelled: AbortSignal
}

type Parameters = Record<string, string | number>

/** Milliseconds that one call may take; a cancelled step has some two seconds for all that it still has to say. */
const patience = { total: 10_000, onceCancelled: 1_000 }

/** Calls a route of GitHub's API. */
export type Call = <T>(route: string, parameters: Parameters) => Promise<GitHubReply<T>>

/** A client that loads @actions/github with its first call: most steps never make one. */
export function createClient({ token, apiUrl, proxy, cancelled }: GitHubOptions): Call {
  const connect = async () => {
    const { getOctokit } = await import('@actions/github')
    return getOctokit(token, { baseUrl: apiUrl, request: { fetch: fetchThrough(proxy, cancelled) } })
  }
  let connected: ReturnType<typeof connect> | undefined

  async function once<T>(route: string, parameters: Parameters): Promise<GitHubReply<T>> {
    try {
      connected ??= connect()
      const { status, data } = await (await connected).request(route, parameters)
      // Octokit takes a redirect for a success.
      if (status > 299) return { ok: false, refusal: { status, message: 'GitHub points elsewhere' } }
      if (route.startsWith('GET') && (typeof data !== 'object' || data === null)) return undocumented
      return { ok: true, value: data as T }
    } catch (error) {
      const { message, response } = error as { message?: string; response?: { status: number } }
      // Octokit gives an error without a reply the status 500: no server said that.
      return { ok: false, refusal: { status: response?.status ?? null, message: String(message) } }
    }
  }

  /** What does the same however often it is done is tried once more where GitHub broke; a POST would comment twice. */
  async function call<T>(route: string, parameters: Parameters): Promise<GitHubReply<T>> {
    const reply = await once<T>(route, parameters)
    const isWorthIt = !reply.ok && (reply.refusal.status ?? 500) >= 500 && !route.startsWith('POST')
    return isWorthIt && !cancelled.aborted ? once<T>(route, parameters) : reply
  }

  return call
}

/** A reply that has to be a list; anything else (a page of a proxy's, say) is none of GitHub's. */
export function asList<T>(reply: GitHubReply<unknown>): GitHubReply<T[]> {
  if (!reply.ok) return reply
  return Array.isArray(reply.value) ? { ok: true, value: reply.value as T[] } : undocumented
}

const undocumented = {
  ok: false,
  refusal: { status: 200, message: 'the answer is not what GitHub documents' },
} as const

/** The path's two parts of `owner/name`. */
export function split(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/')
  return { owner, repo }
}

/** What Octokit needs of `fetch`, by the same undici as everything else, so that proxies are honoured alike. */
function fetchThrough(proxy: ProxySettings, cancelled: AbortSignal) {
  return async (url: string, init: { method?: string; headers?: Record<string, string>; body?: string }) => {
    const limit = startTimeout(patience, cancelled)
    const connection = openConnection(url, proxy)
    useConnection(connection, limit.signal)
    try {
      const reply = await request(url, {
        dispatcher: connection.agent,
        method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
        headers: { ...init.headers, 'user-agent': 'docs-agent-action' },
        ...(init.body !== undefined && { body: init.body }),
        signal: limit.signal,
        reset: true,
      })
      const text = await reply.body.text()
      const headers = Object.entries(reply.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ])
      const hasBody = ![204, 205, 304].includes(reply.statusCode)
      return new Response(hasBody ? text : null, { status: reply.statusCode, headers })
    } finally {
      limit.stop()
      connection.agent.destroy().catch(() => {})
    }
  }
}
