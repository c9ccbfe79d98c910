/** The agent's pull requests (GitHub's REST API docs: "Labels", "Review requests", "Commits", "Releases"; GraphQL docs, "PullRequest"). */
import type { PullState } from '../../core/pull.ts'
import { type Api, type Data, type Nodes, nodesOf } from './client.ts'
import { type CommitNode, commitFields, statusesOf } from './statuses.ts'

/** A pull request, as in a query for many of them. */
export type PullView = ReturnType<typeof viewOf>

/** A release that is neither a draft nor a prerelease. */
export interface PublishedRelease {
  tag: string
  /** Milliseconds since the epoch. */
  publishedAt: number
}

/** The calls about the agent's pull requests, and about releases. */
export const pullCalls = ({ request, find, list }: Api) => ({
  /** Adds labels, which GitHub creates if they do not exist. Repeating this does no harm. */
  async addLabels(repository: string, number: number, labels: readonly string[]) {
    await request(`POST /repos/${repository}/issues/${number}/labels`, { labels })
  },

  /** Requests a review from a person, or from a team: `owner/slug`. */
  async requestReview(repository: string, number: number, name: string) {
    const team = name.split('/')[1]
    const from = team === undefined ? { reviewers: [name] } : { team_reviewers: [team] }
    await request(`POST /repos/${repository}/pulls/${number}/requested_reviewers`, from)
  },

  /** A repository's releases that were published since a time, in order of publication; at most 3,000. */
  async releases(repository: string, since: number) {
    const { items } = await list(`/repos/${repository}/releases`, releaseOf)
    return items
      .filter(({ publishedAt }) => publishedAt >= since)
      .sort((one, other) => one.publishedAt - other.publishedAt)
  },

  /** Pull requests by number, in one GraphQL query. */
  async pullViews(repository: string, numbers: readonly number[]) {
    const found = await find<Record<string, PullNode | null>>(queryOf(numbers), repository)
    return Object.values(found).flatMap((pull) => (pull === null ? [] : viewOf(pull)))
  },
})

type ReleaseView = Data<'repos', 'listReleases'>[number]

/** Drafts and prereleases do not count. */
function releaseOf({ tag_name: tag, published_at, draft, prerelease }: ReleaseView): PublishedRelease[] {
  return draft || prerelease ? [] : [{ tag, publishedAt: Date.parse(published_at ?? '') }]
}

interface PullNode {
  number: number
  state: string
  closedAt: string | null
  headRefOid: string
  mergeCommit: { oid: string } | null
  commits: Nodes<{ commit: CommitNode }>
}

function viewOf({ number, state, closedAt, headRefOid: head, mergeCommit, commits }: PullNode) {
  return {
    number,
    state: state.toLowerCase() as PullState,
    /** When it was merged or closed, in milliseconds since the epoch; null if it is open. */
    closedAt: closedAt === null ? null : Date.parse(closedAt),
    head,
    mergeCommit: mergeCommit?.oid ?? null,
    /** The latest status of each context on its last commit. */
    statuses: nodesOf(commits).flatMap(({ commit }) => statusesOf(commit)),
  }
}

/** One query for many pull requests, each under its own alias. */
function queryOf(numbers: readonly number[]): string {
  const pulls = numbers.map((number) => `    p${number}: pullRequest(number: ${number}) { ...wanted }`)
  return `query pullViews($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
${pulls.join('\n')}
  }
}
fragment wanted on PullRequest {
  number state closedAt headRefOid
  mergeCommit { oid }
  commits(last: 1) { nodes { commit { ${commitFields} } } }
}`
}
