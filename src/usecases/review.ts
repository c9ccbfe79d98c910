/** Checks which files the agent's pull request changes, and whether that is allowed. */
import type { RunInputs } from '../core/inputs/schema.ts'
import { pullRequestThread } from '../core/job/job.ts'
import type { Rejection } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import { checkPaths, type PullRequestChanges, pullRequestChanges, totalsOf } from '../core/review.ts'
import type { AgentPorts } from './ports.ts'

/**
 * Adds the changes of the agent's pull request to a result. The outcome becomes `out-of-bounds` if `allowed-paths` does
 * not allow the changes.
 * @param before the pull request's last commit before a follow-up; null if there was none
 */
export async function reviewChanges(
  result: AgentResult,
  allowedPaths: readonly string[],
  { githubToken }: Pick<RunInputs, 'githubToken'>,
  ports: AgentPorts,
  before: string | null = null,
): Promise<AgentResult> {
  const prLink = result.job?.prLink ?? null
  if (prLink === null || result.outcome === 'cancelled') return result
  const changes = githubToken !== null ? await readChanges(prLink, before, ports) : null
  const reviewed = { ...result, changes }
  if (result.outcome !== 'pull-request') return reviewed
  const files = checkPaths(changes, allowedPaths, ports.matches)
  if (files === undefined) return reviewed
  return { ...reviewed, outcome: 'out-of-bounds', problem: { type: 'out-of-bounds', files } }
}

/** Reads what a pull request changes; null if it could not be read. */
export async function readChanges(
  prLink: string,
  before: string | null,
  ports: AgentPorts,
): Promise<PullRequestChanges | null> {
  const { github, serverUrl, sha256, onProgress } = ports
  const unread = (rejection: Rejection) => {
    onProgress({ type: 'changes-unread', prLink, rejection })
    return null
  }
  const thread = pullRequestThread(prLink, serverUrl)
  if (thread === null) return unread({ status: null, message: 'the link is not on this GitHub server' })
  const pull = await github.pull(thread.repository, thread.number)
  if (!pull.ok) return unread(pull.rejection)
  if (pull.value === null) return unread({ status: 404, message: 'the token cannot read that pull request' })
  const files = await github.changedFiles(thread.repository, { by: 'pull', number: thread.number })
  if (!files.ok) return unread(files.rejection)
  const changes = pullRequestChanges(pull.value, files.value, sha256)
  const { headCommit: head } = pull.value
  if (before === null) return changes
  if (before === head) return { ...changes, since: { files: 0, additions: 0, deletions: 0 } }
  const since = await github.changedFiles(thread.repository, { by: 'compare', base: before, head })
  return since.ok ? { ...changes, since: totalsOf(since.value) } : changes
}
