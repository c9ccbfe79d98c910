/** Changes and pull requests on GitHub (GitHub's REST API docs: "Commits", "Pulls", "Repository contents", "Git trees", "Releases"). */

import type { ChangedFiles } from '../core/prompt/diff.ts'
import type { HistoryCommit } from '../core/since-last.ts'
import type { PullFacts } from '../core/sources.ts'
import type { Range } from '../core/trigger/change.ts'
import {
  type Api,
  type Data,
  loginOf,
  type Nodes,
  nodesOf,
  nullIfMissing,
  type PullNode,
  pullFactsOf,
  pullFields,
  type RepositoryNode,
} from './client.ts'

/** Maximum number of files in a comparison, all on its first page. */
const compareLimit = 300
/** Maximum number of files in a list of several pages. */
const listLimit = 3_000
/** Maximum number of commits whose pull requests are read, and how many of them are in one query. */
const pullsOfLimit = 500
const pageSize = 100

/** The fields of a pull request that the action uses. */
export type PullRequest = ReturnType<typeof pullOf>

/** A pull request with all details. */
export type PullRequestDetails = ReturnType<typeof detailsOf>

/** A release that is neither a draft nor a prerelease. */
export type PublishedRelease = ReturnType<typeof releaseOf>

/** The calls about changes, pull requests and repositories. They only read. */
export function repositoryCalls({ request, queryRepository, list }: Api) {
  /** Compares two commits, without listing the commits between them. */
  const compare = (repository: string, base: string, head: string) => {
    const route = `GET /repos/${repository}/compare/{basehead}`
    const range = { basehead: `${base}...${head}`, per_page: 1 }
    return request<Required<Data<'repos', 'compareCommitsWithBasehead'>>>(route, range)
  }

  /** What some selections of pull requests find, each under an alias, in one GraphQL query. */
  async function queryPulls(repository: string, selections: readonly string[]) {
    const aliased = selections.map((selection, index) => `p${index}: ${selection}`)
    const query = `query pulls($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef { name }
    ${aliased.join('\n    ')}
  }
}
fragment listed on PullRequestConnection { nodes { ${pullFields} } }`
    const { defaultBranchRef, ...found } = await queryRepository<PullsNode>(query, repository)
    const pulls = selections.map((_, index) => {
      const list = found[`p${index}`]
      return nodesOf(list?.ofCommit ?? list).map(pullFactsOf)
    })
    return { defaultBranch: defaultBranchRef?.name ?? '', pulls }
  }

  /** Reads the tree of a commit or folder: its own entries, or all files below it. */
  const readTree = (repository: string, id: string, query = {}) =>
    request<Data<'git', 'getTree'>>(`GET /repos/${repository}/git/trees/${id}`, query)

  /** The mode and ID of each file in a commit, by path. */
  async function readFiles(repository: string, commit: string) {
    const { tree, truncated } = await readTree(repository, commit, { recursive: 1 })
    const files = tree.filter(({ type }) => type !== 'tree')
    return { files: new Map(files.map(({ path, mode, sha }) => [path, `${mode} ${sha}`])), isCut: truncated }
  }

  /** Reads the folders of some paths one by one, because GitHub cuts long lists of a whole tree. */
  async function readFolders(repository: string, commit: string, paths: readonly string[]) {
    const entries = new Map([['', `040000 ${commit}`]])
    // Sorted, a folder comes before the folders in it.
    for (const folder of [...new Set(paths.flatMap(foldersOf))].sort()) {
      const [, id] = entries.get(folder)?.split(' ') ?? []
      if (id === undefined) continue
      const { tree } = await readTree(repository, id)
      const parent = folder === '' ? '' : `${folder}/`
      for (const { path, mode, sha } of tree) entries.set(`${parent}${path}`, `${mode} ${sha}`)
    }
    return entries
  }

  return {
    async changedFiles(repository: string, range: Range): Promise<ChangedFiles> {
      if (range.by === 'compare') {
        const { files: views, merge_base_commit } = await compare(repository, range.base, range.head)
        const files = views.map(fileOf)
        if (files.length < compareLimit) return { files, isCut: false }
        return { files, isCut: true, mergeBase: merge_base_commit.sha }
      }
      const path = range.by === 'pull' ? `pulls/${range.number}/files` : `commits/${range.sha}`
      const { items } = await list<FileView | { files: FileView[] }>(`/repos/${repository}/${path}`)
      const files = items.flatMap((item) => ('files' in item ? item.files : item)).map(fileOf)
      return { files, isCut: files.length >= listLimit }
    },

    /** A text file at a commit; null if it does not exist. */
    async file(repository: string, path: string, ref: string) {
      const route = `GET /repos/${repository}/contents/{path}`
      const view = await request<ContentView>(route, { path, ref }).catch(nullIfMissing)
      if (view?.encoding !== 'base64') return null
      return Buffer.from(view.content ?? '', 'base64').toString('utf8')
    },

    /**
     * A hundred commits of the default branch, in one GraphQL query. `next`: the start of the next page; null if there is
     * none.
     * @param contexts the contexts of statuses that mark commits
     * @param after the start of the page; null for the newest commit
     */
    async history(repository: string, contexts: readonly string[], after: string | null) {
      const { defaultBranchRef } = await queryRepository<RepositoryNode<HistoryNode>>(
        historyQuery,
        repository,
        { after },
      )
      const page = defaultBranchRef?.target?.history
      return {
        commits: nodesOf(page).map((node) => historyCommitOf(node, contexts)),
        next: page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null,
      }
    },

    /**
     * The pull requests that contain each commit, in the order of the commits: merged ones and, if a commit is not on the
     * default branch, also open ones. Read for the first 500 commits, with one GraphQL query for a hundred. A commit that
     * does not exist has none.
     */
    async pullsOf(repository: string, commits: readonly string[]) {
      const pulls = commits.map((): PullFacts[] => [])
      let defaultBranch = ''
      for (let start = 0; start < Math.min(commits.length, pullsOfLimit); start += pageSize) {
        const page = await queryPulls(repository, commits.slice(start, start + pageSize).map(pullsOfCommit))
        pulls.splice(start, pageSize, ...page.pulls)
        defaultBranch = page.defaultBranch
      }
      return { defaultBranch, pulls }
    },

    /** The pull requests from or for a branch; only the 50 that changed last. */
    pullsOn(repository: string, side: 'headRefName' | 'baseRefName', branch: string) {
      const order = 'first: 50, orderBy: { field: UPDATED_AT, direction: DESC }'
      return queryPulls(repository, [
        `pullRequests(${side}: ${JSON.stringify(branch)}, ${order}) { ...listed }`,
      ])
    },

    /** The open pull requests, newest first. */
    async openPulls(repository: string) {
      const order = { state: 'open', sort: 'created', direction: 'desc' }
      const { items } = await list<PullData>(`/repos/${repository}/pulls`, order)
      return items.map(pullOf)
    },

    /** A repository's releases that were published since a time, in order of publication; at most 3,000. */
    async releases(repository: string, since: number) {
      const { items } = await list<ReleaseView>(`/repos/${repository}/releases`)
      const published = items.filter(({ draft, prerelease }) => !draft && !prerelease)
      return published
        .map(releaseOf)
        .filter(({ publishedAt }) => publishedAt >= since)
        .sort((one, other) => one.publishedAt - other.publishedAt)
    },

    async pull(repository: string, number: number) {
      return detailsOf(await request<PullData>(`GET /repos/${repository}/pulls/${number}`))
    },

    /** Whether a branch or tag contains a commit. */
    async contains(repository: string, ref: string, commit: string) {
      const { status } = await compare(repository, commit, ref)
      return status === 'ahead' || status === 'identical'
    },

    /**
     * A review's comments on lines of a pull request, oldest first; may be incomplete. GitHub's list of a single review's
     * comments omits their lines.
     */
    async reviewComments(repository: string, number: number, review: number) {
      const { items, isCut } = await list<LineCommentView>(`/repos/${repository}/pulls/${number}/comments`)
      const views = items.filter((view) => view.pull_request_review_id === review)
      return { items: views.map(lineCommentOf), isCut }
    },

    /** The sanitized HTML that GitHub shows for Markdown in a comment of a repository. Throws if it is not text. */
    async render(context: string, text: string) {
      return (await request<string>('POST /markdown', { text, mode: 'gfm', context })).trim()
    },

    /**
     * The paths that differ between two commits, from their trees, because GitHub limits comparisons to 300 files.
     * `isCut`: GitHub returned an incomplete tree.
     */
    async changedPaths(repository: string, base: string, head: string) {
      const before = await readFiles(repository, base)
      const after = await readFiles(repository, head)
      const paths = new Set([...before.files.keys(), ...after.files.keys()])
      const items = [...paths].filter((path) => before.files.get(path) !== after.files.get(path))
      return { items: items.sort(), isCut: before.isCut || after.isCut }
    },

    /** Those of some paths that are symbolic links or submodules at a commit. */
    async links(repository: string, commit: string, paths: readonly string[]) {
      const tree = await readFiles(repository, commit)
      const files = tree.isCut ? await readFolders(repository, commit, paths) : tree.files
      return paths.filter((path) => linkModes.test(files.get(path) ?? ''))
    },
  }
}

/** A file in a response. Other things at its path have no content. */
type ContentView = Partial<Record<'encoding' | 'content', string>>

/** The modes of symbolic links and of submodules (GitHub's REST API docs, "Git trees"). */
const linkModes = /^(120000|160000) /

function foldersOf(path: string) {
  const names = path.split('/')
  return names.map((_, depth) => names.slice(0, depth).join('/'))
}

type FileView = Data<'pulls', 'listFiles'>[number]

/** A file in a list. Throws if it has no name, so that the response is rejected. */
function fileOf({ filename, previous_filename, status, additions, deletions, patch }: FileView) {
  return {
    path: filename.toString(),
    previousPath: previous_filename ?? null,
    status,
    additions,
    deletions,
    patch: patch ?? null,
  }
}

/** The query names most fields as `HistoryCommit` does. */
interface HistoryNode extends Pick<HistoryCommit, 'sha' | 'subject'> {
  committedDate: string
  parents: Nodes<{ sha: string }>
  status: { contexts: { context: string }[] } | null
}

const historyQuery = `query history($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef {
      target { ... on Commit { history(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { ...shown } } } }
    }
  }
}
fragment shown on Commit {
  sha: oid
  subject: messageHeadline
  committedDate
  parents(first: 1) { nodes { sha: oid } }
  status { contexts { context } }
}`

function historyCommitOf(
  { sha, subject, committedDate, parents, status }: HistoryNode,
  contexts: readonly string[],
) {
  const [parent] = nodesOf(parents)
  return {
    sha,
    subject,
    date: Date.parse(committedDate),
    parent: parent?.sha ?? null,
    isMarked: (status?.contexts ?? []).some(({ context }) => contexts.includes(context)),
  }
}

/** Each selection has an alias. */
interface PullsNode extends Record<`p${number}`, PullList | null> {
  defaultBranchRef: { name: string } | null
}

interface PullList extends Nodes<PullNode> {
  ofCommit?: Nodes<PullNode> | null
}

function pullsOfCommit(sha: string) {
  return `object(oid: ${JSON.stringify(sha)}) { ... on Commit { ofCommit: associatedPullRequests(first: 10) { ...listed } } }`
}

type ReleaseView = Data<'repos', 'listReleases'>[number]

function releaseOf({ tag_name: tag, published_at: time }: ReleaseView) {
  return { tag, publishedAt: Date.parse(time ?? '') }
}

type LineCommentView = Data<'pulls', 'listReviewComments'>[number]

function lineCommentOf({ user, body, path, line, diff_hunk, updated_at }: LineCommentView) {
  return {
    author: loginOf(user),
    body,
    location: { path, line: line ?? null, hunk: diff_hunk },
    updatedAt: Date.parse(updated_at),
  }
}

/** A pull request in a response. A list omits the counts. */
type PullData = Data<'pulls', 'get'>

function pullOf({ number, html_url: url, user, merged_at, merge_commit_sha, head }: PullData) {
  const isMerged = merged_at !== null
  return {
    number,
    url,
    author: loginOf(user),
    isMerged,
    headCommit: head.sha,
    /**
     * Null if the pull request is not merged: until then, GitHub's field has the commit of a test merge. Also null if
     * GitHub does not name it: any commit may then be the merge commit.
     */
    mergeCommit: (isMerged && merge_commit_sha) || null,
  }
}

function detailsOf(data: PullData) {
  const { head, base } = data
  return {
    ...pullOf(data),
    title: data.title,
    isOpen: data.state === 'open',
    /** Whether it comes from another repository, or from one that is gone. */
    isFork: head.repo?.full_name !== base.repo.full_name,
    headBranch: head.ref,
    changedFiles: data.changed_files,
    additions: data.additions,
    deletions: data.deletions,
  }
}
