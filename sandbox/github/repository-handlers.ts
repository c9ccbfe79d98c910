/** The operations on a repository's commits, files, statuses and pull requests. */

import type { Reply } from '../wire.ts'
import { rejectStatus, rejectWrite, roleOf } from './access.ts'
import { type Commit, commitsBetween, mergeBaseOf, sha1 } from './commits.ts'
import { changesBetween, type FileChange } from './diff.ts'
import { cutPage, type PageWanted, pageIn, pageOf } from './pages.ts'
import { invalid, problem } from './reply.ts'
import { changesIn, changesOf, defaultBranch, isSameName, type PullRequest } from './repository.ts'
import {
  commitView,
  contentView,
  fileViews,
  pullView,
  statusView,
  wholePullView,
} from './repository-views.ts'
import type { SandboxStatus } from './statuses.ts'
import type { Place } from './views.ts'
import type { Handler, ValidRequest, World } from './world.ts'

/** openapi.json, "repos/compare-commits-with-basehead". */
const mostComparedFiles = 300
const mostComparedCommits = 250
/** openapi.json, "repos/get-commit" and "pulls/list-files". */
const mostFilesPerPage = 300
const mostFiles = 3_000
/** openapi.json, "git/get-tree". */
const mostTreeEntries = 100_000
/** Not documented, but GitHub's error message names it. */
const longestDescription = 140

const wholePull = onPull((pull, request, { place, book }) => {
  const { repository } = request
  const isHome = isSameName(repository.name, place.repository)
  const counts = {
    commits: commitsBetween(pull.base.commit, pull.head.commit).length,
    comments: isHome ? book.list('issues', pull.number).length : 0,
    reviewComments: isHome ? book.list('pulls', pull.number).length : 0,
  }
  const at = { ...place, repository: repository.name }
  return { status: 200, body: wholePullView(pull, counts, repository, at) }
})

export const repositoryHandlers = {
  'repos/compare-commits-with-basehead': (request, world) => {
    const { path, repository } = request
    const [base = '', head] = String(path.basehead).split('...')
    const [from, to] = [repository.find(base), repository.find(head ?? '')]
    if (from === undefined || to === undefined) return problem(404)
    const mergeBase = mergeBaseOf(from, to)
    if (mergeBase === undefined) return problem(404, `No common ancestor between ${base} and ${head}.`)
    const changes = changesBetween(mergeBase.tree, to.tree)
    return comparison({ from, to, mergeBase, changes }, request, world)
  },

  'repos/get-commit': (request, world) => {
    const { path } = request
    const commit = commitAt(request, String(path.ref))
    if ('status' in commit) return commit
    const changes = changesIn(commit)
    const place = placeOf(request, world)
    const { perPage = mostFilesPerPage, ...wanted } = pageWanted(request, world, `commits/${path.ref}`)
    const views = fileViews(changes.slice(0, mostFiles), commit, place)
    const { shown, headers } = cutPage(views, { ...wanted, perPage }, mostFilesPerPage)
    const [additions, deletions] = [sumOf(changes, 'additions'), sumOf(changes, 'deletions')]
    const stats = { total: additions + deletions, additions, deletions }
    return { status: 200, body: { ...commitView(commit, place), stats, files: shown }, headers }
  },

  'repos/list-pull-requests-associated-with-commit': (request, world) => {
    const { path, repository } = request
    const commit = commitAt(request, String(path.commit_sha))
    if ('status' in commit) return commit
    const place = placeOf(request, world)
    const views = repository.pullsWith(commit).map((pull) => pullView(pull, repository, place))
    return pageOf(views, pageWanted(request, world, `commits/${path.commit_sha}/pulls`))
  },

  'pulls/list': (request, world) => {
    const { query, repository } = request
    const place = placeOf(request, world)
    const { state = 'open', sort = 'created', direction = 'desc', page: _, per_page: __, ...filters } = query
    if (state !== 'open' || sort !== 'created' || direction !== 'desc' || Object.keys(filters).length > 0)
      throw new Error('The GitHub double lists open pull requests only, newest first')
    const views = repository.pulls
      .filter((pull) => pull.state === 'open')
      .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || b.number - a.number)
      .map((pull) => pullView(pull, repository, place))
    return pageOf(views, pageWanted(request, world, 'pulls'))
  },

  'pulls/get': wholePull,

  'pulls/list-files': onPull((pull, request, world) => {
    const changes = changesOf(pull).slice(0, mostFiles)
    const views = fileViews(changes, pull.head.commit, placeOf(request, world))
    return pageOf(views, pageWanted(request, world, `pulls/${pull.number}/files`))
  }),

  'pulls/request-reviewers': changingPull((pull, request, world) => {
    const { repository, body } = request
    const { reviewers = [], team_reviewers: teams = [] } = body
    // Observed: if one name is unknown, GitHub rejects all of them.
    const isUnknown =
      reviewers.some((login) => roleOf(login, world.roles) === undefined) ||
      teams.some((slug) => !world.teams.includes(slug))
    if (isUnknown)
      return problem(
        422,
        'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a ' +
          `collaborator of the ${repository.name} repository.`,
      )
    const asked = [...pull.reviewers, ...reviewers, ...teams.map((slug) => `team/${slug}`)]
    repository.changePull(pull.number, { reviewers: [...new Set(asked)] })
    const changed = repository.pull(pull.number) ?? pull
    return { status: 201, body: pullView(changed, repository, placeOf(request, world)) }
  }),

  'repos/get-content': (request, world) => {
    const { query, repository } = request
    if (repository.isEmpty) return problem(404, 'This repository is empty.')
    const ref = String(query.ref ?? defaultBranch)
    const commit = repository.find(ref)
    if (commit === undefined) return problem(404, `No commit found for the ref ${ref}`)
    const path = String(request.path.path).replace(/^\/+|\/+$/g, '')
    const file = commit.tree.get(path)
    // GitHub lists a folder's contents, but the action never reads those.
    if (file === undefined) return problem(404)
    return { status: 200, body: contentView(path, file, ref, placeOf(request, world)) }
  },

  'git/get-tree': ({ path, query, repository }, world) => {
    const wanted = String(path.tree_sha)
    const commit = repository.find(wanted)
    if (commit === undefined) return problem(404)
    const url = `${world.place.api}/repos/${repository.name}/git`
    return { status: 200, body: treeView(commit, query.recursive !== undefined, url) }
  },

  'repos/list-commit-statuses-for-ref': (request, world) => {
    const { path, repository } = request
    const commit = commitAt(request, String(path.ref))
    if ('status' in commit) return commit
    const place = placeOf(request, world)
    const views = world.statuses.list(repository.name, commit.sha).map((status) => statusView(status, place))
    return pageOf(views, pageWanted(request, world, `commits/${path.ref}/statuses`))
  },

  'repos/create-commit-status': (request, world) => {
    const { path, body, repository } = request
    const rejected = rejectStatus(world.lacks)
    if (rejected) return rejected
    const commit = commitAt(request, String(path.sha))
    if ('status' in commit) return commit
    const { context = 'default', description = null, target_url: targetUrl = null } = body
    const state = body.state as SandboxStatus['state']
    const faulty = statusFault(description, targetUrl)
    if (faulty !== undefined) return invalid([{ resource: 'Status', code: 'custom', ...faulty }])
    const status = { repository: repository.name, sha: commit.sha, state, context, description, targetUrl }
    const added = world.statuses.add({ ...status, creator: world.viewer })
    return { status: 201, body: statusView(added, placeOf(request, world)) }
  },
} satisfies Record<string, Handler>

type PullHandler = (pull: PullRequest, request: ValidRequest, world: World) => Reply

/** Handles a request about the pull request in its path. */
function onPull(handle: PullHandler): Handler {
  return (request, world) => {
    const pull = request.repository.pull(Number(request.path.pull_number))
    return pull === undefined ? problem(404) : handle(pull, request, world)
  }
}

function changingPull(handle: PullHandler): Handler {
  return (request, world) =>
    rejectWrite({ what: 'comment', where: 'review' }, world.lacks) ?? onPull(handle)(request, world)
}

function statusFault(description: string | null, targetUrl: string | null) {
  if ([...(description ?? '')].length > longestDescription)
    return {
      field: 'description',
      message: `description is too long (maximum is ${longestDescription} characters)`,
    }
  const isWeb = targetUrl === null || /^https?:\/\//.test(targetUrl)
  return isWeb ? undefined : { field: 'target_url', message: 'target_url must use http(s) scheme' }
}

/** A commit's files and folders; without `recursive`, only those at its root. */
function treeView({ tree, treeSha }: Commit, isRecursive: boolean, url: string) {
  const folders = new Map<string, string[]>()
  for (const [path, { sha }] of tree)
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end)
      folders.set(folder, [...(folders.get(folder) ?? []), `${path} ${sha}`])
    }
  const entries = [
    ...[...tree].map(([path, { sha, bytes }]) => {
      return { path, mode: '100644', type: 'blob', sha, size: bytes.length, url: `${url}/blobs/${sha}` }
    }),
    ...[...folders].map(([path, content]) => {
      const sha = sha1(content.join('\n'))
      return { path, mode: '040000', type: 'tree', sha, url: `${url}/trees/${sha}` }
    }),
  ].filter(({ path }) => isRecursive || !path.includes('/'))
  entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  const truncated = entries.length > mostTreeEntries
  return { sha: treeSha, url: `${url}/trees/${treeSha}`, tree: entries.slice(0, mostTreeEntries), truncated }
}

interface Compared {
  from: Commit
  to: Commit
  mergeBase: Commit
  changes: readonly FileChange[]
}

/** openapi.json, "repos/compare-commits-with-basehead": the last commits, or one page of all commits. Only page 1 has files. */
function comparison({ from, to, mergeBase, changes }: Compared, request: ValidRequest, world: World): Reply {
  const place = placeOf(request, world)
  const { basehead } = request.path
  const wanted = pageWanted(request, world, `compare/${basehead}`)
  const isPaged = wanted.page !== undefined || wanted.perPage !== undefined
  const [ahead, behind] = [commitsBetween(from, to), commitsBetween(to, from)]
  const last = { shown: ahead.slice(-mostComparedCommits), headers: {} }
  const { shown, headers } = isPaged ? cutPage(ahead, wanted) : last
  const page = `${place.html}/${place.repository}/compare`
  const body = {
    url: wanted.url,
    html_url: `${page}/${basehead}`,
    permalink_url: `${page}/${from.sha}...${to.sha}`,
    diff_url: `${page}/${basehead}.diff`,
    patch_url: `${page}/${basehead}.patch`,
    base_commit: commitView(from, place),
    merge_base_commit: commitView(mergeBase, place),
    status: comparisonStatus(ahead.length, behind.length),
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: shown.map((commit) => commitView(commit, place)),
    ...((wanted.page ?? 1) <= 1 && { files: fileViews(changes.slice(0, mostComparedFiles), to, place) }),
  }
  return { status: 200, body, headers }
}

/** Observed: 422 for an unknown commit or branch, 409 for a repository without commits. */
function commitAt({ repository }: ValidRequest, ref: string): Commit | Reply {
  if (repository.isEmpty) return problem(409, 'Git Repository is empty.')
  return repository.find(ref) ?? problem(422, `No commit found for SHA: ${ref}`)
}

function comparisonStatus(ahead: number, behind: number): string {
  if (ahead > 0) return behind > 0 ? 'diverged' : 'ahead'
  return behind > 0 ? 'behind' : 'identical'
}

function placeOf({ repository }: ValidRequest, { place }: World): Place {
  return { ...place, repository: repository.name }
}

/** The page that a request wants of the list at this path of its repository. */
function pageWanted({ query, repository }: ValidRequest, { place }: World, path: string): PageWanted {
  return { url: `${place.api}/repos/${repository.name}/${path}`, ...pageIn(query) }
}

function sumOf(changes: readonly FileChange[], count: 'additions' | 'deletions'): number {
  return changes.reduce((sum, change) => sum + change[count], 0)
}
