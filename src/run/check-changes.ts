/** Checks which files the agent's pull request changes, and whether that is allowed. */
import type { RunInputs } from '../core/inputs/schema.ts'
import type { AgentResult } from '../core/outcome.ts'
import { checkPaths, type PullRequestChanges, pullRequestChanges, totalsOf } from '../core/pull-changes.ts'
import type { GitHubReply } from '../core/reply.ts'
import { pullRequestThread, type Thread } from '../core/thread.ts'
import type { AgentPorts } from '../ports.ts'
import { orWarn } from '../record/comments.ts'
import { lagMs } from '../record/next.ts'
import { say } from '../say/messages.ts'

/**
 * Adds the changes of the agent's pull request to a result. The outcome becomes `out-of-bounds` if `allowed-paths` does
 * not allow the changes.
 * @param before the pull request's last commit before a follow-up; null if there was none
 */
export async function checkChanges(
  result: AgentResult,
  { allowedPaths, githubToken }: Pick<RunInputs, 'allowedPaths' | 'githubToken'>,
  ports: AgentPorts,
  before: string | null = null,
): Promise<AgentResult> {
  const link = result.job?.link ?? null
  if (link === null || result.outcome === 'cancelled') return result
  const changes = githubToken === null ? null : await readChanges(link, before, allowedPaths, ports)
  const problem = checkPaths(changes, allowedPaths)
  if (!problem || result.outcome !== 'pull-request') return { ...result, changes }
  return { ...result, changes, outcome: 'out-of-bounds', problem }
}

/**
 * Reads what a pull request changes; null if it could not be read. If there are globs to check, only files of its last
 * commit have a known kind.
 * @param before the pull request's last commit before a follow-up; null if there was none
 */
export async function readChanges(
  link: string,
  before: string | null,
  globs: readonly string[],
  ports: AgentPorts,
): Promise<PullRequestChanges | null> {
  const thread = pullRequestThread(link, ports.serverUrl)
  if (!thread) {
    ports.log(say.rejected('files', link, { kind: 'other-server' }))
    return null
  }
  const reply = await orWarn('files', link, readFiles(thread, globs, ports), ports)
  if (!reply.ok) return null
  const since = await readSince(thread.repository, reply.value.head, before, ports)
  return { ...reply.value, ...since }
}

/** Maximum number of reads: GitHub's lists lag, and people push. */
const maxReads = 3

async function readFiles(
  { repository, number }: Thread,
  globs: readonly string[],
  { github, sha256, clock, cancelled }: AgentPorts,
): Promise<GitHubReply<PullRequestChanges>> {
  for (let reads = 1; ; reads++) {
    const pull = await github.pull(repository, number)
    if (!pull.ok) return pull
    const list = await github.changedFiles(repository, { by: 'pull', number })
    if (!list.ok) return list
    const paths = globs.length === 0 ? [] : list.value.files.map(({ path }) => path)
    const entries = await github.entries(repository, pull.value.headCommit, paths)
    if (!entries.ok) return entries
    const value = pullRequestChanges(pull.value, list.value, entries.value, sha256)
    const isOfHead = value.files.every(({ kind }) => kind !== 'unknown')
    if (isOfHead || globs.length === 0 || reads === maxReads) return { ok: true, value }
    await clock.sleep(lagMs / 2, cancelled)
  }
}

/** What changed since the last reply. */
async function readSince(repository: string, head: string, before: string | null, { github }: AgentPorts) {
  if (before === null) return {}
  if (before === head) return { since: { files: 0, additions: 0, deletions: 0 } }
  const reply = await github.changedFiles(repository, { by: 'compare', base: before, head })
  return reply.ok ? { since: totalsOf(reply.value) } : {}
}
