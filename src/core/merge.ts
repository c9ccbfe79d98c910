/** What “merged” means: the code is on the default branch, directly or through the branches that it was stacked on. */
import type { PullFacts } from './sources.ts'

/** A pull request on the way of code to the default branch. */
export type ChainPull = Pick<PullFacts, 'number' | 'state' | 'base' | 'mergeCommit' | 'closedAt'>

/**
 * Those of some pull requests from a branch that may have brought, or may bring, what was merged into it, the best first. A
 * branch can be rebased or used again, so the parent is the first one whose last commit contains the merge commit.
 */
export function possibleParents({ closedAt }: ChainPull, pulls: readonly PullFacts[]) {
  const since = closedAt ?? Number.POSITIVE_INFINITY
  const later = pulls.filter((pull) => !pull.isFork && (pull.closedAt === null || pull.closedAt >= since))
  return ['merged', 'open', 'closed'].flatMap((state) => later.filter((pull) => pull.state === state))
}
