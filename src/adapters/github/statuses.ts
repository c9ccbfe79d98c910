/** Commit statuses (GitHub's REST API docs, "Commit statuses"; GraphQL docs, "StatusContext"). */
import type { CommitStatus, FoundStatus, Statuses } from '../../usecases/ports.ts'
import { type Account, type Ask, loginOf, parseRepositoryName, readPages } from './client.ts'
import type { Viewer } from './viewer.ts'

/** Maximum number of pages of a commit's statuses, with 100 each. */
const statusPages = 10
/** Maximum number of the default branch's commits, and of pull requests, whose statuses are read in one query. */
const recentCount = 50

/** The calls about commit statuses. */
export function createStatuses(ask: Ask, viewer: Viewer): Statuses {
  return {
    statuses: (repository, commit) =>
      ask(async ({ paginate, rest }) => {
        const at = { ...parseRepositoryName(repository), ref: commit, per_page: 100 }
        const pages = paginate.iterator(rest.repos.listCommitStatusesForRef, at)
        return readPages(pages, statusPages, (page) =>
          page.map((view) => statusOf(view, view.target_url, view.created_at, loginOf(view.creator))),
        )
      }),

    setStatus: (repository, commit, { context, state, description, targetUrl }) =>
      ask(async ({ rest }) => {
        await rest.repos.createCommitStatus({
          ...parseRepositoryName(repository),
          sha: commit,
          context,
          state,
          description,
          ...(targetUrl !== '' && { target_url: targetUrl }),
        })
      }),

    recentStatuses: (repository, since) =>
      ask(async ({ graphql }) => {
        const { owner, repo: name } = parseRepositoryName(repository)
        const found = await graphql<RecentStatuses>(recentQuery, {
          owner,
          name,
          count: recentCount,
        })
        viewer.know(found.viewer.login)
        const { defaultBranchRef, pullRequests } = found.repository
        // An empty repository has no default branch.
        const history = defaultBranchRef?.target?.history
        const heads = (pullRequests.nodes ?? []).flatMap(
          (pull) => pull?.commits.nodes?.map((node) => node?.commit) ?? [],
        )
        const nodes = [...(history?.nodes ?? []), ...heads].filter(
          (commit) => commit !== null && commit !== undefined,
        )
        const commits = new Map(nodes.map((commit) => [commit.oid, commit]))
        const newestFirst = [...commits.values()].sort(
          (a, b) => Date.parse(b.committedDate) - Date.parse(a.committedDate),
        )
        const isCut = (
          list: { pageInfo: { hasNextPage: boolean } } | undefined,
          lastAt: string | undefined,
        ) => list?.pageInfo.hasNextPage === true && (lastAt === undefined || Date.parse(lastAt) >= since)
        return {
          items: newestFirst.flatMap(statusesOf),
          isCut:
            isCut(pullRequests, pullRequests.nodes?.at(-1)?.updatedAt) ||
            isCut(history, history?.nodes?.at(-1)?.committedDate),
        }
      }),
  }
}

/** The latest status of each context on a commit. */
export function statusesOf({ oid, status }: CommitNode): (FoundStatus & { commit: string })[] {
  return (status?.contexts ?? []).map((view) => ({
    ...statusOf(view, view.targetUrl, view.createdAt, loginOf(view.creator)),
    commit: oid,
  }))
}

const states = ['pending', 'success', 'failure', 'error'] as const

function statusOf(
  view: { context: string; state: string; description: string | null },
  targetUrl: string | null,
  createdAt: string,
  creator: string | null,
): FoundStatus {
  const word = view.state.toLowerCase()
  // GraphQL also has `EXPECTED`: a required status that is not set yet.
  const state: CommitStatus['state'] = states.find((known) => known === word) ?? 'pending'
  return {
    context: view.context,
    state,
    description: view.description ?? '',
    targetUrl: targetUrl ?? '',
    creator,
    createdAt: Date.parse(createdAt),
  }
}

/** A commit with the latest status of each context, in GraphQL. */
export interface CommitNode {
  oid: string
  committedDate: string
  status: {
    contexts: {
      context: string
      state: string
      description: string | null
      targetUrl: string | null
      createdAt: string
      creator: Account | null
    }[]
  } | null
}

/** In GitHub's schema, targets, nodes, and lists of nodes can be null. */
interface RecentStatuses {
  viewer: { login: string }
  repository: {
    defaultBranchRef: {
      target: {
        history?: { pageInfo: { hasNextPage: boolean }; nodes: (CommitNode | null)[] | null }
      } | null
    } | null
    pullRequests: {
      pageInfo: { hasNextPage: boolean }
      nodes:
        | ({ updatedAt: string; commits: { nodes: ({ commit: CommitNode } | null)[] | null } } | null)[]
        | null
    }
  }
}

/** The fields of `CommitNode`. */
export const commitFields = `oid
  committedDate
  status { contexts { context state description targetUrl createdAt creator { __typename login } } }`

const recentQuery = `query recentStatuses($owner: String!, $name: String!, $count: Int!) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    defaultBranchRef {
      target { ... on Commit { history(first: $count) { pageInfo { hasNextPage } nodes { ...statuses } } } }
    }
    pullRequests(first: $count, orderBy: { field: UPDATED_AT, direction: DESC }) {
      pageInfo { hasNextPage }
      nodes { updatedAt commits(last: 1) { nodes { commit { ...statuses } } } }
    }
  }
}
fragment statuses on Commit {
  ${commitFields}
}`
