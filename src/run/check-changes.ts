/** Checks which files the agent's pull request changes, and whether that is allowed. */
import type { RunInputs } from '../core/inputs/schema.ts'
import type { AgentResult } from '../core/outcome.ts'
import { checkPaths, type PullRequestChanges, pullRequestChanges, totalsOf } from '../core/pull-changes.ts'
import type { GitHubReply } from '../core/reply.ts'
import { pullRequestThread, type Thread } from '../core/thread.ts'
import type { AgentPorts } from '../ports.ts'
import { orWarn } from '../record/comments.ts'
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
 * Reads what a pull request changes; null if it could not be read. If there are globs to check, all files are those of
 * one commit.
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

/** How often files are read while people push to the pull request. */
const maxReads = 3

async function readFiles(
  { repository, number }: Thread,
  globs: readonly string[],
  { github, sha256 }: AgentPorts,
): Promise<GitHubReply<PullRequestChanges>> {
  let pull = await github.pull(repository, number)
  for (let reads = 0; pull.ok && reads < maxReads; reads++) {
    const { value } = pull
    const head = value.headCommit
    const files = await github.changedFiles(repository, { by: 'pull', number })
    if (!files.ok) return files
    if (globs.length === 0) return { ok: true, value: pullRequestChanges(value, files.value, [], sha256) }
    const paths = files.value.files.map(({ path }) => path)
    const links = await github.links(repository, head, paths)
    if (!links.ok) return links
    pull = await github.pull(repository, number)
    if (pull.ok && pull.value.headCommit === head)
      return { ok: true, value: pullRequestChanges(value, files.value, links.value, sha256) }
  }
  if (!pull.ok) return pull
  return { ok: false, failure: { kind: 'moving-head' } }
}

/** What changed since the last reply. */
async function readSince(repository: string, head: string, before: string | null, { github }: AgentPorts) {
  if (before === null) return {}
  if (before === head) return { since: { files: 0, additions: 0, deletions: 0 } }
  const reply = await github.changedFiles(repository, { by: 'compare', base: before, head })
  // Nothing is better than the totals of some files.
  if (!reply.ok || reply.value.isCut) return {}
  return { since: totalsOf(reply.value) }
}
