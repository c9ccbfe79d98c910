/** Which pull requests brought commits to a branch, and whether all of them are the agent's or documented. */
import { isSameName } from './text.ts'

/** A pull request that contains a commit. */
export interface CommitPull {
  number: number
  title: string
  /** The login, as in REST; null if the account is gone. */
  author: string | null
  /** Its last commit. */
  head: string
  /** The branch that it is for. */
  base: string
  isMerged: boolean
  /** Whether it comes from another repository. */
  isFork: boolean
}

/** A pull request, its author, and its last commit. */
export type PullHead = Pick<CommitPull, 'number' | 'author' | 'head'>

/** Where a change's commits come from. Pull requests in it are merged, or have the last commit of an upstream run. */
export interface Sources {
  /** For each commit, the pull requests that brought it to the branch; none if someone pushed it directly. */
  bringers: readonly (readonly PullHead[])[]
  /** The agent's pull requests that contain one of the commits, even if they brought it to another branch. */
  own: readonly PullHead[]
  /** Those of others. */
  others: readonly PullHead[]
}

/** The branch that got commits. */
export interface Target {
  branch: string
  /** The run that a `workflow_run` follows; null for every other event. */
  upstreamRun: number | null
}

/** A commit, and the pull requests that contain it. */
export interface PulledCommit {
  sha: string
  pulls: readonly CommitPull[]
}

/** Finds out where commits come from. */
export function sourcesOf(commits: readonly PulledCommit[], target: Target, agentLogin: string): Sources {
  const bringers = commits.map((commit) => bringersOf(commit, target))
  const merged = commits.flatMap(({ pulls }) => pulls).filter(({ isMerged }) => isMerged)
  const all = [...new Map([...merged, ...bringers.flat()].map((pull) => [pull.number, pull])).values()]
  const isOwn = ({ author }: CommitPull) => isSameName(author, agentLogin)
  return { bringers, own: all.filter(isOwn), others: all.filter((pull) => !isOwn(pull)) }
}

/**
 * The pull requests that brought a commit to a branch. One that was merged into another branch did not, even if it
 * contains the commit: later, someone merged or pushed that branch. The commit of an upstream run can also be the last
 * one of a pull request in this repository, if there is only one.
 */
function bringersOf({ sha, pulls }: PulledCommit, { branch, upstreamRun }: Target) {
  const merged = pulls.filter(({ isMerged, base }) => isMerged && base === branch)
  if (merged.length > 0 || upstreamRun === null) return merged
  const tips = pulls.filter(({ head, isFork }) => head === sha && !isFork)
  return tips.length === 1 ? tips : []
}

/** Whether every commit came to the branch with some of these pull requests, and with no other. */
export function areBroughtBy({ bringers }: Sources, pulls: readonly { number: number }[]) {
  const numbers = new Set(pulls.map(({ number }) => number))
  const isBrought = (each: readonly PullHead[]) =>
    each.length > 0 && each.every(({ number }) => numbers.has(number))
  return bringers.length > 0 && bringers.every(isBrought)
}
