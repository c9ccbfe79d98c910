/** What “merged” means: the code is on the default branch, directly or through the branches that it was stacked on. */
import { type GitHubReply, replyWith } from '../core/http.ts'
import type { AgentPorts, PullFacts } from '../ports.ts'

/** A pull request on the way of code to the default branch. */
type ChainPull = Pick<PullFacts, 'number' | 'state' | 'base' | 'mergeCommit' | 'closedAt'>

/**
 * Follows code to the default branch. Returns the last known pull request of the chain: it is `merged` only if it brought
 * the code to the default branch, and `open` if it was merged into another branch.
 * @param code its pull request
 * @param levels maximum number of pull requests above it
 */
export async function followCode(
  repository: string,
  code: ChainPull,
  ports: AgentPorts,
  levels = 10,
): Promise<GitHubReply<ChainPull>> {
  const { mergeCommit } = code
  if (code.state !== 'merged') return replyWith(code)
  const isOnDefault = await ports.github.contains(repository, 'HEAD', mergeCommit ?? '')
  if (!isOnDefault.ok) return isOnDefault
  if (isOnDefault.value) return replyWith(code)
  const pulls = await ports.github.pullsOn(repository, 'headRefName', code.base)
  if (!pulls.ok) return pulls
  for (const parent of levels === 0 ? [] : possibleParents(code, pulls.value)) {
    const hasCode = await ports.github.contains(repository, parent.head, mergeCommit ?? '')
    if (!hasCode.ok) return hasCode
    if (hasCode.value) return followCode(repository, parent, ports, levels - 1)
  }
  return replyWith({ ...code, state: 'open' })
}

/**
 * Those of some pull requests from a branch that may have brought, or may bring, what was merged into it, the best first. A
 * branch can be rebased or used again, so the parent is the first one whose last commit contains the merge commit.
 */
function possibleParents({ closedAt }: ChainPull, pulls: readonly PullFacts[]) {
  const since = closedAt ?? Number.POSITIVE_INFINITY
  const later = pulls.filter((pull) => !pull.isFork && (pull.closedAt === null || pull.closedAt >= since))
  return ['merged', 'open', 'closed'].flatMap((state) => later.filter((pull) => pull.state === state))
}
