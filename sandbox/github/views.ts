/** Accounts, comments and reactions in the API's format (openapi.json, "schemas"). */
import type { CollaboratorRole } from './access.ts'
import type { SandboxComment, SandboxReaction } from './threads.ts'

/** A repository, with the URLs of its API and its web pages. */
export interface Place {
  /** `http://127.0.0.1:PORT` with the base path. */
  api: string
  /** `https://github.com`, or an Enterprise server's. */
  html: string
  /** `owner/name` */
  repository: string
}

/** An account's id. The id of github-actions[bot] is the real one, because it is the same in every repository. */
export function accountId(login: string): number {
  return login === 'github-actions[bot]' ? 41898282 : idFrom(login)
}

export function userView(login: string, { api, html }: Place) {
  const isBot = login.endsWith('[bot]')
  const id = accountId(login)
  const url = `${api}/users/${encodeURIComponent(login)}`
  return {
    login,
    id,
    node_id: nodeId('User', id),
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    gravatar_id: '',
    url,
    html_url: isBot ? `${html}/apps/${login.slice(0, -'[bot]'.length)}` : `${html}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: isBot ? 'Bot' : 'User',
    site_admin: false,
  }
}

export function permissionView(
  login: string,
  { permission, role_name, userId }: CollaboratorRole,
  place: Place,
) {
  const rank = ['none', 'read', 'write', 'admin'].indexOf(permission)
  const permissions = {
    pull: rank >= 1,
    triage: rank >= 2 || role_name === 'triage',
    push: rank >= 2,
    maintain: rank >= 3 || role_name === 'maintain',
    admin: rank >= 3,
  }
  const user = { ...userView(login, place), ...(userId !== undefined && { id: userId }) }
  return { permission, role_name, user: { ...user, permissions, role_name } }
}

export function issueCommentView(
  comment: SandboxComment,
  reactions: SandboxReaction[],
  isPullRequest: boolean,
  place: Place,
) {
  const { id, thread, body } = comment
  const url = `${place.api}/repos/${place.repository}/issues/comments/${id}`
  const page = `${place.html}/${place.repository}/${isPullRequest ? 'pull' : 'issues'}/${thread.number}`
  return {
    id,
    node_id: nodeId('IssueComment', id),
    url,
    html_url: `${page}#issuecomment-${id}`,
    issue_url: `${place.api}/repos/${place.repository}/issues/${thread.number}`,
    body,
    ...authored(comment, place),
    performed_via_github_app: null,
    reactions: rollUp(reactions, url),
  }
}

export function reviewCommentView(comment: SandboxComment, reactions: SandboxReaction[], place: Place) {
  const { id, thread, body } = comment
  const url = `${place.api}/repos/${place.repository}/pulls/comments/${id}`
  const pullUrl = `${place.api}/repos/${place.repository}/pulls/${thread.number}`
  const page = `${place.html}/${place.repository}/pull/${thread.number}#discussion_r${id}`
  const isReply = thread.reviewRoot !== null && thread.reviewRoot !== id
  return {
    id,
    node_id: nodeId('PullRequestReviewComment', id),
    url,
    html_url: page,
    pull_request_url: pullUrl,
    pull_request_review_id: comment.review ?? idFrom(`review of ${id}`),
    ...(isReply && { in_reply_to_id: thread.reviewRoot }),
    ...line,
    body,
    ...authored(comment, place),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pullUrl } },
    reactions: rollUp(reactions, url),
  }
}

export function reactionView({ id, content, user, createdAt }: SandboxReaction, place: Place) {
  const node_id = nodeId('Reaction', id)
  return { id, node_id, user: userView(user, place), content, created_at: seconds(createdAt) }
}

/** In the double, all review comments are on this line. */
const line = {
  path: 'docs/install.md',
  diff_hunk: '@@ -1,2 +1,2 @@\n # Install\n-npm i\n+npm ci',
  commit_id: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  original_commit_id: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  position: 3,
  original_position: 3,
  line: 2,
  original_line: 2,
  side: 'RIGHT',
  subject_type: 'line',
}

function authored({ user, createdAt, updatedAt }: SandboxComment, place: Place) {
  return {
    user: user === null ? null : userView(user, place),
    author_association: 'NONE',
    created_at: seconds(createdAt),
    updated_at: seconds(updatedAt),
  }
}

function rollUp(reactions: SandboxReaction[], url: string) {
  const contents = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'] as const
  const count = (content: string) => reactions.filter((reaction) => reaction.content === content).length
  const counts = contents.map((content) => [content, count(content)])
  return { url: `${url}/reactions`, total_count: reactions.length, ...Object.fromEntries(counts) }
}

/** GitHub's times have no fractions of a second. */
export function seconds(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z')
}

export function nodeId(type: string, id: number): string {
  return Buffer.from(`${type}:${id}`).toString('base64')
}

/** An id that is the same in every run. */
export function idFrom(text: string): number {
  return [...text].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 100_000_007, 7)
}
