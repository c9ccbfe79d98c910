/** Changes and pull requests on GitHub (GitHub's REST API docs: "Commits", "Pulls", "Repository contents", "Git trees"). */
import type { ChangedFile } from '../../core/prompt/diff.ts'
import type { HistoryCommit } from '../../core/since-last.ts'
import type { LineComment } from '../../core/trigger/request.ts'
import type { PullRequest, Repositories } from '../../usecases/ports.ts'
import {
  type Account,
  type Ask,
  loginOf,
  type Octokit,
  orNull,
  parseRepositoryName,
  readPages,
  repeatable,
} from './client.ts'

/** Maximum number of files in a comparison, all on its first page. For a commit or a pull request, it is ten times that. */
const compareLimit = 300
const listLimit = 3_000
const perPage = 100
/** Maximum number of pages of a pull request's line comments. */
const commentPages = 30
/** Maximum number of pages of open pull requests. */
const pullPages = 10

/** The calls about changes, pull requests and repositories. */
export function createRepositories(ask: Ask): Repositories {
  return {
    changedFiles: (repository, range) =>
      ask(async ({ paginate, rest }) => {
        const at = { ...parseRepositoryName(repository), per_page: perPage }
        switch (range.by) {
          case 'compare': {
            const basehead = `${range.base}...${range.head}`
            const { data } = await rest.repos.compareCommitsWithBasehead({ ...at, basehead, per_page: 1 })
            const files = changed(filesOf(data), compareLimit)
            return files.isCut ? { ...files, mergeBase: data.merge_base_commit.sha } : files
          }
          case 'commit': {
            const pages = paginate.iterator(rest.repos.getCommit, { ...at, ref: range.sha })
            const read = await readPages(pages, listLimit / perPage, filesOf)
            return changed(read.items, listLimit)
          }
          case 'pull': {
            const pages = paginate.iterator(rest.pulls.listFiles, { ...at, pull_number: range.number })
            const read = await readPages(pages, listLimit / perPage, (page) => page.map(fileOf))
            return changed(read.items, listLimit)
          }
        }
      }),

    file: (repository, path, ref) =>
      orNull(
        ask(async ({ rest }) => {
          const { data } = await rest.repos.getContent({ ...parseRepositoryName(repository), path, ref })
          const isFile = !Array.isArray(data) && data.type === 'file' && data.encoding === 'base64'
          return isFile ? Buffer.from(data.content, 'base64').toString('utf8') : null
        }),
      ),

    history: (repository, contexts, after) =>
      ask(async ({ graphql }) => {
        const { owner, repo: name } = parseRepositoryName(repository)
        const asked = { owner, name, count: perPage, after, ...repeatable }
        const found = await graphql<History>(historyQuery, asked)
        // An empty repository has no default branch.
        const history = found.repository.defaultBranchRef?.target.history
        const { hasNextPage = false, endCursor = null } = history?.pageInfo ?? {}
        const nodes = (history?.nodes ?? []).filter((node) => node !== null)
        return {
          commits: nodes.map((node) => historyCommitOf(node, contexts)),
          next: hasNextPage ? endCursor : null,
        }
      }),

    pullsOf: (repository, commit) =>
      ask(async ({ rest }) => {
        const at = { ...parseRepositoryName(repository), commit_sha: commit, per_page: perPage }
        const { data } = await rest.repos.listPullRequestsAssociatedWithCommit(at)
        return data.map(pullOf)
      }),

    openPulls: (repository) =>
      ask(async ({ paginate, rest }) => {
        const pages = paginate.iterator(rest.pulls.list, {
          ...parseRepositoryName(repository),
          state: 'open',
          sort: 'created',
          direction: 'desc',
          per_page: perPage,
        })
        return (await readPages(pages, pullPages, (page) => page.map(pullOf))).items
      }),

    pull: (repository, number) =>
      orNull(
        ask(async ({ rest }) => {
          const { data } = await rest.pulls.get({ ...parseRepositoryName(repository), pull_number: number })
          return {
            ...pullOf(data),
            title: data.title,
            isOpen: data.state === 'open',
            mergedAt: typeof data.merged_at === 'string' ? Date.parse(data.merged_at) : null,
            isFork: data.head.repo?.full_name !== data.base.repo.full_name,
            headBranch: data.head.ref,
            changedFiles: data.changed_files,
            additions: data.additions,
            deletions: data.deletions,
          }
        }),
      ),

    // GitHub's list of a single review's comments omits their lines.
    reviewComments: (repository, number, review) =>
      ask(async ({ paginate, rest }) => {
        const at = { ...parseRepositoryName(repository), pull_number: number, per_page: perPage }
        return readPages(paginate.iterator(rest.pulls.listReviewComments, at), commentPages, (page) =>
          page.filter((view) => view.pull_request_review_id === review).map(lineCommentOf),
        )
      }),

    render: (repository, text) =>
      ask(async ({ rest }) => {
        const at = { text, mode: 'gfm', context: repository, ...repeatable } as const
        return (await rest.markdown.render(at)).data
      }),

    links: (repository, commit, paths) =>
      ask(async (octokit) => {
        const whole = await readTree(octokit, repository, commit)
        const entries = whole.isCut ? await readFolders(octokit, repository, commit, paths) : whole.entries
        return paths.filter((path) => linkModes.test(entries.get(path) ?? ''))
      }),

    changedPaths: (repository, base, head) =>
      ask(async (octokit) => {
        const before = await readTree(octokit, repository, base)
        const after = await readTree(octokit, repository, head)
        const paths = new Set([...before.entries.keys(), ...after.entries.keys()])
        const items = [...paths].filter((path) => before.entries.get(path) !== after.entries.get(path))
        return { items: items.sort(), isCut: before.isCut || after.isCut }
      }),
  }
}

/** The mode and id of everything in a commit except folders, by path. */
async function readTree({ rest }: Octokit, repository: string, commit: string) {
  const at = { ...parseRepositoryName(repository), tree_sha: commit, recursive: '1' }
  const { data } = await rest.git.getTree(at)
  const files = data.tree.filter(({ type }) => type !== 'tree')
  const entries = new Map(files.map(({ path, mode, sha }) => [path, `${mode} ${sha}`]))
  return { entries, isCut: data.truncated === true }
}

/** The modes of symbolic links and of submodules (GitHub's REST API docs, "Git trees"). */
const linkModes = /^(120000|160000) /

/** Reads the folders of some paths one by one, because GitHub cuts long lists of a whole tree. */
async function readFolders({ rest }: Octokit, repository: string, commit: string, paths: readonly string[]) {
  const entries = new Map([['', `040000 ${commit}`]])
  // Sorted, a folder comes before the folders in it.
  for (const folder of [...new Set(paths.flatMap(foldersOf))].sort()) {
    const id = entries.get(folder)?.split(' ')[1]
    if (id === undefined) continue
    const { data } = await rest.git.getTree({ ...parseRepositoryName(repository), tree_sha: id })
    for (const { path, mode, sha } of data.tree)
      entries.set(folder === '' ? path : `${folder}/${path}`, `${mode} ${sha}`)
  }
  return entries
}

function foldersOf(path: string): string[] {
  const names = path.split('/')
  return names.map((_, depth) => names.slice(0, depth).join('/'))
}

/** The files of a comparison or commit. Octokit's types lack them. Throws if there is no list, so that the response is rejected. */
function filesOf(view: unknown): ChangedFile[] {
  return (view as { files: FileView[] }).files.map(fileOf)
}

interface History {
  repository: { defaultBranchRef: { target: { history?: HistoryView } } | null }
}

interface HistoryView {
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
  nodes: (HistoryNode | null)[] | null
}

interface PullNode {
  number: number
  title: string
  merged: boolean
  headRefOid: string
  author: Account | null
}

interface HistoryNode {
  oid: string
  messageHeadline: string
  committedDate: string
  parents: { nodes: ({ oid: string } | null)[] | null }
  associatedPullRequests: { nodes: (PullNode | null)[] | null } | null
  status: { contexts: { context: string }[] } | null
}

const historyQuery = `query history($owner: String!, $name: String!, $count: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef {
      target { ... on Commit { history(first: $count, after: $after) { pageInfo { hasNextPage endCursor } nodes { ...shown } } } }
    }
  }
}
fragment shown on Commit {
  oid
  messageHeadline
  committedDate
  parents(first: 1) { nodes { oid } }
  associatedPullRequests(first: 5) { nodes { number title merged headRefOid author { __typename login } } }
  status { contexts { context } }
}`

function historyCommitOf(node: HistoryNode, contexts: readonly string[]): HistoryCommit {
  const pulls = (node.associatedPullRequests?.nodes ?? []).filter((pull) => pull !== null)
  return {
    sha: node.oid,
    subject: node.messageHeadline,
    date: Date.parse(node.committedDate),
    parent: node.parents.nodes?.[0]?.oid ?? null,
    pulls: pulls.flatMap(({ number, title, merged, author, headRefOid }) =>
      merged ? [{ number, title, author: loginOf(author), head: headRefOid }] : [],
    ),
    isMarked: node.status?.contexts.some(({ context }) => contexts.includes(context)) ?? false,
  }
}

type Pulls = Octokit['rest']['pulls']
type FileView = Awaited<ReturnType<Pulls['listFiles']>>['data'][number]

function fileOf(view: FileView): ChangedFile {
  const { filename, previous_filename = null, status, additions, deletions, patch = null } = view
  return { path: filename, previousPath: previous_filename, status, additions, deletions, patch }
}

function changed(files: ChangedFile[], limit: number) {
  return { files, isCut: files.length >= limit }
}

type LineCommentView = Awaited<ReturnType<Pulls['listReviewComments']>>['data'][number]

function lineCommentOf({ user, body, path, line, diff_hunk, updated_at }: LineCommentView): LineComment {
  return {
    author: loginOf(user),
    body,
    location: { path, line: line ?? null, hunk: diff_hunk },
    updatedAt: Date.parse(updated_at),
  }
}

type PullView = Pick<
  Awaited<ReturnType<Pulls['list']>>['data'][number],
  'number' | 'html_url' | 'user' | 'merged_at' | 'merge_commit_sha' | 'head'
>

/** Before a merge, `merge_commit_sha` is the commit of a test merge (GitHub's docs). */
function pullOf({ number, html_url, user, merged_at, merge_commit_sha, head }: PullView): PullRequest {
  const isMerged = typeof merged_at === 'string'
  return {
    number,
    url: html_url,
    author: loginOf(user),
    isMerged,
    headCommit: head.sha,
    headRepository: head.repo?.full_name ?? null,
    mergeCommit: isMerged ? (merge_commit_sha ?? null) : null,
  }
}
