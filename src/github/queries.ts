/** What one GraphQL query reads of many commits, pull requests or paths (GitHub's GraphQL docs, "Repository"). */

import { chunksOf } from '../core/chunks.ts'
import type { PullState } from '../core/hold.ts'
import type { DiffSize } from '../core/pull-changes.ts'
import { type AccountView, type Api, loginOf } from './client.ts'
import { type StatusView, statusOf } from './statuses.ts'

/** Maximum number of commits whose pull requests are read, and of folders whose .gitattributes files are read. */
const readLimit = 500
/** Maximum number of selections in one query, and of branches whose pull requests are read. */
const pageSize = 100

/** What a query by its number reads of a pull request: also its statuses, and the size of its diff. */
export type PullView = ReturnType<typeof viewOf>

/** What a commit has at a path: an entry of git's trees, not of the ledger. */
export interface TreeEntry {
  /** git's mode. */
  mode: number
  /** The ID of a file's content. */
  oid: string
}

/** The queries about a repository. They only read. */
export function queryCalls({ queryRepository, ownLogin }: Api) {
  /** What each of some selections finds, in their order: a query for a hundred. Text from outside must be a JSON string. */
  async function queryEach<Found>(repository: string, selections: readonly string[], fragment = '') {
    const found: (Found | null)[] = []
    for (const page of chunksOf(selections, pageSize)) {
      const aliased = page.map((selection, index) => `p${index}: ${selection}`)
      const query = `query each($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    ${aliased.join('\n    ')}
  }
}
${fragment}`
      const view = await queryRepository<Record<string, Found | null>>(query, repository)
      found.push(...page.map((_, index) => view[`p${index}`] ?? null))
    }
    return found
  }

  return {
    /**
     * The default branch, and a hundred of its commits. `next`: the start of the next page; null if there is none.
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
      const branch = defaultBranchRef?.name ?? ''
      const commits = nodesOf(page).map((node) => commitOf(node, contexts))
      return { branch, commits, next: page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null }
    },

    /**
     * The pull requests that contain each commit, in the order of the commits: merged ones and, if a commit is not on the
     * default branch, also open ones. Reads the first 500 commits. A commit that does not exist has none.
     */
    async pullsOf(repository: string, commits: readonly string[]) {
      const selections = commits
        .slice(0, readLimit)
        .map((sha) => onCommit(sha, 'pulls: associatedPullRequests(first: 10) { ...listed }'))
      const found = await queryEach<{ pulls: PullList }>(repository, selections, listFragment)
      return commits.map((_, index) => pullsIn(found[index]?.pulls))
    },

    /** The pull requests from or for branches; only the 50 of each that changed last. Reads the first 100 branches. */
    async pullsOn(repository: string, side: 'headRefName' | 'baseRefName', ...branches: string[]) {
      const order = 'first: 50, orderBy: { field: UPDATED_AT, direction: DESC }'
      const selections = branches
        .slice(0, pageSize)
        .map((branch) => `pullRequests(${side}: ${JSON.stringify(branch)}, ${order}) { ...listed }`)
      return (await queryEach<PullList>(repository, selections, listFragment)).flatMap(pullsIn)
    },

    /** Pull requests by number, with the statuses by the token's account. Those that do not exist are missing. */
    async pullViews(repository: string, numbers: readonly number[]) {
      const selections = numbers.map((number) => `pullRequest(number: ${number}) { ...wanted }`)
      const nodes = await queryEach<ViewNode>(repository, selections, viewFragment)
      const login = await ownLogin()
      return nodes.filter((node) => node !== null).map((node) => viewOf(node, login))
    },

    /** What commits have at paths, by `commit:path`. */
    async treeEntries(repository: string, places: readonly { commit: string; path: string }[]) {
      const selections = places.map(({ commit, path }) =>
        onCommit(commit, `file(path: ${JSON.stringify(path)}) { mode oid }`),
      )
      const found = await queryEach<{ file: TreeEntry | null }>(repository, selections)
      return new Map(
        places.map(({ commit, path }, index) => [`${commit}:${path}`, found[index]?.file ?? undefined]),
      )
    },

    /**
     * The .gitattributes files of the folders that changed files are in; only of the first 500. A folder's file comes after
     * those of the folders that it is in. The text is empty if a folder has none.
     */
    async attributesFiles(repository: string, commit: string, changed: readonly { path: string }[]) {
      const folders = [...new Set(changed.flatMap(({ path }) => foldersOf(path)))].slice(0, readLimit)
      const selections = folders.map((folder) => {
        const path = JSON.stringify(`${folder}.gitattributes`)
        return onCommit(commit, `file(path: ${path}) { object { ... on Blob { text } } }`)
      })
      const found = await queryEach<AttributesNode>(repository, selections)
      return folders.map((folder, index) => {
        const text = found[index]?.file?.object?.text ?? ''
        // git ignores a byte order mark.
        return { folder, text: text.replace(/^\uFEFF/, '') }
      })
    },

    /**
     * The latest status of each context on recent commits: 50 of the default branch, and the last commits of the 50
     * recently updated pull requests.
     * @param since the list counts as incomplete if it does not go back to this time, in milliseconds since the epoch
     */
    async recentStatuses(repository: string, since: number) {
      const { defaultBranchRef, pullRequests } = await queryRepository<RecentNode>(recentQuery, repository)
      const history = defaultBranchRef?.target?.history
      const onBranch = nodesOf(history)
      const pulls = nodesOf(pullRequests)
      const onPulls = pulls.flatMap(({ commits }) => commitsIn(commits))
      const commits = new Map([...onBranch, ...onPulls].map((commit) => [commit.oid, commit]))
      const login = await ownLogin()
      const items = [...commits.values()].flatMap((commit) => statusesOf(commit, login))
      const lacksPulls = isCutAfter(since, pullRequests, pulls.at(-1)?.updatedAt)
      const lacksCommits = isCutAfter(since, history, onBranch.at(-1)?.committedDate)
      return { items, isCut: lacksPulls || lacksCommits }
    },
  }
}

/** Selects fields of a commit. */
function onCommit(sha: string, fields: string) {
  return `object(oid: ${JSON.stringify(sha)}) { ... on Commit { ${fields} } }`
}

/** The folders that a path is in, from the root on, each with a slash at its end. The root's path is empty. */
function foldersOf(path: string) {
  return Array.from(path.matchAll(/^|(?<=\/)/g), ({ index }) => path.slice(0, index))
}

/** Whether a list lacks items since a time. @param lastAt the time of its last item; empty if it has none */
function isCutAfter(since: number, list: PageInfo | undefined, lastAt = '') {
  return list?.pageInfo.hasNextPage === true && Date.parse(lastAt) >= since
}

/** The commits of a pull request, of which the queries list the last one. */
function commitsIn(list: PullCommits) {
  return nodesOf(list).map(({ commit }) => commit)
}

/** The latest status of each context on a commit. */
function statusesOf({ oid, status }: CommitNode, login: string) {
  return (status?.contexts ?? []).map((view) => statusOf(view, oid, login))
}

/** A list in a response. In GitHub's schema, lists and what they contain can be null. */
interface Nodes<T> {
  nodes: (T | null)[] | null
}

/** What a list contains, without nulls. */
function nodesOf<T>(list: Nodes<T> | null | undefined) {
  return (list?.nodes ?? []).filter((node) => node !== null)
}

/** Whether a list has another page, and where it starts. */
interface PageInfo {
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

/** A repository, with commits of its default branch. An empty repository has no branch. */
interface RepositoryNode<Commit> {
  defaultBranchRef: { name?: string; target: { history?: PageInfo & Nodes<Commit> } | null } | null
}

interface AttributesNode {
  file: { object: { text?: string | null } | null } | null
}

/** A commit in a history. The query names its fields as `HistoryCommit` does, if they are the same. */
interface HistoryNode {
  sha: string
  subject: string
  committedDate: string
  parents: Nodes<{ sha: string }>
  status: { contexts: { context: string }[] } | null
}

/** A commit of the default branch. */
export type HistoryCommit = ReturnType<typeof commitOf>

function commitOf({ committedDate, parents, status, ...commit }: HistoryNode, contexts: readonly string[]) {
  return {
    ...commit,
    /** When it was committed, in milliseconds since the epoch. */
    date: Date.parse(committedDate),
    /** Its first parent; null for the first commit. */
    parent: nodesOf(parents)[0]?.sha ?? null,
    /** Whether it has a status in one of the requested contexts. */
    isMarked: (status?.contexts ?? []).some(({ context }) => contexts.includes(context)),
  }
}

const historyQuery = `query history($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef {
      name
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

/** A commit with the latest status of each context. */
interface CommitNode {
  oid: string
  committedDate: string
  status: { contexts: StatusView[] } | null
}

type PullCommits = Nodes<{ commit: CommitNode }>

interface RecentNode extends RepositoryNode<CommitNode> {
  pullRequests: PageInfo & Nodes<{ updatedAt: string; commits: PullCommits }>
}

/** The fields of `CommitNode`. */
const commitFields = `oid
  committedDate
  status {
    contexts {
      context state description target_url: targetUrl created_at: createdAt creator { __typename login }
    }
  }`

const recentQuery = `query recentStatuses($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef {
      target { ... on Commit { history(first: 50) { pageInfo { hasNextPage } nodes { ...statuses } } } }
    }
    pullRequests(first: 50, orderBy: { field: UPDATED_AT, direction: DESC }) {
      pageInfo { hasNextPage }
      nodes { updatedAt commits(last: 1) { nodes { commit { ...statuses } } } }
    }
  }
}
fragment statuses on Commit {
  ${commitFields}
}`

/** What every query reads of a pull request: its account, branches and state. */
export type PullFacts = ReturnType<typeof pullFactsOf<PullNode>>

/** A pull request in a response to a query. */
interface PullNode {
  number: number
  title: string
  author: AccountView | null
  /** Its branch, and the last commit of it. */
  branch: string
  head: string
  /** The branch that it is for. It is merged once this branch has it. */
  base: string
  state: string
  mergeCommit: { oid: string } | null
  closedAt: string | null
  /** Whether it comes from another repository. */
  isFork: boolean
}

type PullList = Nodes<PullNode> | null

/** The fields of `PullNode`. */
const pullFields = `number title state closedAt branch: headRefName head: headRefOid base: baseRefName isFork: isCrossRepository
  author { __typename login } mergeCommit { oid }`

const listFragment = `fragment listed on PullRequestConnection { nodes { ${pullFields} } }`

function pullsIn(list: PullList | undefined) {
  return nodesOf(list).map(pullFactsOf)
}

function pullFactsOf<Node extends PullNode>({ author, state, mergeCommit, closedAt, ...pull }: Node) {
  return {
    ...pull,
    /** The login, as in REST; null if the account is gone. */
    author: loginOf(author),
    /** Whether the author's account is a bot's. */
    isByBot: author?.__typename === 'Bot',
    state: state.toLowerCase() as PullState,
    /** null if it is not merged. */
    mergeCommit: mergeCommit?.oid ?? null,
    /** When it was merged or closed, in milliseconds since the epoch; null if it is open. */
    closedAt: closedAt === null ? null : Date.parse(closedAt),
  }
}

interface ViewNode extends PullNode, DiffSize {
  /** A date-time in UTC. */
  openedAt: string
  repository: { databaseId: number | null }
  commits: PullCommits
}

function viewOf({ repository, commits, ...pull }: ViewNode, login: string) {
  return {
    ...pullFactsOf(pull),
    repositoryId: `${repository.databaseId}`,
    /** The latest status of each context on its last commit, if it is by the token's account. */
    statuses: commitsIn(commits)
      .flatMap((commit) => statusesOf(commit, login))
      .filter(({ author }) => author === login),
  }
}

const viewFragment = `fragment wanted on PullRequest {
  ${pullFields} openedAt: createdAt changedFiles additions deletions
  repository { databaseId }
  commits(last: 1) { nodes { commit { ${commitFields} } } }
}`
