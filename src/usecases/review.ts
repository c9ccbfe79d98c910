/** Checks which files the agent's pull request changes, and whether that is allowed. */
import type { RunInputs } from '../core/inputs/schema.ts'
import { pullRequestThread } from '../core/job/job.ts'
import type { AgentResult } from '../core/progress.ts'
import { checkPaths, type PullRequestChanges, pullRequestChanges, totalsOf } from '../core/review.ts'
import type { Thread } from '../core/thread.ts'
import type { AgentPorts, GitHubReply, PullRequestDetails } from './ports.ts'

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
  const changes = githubToken !== null ? await readChanges(prLink, before, allowedPaths, ports) : null
  const reviewed = { ...result, changes }
  if (result.outcome !== 'pull-request') return reviewed
  const files = checkPaths(changes, allowedPaths)
  if (files === undefined) return reviewed
  return { ...reviewed, outcome: 'out-of-bounds', problem: { type: 'out-of-bounds', files } }
}

/** How often a pull request is read while people push to it. */
const maxReads = 3

/**
 * Reads what a pull request changes; null if it could not be read. If there are globs to check, all files are those of
 * one commit.
 */
export async function readChanges(
  prLink: string,
  before: string | null,
  globs: readonly string[],
  ports: AgentPorts,
): Promise<PullRequestChanges | null> {
  const { serverUrl, onProgress } = ports
  const thread = pullRequestThread(prLink, serverUrl)
  const changes = thread === null ? otherServer : await readFiles(thread, globs, ports)
  if (!changes.ok) {
    onProgress({ type: 'changes-unread', prLink, rejection: changes.rejection })
    return null
  }
  return thread === null
    ? null
    : { ...changes.value, ...(await readSince(thread, changes.value, before, ports)) }
}

const otherServer = {
  ok: false,
  rejection: { status: null, message: 'the link is not on this GitHub server' },
} as const

async function readFiles(
  thread: Thread,
  globs: readonly string[],
  { github, sha256 }: AgentPorts,
): Promise<GitHubReply<PullRequestChanges>> {
  const { repository, number } = thread
  for (let reads = 0; reads < maxReads; reads++) {
    const pull = await readPull(thread, github)
    if (!pull.ok) return pull
    const head = pull.value.headCommit
    const files = await github.changedFiles(repository, { by: 'pull', number })
    if (!files.ok) return files
    if (globs.length === 0)
      return { ok: true, value: pullRequestChanges(pull.value, files.value, [], sha256) }
    const paths = files.value.files.map(({ path }) => path)
    const links = await github.links(repository, head, paths)
    if (!links.ok) return links
    const after = await readPull(thread, github)
    if (!after.ok) return after
    if (after.value.headCommit === head)
      return { ok: true, value: pullRequestChanges(pull.value, files.value, links.value, sha256) }
  }
  return { ok: false, rejection: { status: null, message: 'people keep pushing to it' } }
}

/** Reads a pull request. One that the token cannot see counts as rejected. */
async function readPull(
  { repository, number }: Pick<Thread, 'repository' | 'number'>,
  github: AgentPorts['github'],
): Promise<GitHubReply<PullRequestDetails>> {
  const read = await github.pull(repository, number)
  if (!read.ok) return read
  if (read.value !== null) return { ok: true, value: read.value }
  return { ok: false, rejection: { status: 404, message: 'the token cannot read that pull request' } }
}

/** What changed since the last reply. */
async function readSince(
  { repository }: Thread,
  { head }: PullRequestChanges,
  before: string | null,
  { github }: AgentPorts,
): Promise<Pick<PullRequestChanges, 'since'>> {
  if (before === null) return {}
  if (before === head) return { since: { files: 0, additions: 0, deletions: 0 } }
  const since = await github.changedFiles(repository, { by: 'compare', base: before, head })
  return since.ok ? { since: totalsOf(since.value) } : {}
}
