/** The agent's pull requests (GitHub's REST API docs: "Labels", "Review requests", "Commits"; GraphQL docs, "PullRequest", "Release"). */
import type { PublishedRelease, PullRequests, PullView } from '../../usecases/ports.ts'
import { type Ask, type Octokit, parseRepositoryName } from './client.ts'
import { type CommitNode, commitFields, statusesOf } from './statuses.ts'
import type { Viewer } from './viewer.ts'

/** Maximum number of pull requests in one query. */
const atOnce = 50
/** Maximum number of pages of releases, with 100 each. */
const releasePages = 10

/** The calls about the agent's pull requests. */
export function createPulls(ask: Ask, viewer: Viewer): PullRequests {
  async function* query({ graphql }: Octokit, repository: string, numbers: readonly number[]) {
    const { owner, repo: name } = parseRepositoryName(repository)
    for (let from = 0; from < numbers.length; from += atOnce) {
      const text = queryOf(numbers.slice(from, from + atOnce))
      const reply = await graphql<Views>(text, { owner, name })
      viewer.know(reply.viewer.login)
      yield reply.repository
    }
  }

  return {
    addLabels: (repository, number, labels) =>
      ask(async ({ rest }) => {
        const at = { ...parseRepositoryName(repository), issue_number: number, labels: [...labels] }
        await rest.issues.addLabels({ ...at })
      }),

    requestReviews: (repository, number, { logins, teams }) =>
      ask(async ({ rest }) => {
        const from = { reviewers: [...logins], team_reviewers: [...teams] }
        const at = { ...parseRepositoryName(repository), pull_number: number }
        await rest.pulls.requestReviewers({ ...at, ...from })
      }),

    contains: (repository, ref, commit) =>
      ask(async ({ rest }) => {
        const at = { ...parseRepositoryName(repository), basehead: `${commit}...${ref}`, per_page: 1 }
        const { data } = await rest.repos.compareCommitsWithBasehead(at)
        return data.status === 'ahead' || data.status === 'identical'
      }),

    releases: (repository, since) =>
      ask(async ({ graphql }) => {
        const { owner, repo: name } = parseRepositoryName(repository)
        const found: PublishedRelease[] = []
        let after: string | null = null
        for (let page = 0; page < releasePages; page++) {
          const asked = { owner, name, after }
          const read: Releases = await graphql(releasesQuery, asked)
          const { nodes, pageInfo } = read.repository.releases
          found.push(...nodes.flatMap(releasesOf))
          after = pageInfo.endCursor
          if (!pageInfo.hasNextPage) break
        }
        return found
          .filter(({ publishedAt }) => publishedAt >= since)
          .toSorted((one, other) => one.publishedAt - other.publishedAt)
      }),

    pullViews: (repository, numbers) =>
      ask(async (octokit) => {
        const found: PullView[] = []
        for await (const pulls of query(octokit, repository, numbers))
          found.push(...Object.values(pulls).flatMap((pull) => (pull === null ? [] : viewOf(pull))))
        return found
      }),
  }
}

interface PullNode {
  number: number
  state: string
  closedAt: string | null
  headRefOid: string
  mergeCommit: { oid: string } | null
  commits: { nodes: ({ commit: CommitNode } | null)[] }
}

interface ReleaseNode {
  tagName: string
  publishedAt: string | null
  isDraft: boolean
  isPrerelease: boolean
}

interface Releases {
  repository: {
    releases: {
      pageInfo: { hasNextPage: boolean; endCursor: string | null }
      nodes: (ReleaseNode | null)[]
    }
  }
}

const releasesQuery = `query releases($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    releases(first: 100, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes { tagName publishedAt isDraft isPrerelease }
    }
  }
}`

/** Drafts and prereleases do not count. */
function releasesOf(node: ReleaseNode | null): PublishedRelease[] {
  if (node === null || node.isDraft || node.isPrerelease || node.publishedAt === null) return []
  return [{ tag: node.tagName, publishedAt: Date.parse(node.publishedAt) }]
}

type Alias = `p${number}`

interface Views {
  viewer: { login: string }
  repository: Record<Alias, PullNode | null>
}

const states = { OPEN: 'open', MERGED: 'merged', CLOSED: 'closed' } as const

function viewOf(node: PullNode): PullView {
  const { number, state, closedAt, headRefOid, mergeCommit, commits } = node
  const newestFirst = commits.nodes.flatMap((each) => each?.commit ?? []).toReversed()
  return {
    number,
    state: states[state as keyof typeof states] ?? 'closed',
    closedAt: closedAt === null ? null : Date.parse(closedAt),
    head: headRefOid,
    mergeCommit: mergeCommit?.oid ?? null,
    statuses: newestFirst.flatMap(statusesOf),
  }
}

/** One query for many pull requests, each under its own alias. */
function queryOf(numbers: readonly number[]): string {
  const pulls = numbers.map((number) => `    p${number}: pullRequest(number: ${number}) { ...wanted }`)
  return `query pullViews($owner: String!, $name: String!) {
  viewer { login }
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
