/** Comments and reactions, as GitHub shows them. */

export interface SandboxComment {
  id: number
  thread: { number: number; reviewRoot: number | null }
  body: string
  /** How often it was edited. */
  edits: number
}

export interface SandboxReaction {
  commentId: number
  content: string
}

const at = '2026-11-02T10:00:00Z'

export class ThreadBook {
  readonly comments: SandboxComment[] = []
  readonly reactions: SandboxReaction[] = []

  list(number: number, isReview: boolean): SandboxComment[] {
    return this.comments.filter(
      ({ thread }) => thread.number === number && (thread.reviewRoot !== null) === isReview,
    )
  }

  add(thread: SandboxComment['thread'], body: string): SandboxComment {
    const comment = { id: 5001 + this.comments.length, thread, body, edits: 0 }
    this.comments.push(comment)
    return comment
  }

  edit(id: number, body: string): SandboxComment | undefined {
    const comment = this.comments.find((known) => known.id === id)
    if (comment !== undefined) Object.assign(comment, { body, edits: comment.edits + 1 })
    return comment
  }

  react(commentId: number, content: string): object {
    this.reactions.push({ commentId, content })
    return { id: this.reactions.length, node_id: 'R_1', user: account(), content, created_at: at }
  }

  /** A comment in GitHub's own shape. */
  view({ id, thread, body }: SandboxComment): object {
    const url = `https://api.github.com/repos/acme/docs/comments/${id}`
    const html = `https://github.com/acme/docs/issues/${thread.number}#issuecomment-${id}`
    const shared = {
      ...{ id, node_id: 'C_1', url, html_url: html, body, user: account(), created_at: at, updated_at: at },
      author_association: 'NONE',
    }
    if (thread.reviewRoot === null)
      return { ...shared, issue_url: `https://api.github.com/repos/acme/docs/issues/${thread.number}` }
    const pull = `https://api.github.com/repos/acme/docs/pulls/${thread.number}`
    return {
      ...shared,
      ...{
        pull_request_review_id: 1,
        diff_hunk: '@@ -1 +1 @@',
        path: 'docs/install.md',
        commit_id: 'a',
        original_commit_id: 'a',
      },
      ...{ pull_request_url: pull, in_reply_to_id: thread.reviewRoot, line: 12 },
      _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
    }
  }
}

/** The account that comments through the workflow's own token. */
function account(): object {
  const api = 'https://api.github.com/users/github-actions%5Bbot%5D'
  const links = [
    'followers',
    'following',
    'gists',
    'starred',
    'subscriptions',
    'organizations',
    'repos',
    'events',
    'received_events',
  ]
  return {
    ...{ login: 'github-actions[bot]', id: 41898282, node_id: 'B_1', type: 'Bot', site_admin: false },
    ...{
      avatar_url: 'https://avatars.githubusercontent.com/in/15368',
      gravatar_id: '',
      url: api,
      html_url: 'https://github.com/apps/github-actions',
    },
    ...Object.fromEntries(links.map((name) => [`${name}_url`, `${api}/${name}`])),
  }
}
