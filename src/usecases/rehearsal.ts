/** GitHub in a dry run: what settle would do is found out by the code that does it. */
import type { GitHubPorts, PullRequests, Repositories } from './ports.ts'

/** The calls that only read. Any other one must be below, or nothing compiles. */
type Read =
  | keyof Repositories
  | Extract<keyof PullRequests, 'commitAuthors' | 'contains' | 'pullViews' | 'pullDates'>
  | 'role'
  | 'viewer'
  | 'comments'
  | 'recentComments'
  | 'statuses'
  | 'recentStatuses'

const done = async () => ({ ok: true, value: undefined }) as const

/** Writes do nothing, and report success. */
const writes: Omit<GitHubPorts, Read> = {
  // Later than any comment that exists: another run's stays the first one.
  reply: async () => ({ ok: true, value: Number.MAX_SAFE_INTEGER }),
  edit: done,
  remove: async () => ({ ok: true, value: 'gone' }),
  react: done,
  hide: done,
  setStatus: done,
  addLabels: done,
  requestReviews: done,
  closePull: done,
}

export function readOnly(github: GitHubPorts): GitHubPorts {
  return { ...github, ...writes }
}
