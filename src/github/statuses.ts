/** Commit statuses (GitHub's REST API docs, "Commit statuses"; GraphQL docs, "StatusContext" and "PullRequest"). */
import type { DiffSize } from '../core/pull-changes.ts'
import {
  type AccountView,
  type Api,
  completeItems,
  loginOf,
  type Nodes,
  nodesOf,
  type PageInfo,
  type PullNode,
  pullFactsOf,
  pullFields,
  type RepositoryNode,
} from './client.ts'

/** A status by any account, and the commit that it is on. */
export type FoundStatus = ReturnType<typeof statusOf>

/** A commit status. */
export type CommitStatus = Pick<FoundStatus, 'context' | 'state' | 'description' | 'targetUrl'>

/** A pull request, as in a query for many of them. */
export type PullView = ReturnType<typeof viewOf>

/** The calls about commit statuses. */
export function statusCalls({ request, queryRepository, list, ownLogin }: Api) {
  return {
    /** The login of the token's account. The first call of a step that records times, because it sets the clock. */
    viewer: ownLogin,

    /** The statuses of a commit, newest first. Rejected if the commit has over 3,000 statuses. */
    async statuses(repository: string, commit: string) {
      const all = await list<StatusView>(`/repos/${repository}/commits/${commit}/statuses`)
      const login = await ownLogin()
      return completeItems(all, 'statuses').map((view) => statusOf(view, commit, login))
    },

    /** Adds a status, and returns its id. Retried, because repeating this does no harm. */
    async setStatus(repository: string, commit: string, status: CommitStatus) {
      const { context, state, description, targetUrl } = status
      const body = { context, state, description, target_url: targetUrl || null }
      const { id } = await request<{ id: number }>(`POST /repos/${repository}/statuses/${commit}`, body)
      return id
    },

    /**
     * The latest status of each context on recent commits: 50 of the default branch, and the last commits of the 50
     * recently updated pull requests. One GraphQL query.
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

    /** Pull requests by number, with the statuses by the token's account, in one GraphQL query. */
    async pullViews(repository: string, numbers: readonly number[]) {
      const selections = numbers.map((number) => `p${number}: pullRequest(number: ${number}) { ...wanted }`)
      const query = `query pullViews($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    ${selections.join('\n    ')}
  }
}
${viewFragment}`
      const nodes = await queryRepository<Record<string, ViewNode | null>>(query, repository)
      const login = await ownLogin()
      const pulls = Object.values(nodes).filter((node) => node !== null)
      return pulls.map((node) => viewOf(node, login))
    },
  }
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

/** A status, as in REST. The queries name the fields in the same way. */
interface StatusView {
  /** Only in REST. */
  id?: number
  context: string
  state: string
  description: string | null
  target_url: string | null
  created_at: string
  creator: AccountView | null
}

function statusOf(
  { id = 0, context, state, description, target_url, created_at, creator }: StatusView,
  commit: string,
  viewer: string,
) {
  return {
    commit,
    /** Ascends with time; 0 in a list that shows only the latest status of each context. */
    id,
    context,
    // GraphQL returns upper case. Its `EXPECTED`, a required status that is not set yet, has no creator.
    state: state.toLowerCase() as 'pending' | 'success' | 'failure' | 'error',
    /** At most 140 characters. */
    description: description ?? '',
    /** Empty if there is none. */
    targetUrl: target_url ?? '',
    /** With a bot's `[bot]`, as in REST; null if the account is gone. */
    author: loginOf(creator),
    /** The token's account. */
    viewer,
    /** Milliseconds since the epoch. */
    createdAt: Date.parse(created_at),
  }
}

/** A commit with the latest status of each context, in GraphQL. */
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
