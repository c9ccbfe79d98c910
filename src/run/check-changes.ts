/** Checks which files the agent's pull request changes, and whether that is allowed. */
import type { RunInputs } from '../core/inputs/schema.ts'
import type { AgentResult } from '../core/outcome.ts'
import { checkPaths, type PullRequestChanges, pullRequestChanges, totalsOf } from '../core/pull-changes.ts'
import type { GitHubReply } from '../core/reply.ts'
import type { Thread } from '../core/thread.ts'
import { pullRequestThread } from '../core/thread.ts'
import type { AgentPorts, GitHubPorts } from '../ports.ts'
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
  const changes = githubToken !== null ? await readChanges(link, before, allowedPaths, ports) : null
  const checked = { ...result, changes }
  if (result.outcome !== 'pull-request') return checked
  const problem = checkPaths(changes, allowedPaths)
  if (problem === undefined) return checked
  return { ...checked, outcome: 'out-of-bounds', problem }
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
  if (thread === null) {
    ports.log(say.rejected('files', link, { kind: 'other-server' }))
    return null
  }
  const changes = await readFiles(thread, before, globs, ports)
  if (changes.ok) return changes.value
  ports.log(say.rejected('files', link, changes.failure))
  return null
}

/** How often files are read while people push to the pull request. */
const maxReads = 3

async function readFiles(
  thread: Thread,
  before: string | null,
  globs: readonly string[],
  { github, sha256 }: AgentPorts,
): Promise<GitHubReply<PullRequestChanges>> {
  const { repository, number } = thread
  let pull = await github.pull(repository, number)
  for (let reads = 0; pull.ok && reads < maxReads; reads++) {
    const head = pull.value.headCommit
    const files = await github.changedFiles(repository, { by: 'pull', number })
    if (!files.ok) return files
    const paths = files.value.files.map(({ path }) => path)
    const links = globs.length === 0 ? noLinks : await github.links(repository, head, paths)
    if (!links.ok) return links
    const after = globs.length === 0 ? pull : await github.pull(repository, number)
    if (after.ok && after.value.headCommit === head) {
      const changes = pullRequestChanges(pull.value, files.value, links.value, sha256)
      return { ok: true, value: { ...changes, ...(await readSince(repository, head, before, github)) } }
    }
    pull = after
  }
  return pull.ok ? { ok: false, failure: { kind: 'moving-head' } } : pull
}

const noLinks = { ok: true, value: [] as string[] } as const

/** What changed since the last reply. */
async function readSince(repository: string, head: string, before: string | null, github: GitHubPorts) {
  if (before === null) return {}
  if (before === head) return { since: { files: 0, additions: 0, deletions: 0 } }
  const since = await github.changedFiles(repository, { by: 'compare', base: before, head })
  return since.ok ? { since: totalsOf(since.value) } : {}
}
