/** The agent's pull requests (GitHub's REST API docs: "Labels", "Review requests", "Commits", "Releases"; GraphQL docs, "PullRequest"). */
import type { SeenPull } from '../../core/pull.ts'
import { list, type Nodes, named, nodesOf, type Octokit } from './client.ts'
import { type CommitNode, commitFields, type PlacedStatus, statusesOf } from './statuses.ts'

/** Maximum number of pull requests in one query. */
const atOnce = 50
/** Maximum number of pages of releases, with 100 each. */
const releasePages = 10

/** A pull request, as in a query for many of them. */
export interface PullView extends SeenPull {
  /** The latest status of each context on its last commits, newest commit first. */
  statuses: PlacedStatus[]
}

/** A release that is neither a draft nor a prerelease. */
export interface PublishedRelease {
  tag: string
  /** Milliseconds since the epoch. */
  publishedAt: number
}

/** The calls about the agent's pull requests, and about releases. */
export const pullCalls = {
  /** Adds labels, which GitHub creates if they do not exist. Repeating this does no harm. */
  async addLabels({ request }: Octokit, repository: string, number: number, labels: readonly string[]) {
    await request(`POST /repos/${repository}/issues/${number}/labels`, { labels })
  },

  /** Requests reviews from people and teams (by their slugs). If GitHub rejects one of them, it requests none (422). */
  async requestReviews(
    { request }: Octokit,
    repository: string,
    number: number,
    { logins, teams }: { logins: readonly string[]; teams: readonly string[] },
  ) {
    const from = { reviewers: logins, team_reviewers: teams }
    await request(`POST /repos/${repository}/pulls/${number}/requested_reviewers`, from)
  },

  /** Whether a branch or tag contains a commit. */
  async contains({ request }: Octokit, repository: string, ref: string, commit: string) {
    const between = { basehead: `${commit}...${ref}`, per_page: 1 }
    const { data } = await request(`GET /repos/${repository}/compare/{basehead}`, between)
    return data.status === 'ahead' || data.status === 'identical'
  },

  /** A repository's releases that were published since a time, in order of publication; at most a thousand. */
  async releases(octokit: Octokit, repository: string, since: number) {
    const { items } = await list(octokit, `/repos/${repository}/releases`, releasePages, releaseOf)
    return items
      .filter(({ publishedAt }) => publishedAt >= since)
      .sort((one, other) => one.publishedAt - other.publishedAt)
  },

  /** Pull requests by number. One GraphQL query for every 50 pull requests. */
  async pullViews({ graphql }: Octokit, repository: string, numbers: readonly number[]) {
    const found: PullView[] = []
    for (let from = 0; from < numbers.length; from += atOnce) {
      const query = queryOf(numbers.slice(from, from + atOnce))
      const { repository: pulls } = await graphql<Views>(query, named(repository))
      found.push(...Object.values(pulls).flatMap((pull) => (pull === null ? [] : viewOf(pull))))
    }
    return found
  },
}

interface ReleaseView {
  tag_name: string
  published_at: string | null
  draft: boolean
  prerelease: boolean
}

/** Drafts and prereleases do not count. */
function releaseOf({ tag_name: tag, published_at, draft, prerelease }: ReleaseView): PublishedRelease[] {
  return draft || prerelease || published_at === null ? [] : [{ tag, publishedAt: Date.parse(published_at) }]
}

interface Views {
  repository: Record<string, PullNode | null>
}

interface PullNode {
  number: number
  state: string
  closedAt: string | null
  headRefOid: string
  mergeCommit: { oid: string } | null
  commits: Nodes<{ commit: CommitNode }>
}

function viewOf({ number, state, closedAt, headRefOid: head, mergeCommit, commits }: PullNode): PullView {
  const newestFirst = nodesOf(commits).toReversed()
  return {
    number,
    state: state.toLowerCase() as SeenPull['state'],
    closedAt: closedAt === null ? null : Date.parse(closedAt),
    head,
    mergeCommit: mergeCommit?.oid ?? null,
    statuses: newestFirst.flatMap(({ commit }) => statusesOf(commit)),
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
  commits(last: 5) { nodes { commit { ${commitFields} } } }
}`
}
