/** Changes and pull requests on GitHub (GitHub's REST API docs: "Commits", "Pulls", "Repository contents", "Git trees", "Releases"). */
import type { ChangedFile, ChangedFiles } from '../core/prompt/diff.ts'
import type { HistoryCommit, MergedPull } from '../core/since-last.ts'
import type { Range } from '../core/trigger/change.ts'
import type { LineComment } from '../core/trigger/request.ts'
import {
  type Account,
  type Api,
  type Branch,
  type Data,
  loginOf,
  type Nodes,
  nodesOf,
  nullIfMissing,
} from './client.ts'

/** Maximum number of files in a comparison, all on its first page. */
const compareLimit = 300
/** Maximum number of files in a list of several pages. */
const listLimit = 3_000

/** The fields of a pull request that the action uses. */
export type PullRequest = ReturnType<typeof pullOf>

/** A pull request with all details. */
export type PullRequestDetails = ReturnType<typeof detailsOf>

/** A release that is neither a draft nor a prerelease. */
export interface PublishedRelease {
  tag: string
  /** Milliseconds since the epoch. */
  publishedAt: number
}

/** The calls about changes, pull requests and repositories. They only read. */
export function repositoryCalls({ request, find, list }: Api) {
  /** Compares two commits, without listing the commits between them. */
  const compare = (repository: string, base: string, head: string) => {
    const between = { basehead: `${base}...${head}`, per_page: 1 }
    return request<Comparison>(`GET /repos/${repository}/compare/{basehead}`, between)
  }

  /** Reads the tree of a commit or folder: its own entries, or all files below it. */
  const readTree = (repository: string, id: string, query = {}) =>
    request<Data<'git', 'getTree'>>(`GET /repos/${repository}/git/trees/${id}`, query)

  /** The mode and ID of each file in a commit, by path. */
  async function readFiles(repository: string, commit: string) {
    const { tree, truncated } = await readTree(repository, commit, { recursive: 1 })
    const files = tree.filter(({ type }) => type !== 'tree')
    return { isCut: truncated, files: new Map(files.map(({ path, mode, sha }) => [path, `${mode} ${sha}`])) }
  }

  /** Reads the folders of some paths one by one, because GitHub cuts long lists of a whole tree. */
  async function readFolders(repository: string, commit: string, paths: readonly string[]) {
    const entries = new Map([['', `040000 ${commit}`]])
    // Sorted, a folder comes before the folders in it.
    for (const folder of [...new Set(paths.flatMap(foldersOf))].sort()) {
      const id = entries.get(folder)?.split(' ')[1]
      if (id === undefined) continue
      const { tree } = await readTree(repository, id)
      for (const { path, mode, sha } of tree)
        entries.set(folder === '' ? path : `${folder}/${path}`, `${mode} ${sha}`)
    }
    return entries
  }

  return {
    async changedFiles(repository: string, range: Range): Promise<ChangedFiles> {
      if (range.by === 'compare') {
        const comparison = await compare(repository, range.base, range.head)
        const files = filesOf(comparison)
        const isCut = files.length >= compareLimit
        return { files, isCut, ...(isCut && { mergeBase: comparison.merge_base_commit.sha }) }
      }
      const path = range.by === 'commit' ? `commits/${range.sha}` : `pulls/${range.number}/files`
      // A page about a commit is an object.
      const { items } = await list(`/repos/${repository}/${path}`, (view: FileView & FilesView) =>
        range.by === 'commit' ? filesOf(view) : [fileOf(view)],
      )
      return { files: items, isCut: items.length >= listLimit }
    },

    /** A text file at a commit; null if it does not exist. */
    async file(repository: string, path: string, ref: string) {
      const route = `GET /repos/${repository}/contents/{path}`
      const found = await request<Content>(route, { path, ref }).catch(nullIfMissing)
      return found?.encoding === 'base64' ? Buffer.from(found.content ?? '', 'base64').toString('utf8') : null
    },

    /**
     * A hundred commits of the default branch, in one GraphQL query. `next`: the start of the next page; null if there is
     * none.
     * @param contexts the contexts of statuses that mark commits
     * @param after the start of the page; null for the newest commit
     */
    async history(repository: string, contexts: readonly string[], after: string | null) {
      const { defaultBranchRef } = await find<Branch<HistoryNode>>(historyQuery, repository, { after })
      const history = defaultBranchRef?.target?.history
      return {
        commits: nodesOf(history).map((node) => historyCommitOf(node, contexts)),
        next: history?.pageInfo.hasNextPage ? history.pageInfo.endCursor : null,
      }
    },

    /** The pull requests that contain a commit. */
    async pullsOf(repository: string, commit: string) {
      return (await list(`/repos/${repository}/commits/${commit}/pulls`, pullsIn)).items
    },

    /** The open pull requests, newest first. */
    async openPulls(repository: string) {
      const order = { state: 'open', sort: 'created', direction: 'desc' }
      return (await list(`/repos/${repository}/pulls`, pullsIn, order)).items
    },

    /** A repository's releases that were published since a time, in order of publication; at most 3,000. */
    async releases(repository: string, since: number) {
      const { items } = await list(`/repos/${repository}/releases`, releaseOf)
      return items
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
    reviewComments(repository: string, number: number, review: number) {
      const path = `/repos/${repository}/pulls/${number}/comments`
      return list(path, (view: LineCommentView) =>
        view.pull_request_review_id === review ? [lineCommentOf(view)] : [],
      )
    },

    /** The sanitized HTML that GitHub shows for Markdown in a comment of a repository. Throws if it is not text. */
    render: async (context: string, text: string) =>
      (await request<string>('POST /markdown', { text, mode: 'gfm', context })).trim(),

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
      const whole = await readFiles(repository, commit)
      const files = whole.isCut ? await readFolders(repository, commit, paths) : whole.files
      return paths.filter((path) => linkModes.test(files.get(path) ?? ''))
    },
  }
}

type Comparison = Required<Data<'repos', 'compareCommitsWithBasehead'>>

/** A file in a response. Other things at its path have no content. */
type Content = Partial<Record<'encoding' | 'content', string>>

/** The modes of symbolic links and of submodules (GitHub's REST API docs, "Git trees"). */
const linkModes = /^(120000|160000) /

function foldersOf(path: string): string[] {
  const names = path.split('/')
  return names.map((_, depth) => names.slice(0, depth).join('/'))
}

type FileView = Data<'pulls', 'listFiles'>[number]

/** A comparison or a commit in a response. */
interface FilesView {
  files: FileView[]
}

/** The files of a comparison or commit. Throws if there is no list, so that the response is rejected. */
const filesOf = ({ files }: FilesView) => files.map(fileOf)

/** A file in a list. Throws if it has no name, so that the response is rejected. */
function fileOf(view: FileView): ChangedFile {
  const { filename: path, previous_filename: previousPath = null, status, additions, deletions } = view
  return { path: path.toString(), previousPath, status, additions, deletions, patch: view.patch ?? null }
}

/** The query names most fields as `HistoryCommit` does. */
interface HistoryNode extends Pick<HistoryCommit, 'sha' | 'subject'> {
  committedDate: string
  parents: Nodes<{ sha: string }>
  associated: Nodes<Omit<MergedPull, 'author'> & { merged: boolean; author: Account | null }> | null
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
  associated: associatedPullRequests(first: 5) {
    nodes { number title head: headRefOid merged author { __typename login } }
  }
  status { contexts { context } }
}`

function historyCommitOf(
  { sha, subject, committedDate, parents, associated, status }: HistoryNode,
  contexts: readonly string[],
): HistoryCommit {
  return {
    sha,
    subject,
    date: Date.parse(committedDate),
    parent: nodesOf(parents)[0]?.sha ?? null,
    pulls: nodesOf(associated).flatMap(({ merged, author, ...pull }) =>
      merged ? [{ ...pull, author: loginOf(author) }] : [],
    ),
    isMarked: status?.contexts.some(({ context }) => contexts.includes(context)) ?? false,
  }
}

type ReleaseView = Data<'repos', 'listReleases'>[number]

/** Drafts and prereleases do not count. */
function releaseOf({ tag_name: tag, published_at, draft, prerelease }: ReleaseView): PublishedRelease[] {
  return draft || prerelease ? [] : [{ tag, publishedAt: Date.parse(published_at ?? '') }]
}

type LineCommentView = Data<'pulls', 'listReviewComments'>[number]

function lineCommentOf({ user, body, path, line, diff_hunk, updated_at }: LineCommentView): LineComment {
  return {
    author: loginOf(user),
    body,
    location: { path, line: line ?? null, hunk: diff_hunk },
    updatedAt: Date.parse(updated_at),
  }
}

/** A pull request in a response. A list omits the counts. */
type PullData = Data<'pulls', 'get'>

const pullsIn = (data: PullData) => [pullOf(data)]

function pullOf({ number, html_url: url, user, merged_at, merge_commit_sha, head }: PullData) {
  const isMerged = merged_at !== null
  return {
    number,
    url,
    author: loginOf(user),
    isMerged,
    headCommit: head.sha,
    /** `owner/name` of the repository that its branch is in; null if that repository is gone. */
    headRepository: (head.repo?.full_name ?? null) as string | null,
    /**
     * Null if the pull request is not merged: until then, GitHub's field has the commit of a test merge. Also null if
     * GitHub does not name it: any commit may then be the merge commit.
     */
    mergeCommit: (isMerged && merge_commit_sha) || null,
  }
}

function detailsOf(data: PullData) {
  return {
    ...pullOf(data),
    title: data.title,
    isOpen: data.state === 'open',
    /** Whether it comes from another repository, or from one that is gone. */
    isFork: data.head.repo?.full_name !== data.base.repo.full_name,
    headBranch: data.head.ref,
    changedFiles: data.changed_files,
    additions: data.additions,
    deletions: data.deletions,
  }
}
