/** The agent's pull requests (GitHub's REST API docs: "Labels", "Review requests", "Pulls", "Commits"; GraphQL docs, "PullRequest"). */
import type { PublishedRelease, PullRequests, PullView } from '../../usecases/ports.ts'
import { type Ask, loginOf, type Octokit, parseRepositoryName, readPages } from './client.ts'
import { type CommitNode, commitFields, statusesOf } from './statuses.ts'
import type { Viewer } from './viewer.ts'

/** Maximum number of pull requests in one query. */
const atOnce = 50
/** Maximum number of a pull request's commits that GitHub lists. */
const commitLimit = 250

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

    closePull: (repository, number) =>
      ask(async ({ rest }) => {
        await rest.pulls.update({ ...parseRepositoryName(repository), pull_number: number, state: 'closed' })
      }),

    commitAuthors: (repository, number) =>
      ask(async ({ paginate, rest }) => {
        const at = { ...parseRepositoryName(repository), pull_number: number, per_page: 100 }
        const pages = paginate.iterator(rest.pulls.listCommits, at)
        const { items } = await readPages(pages, Math.ceil(commitLimit / 100), (page) =>
          // According to GitHub's API description, an author can be an empty object.
          page.map(({ author }) => (author?.login === undefined ? null : loginOf({ login: author.login }))),
        )
        // Anyone may have written the commits that are not listed.
        return items.length < commitLimit ? items : [...items, null]
      }),

    contains: (repository, ref, commit) =>
      ask(async ({ rest }) => {
        const at = { ...parseRepositoryName(repository), basehead: `${commit}...${ref}`, per_page: 1 }
        const { data } = await rest.repos.compareCommitsWithBasehead(at)
        return data.status === 'ahead' || data.status === 'identical'
      }),

    pullViews: (repository, numbers) =>
      ask(async (octokit) => {
        const found: { pulls: PullView[]; releases: PublishedRelease[] } = { pulls: [], releases: [] }
        for await (const { releases, ...pulls } of query(octokit, repository, numbers)) {
          found.pulls.push(...Object.values(pulls).flatMap((pull) => (pull === null ? [] : viewOf(pull))))
          found.releases = releases.nodes.flatMap((release) =>
            release === null || release.isDraft || release.isPrerelease || release.publishedAt === null
              ? []
              : { tag: release.tagName, publishedAt: Date.parse(release.publishedAt) },
          )
        }
        return found
      }),
  }
}

interface PullNode {
  number: number
  state: string
  closedAt: string | null
  mergeable: string
  headRefOid: string
  mergeCommit: { oid: string } | null
  commits: { nodes: ({ commit: CommitNode } | null)[] }
}

interface Releases {
  releases: {
    nodes: ({
      tagName: string
      publishedAt: string | null
      isDraft: boolean
      isPrerelease: boolean
    } | null)[]
  }
}

type Alias = `p${number}`

interface Views {
  viewer: { login: string }
  repository: Record<Alias, PullNode | null> & Releases
}

const states = { OPEN: 'open', MERGED: 'merged', CLOSED: 'closed' } as const
const mergeability = { MERGEABLE: 'yes', CONFLICTING: 'no' } as const

function viewOf(node: PullNode): PullView {
  const { number, state, closedAt, mergeable, headRefOid, mergeCommit, commits } = node
  const newestFirst = commits.nodes.flatMap((each) => each?.commit ?? []).toReversed()
  return {
    number,
    state: states[state as keyof typeof states] ?? 'closed',
    closedAt: closedAt === null ? null : Date.parse(closedAt),
    mergeable: mergeability[mergeable as keyof typeof mergeability] ?? 'unknown',
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
    releases(first: 10, orderBy: { field: CREATED_AT, direction: DESC }) {
      nodes { tagName publishedAt isDraft isPrerelease }
    }
${pulls.join('\n')}
  }
}
fragment wanted on PullRequest {
  number state closedAt mergeable headRefOid
  mergeCommit { oid }
  commits(last: 5) { nodes { commit { ${commitFields} } } }
}`
}
