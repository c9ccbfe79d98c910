/** Commit statuses (GitHub's REST API docs, "Commit statuses"; GraphQL docs, "StatusContext" and "PullRequest"). */
import { type AccountView, type Api, completeItems, loginOf } from './client.ts'

/** A status by any account, and the commit that it is on. */
export type FoundStatus = ReturnType<typeof statusOf>

/** A commit status. */
export type CommitStatus = Pick<FoundStatus, 'context' | 'state' | 'description' | 'targetUrl'>

/** The calls about commit statuses. */
export function statusCalls({ request, list, ownLogin }: Api) {
  return {
    /** The login of the token's account. The first call of a step that records times, because it sets the clock. */
    viewer: ownLogin,

    /** The statuses of a commit, newest first. Fails if the commit has over 3,000 statuses. */
    async statuses(repository: string, commit: string) {
      const all = await list<StatusView>(`/repos/${repository}/commits/${commit}/statuses`)
      const login = await ownLogin()
      return completeItems(all).map((view) => statusOf(view, commit, login))
    },

    /** Adds a status, and returns its id. Retried, because repeating this does no harm. */
    async setStatus(repository: string, commit: string, status: CommitStatus) {
      const { context, state, description, targetUrl } = status
      const body = { context, state, description, target_url: targetUrl || null }
      const { id } = await request<{ id: number }>(`POST /repos/${repository}/statuses/${commit}`, body)
      return id
    },
  }
}

/** A status, as in REST. The queries name the fields in the same way. */
export interface StatusView {
  /** Only in REST. */
  id?: number
  context: string
  state: string
  description: string | null
  target_url: string | null
  created_at: string
  creator: AccountView | null
}

export function statusOf(
  { id = 0, context, state, description, target_url, created_at, creator }: StatusView,
  commit: string,
  viewer: string,
) {
  return {
    commit,
    /** Ascends with time; 0 in a list that shows only the latest status of each context. */
    id,
    context,
    // GraphQL returns upper case. Its `EXPECTED`, a required status that is not set yet, has no creator.
    state: state.toLowerCase() as 'pending' | 'success' | 'failure' | 'error',
    /** At most 140 characters. */
    description: description ?? '',
    /** Empty if there is none. */
    targetUrl: target_url ?? '',
    /** With a bot's `[bot]`, as in REST; null if the account is gone. */
    author: loginOf(creator),
    /** The token's account. */
    viewer,
    /** Milliseconds since the epoch. */
    createdAt: Date.parse(created_at),
  }
}
