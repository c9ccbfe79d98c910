/** Which pull requests brought commits to a branch, and whether all of them are the agent's or documented. */
import type { PullState } from './hold.ts'
import { isSameName } from './text.ts'

/** A pull request, as queries show it. */
export interface PullFacts {
  number: number
  title: string
  /** The login, as in REST; null if the account is gone. */
  author: string | null
  /** Whether the author's account is a bot's. */
  isByBot: boolean
  /** Its branch, and the last commit of it. */
  branch: string
  head: string
  /** The branch that it is for. It is merged once this branch has it. */
  base: string
  state: PullState
  /** null if it is not merged. */
  mergeCommit: string | null
  /** When it was merged or closed, in milliseconds since the epoch; null if it is open. */
  closedAt: number | null
  /** Whether it comes from another repository. */
  isFork: boolean
}

/** The branch that got commits. */
interface Target {
  branch: string
  /** The last commit. */
  head: string
  /** The run that a `workflow_run` follows. */
  upstreamRun?: number | null
}

/** Where commits come from. */
export type Sources = ReturnType<typeof sourcesOf>

/**
 * Finds out where commits come from.
 * @param pulls the pull requests that contain each commit
 * @param stacked merged pull requests that the commits contain, even if a squash hides it
 */
export function sourcesOf(
  pulls: readonly PullFacts[][],
  target: Target,
  agentLogin: string,
  stacked: PullFacts[] = [],
) {
  const bringers = pulls.map((each) => bringersOf(each, target))
  const merged = [...pulls.flat(), ...stacked].filter(isMerged)
  const all = new Map([...merged, ...bringers.flat()].map((pull) => [pull.number, pull]))
  const { own = [], others = [] } = Object.groupBy(all.values(), ({ author }) =>
    isSameName(author, agentLogin) ? 'own' : 'others',
  )
  return {
    /** For each commit, the pull requests that brought it to the branch; none if someone pushed it directly. */
    bringers,
    /** The agent's pull requests that contain one of the commits, even if they brought it to another branch. */
    own,
    /** Those of others. */
    others,
    /** Whether every commit came to the branch with some of these pull requests, and with no other. */
    areFrom(some: readonly { number: number }[]) {
      const numbers = some.map(({ number }) => number)
      const isFrom = (each: PullFacts[]) =>
        each.length > 0 && each.every(({ number }) => numbers.includes(number))
      return bringers.length > 0 && bringers.every(isFrom)
    },
  }
}

/** Whether a pull request is merged into its base, which can be any branch. */
const isMerged = ({ state }: PullFacts) => state === 'merged'

/**
 * The pull requests that brought a commit to a branch. One that was merged into another branch did not, even if it
 * contains the commit: later, someone merged or pushed that branch. The commit of an upstream run can also be the last
 * one of a pull request in this repository, if there is only one.
 */
function bringersOf(pulls: PullFacts[], { branch, head, upstreamRun }: Target) {
  const merged = pulls.filter((pull) => isMerged(pull) && pull.base === branch)
  if (merged.length > 0 || !upstreamRun) return merged
  const tips = pulls.filter((pull) => pull.head === head && !pull.isFork)
  return tips.length === 1 ? tips : []
}
