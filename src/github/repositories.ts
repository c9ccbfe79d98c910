/** Changes and pull requests on GitHub (GitHub's REST API docs: "Commits", "Pulls", "Repository contents", "Git trees", "Releases"). */

import type { PullState } from '../core/hold.ts'
import type { ChangedFiles } from '../core/prompt/diff.ts'
import type { PullName } from '../core/thread.ts'
import type { Range } from '../core/trigger/change.ts'
import { type Api, type Data, failureError, loginOf, nullIfNoDiff, nullIfUnrelated } from './client.ts'

/** Maximum number of files in a comparison, all on its first page. */
const compareLimit = 300
/** Maximum number of files in a list of several pages. */
const listLimit = 3_000

/** A pull request that was read on its own, with the names of `PullFacts`. */
export type PullRequest = ReturnType<typeof pullOf>

/** The calls about changes, pull requests and repositories. They only read. */
export function repositoryCalls({ request, list }: Api) {
  /** The releases of repositories. Several of the agent's pull requests can wait for one, so they are read once in a step. */
  const releasesOf = new Map<string, ReleaseView[]>()

  /** Compares two commits, without listing the commits between them. */
  const compare = (repository: string, base: string, head: string) => {
    const route = `GET /repos/${repository}/compare/{basehead}`
    const range = { basehead: `${base}...${head}`, per_page: 1 }
    return request<Required<Data<'repos', 'compareCommitsWithBasehead'>>>(route, range)
  }

  /** The mode and ID of each file in a commit, by path; without a commit, there are none. */
  async function readFiles(repository: string, commit: string | null) {
    if (commit === null) return { files: new Map<string, string>(), isCut: false }
    const route = `GET /repos/${repository}/git/trees/${commit}`
    const { tree, truncated } = await request<Data<'git', 'getTree'>>(route, { recursive: 1 })
    const files = tree.filter(({ type }) => type !== 'tree')
    return { files: new Map(files.map(({ path, mode, sha }) => [path, `${mode} ${sha}`])), isCut: truncated }
  }

  return {
    /** The files of a change. If GitHub cannot make all of its diff, the files until then, with the ends of the change. */
    async changedFiles(repository: string, range: Range): Promise<ChangedFiles> {
      if (range.by === 'compare') {
        const view = await compare(repository, range.base, range.head).catch(nullIfNoDiff)
        if (view === null) return { files: [], isCut: true, ends: range }
        const files = view.files.map(fileOf)
        if (files.length < compareLimit) return { files, isCut: false }
        return { files, isCut: true, ends: { base: view.merge_base_commit.sha, head: range.head } }
      }
      const path = range.by === 'pull' ? `pulls/${range.number}/files` : `commits/${range.sha}`
      const items: (FileView | { files: FileView[] })[] = []
      const all = await list(`/repos/${repository}/${path}`, {}, items).catch(nullIfNoDiff)
      const files = items.flatMap((item) => ('files' in item ? item.files : item)).map(fileOf)
      if (all !== null) return { files, isCut: files.length >= listLimit }
      if (range.by === 'pull') {
        const { base, head } = await request<PullData>(`GET /repos/${repository}/pulls/${range.number}`)
        return { files, isCut: true, ends: { base: base.sha, head: head.sha } }
      }
      const route = `GET /repos/${repository}/git/commits/${range.sha}`
      const { parents } = await request<Data<'git', 'getCommit'>>(route)
      return { files, isCut: true, ends: { base: parents[0]?.sha ?? null, head: range.sha } }
    },

    /** The open pull requests, newest first. */
    async openPulls(repository: string) {
      const order = { state: 'open', sort: 'created', direction: 'desc' }
      const { items } = await list<PullData>(`/repos/${repository}/pulls`, order)
      return items.map(({ number, user }) => ({ number, author: loginOf(user) }))
    },

    /** The tags of a repository's releases since a time, without drafts and prereleases; at most 3,000. */
    async releases(repository: string, since: number) {
      const items =
        releasesOf.get(repository) ?? (await list<ReleaseView>(`/repos/${repository}/releases`)).items
      releasesOf.set(repository, items)
      // A draft has no time.
      const recent = items.filter(
        ({ prerelease, published_at: time }) => !prerelease && Date.parse(time ?? '') >= since,
      )
      return recent.map(({ tag_name: tag }) => tag)
    },

    /** Fails if another repository has taken the name. */
    async pull({ repository, repositoryId, number }: PullName) {
      const pull = pullOf(await request<PullData>(`GET /repos/${repository}/pulls/${number}`))
      if (repositoryId === null || repositoryId === pull.repositoryId) return pull
      throw failureError({ kind: 'other-repository' })
    },

    /** Whether a branch or tag contains a commit. `HEAD` is the default branch. */
    async contains(repository: string, ref: string, commit: string) {
      const view = await compare(repository, commit, ref).catch(nullIfUnrelated)
      return view?.status === 'ahead' || view?.status === 'identical'
    },

    /**
     * A review's comments on lines of a pull request, oldest first; may be incomplete. GitHub's list of a single review's
     * comments omits their lines.
     */
    async reviewComments(repository: string, number: number, review: number) {
      type View = Data<'pulls', 'listReviewComments'>[number]
      const { items } = await list<View>(`/repos/${repository}/pulls/${number}/comments`)
      const views = items.filter((view) => view.pull_request_review_id === review)
      return views.map(({ user, body, path, line, diff_hunk: hunk, updated_at: time }) => ({
        author: loginOf(user),
        body,
        location: { path, line: line ?? null, hunk },
        updatedAt: Date.parse(time),
      }))
    },

    /** The sanitized HTML that GitHub shows for Markdown in a comment of a repository. Throws if it is not text. */
    async render(context: string, text: string) {
      return (await request<string>('POST /markdown', { text, mode: 'gfm', context })).trim()
    },

    /**
     * The paths that differ between two commits, from their trees, because GitHub limits comparisons to 300 files.
     * `isCut`: GitHub returned an incomplete tree.
     * @param base null for a repository's first commit
     */
    async changedPaths(repository: string, base: string | null, head: string) {
      const before = await readFiles(repository, base)
      const after = await readFiles(repository, head)
      const paths = new Set([...before.files.keys(), ...after.files.keys()])
      const items = [...paths].filter((path) => before.files.get(path) !== after.files.get(path))
      return { items: items.sort(), isCut: before.isCut || after.isCut }
    },
  }
}

type FileView = Data<'pulls', 'listFiles'>[number]

type ReleaseView = Data<'repos', 'listReleases'>[number]

/** A file in a list. Throws if it has no name, so that the call fails. */
function fileOf({ filename, previous_filename, status, sha, additions, deletions, patch }: FileView) {
  return {
    path: filename.toString(),
    id: sha,
    previousPath: previous_filename ?? null,
    status,
    additions,
    deletions,
    patch: patch ?? null,
  }
}

/** A pull request in a response. A list omits the counts. */
type PullData = Data<'pulls', 'get'>

function pullOf({
  number,
  title,
  html_url: url,
  user,
  state,
  merged_at,
  merge_commit_sha,
  head,
  base,
  changed_files: changedFiles,
  additions,
  deletions,
}: PullData) {
  const isMerged = merged_at !== null
  return {
    number,
    url,
    title,
    author: loginOf(user),
    isByBot: user?.type === 'Bot',
    branch: head.ref,
    head: head.sha,
    base: base.ref,
    state: (isMerged ? 'merged' : state) as PullState,
    /**
     * Null if the pull request is not merged: until then, GitHub's field has the commit of a test merge. Also null if
     * GitHub does not name it: any commit may then be the merge commit.
     */
    mergeCommit: (isMerged && merge_commit_sha) || null,
    /** Whether it comes from another repository, or from one that is gone. */
    isFork: head.repo?.id !== base.repo.id,
    repositoryId: `${base.repo.id}`,
    changedFiles,
    additions,
    deletions,
  }
}
