/** GitHub's objects as clients read them. The contract completes them with what openapi.json requires. */
import type { CollaboratorRole } from './access.ts'
import type { Commit, StoredFile } from './commits.ts'
import type { FileChange } from './diff.ts'
import { changesOf, defaultBranch, ownerOf, type PullRequest } from './repository.ts'
import type { SandboxStatus } from './statuses.ts'
import type { SandboxComment, SandboxReaction } from './threads.ts'
import type { World } from './world.ts'

const html = 'https://github.com'

/** An account's id. The id of github-actions[bot] is the real one, because it is the same in every repository. */
function accountId(login: string): number {
  return login === 'github-actions[bot]' ? 41898282 : idFrom(login)
}

export function account(login: string) {
  return { login, id: accountId(login), type: login.endsWith('[bot]') ? 'Bot' : 'User' }
}

export function permissionView(login: string, { permission, role_name, userId }: CollaboratorRole) {
  const user = account(login)
  return { permission, role_name, user: { ...user, role_name, id: userId ?? user.id } }
}

export function commentView(comment: SandboxComment, { api, home, book }: World) {
  const { id, thread, body, user, createdAt, updatedAt } = comment
  const page = `${html}/${home}/${book.isPullRequest(thread.number) ? 'pull' : 'issues'}/${thread.number}`
  const shared = {
    id,
    body,
    user: user === null ? null : account(user),
    author_association: 'NONE',
    created_at: seconds(createdAt),
    updated_at: seconds(updatedAt),
  }
  if (thread.reviewRoot === null)
    return {
      ...shared,
      node_id: nodeId('IssueComment', id),
      html_url: `${page}#issuecomment-${id}`,
      issue_url: `${api}/repos/${home}/issues/${thread.number}`,
    }
  return {
    ...shared,
    node_id: nodeId('PullRequestReviewComment', id),
    html_url: `${page}#discussion_r${id}`,
    pull_request_url: `${api}/repos/${home}/pulls/${thread.number}`,
    pull_request_review_id: comment.review ?? idFrom(`review of ${id}`),
    ...(thread.reviewRoot !== id && { in_reply_to_id: thread.reviewRoot }),
    // In the double, all review comments are on this line.
    path: 'docs/install.md',
    diff_hunk: '@@ -1,2 +1,2 @@\n # Install\n-npm i\n+npm ci',
    line: 2,
  }
}

export function reactionView({ id, content, user, createdAt }: SandboxReaction) {
  return { id, user: account(user), content, created_at: seconds(createdAt) }
}

export function statusView({ id, sha, context, state, description, targetUrl, ...status }: SandboxStatus) {
  const [created_at, creator] = [seconds(status.createdAt), account(status.creator)]
  return {
    id,
    sha,
    context,
    state,
    description,
    target_url: targetUrl,
    created_at,
    updated_at: created_at,
    creator,
  }
}

/** GitHub's docs, "Repository limits": a file over a limit has no patch. `longestPatches` limits all files so far. */
const longestPatch = { lines: 20_000, bytes: 500_000 }
const longestPatches = { lines: 20_000, bytes: 1_000_000 }

/** Changed files, in the given order. */
export function fileViews(changes: readonly FileChange[]) {
  const total = { lines: 0, bytes: 0 }
  return changes.map(({ previousFilename, patch, ...change }) => {
    const size = { lines: patch?.split('\n').length ?? 0, bytes: Buffer.byteLength(patch ?? '') }
    total.lines += size.lines
    total.bytes += size.bytes
    const isShown = isWithin(size, longestPatch) && isWithin(total, longestPatches)
    return {
      ...change,
      changes: change.additions + change.deletions,
      ...(isShown && patch && { patch }),
      ...(previousFilename && { previous_filename: previousFilename }),
    }
  })
}

function isWithin(size: typeof longestPatch, limit: typeof longestPatch): boolean {
  return size.lines <= limit.lines && size.bytes <= limit.bytes
}

export function commitView({ sha, treeSha, message, author, date, parents }: Commit) {
  const person = {
    name: author ?? 'Nobody Known',
    email: `${author ?? 'nobody'}@users.noreply.github.com`,
    date,
  }
  const user = author === null ? null : account(author)
  return {
    sha,
    commit: { message, author: person, committer: person, tree: { sha: treeSha } },
    author: user,
    committer: user,
    parents: parents.map((parent) => ({ sha: parent.sha })),
  }
}

/** A pull request in a list. */
export function pullView(pull: PullRequest, repository: string) {
  const { number, head, base, title, body, user, state, merged, createdAt, updatedAt } = pull
  const repo = (name: string) => {
    const owner = account(ownerOf(name))
    return { name: name.split('/')[1], full_name: name, owner, private: true, default_branch: defaultBranch }
  }
  const side = ({ branch, commit }: PullRequest['base'], name: string | null) => {
    return { ref: branch, sha: commit.sha, repo: name === null ? null : repo(name) }
  }
  return {
    number,
    state,
    title,
    body,
    user: account(user),
    html_url: `${html}/${repository}/pull/${number}`,
    labels: pull.labels.map((name) => ({ name })),
    requested_reviewers: pull.reviewers.filter((name) => !name.startsWith('team/')).map(account),
    created_at: createdAt,
    updated_at: updatedAt,
    closed_at: state === 'closed' ? updatedAt : null,
    merged_at: merged ? updatedAt : null,
    merge_commit_sha: pull.mergeCommitSha,
    head: side(head, head.repository),
    base: side(base, repository),
  }
}

/** A single pull request, with the size of its change. */
export function wholePullView(pull: PullRequest, repository: string) {
  const changes = changesOf(pull)
  return {
    ...pullView(pull, repository),
    merged: pull.merged !== undefined,
    additions: sumOf(changes, 'additions'),
    deletions: sumOf(changes, 'deletions'),
    changed_files: changes.length,
  }
}

/** A file with its content in base64, in lines of 60 characters. */
export function contentView(path: string, { sha, bytes }: StoredFile) {
  const content = bytes.toString('base64').replace(/.{1,60}/g, '$&\n')
  return {
    type: 'file',
    name: path.split('/').at(-1),
    path,
    sha,
    size: bytes.length,
    content,
    encoding: 'base64',
  }
}

export function sumOf(changes: readonly FileChange[], count: 'additions' | 'deletions'): number {
  return changes.reduce((sum, change) => sum + change[count], 0)
}

/** GitHub's times have no fractions of a second. */
export function seconds(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z')
}

export function nodeId(type: string, id: number): string {
  return Buffer.from(`${type}:${id}`).toString('base64')
}

/** An id that is the same in every run. */
function idFrom(text: string): number {
  return [...text].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 100_000_007, 7)
}
