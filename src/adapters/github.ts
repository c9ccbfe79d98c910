/** GitHub by @actions/github, which is loaded only where a thread is spoken to. */
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici'
import type { ProxySettings } from '../core/proxy.ts'
import type { GitHub, GitHubReply } from '../usecases/ports.ts'

export interface GitHubOptions {
  token: string
  /** `GITHUB_API_URL`: an Enterprise server has its own. */
  apiUrl: string
  proxy: ProxySettings
}

type Parameters = Record<string, string | number>

/** Milliseconds that one call may take. */
const patience = 10_000
/** Pages of a hundred comments that are read to find the thread's job. */
const pageLimit = 10

export async function createGitHub({ token, apiUrl, proxy }: GitHubOptions): Promise<GitHub> {
  const { getOctokit } = await import('@actions/github')
  const dispatcher = new EnvHttpProxyAgent({ ...proxy })
  const octokit = getOctokit(token, { baseUrl: apiUrl, request: { fetch: fetchThrough(dispatcher) } })

  async function once<T>(route: string, parameters: Parameters): Promise<GitHubReply<T>> {
    try {
      const { data } = await octokit.request(route, parameters)
      return { ok: true, value: data as T }
    } catch (error) {
      const { status, message } = error as { status?: number; message?: string }
      return { ok: false, refusal: { status: status || null, message: String(message) } }
    }
  }

  /** A GET is tried once more where GitHub broke. A POST never is: it would comment twice. */
  async function call<T>(route: string, parameters: Parameters): Promise<GitHubReply<T>> {
    const reply = await once<T>(route, parameters)
    const isWorthIt = !reply.ok && (reply.refusal.status ?? 500) >= 500 && route.startsWith('GET')
    return isWorthIt ? once<T>(route, parameters) : reply
  }

  return {
    async role(repository, username) {
      const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission'
      const reply = await call<{ permission: string; role_name?: string }>(route, {
        ...split(repository),
        username,
      })
      if (!reply.ok) return reply.refusal.status === 404 ? { ok: true, value: null } : reply
      const { permission, role_name } = reply.value
      return { ok: true, value: { permission, roleName: role_name ?? permission } }
    },

    async comments({ repository, number, reviewRoot }) {
      const list = reviewRoot === null ? 'issues' : 'pulls'
      const found: { id: number; body: string }[] = []
      for (let page = 1; page <= pageLimit; page++) {
        const parameters = { ...split(repository), number, per_page: 100, page }
        const reply = await call<{ id: number; body?: string | null; in_reply_to_id?: number }[]>(
          `GET /repos/{owner}/{repo}/${list}/{number}/comments`,
          parameters,
        )
        if (!reply.ok) return reply
        const mine = reply.value.filter(
          ({ id, in_reply_to_id }) => reviewRoot === null || (in_reply_to_id ?? id) === reviewRoot,
        )
        found.push(...mine.map(({ id, body }) => ({ id, body: body ?? '' })))
        if (reply.value.length < 100) break
      }
      return { ok: true, value: found }
    },

    async reply({ repository, number, reviewRoot }, body) {
      const parameters = { ...split(repository), number, body }
      const reply =
        reviewRoot === null
          ? await call<{ id: number }>('POST /repos/{owner}/{repo}/issues/{number}/comments', parameters)
          : await call<{ id: number }>('POST /repos/{owner}/{repo}/pulls/{number}/comments/{root}/replies', {
              ...parameters,
              root: reviewRoot,
            })
      return reply.ok ? { ok: true, value: reply.value.id } : reply
    },

    async edit({ repository, reviewRoot }, id, body) {
      const kind = reviewRoot === null ? 'issues' : 'pulls'
      return done(
        await call(`PATCH /repos/{owner}/{repo}/${kind}/comments/{id}`, { ...split(repository), id, body }),
      )
    },

    async react({ repository, reviewRoot }, id, content) {
      const kind = reviewRoot === null ? 'issues' : 'pulls'
      const route = `POST /repos/{owner}/{repo}/${kind}/comments/{id}/reactions`
      return done(await call(route, { ...split(repository), id, content }))
    },
  }
}

function split(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/')
  return { owner, repo }
}

function done(reply: GitHubReply<unknown>): GitHubReply<void> {
  return reply.ok ? { ok: true, value: undefined } : reply
}

/** What Octokit needs of `fetch`, by the same undici as everything else, so that proxies are honoured alike. */
function fetchThrough(dispatcher: Dispatcher) {
  return async (url: string, init: { method?: string; headers?: Record<string, string>; body?: string }) => {
    const reply = await request(url, {
      dispatcher,
      method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
      headers: { ...init.headers, 'user-agent': 'docs-agent-action' },
      ...(init.body !== undefined && { body: init.body }),
      signal: AbortSignal.timeout(patience),
      reset: true,
    })
    const text = await reply.body.text()
    const headers = Object.entries(reply.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    const hasBody = ![204, 205, 304].includes(reply.statusCode)
    return new Response(hasBody ? text : null, { status: reply.statusCode, headers })
  }
}
