/** Changes and pull requests on GitHub (GitHub's REST API docs: "Commits", "Pulls", "Repository contents", "Git trees"). */
import type { ChangedFile, ChangedFiles } from '../../core/prompt/diff.ts'
import type { HistoryCommit, MergedPull } from '../../core/since-last.ts'
import type { Range } from '../../core/trigger/change.ts'
import type { LineComment } from '../../core/trigger/request.ts'
import {
  type Account,
  list,
  loginOf,
  type Nodes,
  named,
  nodesOf,
  nullIfMissing,
  type Octokit,
  type PageInfo,
} from './client.ts'

/** Maximum number of files in a comparison, all on its first page. */
const compareLimit = 300
/** Maximum number of pages of a list of files. */
const listPages = 30
/** Maximum number of pages of a pull request's line comments. */
const commentPages = 30
/** Maximum number of pages of open pull requests. */
const pullPages = 10

/** The fields of a pull request that the action uses. */
export type PullRequest = ReturnType<typeof pullOf>

/** A pull request with all details. */
export type PullRequestDetails = ReturnType<typeof detailsOf>

/** The calls about changes, pull requests and repositories. */
export const repositoryCalls = {
  async changedFiles(octokit: Octokit, repository: string, range: Range): Promise<ChangedFiles> {
    if (range.by === 'compare') {
      const data = await compare(octokit, repository, range.base, range.head)
      const files = filesOf(data)
      const isCut = files.length >= compareLimit
      return { files, isCut, ...(isCut && { mergeBase: data.merge_base_commit.sha }) }
    }
    const path = range.by === 'commit' ? `commits/${range.sha}` : `pulls/${range.number}/files`
    // A page about a commit is an object.
    const { items } = await list(
      octokit,
      `/repos/${repository}/${path}`,
      listPages,
      (view: FileView & FilesView) => (range.by === 'commit' ? filesOf(view) : [fileOf(view)]),
    )
    return { files: items, isCut: items.length >= 100 * listPages }
  },

  /** A text file at a commit; null if it does not exist. */
  async file({ request }: Octokit, repository: string, path: string, ref: string) {
    const found = await request(`GET /repos/${repository}/contents/{path}`, { path, ref }).catch(
      nullIfMissing,
    )
    return found?.data.encoding === 'base64'
      ? Buffer.from(found.data.content, 'base64').toString('utf8')
      : null
  },

  /**
   * A hundred commits of the default branch, in one GraphQL query. `next`: the start of the next page; null if there is
   * none.
   * @param contexts the contexts of statuses that mark commits
   * @param after the start of the page; null for the newest commit
   */
  async history({ graphql }: Octokit, repository: string, contexts: readonly string[], after: string | null) {
    const found = await graphql<History>(historyQuery, { ...named(repository), after })
    // An empty repository has no default branch.
    const history = found.repository.defaultBranchRef?.target.history
    return {
      commits: nodesOf(history).map((node) => historyCommitOf(node, contexts)),
      next: history?.pageInfo.hasNextPage ? history.pageInfo.endCursor : null,
    }
  },

  /** The pull requests that contain a commit. */
  async pullsOf(octokit: Octokit, repository: string, commit: string) {
    return (await list(octokit, `/repos/${repository}/commits/${commit}/pulls`, 1, pullsIn)).items
  },

  /** The open pull requests, newest first. */
  async openPulls(octokit: Octokit, repository: string) {
    const order = { state: 'open', sort: 'created', direction: 'desc' }
    return (await list(octokit, `/repos/${repository}/pulls`, pullPages, pullsIn, order)).items
  },

  /** A pull request; null if it does not exist or the token cannot see it (404). */
  async pull({ request }: Octokit, repository: string, number: number) {
    const found = await request(`GET /repos/${repository}/pulls/${number}`).catch(nullIfMissing)
    return found && detailsOf(found.data)
  },

  /** Whether a branch or tag contains a commit. */
  async contains(octokit: Octokit, repository: string, ref: string, commit: string) {
    const { status } = await compare(octokit, repository, commit, ref)
    return status === 'ahead' || status === 'identical'
  },

  /**
   * A review's comments on lines of a pull request, oldest first; may be incomplete. GitHub's list of a single review's
   * comments omits their lines.
   */
  reviewComments(octokit: Octokit, repository: string, number: number, review: number) {
    const path = `/repos/${repository}/pulls/${number}/comments`
    return list(octokit, path, commentPages, (view: LineCommentView) =>
      view.pull_request_review_id === review ? [lineCommentOf(view)] : [],
    )
  },

  /** The sanitized HTML that GitHub shows for Markdown in a comment of a repository. */
  async render({ request }: Octokit, context: string, text: string): Promise<string> {
    const { data } = await request('POST /markdown', { text, mode: 'gfm', context })
    return data
  },

  /**
   * The paths that differ between two commits, from their trees, because GitHub limits comparisons to 300 files.
   * `isCut`: GitHub returned an incomplete tree.
   */
  async changedPaths(octokit: Octokit, repository: string, base: string, head: string) {
    const before = await readTree(octokit, repository, base)
    const after = await readTree(octokit, repository, head)
    const paths = new Set([...before.files.keys(), ...after.files.keys()])
    const items = [...paths].filter((path) => before.files.get(path) !== after.files.get(path))
    return { items: items.sort(), isCut: before.isCut || after.isCut }
  },

  /** Those of some paths that are symbolic links or submodules at a commit. */
  async links(octokit: Octokit, repository: string, commit: string, paths: readonly string[]) {
    const whole = await readTree(octokit, repository, commit)
    const files = whole.isCut ? await readFolders(octokit, repository, commit, paths) : whole.files
    return paths.filter((path) => linkModes.test(files.get(path) ?? ''))
  },
}

interface TreeView {
  tree: { path: string; mode: string; type: string; sha: string }[]
  truncated: boolean
}

/** The mode and ID of each file in a commit, by path. */
async function readTree({ request }: Octokit, repository: string, commit: string) {
  const path = `/repos/${repository}/git/trees/${commit}`
  const { data }: { data: TreeView } = await request(`GET ${path}`, { recursive: 1 })
  const files = data.tree.filter(({ type }) => type !== 'tree')
  return {
    isCut: data.truncated,
    files: new Map(files.map((file) => [file.path, `${file.mode} ${file.sha}`])),
  }
}

/** The modes of symbolic links and of submodules (GitHub's REST API docs, "Git trees"). */
const linkModes = /^(120000|160000) /

/** Reads the folders of some paths one by one, because GitHub cuts long lists of a whole tree. */
async function readFolders(
  { request }: Octokit,
  repository: string,
  commit: string,
  paths: readonly string[],
) {
  const entries = new Map([['', `040000 ${commit}`]])
  // Sorted, a folder comes before the folders in it.
  for (const folder of [...new Set(paths.flatMap(foldersOf))].sort()) {
    const id = entries.get(folder)?.split(' ')[1]
    if (id === undefined) continue
    const { data }: { data: TreeView } = await request(`GET /repos/${repository}/git/trees/${id}`)
    for (const { path, mode, sha } of data.tree)
      entries.set(folder === '' ? path : `${folder}/${path}`, `${mode} ${sha}`)
  }
  return entries
}

function foldersOf(path: string): string[] {
  const names = path.split('/')
  return names.map((_, depth) => names.slice(0, depth).join('/'))
}

/** Compares two commits, without listing the commits between them. */
async function compare({ request }: Octokit, repository: string, base: string, head: string) {
  const between = { basehead: `${base}...${head}`, per_page: 1 }
  return (await request(`GET /repos/${repository}/compare/{basehead}`, between)).data
}

/** A comparison or a commit in a response. */
interface FilesView {
  files: FileView[]
}

/** The files of a comparison or commit. Throws if there is no list, so that the response is rejected. */
function filesOf({ files }: FilesView): ChangedFile[] {
  return files.map(fileOf)
}

interface History {
  repository: { defaultBranchRef: { target: { history?: PageInfo & Nodes<HistoryNode> } } | null }
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

interface FileView extends Pick<ChangedFile, 'status' | 'additions' | 'deletions'> {
  filename: string
  previous_filename?: string
  patch?: string
}

function fileOf(view: FileView): ChangedFile {
  const { filename, previous_filename = null, status, additions, deletions, patch = null } = view
  return { path: filename, previousPath: previous_filename, status, additions, deletions, patch }
}

interface LineCommentView {
  user: Account | null
  body: string
  path: string
  line?: number | null
  diff_hunk: string
  updated_at: string
  pull_request_review_id: number | null
}

function lineCommentOf({ user, body, path, line, diff_hunk, updated_at }: LineCommentView): LineComment {
  return {
    author: loginOf(user),
    body,
    location: { path, line: line ?? null, hunk: diff_hunk },
    updatedAt: Date.parse(updated_at),
  }
}

/** A pull request in a response. A list omits the counts. */
interface PullData {
  number: number
  html_url: string
  user: Account | null
  title: string
  state: string
  merged_at: string | null
  merge_commit_sha?: string | null
  head: { ref: string; sha: string; repo: { full_name: string } | null }
  base: { repo: { full_name: string } }
  changed_files: number
  additions: number
  deletions: number
}

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
    headRepository: head.repo?.full_name ?? null,
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
