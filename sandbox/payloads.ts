/** Payloads of GitHub's events, written after its documented schema ("Webhook events and payloads"), cut to what tells them apart. */
import type { WorkflowEvent } from '../src/core/event.ts'

interface User {
  login: string
  type: 'User' | 'Bot'
}

export interface CommentOptions {
  body?: string | null
  author?: string | null
  type?: User['type']
  sender?: string
  action?: 'created' | 'edited' | 'deleted'
  id?: number
  number?: number
  isPullRequest?: boolean
  repository?: string
  /** GitHub's word on the author, which anybody can earn and which decides nothing here. */
  association?: string
}

const account = (login: string, type: User['type'] = 'User') => ({ login, id: 1, type, site_admin: false })

function shared(options: CommentOptions) {
  const {
    action = 'created',
    repository = 'acme/docs',
    author = 'mona',
    sender = author ?? 'ghost',
  } = options
  const [owner = '', name = ''] = repository.split('/')
  return {
    action,
    repository: { id: 1, name, full_name: repository, private: false, owner: account(owner) },
    sender: account(sender),
  }
}

function comment({
  id = 1001,
  body = '/docs fix the install page',
  author = 'mona',
  type,
  association,
}: CommentOptions) {
  return {
    id,
    node_id: 'IC_1',
    html_url: `https://github.com/acme/docs/issues/7#issuecomment-${id}`,
    body,
    user: author === null ? null : account(author, type),
    author_association: association ?? 'MEMBER',
    created_at: '2026-11-02T10:00:00Z',
    updated_at: '2026-11-02T10:00:00Z',
  }
}

/** `issue_comment`, on an issue or on a pull request's conversation. */
export function issueComment(options: CommentOptions = {}): WorkflowEvent {
  const { number = 7, isPullRequest = false } = options
  const pullRequest = { url: `https://api.github.com/repos/acme/docs/pulls/${number}` }
  const issue = {
    number,
    title: 'The install page',
    user: account('mona'),
    ...(isPullRequest && { pull_request: pullRequest }),
  }
  const payload = { ...shared(options), issue, comment: comment(options) }
  return { name: 'issue_comment', actor: payload.sender.login, payload }
}

/** `pull_request_review_comment`, on a line of a change. */
export function reviewComment(options: CommentOptions & { replyTo?: number } = {}): WorkflowEvent {
  const { number = 7, replyTo } = options
  const line = {
    path: 'docs/install.md',
    line: 12,
    side: 'RIGHT',
    diff_hunk: '@@ -10,3 +10,3 @@\n-old\n+new',
  }
  const pullRequest = {
    number,
    head: { repo: { full_name: 'acme/docs' } },
    base: { repo: { full_name: 'acme/docs' } },
  }
  const said = { ...comment(options), ...line, ...(replyTo && { in_reply_to_id: replyTo }) }
  const payload = { ...shared(options), comment: said, pull_request: pullRequest }
  return { name: 'pull_request_review_comment', actor: payload.sender.login, payload }
}

export const push: WorkflowEvent = {
  name: 'push',
  actor: 'mona',
  payload: { ref: 'refs/heads/main', after: 'a'.repeat(40) },
}
