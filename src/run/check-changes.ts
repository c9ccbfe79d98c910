/** Checks which files the agent's pull request changes, and whether that is allowed. */

import { type GitHubReply, replyWith } from '../core/http.ts'
import type { RunInputs } from '../core/inputs/schema.ts'
import type { AgentResult } from '../core/outcome.ts'
import type { ChangedFile, ChangedFiles } from '../core/prompt/diff.ts'
import { checkPaths, diffName, type FileKind, type PullRequestChanges } from '../core/pull-changes.ts'
import { type PullName, pullOfLink } from '../core/thread.ts'
import type { AgentPorts, PullRequest, TreeEntry } from '../ports.ts'
import { orWarn } from '../record/comments.ts'
import { lagMs } from '../record/next.ts'
import { say } from '../say/messages.ts'

/**
 * Adds the changes of the agent's pull request to a result. The outcome becomes `out-of-bounds` if `allowed-paths` does
 * not allow the changes.
 * @param earlierHead the pull request's last commit before a follow-up; null if there was none
 * @param cache the changes that were read already, by link
 */
export async function checkChanges(
  result: AgentResult,
  { allowedPaths, githubToken }: RunInputs,
  earlierHead: string | null,
  cache: ReadonlyMap<string, PullRequestChanges>,
  ports: AgentPorts,
): Promise<AgentResult> {
  const link = result.job?.link
  if (!link || result.outcome === 'cancelled') return result
  const read = () => (githubToken === null ? null : readChanges(link, allowedPaths, ports))
  const pull = cache.get(link) ?? (await read())
  const changes = pull && { ...pull, isUnchanged: pull.head === earlierHead }
  const problem = checkPaths(changes, allowedPaths)
  if (!problem || result.outcome !== 'pull-request') return { ...result, changes }
  return { ...result, changes, outcome: 'out-of-bounds', problem }
}

/**
 * Reads what a pull request changes; null if it could not be read. If there are globs to check, only files of its last
 * commit have a known kind.
 */
export async function readChanges(link: string, globs: readonly string[], ports: AgentPorts) {
  const pull = pullOfLink(link, ports.serverUrl, ports.run)
  if (!pull) {
    ports.log(say.githubFailed('files', link, { kind: 'other-server' }))
    return null
  }
  const reply = await orWarn('files', link, readAtHead(pull, globs, ports), ports)
  return reply.ok ? reply.value : null
}

/** Maximum number of reads: GitHub's lists lag, and people push. */
const maxReads = 3

/** Reads what a pull request changes until the files are those of its last commit. */
async function readAtHead(name: PullName, globs: readonly string[], ports: AgentPorts) {
  const isChecked = globs.length > 0
  for (let reads = 1; ; reads++) {
    const pull = await ports.github.pull(name)
    if (!pull.ok) return pull
    const replies = await readAllChanges(name.repository, [pull.value], isChecked, ports)
    const [reply] = replies as [GitHubReply<PullRequestChanges>]
    if (!reply.ok || reads === maxReads) return reply
    if (!isChecked || isOfHead(reply.value)) return reply
    await ports.clock.sleep(lagMs / 2, ports.cancelled)
  }
}

/**
 * Reads what pull requests of a repository change. Returns a reply for each of them, in their order.
 * @param isChecked whether their files are checked, so that the kinds of files must be known
 */
export async function readAllChanges(
  repository: string,
  pulls: readonly PullRequest[],
  isChecked: boolean,
  { github, sha256 }: AgentPorts,
) {
  const found = []
  const places: { commit: string; path: string }[] = []
  for (const pull of pulls) {
    const list = await github.changedFiles(repository, { by: 'pull', number: pull.number })
    found.push({ pull, list })
    if (!list.ok || !isChecked) continue
    places.push(...list.value.files.map(({ path }) => ({ commit: pull.head, path })))
  }
  const reply = places.length > 0 ? await github.treeEntries(repository, places) : null
  return found.map(({ pull, list }) => {
    if (!list.ok) return list
    if (reply?.ok === false) return reply
    return replyWith(pullRequestChanges(pull, list.value, sha256, reply?.value))
  })
}

/** Whether all files are those of the last commit. */
export function isOfHead({ files }: PullRequestChanges) {
  return files.every(({ kind }) => kind !== 'unknown')
}

/**
 * Combines a pull request and its files.
 * @param sha256 returns a string's digest in hex; GitHub's link to a changed file contains the digest of its path
 * @param entries those of its last commit, by `commit:path`, if there are globs to check
 */
export function pullRequestChanges(
  pull: PullRequest,
  { files, isCut }: ChangedFiles,
  sha256: (text: string) => string,
  entries: ReadonlyMap<string, TreeEntry | undefined> = new Map(),
) {
  const { repositoryId, url, title, author, branch, head, changedFiles, additions, deletions, isFork } = pull
  const changes = files.map(({ patch: _, ...file }) => ({
    ...file,
    url: `${url}/files#diff-${sha256(file.path)}`,
    kind: kindOf(file, entries.get(`${head}:${file.path}`)),
  }))
  return {
    repositoryId,
    author,
    branch: isFork ? null : branch,
    title,
    head,
    files: changes.sort((one, other) => (one.path < other.path ? -1 : 1)),
    total: { files: changedFiles, additions, deletions },
    isCut: isCut || files.length < changedFiles,
    diffName: diffName(pull),
  }
}

/** git's modes of a file and of a program, and of a folder. */
const fileModes = [0o100644, 0o100755]
const folderMode = 0o040000

function kindOf({ id, status }: Omit<ChangedFile, 'patch'>, entry: TreeEntry | undefined): FileKind {
  const isGone = (entry?.mode ?? folderMode) === folderMode
  if (status === 'removed') return isGone ? 'file' : 'unknown'
  if (entry?.oid !== id) return 'unknown'
  return fileModes.includes(entry.mode) ? 'file' : 'other'
}
