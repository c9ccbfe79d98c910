/** GitHub's objects, with only what the action reads. */
import { sha1 } from './commits.ts'
import { changesOf, type PullRequest, type Repository, repositoryId } from './repository.ts'
import type { SandboxStatus } from './statuses.ts'
import type { SandboxComment } from './threads.ts'
import type { World } from './world.ts'

/** An account with an id that is the same in every run. Most bots have a login with `[bot]`, but not GitHub's own agent. */
export function account(login: string) {
  const id = Number.parseInt(sha1(login).slice(0, 7), 16)
  return { login, id, type: /\[bot\]$|^Copilot$/.test(login) ? 'Bot' : 'User' }
}

/** The type of a comment in GraphQL. */
export function typeOf({ thread }: SandboxComment): string {
  return thread.reviewRoot === null ? 'IssueComment' : 'PullRequestReviewComment'
}

export function commentView(comment: SandboxComment, { home, book }: World) {
  const { id, thread, body, user, createdAt, updatedAt, review } = comment
  const { number, reviewRoot } = thread
  const page = `https://github.com/${home}/${book.isPullRequest(number) ? 'pull' : 'issues'}/${number}`
  return {
    id,
    node_id: nodeId(typeOf(comment), id),
    body,
    user: user === null ? null : account(user),
    created_at: seconds(createdAt),
    updated_at: seconds(updatedAt),
    html_url: `${page}#${reviewRoot === null ? 'issuecomment-' : 'discussion_r'}${id}`,
    ...(reviewRoot !== null && {
      pull_request_url: page,
      pull_request_review_id: review,
      ...(reviewRoot !== id && { in_reply_to_id: reviewRoot }),
      // In the mock, all review comments are on this line.
      path: 'docs/install.md',
      diff_hunk: '@@ -1,2 +1,2 @@\n # Install\n-npm i\n+npm ci',
      line: 2,
    }),
  }
}

export function statusView(status: SandboxStatus) {
  const { id, context, state, description, targetUrl: target_url } = status
  const [created_at, creator] = [seconds(status.createdAt), account(status.creator)]
  return { id, context, state, description, target_url, created_at, creator }
}

/** A pull request in a list. */
export function pullView(pull: PullRequest, { name: repository, id: homeId }: Repository) {
  const { number, head, base, title, user, state, merged, updatedAt } = pull
  const side = ({ branch, commit }: PullRequest['base'], full_name: string | null) => {
    const id = full_name === repository ? homeId : repositoryId(full_name ?? '')
    return { ref: branch, sha: commit.sha, repo: full_name && { id, full_name } }
  }
  return {
    number,
    state,
    title,
    user: account(user),
    html_url: `https://github.com/${repository}/pull/${number}`,
    merged_at: merged ? updatedAt : null,
    // Before the merge, the SHA of a test merge (openapi.json, "pulls/get").
    merge_commit_sha: merged?.commit.sha ?? sha1(`test merge ${number}`),
    head: side(head, head.repository),
    base: side(base, repository),
  }
}

/** A single pull request, with the size of its change. */
export function wholePullView(pull: PullRequest, repository: Repository) {
  const changes = changesOf(pull)
  const sumOf = (count: 'additions' | 'deletions') => changes.reduce((sum, change) => sum + change[count], 0)
  return {
    ...pullView(pull, repository),
    additions: sumOf('additions'),
    deletions: sumOf('deletions'),
    changed_files: changes.length,
  }
}

/** GitHub's times have no fractions of a second. */
export function seconds(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z')
}

export function nodeId(type: string, id: number): string {
  return Buffer.from(`${type}:${id}`).toString('base64')
}
