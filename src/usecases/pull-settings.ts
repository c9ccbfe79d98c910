/** What the workflow sets on the agent's pull request: labels and reviewers, once, and a status for `allowed-paths`. */

import { guardStatus } from '../core/guard.ts'
import type { RunInputs } from '../core/inputs/schema.ts'
import type { AgentResult } from '../core/outcome.ts'
import type { Thread } from '../core/thread.ts'
import { type PullAct, say } from '../say/messages.ts'
import type { AgentPorts, GitHubReply } from './ports.ts'

/** What happens to the agent's pull requests. */
export type PullSettings = Pick<RunInputs, 'agentLogin'> &
  Record<'pullRequestLabels' | 'reviewers' | 'allowedPaths', readonly string[]>

/** Whether the settings require a token for the pull request's repository. */
export function changesPulls({ pullRequestLabels, reviewers }: PullSettings): boolean {
  return pullRequestLabels.length > 0 || reviewers.length > 0
}

/**
 * Adds labels and requests reviews. GitHub ignores existing ones, so after a killed run, the next run can repeat this.
 * @param requester login of the requester; null if there is none
 */
export async function prepare(
  thread: Thread,
  { pullRequestLabels: labels, reviewers }: PullSettings,
  requester: string | null,
  ports: AgentPorts,
): Promise<void> {
  const { repository, number } = thread
  const { github } = ports
  if (labels.length > 0)
    warn('label', labels, thread, await github.addLabels(repository, number, labels), ports)
  const names = reviewersToRequest(reviewers, requester)
  if (names.length === 0) return
  const all = await requestReviews(thread, names, ports)
  // A reviewer whom GitHub rejects, such as someone without access, would prevent the others from being asked.
  if (all.ok || all.rejection.status !== 422 || names.length === 1)
    return warn('review', names, thread, all, ports)
  for (const name of names) warn('review', [name], thread, await requestReviews(thread, [name], ports), ports)
}

/** The reviewers to ask. Bots cannot review. */
function reviewersToRequest(reviewers: readonly string[], requester: string | null): string[] {
  const names = reviewers.flatMap((name) => (name === 'requester' ? (requester ?? []) : name))
  return [...new Set(names)].filter((name) => !name.endsWith('[bot]'))
}

function requestReviews(
  { repository, number }: Thread,
  names: readonly string[],
  { github }: AgentPorts,
): Promise<GitHubReply<void>> {
  const teams = names.filter((name) => name.includes('/')).map((name) => name.split('/')[1] ?? '')
  const logins = names.filter((name) => !name.includes('/'))
  return github.requestReviews(repository, number, { logins, teams })
}

/**
 * Sets the status for `allowed-paths` on the last commit in `changes`; false if there is nothing to set, or if GitHub
 * rejects it.
 */
export async function guard(
  thread: Thread,
  { changes, prLink }: Pick<AgentResult, 'changes'> & { prLink: string },
  { allowedPaths }: PullSettings,
  ports: AgentPorts,
): Promise<boolean> {
  if (changes === null) return false
  const { repository } = thread
  const at = { repository, targetUrl: prLink }
  const status = guardStatus(changes, allowedPaths, at, ports.matches, ports.sign)
  if (status === null) return false
  const set = await ports.github.setStatus(repository, changes.head, status)
  if (!set.ok) ports.log(say.unguarded(thread, set.rejection))
  return set.ok
}

/** Logs a rejected change to a pull request. @param names the labels or reviewers that it was about */
export function warn(
  act: PullAct,
  names: readonly string[],
  thread: Thread,
  done: GitHubReply<unknown>,
  { log }: Pick<AgentPorts, 'log'>,
): void {
  if (!done.ok) log(say.pullUnchanged(act, names, thread, done.rejection))
}
