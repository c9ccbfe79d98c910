/** GitHub in a dry run: reads are real, writes do nothing, and the usual code decides what settle would do. */
import type { GitHubPorts, Repositories } from './ports.ts'

/** The calls that only read. All others must be in `writes`, or this file does not compile. */
type Read =
  | keyof Repositories
  | 'contains'
  | 'releases'
  | 'pullViews'
  | 'role'
  | 'viewer'
  | 'comments'
  | 'recentComments'
  | 'statuses'
  | 'recentStatuses'

const done = async () => ({ ok: true, value: undefined }) as const

/** Writes do nothing, and report success. */
const writes: Omit<GitHubPorts, Read> = {
  // A higher id than any comment's, so that another run's comment counts as the first.
  reply: async () => ({ ok: true, value: Number.MAX_SAFE_INTEGER }),
  edit: done,
  remove: done,
  react: done,
  hide: done,
  setStatus: async () => ({ ok: true, value: Number.MAX_SAFE_INTEGER }),
  addLabels: done,
  requestReviews: done,
}

/** Replaces the calls that write. */
export function readOnly(github: GitHubPorts): GitHubPorts {
  return { ...github, ...writes }
}
