/** Changes and pull requests at GitHub (GitHub's REST API docs: "Commits", "Pulls", "Repository contents"). */
import type { ChangedFile } from '../../core/prompt/diff.ts'
import type { GitHubReply, PullRequest, Repositories } from '../../usecases/ports.ts'
import { asList, type Call, split } from './client.ts'

interface FileView {
  filename: string
  previous_filename?: string
  status: string
  additions: number
  deletions: number
  patch?: string
}

interface PullView {
  number: number
  html_url: string
  user: { login: string } | null
  merged_at: string | null
  merge_commit_sha: string | null
}

/** A comparison lists no more files than these, on its first page; a commit or a pull request ten times as many. */
const compareLimit = 300
const listLimit = 3_000
const perPage = 100
/** Pages of open pull requests that are read. */
const pullPages = 10

export function createRepositories(call: Call): Repositories {
  /** Reads pages until one is not full. */
  async function all<T>(
    route: string,
    parameters: Record<string, string | number>,
    pages: number,
    listOf: (page: unknown) => unknown = (page) => page,
  ): Promise<GitHubReply<T[]>> {
    const found: T[] = []
    for (let page = 1; page <= pages; page++) {
      const reply = await call<unknown>(route, { ...parameters, per_page: perPage, page })
      if (!reply.ok) return reply
      const added = asList<T>({ ok: true, value: listOf(reply.value) })
      if (!added.ok) return added
      found.push(...added.value)
      if (added.value.length < perPage) break
    }
    return { ok: true, value: found }
  }

  return {
    async changedFiles(repository, range) {
      const at = split(repository)
      switch (range.by) {
        case 'compare': {
          const basehead = `${range.base}...${range.head}`
          const reply = await call<{ files?: FileView[] }>('GET /repos/{owner}/{repo}/compare/{basehead}', {
            ...at,
            basehead,
            per_page: 1,
          })
          const listed = reply.ok ? asList<FileView>({ ok: true, value: reply.value.files }) : reply
          return listed.ok ? files(listed.value, compareLimit) : listed
        }
        case 'head':
        case 'commit': {
          const route = 'GET /repos/{owner}/{repo}/commits/{ref}'
          const listed = (page: unknown) => (page as { files?: FileView[] }).files ?? []
          const reply = await all<FileView>(route, { ...at, ref: range.sha }, listLimit / perPage, listed)
          return reply.ok ? files(reply.value, listLimit) : reply
        }
        case 'pull': {
          const route = 'GET /repos/{owner}/{repo}/pulls/{number}/files'
          const reply = await all<FileView>(route, { ...at, number: range.number }, listLimit / perPage)
          return reply.ok ? files(reply.value, listLimit) : reply
        }
      }
    },

    async file(repository, path, ref) {
      const route = 'GET /repos/{owner}/{repo}/contents/{path}'
      const parameters = { ...split(repository), path, ref }
      const reply = await call<{ content?: string; encoding?: string }>(route, parameters)
      if (!reply.ok) return reply.refusal.status === 404 ? { ok: true, value: null } : reply
      const { content = '', encoding } = reply.value
      return {
        ok: true,
        value: encoding === 'base64' ? Buffer.from(content, 'base64').toString('utf8') : null,
      }
    },

    async pullsOf(repository, commit) {
      const route = 'GET /repos/{owner}/{repo}/commits/{commit}/pulls'
      const reply = asList<PullView>(await call(route, { ...split(repository), commit, per_page: perPage }))
      return reply.ok ? { ok: true, value: reply.value.map(pullOf) } : reply
    },

    async openPulls(repository) {
      const parameters = { ...split(repository), state: 'open', sort: 'created', direction: 'desc' }
      const reply = await all<PullView>('GET /repos/{owner}/{repo}/pulls', parameters, pullPages)
      return reply.ok ? { ok: true, value: reply.value.map(pullOf) } : reply
    },
  }
}

function files(views: readonly FileView[], limit: number) {
  const found = views.map(
    ({ filename, previous_filename, status, additions, deletions, patch }): ChangedFile => ({
      ...{ path: filename, previousPath: previous_filename ?? null, status, additions, deletions },
      patch: patch ?? null,
    }),
  )
  return { ok: true, value: { files: found, isCut: found.length >= limit } } as const
}

/** Before it is merged, `merge_commit_sha` is that of a test merge (GitHub's docs). */
function pullOf({ number, html_url: url, user, merged_at, merge_commit_sha }: PullView): PullRequest {
  return {
    number,
    url,
    author: user?.login ?? null,
    mergeCommit: merged_at === null ? null : merge_commit_sha,
  }
}
