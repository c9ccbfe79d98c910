/** The operations on a repository's commits, files, statuses and pull requests. */
import type { Reply } from '../wire.ts'
import { authorizeWrite, roleOf } from './access.ts'
import { type Commit, commitsBetween, mergeBaseOf, sha1 } from './commits.ts'
import { changesBetween } from './diff.ts'
import { found, invalid, reject } from './errors.ts'
import { renderMarkdown } from './markdown.ts'
import { changesIn, changesOf, type PullRequest } from './repository.ts'
import { pullView, statusView, wholePullView } from './views.ts'
import { type GitHubCall, type Handler, listOf, paged } from './world.ts'

/** openapi.json, "repos/compare-commits-with-basehead". */
const mostComparedFiles = 300
/** openapi.json, "repos/get-commit" and "pulls/list-files". */
const mostFilesPerPage = 300
const mostFiles = 3_000
/** Bytes (GitHub's REST API docs, "Markdown"). */
const mostMarkdown = 400_000
/** Not documented, but GitHub's error message names it. */
const longestDescription = 140

export const repositoryHandlers = {
  'markdown/render': ({ body: { text, mode } }, { pages }) => {
    if (mode !== 'gfm') throw new Error('The GitHub mock only renders Markdown as in comments (gfm)')
    if (Buffer.byteLength(text) > mostMarkdown) throw new Error('GitHub renders at most 400 KB of Markdown')
    return {
      status: 200,
      body: pages.get(text) ?? renderMarkdown(text),
      headers: { 'content-type': 'text/html; charset=utf-8' },
    }
  },

  /** Without the commits between the two. */
  'repos/compare-commits-with-basehead': ({ path, query, repository }) => {
    if (query.page !== undefined) throw new Error('The GitHub mock only sends the page with the files')
    const [base = '', head = ''] = String(path.basehead).split('...')
    const [from, to] = [found(repository.find(base)), found(repository.find(head))]
    const mergeBase = found(mergeBaseOf(from, to), `No common ancestor between ${base} and ${head}.`)
    const [ahead, behind] = [commitsBetween(from, to), commitsBetween(to, from)]
    const body = {
      merge_base_commit: { sha: mergeBase.sha },
      status: comparisonStatus(ahead.length, behind.length),
      files: changesBetween(mergeBase.tree, to.tree).slice(0, mostComparedFiles),
    }
    return { status: 200, body }
  },

  'repos/get-commit': (call) => {
    const commit = commitAt(call, call.path.ref)
    const changes = changesIn(commit)
    const limits = { most: mostFilesPerPage, usual: mostFilesPerPage }
    const { shown, headers } = paged(changes.slice(0, mostFiles), call, limits)
    return { status: 200, body: { sha: commit.sha, files: shown }, headers }
  },

  'pulls/list': (call) => {
    const { state, sort, direction } = call.query
    if (state !== 'open' || sort !== 'created' || direction !== 'desc')
      throw new Error('The GitHub mock lists open pull requests only, newest first')
    const timeOf = (pull: PullRequest) => Date.parse(pull.createdAt)
    const open = call.repository.pulls.filter((pull) => pull.state === 'open')
    const newestFirst = open.toSorted((a, b) => timeOf(b) - timeOf(a) || b.number - a.number)
    return pullsPage(newestFirst, call)
  },

  'pulls/get': (call) => ({ status: 200, body: wholePullView(pullIn(call), call.repository) }),

  'pulls/list-files': (call) => listOf(changesOf(pullIn(call)).slice(0, mostFiles), call),

  'pulls/request-reviewers': (call, { permissions, roles }) => {
    authorizeWrite('review', permissions)
    const { repository, body } = call
    const { number, reviewers: earlier } = pullIn(call)
    const { reviewers = [], team_reviewers: slugs = [] } = body as Record<string, string[]>
    // Observed: if one name is unknown, GitHub rejects all of them.
    const isKnown = (login: string) => roleOf(login, roles) !== undefined
    if (!reviewers.every(isKnown))
      reject(
        422,
        'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a ' +
          `collaborator of the ${repository.name} repository.`,
      )
    const asked = [...earlier, ...reviewers, ...slugs.map((slug) => `team/${slug}`)]
    repository.changePull(number, { reviewers: [...new Set(asked)] })
    return { status: 201, body: pullView(pullIn(call), repository) }
  },

  'git/get-commit': ({ path, repository }) => {
    const { sha, parents } = found(repository.find(String(path.commit_sha)))
    return { status: 200, body: { sha, parents: parents.map((parent) => ({ sha: parent.sha })) } }
  },

  'git/get-tree': ({ path, query, repository }) => {
    if (query.recursive === undefined) throw new Error('The GitHub mock only lists whole trees')
    return { status: 200, body: treeView(found(repository.find(String(path.tree_sha)))) }
  },

  'repos/list-releases': (call) => {
    const views = call.repository.releases.map(({ tag, publishedAt, isPrerelease = false }) => {
      return { tag_name: tag, published_at: publishedAt, prerelease: isPrerelease, draft: false }
    })
    return listOf(views.toReversed(), call)
  },

  'repos/list-commit-statuses-for-ref': (call, world) => {
    const { sha } = commitAt(call, call.path.ref)
    return listOf(world.statuses.list(call.repository.name, sha).map(statusView), call)
  },

  'repos/create-commit-status': (call, { permissions, statuses, viewer: creator }) => {
    const { path, body, repository } = call
    authorizeWrite('status', permissions)
    const { sha } = commitAt(call, path.sha)
    const { context = 'default', description = null, target_url: targetUrl = null, state } = body
    if ([...(description ?? '')].length > longestDescription)
      return invalid({ field: 'description', code: 'custom', message: 'description is too long' })
    if (!/^https?:\/\//.test(targetUrl ?? 'https://'))
      return invalid({ field: 'target_url', code: 'custom', message: 'target_url must use http(s) scheme' })
    const status = { repository: repository.name, sha, state, context, description, targetUrl, creator }
    return { status: 201, body: statusView(statuses.add(status)) }
  },
} satisfies Record<string, Handler>

function pullsPage(pulls: readonly PullRequest[], call: GitHubCall): Reply {
  const views = pulls.map((pull) => pullView(pull, call.repository))
  return listOf(views, call)
}

function pullIn({ path, repository }: GitHubCall): PullRequest {
  return found(repository.pull(Number(path.pull_number)))
}

/** Observed: 422 for an unknown commit or branch. */
function commitAt({ repository }: GitHubCall, ref = ''): Commit {
  return repository.find(ref) ?? reject(422, `No commit found for SHA: ${ref}`)
}

function comparisonStatus(ahead: number, behind: number): string {
  if (ahead > 0) return behind > 0 ? 'diverged' : 'ahead'
  return behind > 0 ? 'behind' : 'identical'
}

/** A commit's files and folders. */
function treeView({ tree, treeSha }: Commit) {
  const parents = (path: string) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))
  const folders = new Set([...tree.keys()].flatMap(parents))
  const files = [...tree].map(([path, { sha, mode }]) => {
    return { path, mode, type: mode === '160000' ? 'commit' : 'blob', sha }
  })
  const others = [...folders].map((path) => {
    return { path, mode: '040000', type: 'tree', sha: sha1(treeSha, path) }
  })
  return { sha: treeSha, truncated: false, tree: [...files, ...others] }
}
