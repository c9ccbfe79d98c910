/** Reads what happened to the agent's pull requests. Mode `settle` does not use this, because it reads them anyway. */
import { type PullStats, pullStatsOf, rateDays } from '../../core/pull.ts'
import { dayMs } from '../../core/units.ts'
import { type CommentPorts, recentMarks } from '../../usecases/comments.ts'
import type { GitHubReply, PullRequests } from '../../usecases/ports.ts'
import type { ReadingPorts } from './ports.ts'

/** In milliseconds: pull requests that were opened up to this long before the counted days are included. */
const maxWait = 28 * dayMs

export interface PullStatsPorts extends Pick<CommentPorts, 'sign'>, Pick<ReadingPorts, 'onProgress'> {
  github: CommentPorts['github'] & Pick<PullRequests, 'pullDates'>
}

export interface PullStatsRequest {
  /** `owner/name` of the repository that the workflow runs in. */
  repository: string
  projectId: string
  /** Milliseconds since the epoch; `to` is excluded. */
  from: number
  to: number
}

/** Finds the agent's pull requests by the action's comments; null if there are none, or if they could not be read. */
export async function readPullStats(
  request: PullStatsRequest,
  ports: PullStatsPorts,
): Promise<PullStats | null> {
  const { repository, projectId, from, to } = request
  const unread = ({ rejection }: Extract<GitHubReply<unknown>, { ok: false }>) => {
    ports.onProgress({ type: 'pulls-unread', repository, rejection })
    return null
  }
  const since = Math.min(from, to - rateDays * dayMs) - maxWait
  const marks = await recentMarks('issue', repository, projectId, since, ports)
  if (!marks.ok) return unread(marks)
  if (marks.value.isCut) {
    ports.onProgress({ type: 'pulls-cut' })
    return null
  }
  const own = marks.value.items.filter(({ mark }) => mark.role === 'provenance')
  const numbers = [...new Set(own.map(({ thread }) => thread.number))]
  if (numbers.length === 0) return null
  const pulls = await ports.github.pullDates(repository, numbers)
  if (!pulls.ok) return unread(pulls)
  const pullStats = pullStatsOf(pulls.value, { from, to })
  const { opened, merged, closed, waiting, rate } = pullStats
  return opened + merged + closed + waiting === 0 && rate === null ? null : pullStats
}
